// Maps of heads: a cell for each, layers down and heads across, the current one framed.

import { READABLE, widestText } from "../../../browser/kit/pen";
import type { Figure, Patch, View } from "../figure";
import { type Say, nth } from "../payload";
import { hides } from "../view";
import { LINE, UPRIGHT, columnLabels, rowLabels, uprightTitle } from "./axis";
import { type Grid, cellNumbers, cells, frame, rowHeight } from "./cells";
import type { Mark } from "./mark";
import { text } from "./shapes";
import { type Band, band, range } from "./scale";

const ROWS = { least: 40, most: 62, smallest: 24, together: 680 }; // px
const [CELL, GAP] = [38, 3]; // px: the least width, between cells

export type Head = { layer: number; head: number };

/** Where the cells begin, below the title and the numbers of columns. */
export const HEAD = 2 * LINE;

/** px left of the cells, for the numbers of so many layers. */
export const besideHeads = (layers: number) => UPRIGHT + widestText([String(layers)]) + 8;

/** The numbers of layers and heads, with their names, and the frame around the current head. */
export function headAxes(x: Band, y: Band, held: Head, say: Say): Mark[] {
  const numbers = ({ count }: Band) => range(count).map((at) => String(at + 1));
  return [
    text(say("heads"), (x.range[0] + x.range[1]) / 2, LINE / 2, { align: "center" }),
    columnLabels(x, numbers(x), { y: HEAD - 8, held: held.head, max: x.step, level: true }),
    uprightTitle(say("layers"), 0, y.range),
    rowLabels(y, numbers(y), { x: x.range[0] - 8, align: "right", held: held.layer }),
    frame(x, y, { row: held.layer, column: held.head }, { stroke: "accent", width: 4 }),
  ];
}

/** Arrow keys go to the next head, and to the next layer. */
export function walkHeads({ layer, head }: Head, layers: number, heads: number) {
  const walk = (name: keyof Head, at: number, count: number) => ({ at, count, to: (index: number): Patch => ({ [name]: index }) });
  return { across: walk("head", head, heads), down: walk("layer", layer, layers) };
}

/** grid: a number for each head, written by `write`; say: the texts layers, heads, hover, lead. */
type Shown = { say: Say; held: Head; grid: Grid; write: (value: number) => string };

/** A map with a number in each cell, hidden while a word is to be guessed. */
export function headFigure<Data, More extends Patch>(
  own: Pick<Figure<Data, Shown & More, Head>, "read" | "shared"> & {
    at(data: Data, view: View): Shown & More;
    values(shown: Shown & More): Patch;
  },
): Figure<Data, Shown & More, Head> {
  const reading = (shown: Shown & More, spot: Head | null) => {
    const { say, held, grid, write } = shown;
    const { layer, head } = spot ?? held;
    const value = write(nth(grid.values, layer * grid.columns + head));
    return say("hover", { ...own.values(shown), layer: layer + 1, head: head + 1, value });
  };
  return {
    ...own,
    heights: [200, 560],
    isCovered: hides,
    tells: true,
    scene({ grid, write, held, say }, { w, h, whole }, hovered) {
      const left = besideHeads(grid.rows);
      const width = Math.max(w, left + grid.columns * CELL);
      const step = rowHeight(grid.rows, h - HEAD, whole, ROWS);
      const [x, y] = [band(grid.columns, [left, width]), band(grid.rows, [HEAD, HEAD + step * grid.rows])];
      return {
        width,
        height: y.range[1] + GAP,
        marks: [
          cells(x, y, grid, { gap: [GAP, GAP], datum: (layer, head) => ({ layer, head }) }),
          cellNumbers(x, y, grid, write, READABLE, GAP),
          ...headAxes(x, y, held, say),
          hovered && frame(x, y, { row: hovered.layer, column: hovered.head }, { stroke: "accent", width: 2 }),
        ],
      };
    },
    reading,
    spoken: (shown) => [shown.say("lead", own.values(shown)), reading(shown, null)].join(". "),
    pick: (_, head) => head,
    keys: ({ held, grid }) => walkHeads(held, grid.rows, grid.columns),
  };
}
