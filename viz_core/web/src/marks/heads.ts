// A map of heads: a cell for each, layers down and heads across, the current one framed.

import { READABLE, widestText } from "../../../browser/kit/pen";
import type { Figure, Patch, Room, Scene } from "../figure";
import { LINE, UPRIGHT, columnLabels, rowLabels, uprightTitle } from "./axis";
import { type Grid, cellNumbers, cells, frame, rowHeight } from "./cells";
import { band, range } from "./scale";
import { text } from "./shapes";

const ROWS = { least: 40, most: 62, smallest: 24, together: 680 }; // px
const [CELL, GAP] = [38, 3]; // px: the least width, between cells

export type Head = { layer: number; head: number };

/** grid: a number for each head; axes: names of rows and columns. */
type Heads = { grid: Grid; write: (value: number) => string; axes: readonly [layers: string, heads: string] };

export function headMap({ grid, write, axes }: Heads, held: Head, { w, h, whole }: Room, hovered: Head | null): Scene<Head> {
  const [layers, heads] = [grid.rows, grid.columns].map((count) => range(count).map((at) => String(at + 1))) as [
    string[],
    string[],
  ];
  const left = UPRIGHT + widestText(layers) + 8;
  const width = Math.max(w, left + grid.columns * CELL);
  const top = 2 * LINE;
  const step = rowHeight(grid.rows, h - top, whole, ROWS);
  const [x, y] = [band(grid.columns, [left, width]), band(grid.rows, [top, top + step * grid.rows])];
  const place = ({ layer, head }: Head) => ({ row: layer, column: head });
  return {
    width,
    height: y.range[1] + GAP,
    marks: [
      text(axes[1], (left + width) / 2, LINE / 2, { align: "center" }),
      columnLabels(x, heads, { y: top - 8, held: held.head, max: CELL, level: true }),
      uprightTitle(axes[0], 0, y.range),
      rowLabels(y, layers, { x: left - 8, align: "right", held: held.layer }),
      cells(x, y, grid, { gap: [GAP, GAP], datum: (layer, head) => ({ layer, head }) }),
      cellNumbers(x, y, grid, write, READABLE, GAP),
      frame(x, y, place(held), { stroke: "accent", width: 4 }),
      hovered && frame(x, y, place(hovered), { stroke: "accent", width: 2 }),
    ],
  };
}

/** Arrow keys go to the next head, and to the next layer. */
export function walkHeads(
  { layer, head }: Head,
  { rows, columns }: Grid,
): ReturnType<NonNullable<Figure<never, never, never>["keys"]>> {
  const walk = (name: keyof Head, at: number, count: number) => ({ at, count, to: (index: number): Patch => ({ [name]: index }) });
  return { across: walk("head", head, columns), down: walk("layer", layer, rows) };
}
