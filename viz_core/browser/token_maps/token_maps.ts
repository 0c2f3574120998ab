// Heat maps of queries × keys, one or two side by side with the same rows and columns, in any layer and head. Each frames the picked
// cell, or the greatest number of a row. Each page writes its own text below its maps.

import type { Kind } from "../../web/src/engine/config";
import type { Figure, View } from "../../web/src/figure";
import { LINE, RISE, UPRIGHT, uprightTitle, columnLabels, rowLabels } from "../../web/src/marks/axis";
import { type ColourScale, type Grid, cellNumbers, cells, frame, rowHeight, legend, scaleWidth } from "../../web/src/marks/cells";
import { rules, text } from "../../web/src/marks/shapes";
import { type Tensor, fill, sliceOf, readTensors, speaker, greatestOf } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import { bracketed, clauses, number, percent, shareInCell, sumOf } from "../kit/numbers";
import { READABLE, textWidth, widestText } from "../kit/pen";
import { hides } from "../../web/src/view";
import { band, range } from "../../web/src/marks/scale";

// px
const LEAST_WIDTH = [400, 860]; // of one map, of two
const [LONGEST_LABEL, APART, FOOT] = [240, 44, 6]; // a row's label; between two maps; below them
const ROWS = { least: 28, most: 56, smallest: 6, together: 680 };
const SPACED = 40; // more rows or columns have no gaps between them
const SLANTED = 96; // most room for slanting labels

/** One map. numbers: name of its numbers, NaN where masked; name: its title. hover, masked, zero, below: texts for a cell, a masked one, 0
 * and negative numbers, with places for `query`, `key` and `value`; with `below` the scale has 0 in its middle. written: format of a cell,
 * by default a share in %; times: factor by which it is written. limit, end: end of the scale, by default the greatest number of each layer
 * and head, and its label. */
export type TokenMap = {
  numbers: string;
  name: string;
  hover: string;
  masked?: string;
  zero?: string;
  below?: string;
  written?: keyof typeof WRITTEN;
  limit?: number;
  end?: string;
  times?: number;
};
/** by: meaning of an array's first axes; writes: what each query writes, in a decoder; cell: the framed one, if none can be picked. */
type About = {
  kind: Kind;
  queries: string[];
  keys: string[];
  writes: string[] | null;
  by: Record<string, ("layer" | "head")[]>;
  cell?: [number, number];
};
type At = (name: string, view: View) => Tensor;

/** What a page says of its maps. title: in a layer and head; axes: names of rows and columns; greatest: name of the numbers that decide
 * which is the greatest, by default the first map's; border: name of numbers, a line separates those below ½ from the others. */
export type Look = {
  maps: TokenMap[];
  title(place: { layer: number; head: number }): string;
  axes: readonly [rows: string, columns: string];
  file: string;
  greatest?: string;
  border?: string;
};
export type Maps = ReturnType<typeof readMaps>;
type Cell = { row: number; column: number };

const texts = textsIn("browser.token_maps");
const labels = textsIn("app.attention");

/** payload: from viz_core/app/token_maps.py. at: an array in a layer and head; shapes: of all arrays; cell: the framed one. */
export function readMaps<More = unknown>(payload: Uint8Array, lookOf: (about: About & More, at: At) => Look) {
  const { about, tensors } = readTensors<About & More, string>(payload);
  const placeIn = (name: string, view: View) =>
    (about.by[name] ?? []).map((of, axis) => Math.min(view[of], (tensors[name]?.shape[axis] ?? 1) - 1));
  const at: At = (name, view) => {
    const { shape, ...tensor } = tensors[name] ?? { shape: [0, 0], data: new Float32Array(0), exact: true };
    const place = placeIn(name, view);
    return { ...tensor, shape: shape.slice(place.length), data: sliceOf({ ...tensor, shape }, ...place) };
  };
  const look = lookOf(about, at);
  const [first] = look.maps as [TokenMap];
  const cell = (view: View): Cell => {
    const [row, column] = about.cell ?? view.cell ?? [about.writes ? view.step : 0, -1];
    const inside = Math.min(row, about.queries.length - 1);
    if (column >= 0) return { row: inside, column: Math.min(column, about.keys.length - 1) };
    return { row: inside, column: greatestOf(sliceOf(at(look.greatest ?? first.numbers, view), inside)) };
  };
  const titleIn = (view: View) => {
    const [layer = 0, head = 0] = placeIn(first.numbers, view);
    return look.title({ layer, head });
  };
  const queries = about.queries.map((read, at) => (about.writes ? fill(labels.row, { read, writes: about.writes[at] }) : read));
  const shapes = Object.fromEntries(Object.entries(tensors).map(([name, { shape }]) => [name, shape]));
  const say = speaker({ file: look.file }, texts);
  return { ...about, ...look, queries, shapes, isFixed: Boolean(about.cell), say, at, cell, titleIn };
}

