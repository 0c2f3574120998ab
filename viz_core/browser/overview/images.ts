// Numbers as small images: vectors as rows of coloured cells, and a head's weights.

import type { Theme } from "../../web/src/ui/store";
import { CELLS, pixelCanvas } from "../kit/pen";
import { ladder, pixel } from "../kit/colours";
import type { Kind, Overview } from "./data";

const pictureOf = (width: number, height: number, paint: (pixels: Uint32Array) => void): string =>
  pixelCanvas(width, height, paint).toDataURL();

// A picture of `count` vectors' first numbers (prints, in one array), 1 px per number, CELLS numbers per line; below each vector as many
// lines are left empty.
export function printsOf(prints: Float32Array, count: number, limit: number, colours: readonly string[], lines = 1) {
  const table = ladder(colours);
  const size = prints.length / count;
  return pictureOf(CELLS, count * 2 * lines, (pixels) => {
    for (let row = 0; row < count; row += 1)
      prints.subarray(row * size, (row + 1) * size).forEach((value, cell) => {
        pixels[row * 2 * lines * CELLS + cell] = pixel(table, (value / limit + 1) / 2);
      });
  });
}

// The weights of one head, 1 px each, of the first `rows` queries; row `blank` stays empty: it is to be guessed.
export function weightsPicture(
  data: Overview,
  kind: Kind,
  [layer, head]: [layer: number, head: number],
  rows: number,
  blank: number | null,
  theme: Theme,
) {
  const table = ladder(theme.sequential);
  const [down, across] = [data.queries[kind].length, data.keys[kind].length];
  return pictureOf(across, down, (pixels) =>
    data.weights(kind, layer, head).forEach((weight, index) => {
      const row = Math.floor(index / across);
      pixels[index] = pixel(table, row < rows && row !== blank ? weight : 0);
    }),
  );
}
