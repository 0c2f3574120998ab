// Vectors as rows of coloured cells, a column for each dimension, or the products of all pairs of vectors. The focused token's row is
// framed; a click on another row focuses that token.

import { type Figure, type Patch, type View, figure, walkOf } from "../../web/src/figure";
import { UPRIGHT, columnNumbers, uprightTitle, columnLabels, rowLabels } from "../../web/src/marks/axis";
import { type ColourScale, cellNumbers, cells, frame, rowHeight, titleAndLegend } from "../../web/src/marks/cells";
import { place, rules } from "../../web/src/marks/shapes";
import { nth, readTensors, speaker } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import { decimals, endOfScale } from "../kit/numbers";
import { READABLE, textWidth, widestText } from "../kit/pen";
import { guessedFrom } from "../../web/src/view";
import { band, range } from "../../web/src/marks/scale";

// px
const LEAST_WIDTH = 560;
const LONGEST_LABEL = 200;
const ROWS = { least: 24, most: 48, smallest: 4, together: 640 };
const LINE = 26; // of the numbers, and of the title with the legend, below the cells
const FRAME = 3;
const SLANTED = 84; // for slanted labels above the columns

/** labels: of the rows, and also of the columns if a column is picked. ends: of the colour scale; one that does not begin below 0 has one
 * hue. lead: the text above, for embeddings; without one the rows are positions. */
type About = {
  labels: string[];
  walked: number; // the first so many rows belong to tokens
  side: string;
  ends: [number, number];
  file: string;
  lead?: "embeddings" | "embeddings_bare";
  column?: number; // the picked one, if the cells are products of pairs
  ids?: number[]; // of the tokens, where the arithmetic has them
};
export type Matrix = ReturnType<typeof read>;
type Shown = ReturnType<typeof at>;
type Spot = { row: number; column: number };

const words = textsIn("browser.vectors");

function read(payload: Uint8Array) {
  const { about, tensors } = readTensors<About, "values">(payload);
  const { side, ends, file, lead, column = null, ids = [] } = about;
  const [[rows = 0, columns = 0], isPairs] = [tensors.values.shape, column !== null];
  const scale: ColourScale = { colours: ends[0] < 0 ? "diverging" : "sequential", domain: ends };
  const grid = { values: tensors.values.data, rows, columns, scale };
  const titles = { rows: lead ? words[side as "source"] : words.position, columns: isPairs ? words.position : words.dimension };
  const say = speaker({ lead: lead && words[lead], file }, words);
  return { ...about, walks: walkOf(side), column, ids, grid, titles, isPairs, first: isPairs ? 0 : 1, say };
}

function at(matrix: Matrix, view: View) {
  const { side, walks, walked, labels, isPairs, say } = matrix;
  const known = side === "target" ? guessedFrom(view) : Number.POSITIVE_INFINITY;
  return {
    ...matrix,
    row: Math.min(view[walks], walked - 1),
    column: isPairs ? Number(view.column) : null,
    labels: labels.map((label, row) => (row > known && row < walked ? say("hidden") : label)),
  };
}

