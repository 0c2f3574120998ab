// Numbers as small images: vectors as rows of coloured cells, and the weights of a head.

import { CELLS, ladder, pixel, pixelCanvas } from "../kit/pen.js";
import { svgEl } from "../kit/dom.js";

const pictureOf = (...size) => pixelCanvas(...size).toDataURL();
const LINES = 2; // px high in the picture: the cells, and as much empty below them

// vectors: (n, dims) in one array, of each the first CELLS; from: the lower end of the scale, in parts of the upper one.
export function printsOf(vectors, dims, limit, colours, from = -1) {
  const table = ladder(colours);
  return pictureOf(CELLS, (vectors.length / dims) * LINES, (pixels) => {
    for (let row = 0; row < vectors.length / dims; row += 1)
      vectors.subarray(row * dims, row * dims + CELLS).forEach((value, cell) => {
        pixels[row * LINES * CELLS + cell] = pixel(table, (value / limit - from) / (1 - from));
      });
  });
}

// A column of prints, one to a row of the overview.
export function printColumn(href, { x, width }, count, { pitch }) {
  const place = { x, width, y: pitch / LINES / 2, height: count * pitch };
  return svgEl("image", { href, ...place, preserveAspectRatio: "none", class: "print" });
}

// The weights of one head, 1 px each, of the first `rows` queries; row `blank` stays empty: it is to be guessed.
export function weightsPicture(data, kind, layer, head, rows, blank, theme) {
  const table = ladder(theme.sequential);
  const [down, across] = [data.queries[kind].length, data.keys[kind].length];
  return pictureOf(across, down, (pixels) =>
    data.weights(kind, layer, head).forEach((weight, index) => {
      const row = Math.floor(index / across);
      pixels[index] = pixel(table, row < rows && row !== blank ? weight : 0);
    }),
  );
}