export function mapsAt<Read extends Maps>(read: Read, view: View) {
  const drawn = read.maps.map((map) => {
    const { data: values, shape } = read.at(map.numbers, view);
    const { written = "share", times = 1 } = map;
    const limit = map.limit ?? Array.from(values).reduce((most, value) => Math.max(most, value || 0), 1e-9);
    const [rows = 0, columns = 0] = shape;
    const isSigned = Boolean(map.below);
    const scale: ColourScale = isSigned
      ? { colours: "diverging", domain: [-limit, limit] }
      : { colours: "sequential", domain: [0, limit] };
    const grid: Grid = { values, rows, columns, scale };
    const write = (value: number) => inCell(Number.isNaN(value) ? "" : WRITTEN[written](value * times, limit));
    const end = map.end ?? (written === "share" ? percent(limit) : WRITTEN[written](limit, limit));
    return { ...map, written, grid, write, ends: [isSigned ? `−${end}` : "0", end] as [string, string] };
  });
  const border = read.border ? read.at(read.border, view).data : null;
  const matrix = (name: string) => read.at(name, view); // of this layer and head
  return { ...read, ...read.cell(view), view, matrix, drawn, title: read.titleIn(view), border };
}

type Shown = ReturnType<typeof mapsAt<Maps>>;

/** A row of a matrix, 0 where the mask forbids. */
export function rowOf({ shape, data }: Tensor, row: number) {
  const width = shape[1] ?? 0;
  return Array.from(data.subarray(row * width, (row + 1) * width), (value) => value || 0);
}

/** The n numbers of a cell in an array (n, rows, columns). */
export function through({ shape, data }: Tensor, row: number, column: number) {
  const [count = 0, height = 0, width = 0] = shape;
  return range(count).map((at) => data[(at * height + row) * width + column] ?? 0);
}

/** A sum over pairs, of their products or their smaller numbers, as a formula: the largest terms, and dots for the others. */
export function largestTerms(pairs: readonly (readonly number[])[], most: number, how: "products" | "least" = "products") {
  const size = (pair: readonly number[]) => (how === "least" ? Math.min(...pair) : pair.reduce((a, b) => a * b, 1));
  const write = (pair: readonly number[]) =>
    how === "least" ? `\\min(${pair.map(number).join(", ")})` : pair.map((value) => bracketed(number(value))).join(" \\cdot ");
  return sumOf(pairs.toSorted((a, b) => size(b) - size(a)).map(write), most);
}