export const vectorMatrix: Figure<Matrix, Shown, Spot> = {
  heights: [380, 900],
  shared: "vector_matrix",
  read,
  at,
  own: ({ column }): Patch => (column === null ? {} : { column }),
  asks: ({ column }) => ({ other: String(column) }),
  scene({ grid, labels, titles, ends, first, row, column, isPairs }, { w, h, whole }, hovered) {
    const width = Math.max(w, LEAST_WIDTH);
    const left = UPRIGHT + Math.min(widestText(labels), LONGEST_LABEL) + 14;
    const top = FRAME + (isPairs ? SLANTED : 0);
    const room = grid.rows * Math.floor((h - top - 2 * LINE - 8) / grid.rows); // whole px for each row
    const step = rowHeight(grid.rows, room, whole, ROWS);
    const across = width - left - (isPairs ? 40 : FRAME);
    const y = band(grid.rows, [top, top + step * grid.rows]);
    const x = band(grid.columns, [left, left + (isPairs ? Math.min(across, 2.2 * step * grid.columns) : across)]);
    const foot = y.range[1];
    const height = foot + 2 * LINE + 8;
    const beyond = isPairs ? ["", ""] : ["≤ ", "≥ "]; // no product is beyond the ends
    const named: [string, string] = [`${beyond[0]}${endOfScale(ends[0])}`, `${beyond[1]}${endOfScale(ends[1])}`];
    const written = (value: number): string => decimals(value, 0, 0);
    const fits = Math.max(...ends.map((end) => textWidth(written(end), READABLE))) + 6 <= x.step && step >= READABLE;
    const gaps = range(grid.rows - 1).map((at) => [left, y.start(at + 1), x.range[1], y.start(at + 1)]);
    const isBeside = textWidth(titles.rows, READABLE) <= foot - top; // otherwise the title runs along the whole figure
    return {
      width,
      height,
      marks: [
        place({ x: UPRIGHT, y: top, w: left - UPRIGHT, h: foot - top }, (_, py) => ({ row: y.at(py), column: 0 })),
        cells(x, y, grid, { datum: (row, column) => ({ row, column }) }),
        step < ROWS.least ? null : rules(gaps, { stroke: "surface", width: 2 }),
        isPairs
          ? columnLabels(x, labels, { y: top - 10, held: column ?? 0, max: SLANTED * 1.3 })
          : columnNumbers(x, first, foot + LINE / 2 + 2),
        isPairs && fits ? cellNumbers(x, y, grid, written) : null,
        rowLabels(y, labels, { x: left - 9, align: "right", held: row, max: left - UPRIGHT - 12 }),
        uprightTitle(titles.rows, 0, isBeside ? y.range : [height, 0]),
        ...titleAndLegend(titles.columns, grid.scale, named, x.range, foot + LINE * 1.5 + 6, width),
        frame(x, y, { row, column: column ?? undefined }, { stroke: "ink", width: FRAME }),
        hovered && frame(x, y, hovered, { stroke: "accent", width: 2 }),
      ],
    };
  },
  reading: (shown, spot) => reading(shown, spot),
  values: () => ({}),
  spoken: (shown) => [shown.say("lead"), shown.titles.rows, shown.titles.columns, reading(shown, null)].filter(Boolean).join(". "),
  pick: (shown, { row, column }) => (row < shown.walked ? picked(shown, row, column) : null),
  // Keys move to the next row, and in a matrix of pairs to the next column.
  keys(shown) {
    const { row, column, walked, grid } = shown;
    const down = { at: row, count: walked, to: (next: number) => picked(shown, next, column) };
    if (column === null) return { across: down, down };
    return { across: { at: column, count: grid.columns, to: (next) => picked(shown, row, next) }, down };
  },
};

const picked = ({ walks, isPairs }: Shown, row: number, column: number | null): Patch => ({
  [walks]: row,
  ...(isPairs && { column }),
});

function reading({ grid, labels, first, isPairs, row, column, say }: Shown, spot: Spot | null): string {
  const valueAt = (row: number, column: number) => nth(grid.values, row * grid.columns + column);
  const there = spot ?? (column === null ? null : { row, column });
  if (!there) {
    const begins = range(Math.min(4, grid.columns)).map((at) => decimals(valueAt(row, at), 2, 4));
    return say("begins", { label: labels[row], values: begins.join(", ") + (grid.columns > 4 ? ", …" : "") });
  }
  const value = decimals(valueAt(there.row, there.column), isPairs ? 2 : 4, 6);
  if (isPairs) return say("product", { a: labels[there.row], b: labels[there.column], value });
  return say("cell", { label: labels[there.row], dim: there.column + first, value });
}

export const mountVectorMatrix = figure(vectorMatrix);
