// A map of all heads: layers down, heads across, each a cell with lines of text; a click shows that head.

import { cssColour, inkOn } from "../../../viz_core/browser/kit/colours";
import { READABLE, textWidth } from "../../../viz_core/browser/kit/pen";
import type { Figure, Room, Scene } from "../../../viz_core/web/src/figure";
import { APART, band } from "../../../viz_core/web/src/marks/axis";
import { HEAD, besideHeads, headAxes, walkHeads } from "../../../viz_core/web/src/marks/heads";
import type { Mark, Theme } from "../../../viz_core/web/src/marks/mark";
import { place } from "../../../viz_core/web/src/marks/shapes";
import { entryAt } from "../../../viz_core/web/src/payload";
import { type Heads, type Place, headAt, headWords, readHeads } from "./heads";

// px
const CELL = { width: 116, height: 62, most: 130, line: 22, gap: 3 };

export type Shown = ReturnType<typeof headAt>;
export type Cell = { lines: string[]; colour: (theme: Theme) => number };

/** The lines of a name: one, or one for each word where it is too long for a cell. */
export const nameLines = (name: string) => (textWidth(name, READABLE) <= CELL.width - 2 * CELL.gap ? [name] : name.split(" "));

/** What both maps share. */
export const headMap = {
  heights: [200, 700],
  read: readHeads,
  at: headAt,
  shared: "heads",
  below: headWords,
  pick: (_: unknown, { layer, head }: Place) => ({ layer, head }),
  keys: (shown: Shown) => walkHeads(shown, shown.layers, shown.heads),
} satisfies Partial<Figure<Heads, Shown, Place>>;

/** cells: row by row; below: px of height left for a legend, whose marks are made at the px of its top. */
export function mapScene(
  { layers, heads, layer, head, say }: Shown,
  cells: readonly Cell[],
  { w, h, whole }: Room,
  below = 0,
  legend: (top: number, left: number, right: number) => Mark[] = () => [],
): Scene<Place> {
  const left = besideHeads(layers) + APART;
  const width = Math.max(w, left + heads * CELL.width);
  const most = Math.max(2, ...cells.map(({ lines }) => lines.length));
  const least = CELL.height + (most - 2) * CELL.line;
  const step = whole ? Math.min(Math.max((h - HEAD - below) / layers, 2 * CELL.line), CELL.most) : least;
  const [x, y] = [band(heads, [left, width - 2]), band(layers, [HEAD, HEAD + layers * step])];
  const foot = y.range[1];
  const boxes: Mark = {
    draw(pen, theme) {
      cells.forEach(({ lines, colour }, index) => {
        const [row, column] = [Math.floor(index / heads), index % heads];
        const ground = colour(theme);
        const size = [x.step - 2 * CELL.gap, y.step - 2 * CELL.gap] as const;
        pen.box(x.start(column) + CELL.gap, y.start(row) + CELL.gap, ...size, { fill: cssColour(ground) });
        const style = { fill: inkOn(ground), align: "center", max: size[0] } as const;
        lines.forEach((words, at) => {
          pen.text(words, x(column), y(row) + (at - (lines.length - 1) / 2) * CELL.line, style);
        });
      });
    },
  };
  const area = { x: left, y: HEAD, w: x.range[1] - left, h: foot - HEAD };
  return {
    width,
    height: foot + below + 2,
    sight: [x.start(head), x.start(head + 1)],
    marks: [
      place(area, (px, py) => ({ layer: y.at(py), head: x.at(px) })),
      boxes,
      ...headAxes(x, y, { layer, head }, say),
      ...legend(foot + APART, left, width),
    ],
  };
}

/** The index of a head in a map's cells. */
export const cellAt = <Each>({ heads }: Heads, cells: readonly Each[], { layer, head }: Place) =>
  entryAt(cells, layer * heads + head);
