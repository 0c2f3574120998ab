// Numbers as small images: vectors as rows of coloured cells, and the map, every layer and head of one attention as a
// thumbnail with the current one framed.

import { ladder, pixel, pixelCanvas } from "../kit/pen.js";
import { setAttributes, setText, svgEl } from "../kit/dom.js";

const pictureOf = (...size) => pixelCanvas(...size).toDataURL();

// vectors: (n, dims) in one array; cells: of one line of a print; from: the lower end of the scale, in parts of the upper
// one. Returns { url, lines }: 1 px a cell, below each print an empty line.
export function printsOf(vectors, dims, cells, limit, colours, from = -1) {
  const table = ladder(colours);
  const lines = Math.ceil(dims / cells);
  const url = pictureOf(cells, (vectors.length / dims) * (lines + 1), (pixels) =>
    vectors.forEach((value, index) => {
      const row = Math.floor(index / dims);
      pixels[row * (lines + 1) * cells + (index % dims)] = pixel(table, (value / limit - from) / (1 - from));
    }),
  );
  return { url, lines };
}

// A column of prints, one to a row of the overview.
export function printColumn({ url, lines }, { x, width }, count, { pitch }) {
  const place = { x, width, y: pitch / (lines + 1) / 2, height: count * pitch };
  return svgEl("image", { href: url, ...place, preserveAspectRatio: "none", class: "print" });
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

const TOP = 20;
const SIZE = 16; // px above the pictures, and of the numbers
const MOST = 24; // rows and columns of one picture

export function makeMap(svg, data, colours, wide) {
  const frame = svgEl("rect", { class: "here", rx: 3 });
  const image = svgEl("image", { class: "print", preserveAspectRatio: "none" });
  const numbers = (length, anchor) =>
    Array.from({ length }, () => svgEl("text", { class: "quiet", "text-anchor": anchor, "font-size": SIZE }));
  const rowNumbers = numbers(data.layers, "end");
  const columnNumbers = numbers(data.heads, "middle");
  const lattice = svgEl("path", { class: "lattice" });
  svg.append(svgEl("g", { class: "map" }, image, lattice, ...rowNumbers, ...columnNumbers, frame));
  const made = {};
  let at = null;

  const place = ({ encoder, foot }) => {
    const first = { layer: `${data.texts.layer} 1`, head: `${data.texts.head} 1` };
    const x = encoder.x + 20 + wide(first.layer, SIZE);
    const y = 4 + TOP;
    const width = encoder.end - 14 - x;
    const height = foot - y - 8;
    const [cell, line] = [width / data.heads, height / data.layers];
    at = { x, y, cell, line };
    setAttributes(image, { x, y, width, height });
    const everyLayer = Math.ceil(SIZE / line);
    const everyHead = cell > 18 ? 1 : 2;
    rowNumbers.forEach((node, layer) => {
      const words = layer === 0 ? first.layer : layer % everyLayer ? "" : String(layer + 1);
      setText(node, words, { x: x - 8, y: y + (layer + 0.5) * line + 6 });
    });
    columnNumbers.forEach((node, head) => {
      const words =
        head === 0 && cell > wide(first.head, SIZE) + 4 ? first.head : head % everyHead ? "" : String(head + 1);
      setText(node, words, { x: x + (head + 0.5) * cell, y: y - 5 });
    });
    const across = Array.from({ length: data.layers + 1 }, (_, row) => `M${x} ${y + row * line}H${x + width}`);
    const down = Array.from({ length: data.heads + 1 }, (_, column) => `M${x + column * cell} ${y}V${y + height}`);
    setAttributes(lattice, { d: [...across, ...down].join("") });
  };

  const paint = (kind, layer, head) => {
    made[kind] ??= thumbnails(data, kind, colours);
    setAttributes(image, { href: made[kind] });
    setAttributes(frame, { x: at.x + head * at.cell, y: at.y + layer * at.line, width: at.cell, height: at.line });
    const mark = (nodes, now) =>
      nodes.forEach((node, index) => setAttributes(node, { "font-weight": index === now ? 700 : 400 }));
    mark(rowNumbers, layer);
    mark(columnNumbers, head);
  };

  // {layer, head} at a point, or null.
  const under = (x, y) => {
    const head = Math.floor((x - at.x) / at.cell);
    const layer = Math.floor((y - at.y) / at.line);
    return head >= 0 && head < data.heads && layer >= 0 && layer < data.layers ? { layer, head } : null;
  };
  return { place, paint, under };
}

// All heads of all layers in one picture: one px a weight; of a long sentence the strongest of each patch of weights.
function thumbnails(data, kind, colours) {
  const table = ladder(colours);
  const [rows, columns] = [data.queries[kind].length, data.keys[kind].length];
  const patch = Math.ceil(Math.max(rows, columns) / MOST);
  const across = Math.ceil(columns / patch);
  const down = Math.ceil(rows / patch);
  return pictureOf(across * data.heads, down * data.layers, (pixels) => {
    const strongest = new Float32Array(pixels.length);
    for (let layer = 0; layer < data.layers; layer += 1) {
      for (let head = 0; head < data.heads; head += 1) {
        data.weights(kind, layer, head).forEach((weight, index) => {
          const row = layer * down + Math.floor(index / columns / patch);
          const column = head * across + Math.floor((index % columns) / patch);
          const at = row * across * data.heads + column;
          if (weight < strongest[at]) return;
          strongest[at] = weight;
          pixels[at] = pixel(table, weight);
        });
      }
    }
  });
}
