// Vectors as prints: every number of a vector is one cell, coloured on the diverging scale; a column of them is one
// picture.

import { ladder, pixel } from "../kit/colours.js";
import { svgEl } from "../kit/dom.js";

// vectors: (n, dims) in one array; cells: of one line of a print. Returns { url, lines }: 1 px a cell, below each print
// an empty line.
export function printsOf(vectors, dims, cells, limit, colours) {
  const table = ladder(colours);
  const lines = Math.ceil(dims / cells);
  const count = vectors.length / dims;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [cells, count * (lines + 1)];
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let index = 0; index < vectors.length; index += 1) {
    const row = Math.floor(index / dims);
    const dim = index % dims;
    pixels[row * (lines + 1) * cells + dim] = pixel(table, (vectors[index] / limit + 1) / 2);
  }
  pen.putImageData(image, 0, 0);
  return { url: canvas.toDataURL(), lines };
}

// A column of prints, one to a row of the overview.
export function printColumn({ url, lines }, { x, width }, count, { pitch }) {
  return svgEl("image", {
    href: url,
    x,
    width,
    y: pitch / (lines + 1) / 2,
    height: count * pitch,
    preserveAspectRatio: "none",
    class: "print",
  });
}

// Numbers as a strip or a grid of cells of their own: width × height px, `across` cells in a line.
export function gridOf(values, across, limit, colours, from = -1) {
  const table = ladder(colours);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [across, Math.ceil(values.length / across)];
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  values.forEach((value, index) => {
    pixels[index] = pixel(table, (value / limit - from) / (1 - from));
  });
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL();
}
