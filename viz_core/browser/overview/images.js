// Numbers as small images: vectors as rows of coloured cells, and the map, every layer and head of one attention as a
// thumbnail with the current one framed.

import { ladder, pixel } from "../kit/colours.js";
import { setAttributes, svgEl } from "../kit/dom.js";

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

const TOP = 20;
const SIZE = 16; // px above the pictures, and of the numbers
const MOST = 24; // rows and columns of one picture

export function makeMap(svg, data, colours, wide) {
  const group = svgEl("g", { class: "map" });
  const frame = svgEl("rect", { class: "here", rx: 3 });
  const image = svgEl("image", { class: "print", preserveAspectRatio: "none" });
  const words = (length, anchor) =>
    Array.from({ length }, () => svgEl("text", { class: "quiet", "text-anchor": anchor }));
  const rowWords = words(data.layers, "end");
  const columnWords = words(data.heads, "middle");
  const lattice = svgEl("path", { class: "lattice" });
  group.append(image, lattice, ...rowWords, ...columnWords, frame);
  svg.append(group);
  const made = {};
  let at = null;
  let shown = "";

  const place = ({ encoder, foot }) => {
    const x = encoder.x + 20 + wide(`${data.texts.layer} 1`, SIZE);
    const y = 4 + TOP;
    const width = encoder.end - 14 - x;
    const height = foot - y - 8;
    at = { x, y, width, height, cell: width / data.heads, line: height / data.layers };
    setAttributes(image, { x, y, width, height });
    const size = SIZE;
    const every = Math.ceil(size / at.line);
    rowWords.forEach((word, layer) => {
      setAttributes(word, { x: x - 8, y: y + (layer + 0.5) * at.line + 6, "font-size": size });
      word.textContent = layer === 0 ? `${data.texts.layer} 1` : layer % every ? "" : layer + 1;
    });
    columnWords.forEach((word, head) => {
      setAttributes(word, { x: x + (head + 0.5) * at.cell, y: y - 5, "font-size": size });
      word.textContent =
        head === 0 && at.cell > 54 ? `${data.texts.head} 1` : at.cell > 18 || head % 2 === 0 ? head + 1 : "";
    });
    const lines = [...Array(data.layers + 1).keys()].map((row) => `M${x} ${y + row * at.line}H${x + width}`);
    const uprights = [...Array(data.heads + 1).keys()].map((column) => `M${x + column * at.cell} ${y}V${y + height}`);
    setAttributes(lattice, { d: [...lines, ...uprights].join("") });
  };

  const paint = (kind, layer, head) => {
    made[kind] ??= thumbnails(data, kind, colours);
    if (shown !== kind) image.setAttribute("href", made[kind]);
    shown = kind;
    setAttributes(frame, { x: at.x + head * at.cell, y: at.y + layer * at.line, width: at.cell, height: at.line });
    rowWords.forEach((word, index) => word.setAttribute("font-weight", index === layer ? 700 : 400));
    columnWords.forEach((word, index) => word.setAttribute("font-weight", index === head ? 700 : 400));
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
  const rows = data.rows[kind];
  const columns = data.columns[kind];
  const patch = Math.ceil(Math.max(rows, columns) / MOST);
  const across = Math.ceil(columns / patch);
  const down = Math.ceil(rows / patch);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [across * data.heads, down * data.layers];
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const strongest = new Float32Array(pixels.length);
  for (let layer = 0; layer < data.layers; layer += 1) {
    for (let head = 0; head < data.heads; head += 1) {
      data.weights(kind, layer, head).forEach((weight, index) => {
        const row = layer * down + Math.floor(index / columns / patch);
        const column = head * across + Math.floor((index % columns) / patch);
        const at = row * canvas.width + column;
        if (weight < strongest[at]) return;
        strongest[at] = weight;
        pixels[at] = pixel(table, weight);
      });
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL();
}
