// Cells of an attention picture: values as coloured bitmaps, the numbers printed in them, the colour scale; cell sizes, scrolling, and
// the note of what is out of sight.

import { painted } from "../../web/src/marks/cells";
import type { Bitmap, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Theme } from "../../web/src/ui/store";
import { fill, points, shareInCell } from "../kit/numbers";
import { READABLE, takeBack, textWidth } from "../kit/pen";
import { inkOn, ladder, packed, pixel } from "../kit/svg_pen";
import type { Attention } from "./data";
import type { Selection } from "./selection";
import type { Frame, GridFrame, MatrixFrame } from "./picture";

type Scale = ReturnType<typeof scaleOf>;
export type Axis = ReturnType<typeof axisOf>;
type Pair = [row: number, column: number];
/** The visible part of a matrix: cells from `first` up to but excluding `last`, and where they are. */
export type Part = { first: Pair; last: Pair; left(column: number): number; top(row: number): number };

const DECADES = 4; // the logarithmic scale goes from 10⁻⁴ to 1
const MOST_BITMAPS = 700; // cached for each attention
const LATER = 0.3; // rows not written yet keep this share of their distance from neutral: the same hue, paler
const bitmaps = new WeakMap<Attention, Map<string, Values>>();

// The colours of a stage. limit: the end of the diverging scale; nothing: the share of a neutral value.
export function scaleOf({ weights, log }: Selection, limit: number, theme: Theme) {
  const signed = (value: number) => (value / limit + 1) / 2;
  if (!weights) return { table: ladder(theme.diverging), low: -limit, high: limit, share: signed, nothing: signed(0) };
  const table = ladder(theme.sequential);
  if (!log) return { table, low: 0, high: 1, share: (value: number) => value, nothing: 0 };
  const share = (value: number) => (value > 0 ? Math.max(0, 1 + Math.log10(value) / DECADES) : 0);
  return { table, low: 10 ** -DECADES, high: 1, share, nothing: 0 };
}

export interface Values extends Bitmap {
  values: Float32Array;
  /** The same bitmap in the paler colours of rows that are not written yet. */
  later(): Bitmap;
  /** Gives its canvases to other bitmaps. */
  end(): void;
}

// key: identifies everything the bitmap of these data depends on.
export function bitmapOf(
  data: Attention,
  key: string,
  columns: number,
  make: () => Float32Array,
  scale: Scale,
  masked: string,
): Values {
  const known = bitmaps.get(data) ?? new Map<string, Values>();
  bitmaps.set(data, known);
  const cached = known.get(key);
  if (cached) return cached;
  const values = make();
  const { table, share, nothing } = scale;
  const hole = packed(masked);
  const drawn = (shareOf: typeof share) =>
    painted(values, values.length / columns, columns, (value) => (Number.isNaN(value) ? hole : pixel(table, shareOf(value))));
  const now = drawn(share);
  let later: Bitmap | null = null;
  const bitmap = {
    ...now,
    values,
    later() {
      later ??= drawn((value) => nothing + (share(value) - nothing) * LATER);
      return later;
    },
    end: () => [now, later].forEach((each) => each && takeBack(each.canvas)),
  };
  if (known.size >= MOST_BITMAPS) known.clear();
  known.set(key, bitmap);
  return bitmap;
}

/** For data that are shown no more. */
export function endBitmaps(data: Attention) {
  for (const bitmap of bitmaps.get(data)?.values() ?? []) bitmap.end();
  bitmaps.delete(data);
}

type OfCells = MatrixFrame | GridFrame;
type Corner = { x: number; y: number };

// Draws the cells from `first` up to but excluding `last`, the first at x, y. Later rows of cross attention are paler; where the keys
// are written step by step as well, later rows are not drawn.
export function drawBitmap(pen: Pen, frame: OfCells, bitmap: Values, first: Pair, last: Pair, { x, y }: Corner) {
  const { there, growing } = frame.selection;
  const { cw, ch } = frame.layout;
  const across = last[1] - first[1];
  const put = (some: Bitmap, from: number, to: number) => {
    const [top, high] = [y + (from - first[0]) * ch, (to - from) * ch];
    if (to > from) pen.picture(some, first[1], from, across, to - from, x, top, across * cw, high);
  };
  const now = Math.min(last[0], Math.max(first[0], there));
  put(bitmap, first[0], now);
  if (now < last[0] && !growing) put(bitmap.later(), now, last[0]);
}

const SMALLER = [16, 15]; // px of numbers in narrow cells, outside lecture mode
const LEAST_DRAWN = 9; // px of a cell: below it neither gaps nor hatching
const UNPRINTED = 0.005; // smaller weights get a colour or a line, but no number

export function hasNumber(value: number, { weights, signed }: Selection) {
  return !Number.isNaN(value) && !((weights || signed) && Math.abs(value) < UNPRINTED);
}

// The size and decimals of numbers in cells of cw × ch px; null if they would be illegible.
function printing({ data, selection, layout: { cw, ch }, scale, view }: MatrixFrame) {
  const most = selection.stage === "scores" ? scale.high : Math.ceil(scale.high / data.root);
  const scores = [`−${most}`, `−${Math.min(most, 99)}.9`];
  const longest = selection.weights ? [">99"] : selection.signed ? [`−${Math.round(100 * scale.high)}`] : scores;
  const apart = selection.weights ? 1 : 4; // px; scores are printed in every cell
  const sizes = view.lecture ? [READABLE] : [READABLE, ...SMALLER];
  for (let digits = longest.length - 1; digits >= 0; digits -= 1) {
    const words = nth(longest, digits);
    const size = sizes.find((candidate) => ch >= candidate && textWidth(words, candidate) + apart <= cw);
    if (size) return { size, digits };
  }
  return null;
}