export const tokenMaps: Omit<Figure<Maps, Shown, Cell>, "read"> = {
  heights: [300, 760],
  at: mapsAt,
  isCovered: hides,
  scene({ drawn, queries, keys, axes, row, column, border }, { w, h, whole }, hovered) {
    const width = Math.max(w, LEAST_WIDTH[drawn.length - 1] ?? 0);
    const left = UPRIGHT + Math.min(widestText(queries), LONGEST_LABEL) + 12;
    const slants = widestText(keys) + 8 > (width - left) / drawn.length / keys.length;
    const heads = slants ? Math.min(SLANTED, widestText(keys) * RISE + LINE) : LINE;
    const wide = (width - left - (slants ? heads : 0) - APART * (drawn.length - 1)) / drawn.length;
    const top = 2 * LINE + heads;
    const step = rowHeight(queries.length, h - top - FOOT, whole, ROWS);
    const y = band(queries.length, [top, top + step * queries.length]);
    const height = y.range[1] + FOOT;
    const isBeside = textWidth(axes[0], READABLE) <= y.range[1] - top; // else the title runs along the whole figure
    const gap = Math.max(queries.length, keys.length) <= SPACED ? 2 : 0;
    const panels = drawn.flatMap(({ name, grid, write, ends }, at) => {
      const from = left + at * (wide + APART);
      const x = band(keys.length, [from, from + wide]);
      const scale = from + wide - scaleWidth(ends);
      const begin = at ? from : Math.max(0, Math.min(from, scale - 10 - textWidth(name, READABLE, true)));
      const fits = step >= READABLE + 2 && x.step > READABLE && widestText(Array.from(grid.values, write), false) + 4 <= x.step;
      return [
        text(name, begin, LINE / 2, { bold: true, max: scale - begin - 10 }),
        legend(grid.scale, ends, scale, LINE / 2),
        text(axes[1], from, LINE * 1.5, { max: wide }),
        columnLabels(x, keys, { y: top - 10, held: column, heldInk: "k_text", max: (SLANTED - LINE) / RISE, level: !slants }),
        cells(x, y, grid, { gap: [gap, gap], datum: (row, column) => ({ row, column }) }),
        fits ? cellNumbers(x, y, grid, write, READABLE, gap) : null,
        border && !at ? rules(bordersOf(border, x, y), { stroke: "output_text", width: 3, dash: [6, 3] }) : null,
        frame(x, y, { row }, { stroke: "q", width: 2 }),
        frame(x, y, { row, column }, { stroke: "accent", width: 4 }),
        hovered && frame(x, y, hovered, { stroke: "accent", width: 2 }),
      ];
    });
    return {
      width,
      height,
      marks: [
        uprightTitle(axes[0], 0, isBeside ? y.range : [height, 0]),
        rowLabels(y, queries, { x: left - 9, align: "right", held: row, heldInk: "q_text", max: left - UPRIGHT - 12 }),
        ...panels,
      ],
    };
  },
  reading({ drawn, queries, keys, ...held }, spot) {
    const { row, column } = spot ?? held;
    return drawn
      .map(({ grid, hover, masked, zero, below, written }) => {
        const value = grid.values[row * keys.length + column] ?? Number.NaN;
        const words = { query: queries[row], key: keys[column] };
        if (Number.isNaN(value)) return fill(masked ?? "", words);
        const template = (value < 0 && below) || (value === 0 && zero) || hover;
        return fill(template, { ...words, value: written === "share" ? percent(value) : number(value) });
      })
      .join("    ");
  },
  values: ({ title, drawn, axes }) => ({ title, axes: clauses([...drawn.map(({ name }) => name), ...axes]) }),
  pick: ({ isFixed }, { row, column }) => (isFixed ? null : { cell: [row, column] }),
  keys: ({ isFixed, queries, keys, row, column }) => ({
    across: { at: column, count: keys.length, to: (index) => (isFixed ? null : { cell: [row, index] }) },
    down: { at: row, count: queries.length, to: (index) => (isFixed ? null : { cell: [index, column] }) },
  }),
};

/** Lines along the borders between cells below ½ and the others. */
export function bordersOf(values: Tensor["data"], x: ReturnType<typeof band>, y: ReturnType<typeof band>): number[][] {
  const isLow = (row: number, column: number) => (values[row * x.count + column] ?? 0) < 0.5;
  return range(y.count).flatMap((row) =>
    range(x.count).flatMap((column) => {
      const [right, foot] = [x.start(column + 1), y.start(row + 1)];
      const upright = column + 1 < x.count && isLow(row, column) !== isLow(row, column + 1);
      const level = row + 1 < y.count && isLow(row, column) !== isLow(row + 1, column);
      return [...(upright ? [[right, y.start(row), right, foot]] : []), ...(level ? [[x.start(column), foot, right, foot]] : [])];
    }),
  );
}

/** A number in three or four characters, with as many digits as the map's greatest number leaves room for. */
function brief(value: number, most: number): string {
  if (most >= 999.5) return value.toExponential(0).replace("e+", "e").replace("e-", "e−"); // in an edited model
  return value.toFixed(most < 9.995 ? 2 : most < 99.95 ? 1 : 0);
}

const WRITTEN = {
  hundredths: (value: number, _most: number) => (value < 0.995 ? value.toFixed(2).slice(1) : value.toFixed(1)), // .72: four characters would touch the next cell's
  brief,
  share: (value: number, _most: number): string => (value < 0.005 ? "" : shareInCell(value)),
  whole: (value: number, _most: number) => `${value < -0.5 ? "−" : value > 0.5 ? "+" : ""}${Math.abs(value).toFixed(0)}`,
};

/** Empty where the number would read 0. */
const inCell = (words: string) => (/[^0.]/.test(words) ? words : "");