function numberInCell(value: number, { weights, signed }: Selection, digits: number) {
  if (weights) return shareInCell(value);
  if (signed) return points(value, 0);
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return "≈0"; // never 0 unless it is 0
  return value.toFixed(Math.abs(value) >= 100 ? 0 : digits).replace("-", "−");
}

export function drawCells(pen: Pen, frame: MatrixFrame, { first, last, left, top }: Part) {
  const { selection, bitmap, layout, theme } = frame;
  const { cw, ch } = layout;
  const width = selection.columns.length;
  const print = frame.arriving ? null : printing(frame);
  const drawn = cw >= LEAST_DRAWN && ch >= LEAST_DRAWN;
  for (let row = first[0]; row < last[0]; row += 1) {
    for (let column = first[1]; column < last[1]; column += 1) {
      const value = nth(bitmap.values, row * width + column);
      if (Number.isNaN(value)) {
        if (drawn) pen.hatch(left(column), top(row), cw, ch, { fill: theme.masked, stroke: theme.surface });
      } else if (print && row < selection.there && hasNumber(value, selection)) {
        const words = numberInCell(value, selection, print.digits);
        const style = { size: print.size, fill: inkOn(bitmap.pixelAt(row, column)), align: "center" } as const;
        pen.text(words, left(column) + cw / 2, top(row) + ch / 2, style);
      }
    }
  }
  if (!drawn) return;
  const now = Math.min(last[0], Math.max(first[0], selection.there));
  const gaps = (from: number, to: number) => {
    const all: number[][] = [];
    for (let row = from; row <= to; row += 1) all.push([left(first[1]), top(row), left(last[1]), top(row)]);
    for (let column = first[1]; column <= last[1]; column += 1) all.push([left(column), top(from), left(column), top(to)]);
    return all;
  };
  pen.lines(gaps(first[0], now), { stroke: theme.line, width: 1 });
  if (now < last[0]) pen.lines(gaps(now, last[0]), { stroke: theme.line, width: 1, alpha: 0.4 });
}

// Covers rows and columns that do not exist yet, and rows to be guessed. margin: px covered around the cells as well.
export function coverAbsent(pen: Pen, { selection, layout, theme }: OfCells, { x, y }: Corner, margin = 0) {
  const { cw, ch } = layout;
  const { rows, columns, row: current, there, thereColumns, growing, guessing, covered } = selection;
  const [w, h] = [cw * columns.length, ch * rows.length];
  const rowsFrom = (row: number, by: number, fill: string) =>
    pen.box(x - by, y + row * ch, w + 2 * by, h - row * ch + by, { fill });
  const columnsFrom = thereColumns * cw;
  if (growing && there < rows.length) rowsFrom(there, margin, theme.surface);
  if (thereColumns < columns.length)
    pen.box(x + columnsFrom, y - margin, w - columnsFrom + margin, h + 2 * margin, { fill: theme.surface });
  if (guessing && current >= 0) rowsFrom(current + Number(!covered), 0, theme.panel);
}

const NOTE = READABLE + 4; // px of that line

// Px of a cell when `count` share the room, at most `most`. Below `least` they scroll, unless the whole must be visible.
type Bounds = { least: number; most: number; whole: boolean };
export function cellSize(room: number, count: number, { least, most, whole }: Bounds) {
  const size = Math.min(most, room / count);
  if (size >= least) return Math.floor(size);
  return whole ? size : least;
}

// The visible length of a side in px: all of it, or whole cells with room for the note.
export function seenLength(all: number, room: number, cell: number, note = NOTE) {
  return all <= room + 0.5 ? all : Math.max(1, Math.floor((room - note) / cell)) * cell;
}

// The height of the note, or 0 if nothing scrolls.
export const noteHeight = (all: number, room: number) => (all > room + 0.5 ? NOTE : 0);

// The scroll position of one axis, moved only as far as shows a cell and its neighbours. at: −1 for no cell.
export function scrolledTo(at: number, from: number, { cell, seen, over }: Axis) {
  const wanted = at < 0 ? from : Math.min(Math.max(from, (at + 2) * cell - seen), Math.max(0, at - 1) * cell);
  return Math.min(over, Math.max(0, wanted));
}

// One axis: the number of cells, px of one, visible px and hidden px.
export const axisOf = (count: number, cell: number, seen: number) => ({ count, cell, seen, over: count * cell - seen });

export const NO_AXIS = axisOf(0, 1, 0); // nothing scrolls

const IN_SIGHT = ["columns_in_sight", "rows_in_sight"];

// The note below a picture: which rows and columns are in sight, unless all are. names: keys of its texts.
export function drawNote(pen: Pen, frame: Frame, { x, y, w }: Corner & { w: number }, names = IN_SIGHT) {
  const arrows = ["←→", "↑↓"];
  const parts = frame.layout.axes.map(({ count, cell, seen }, at) => {
    const first = Math.round(nth(frame.scroll, at) / cell);
    const last = Math.min(count, first + Math.round(seen / cell));
    const words = fill(frame.texts[nth(names, at)] ?? "", { first: first + 1, last, all: count });
    const [before, after] = nth(arrows, at);
    if (Math.round(seen / cell) >= count) return "";
    return `${first > 0 ? `${before} ` : ""}${words}${last < count ? ` ${after}` : ""}`;
  });
  const message = parts.reverse().filter(Boolean).join("   ");
  if (!message) return;
  const { box } = frame.layout;
  const wide = textWidth(message, READABLE, true);
  const left = Math.max(box.x, Math.min(x + (w - wide) / 2, box.x + box.w - wide));
  pen.text(message, left, y + NOTE / 2 + 1, { bold: true, fill: frame.theme.accent, max: box.x + box.w - left });
}
