// Cells of a picture: values to colours as bitmaps, the numbers printed in them, and the scale of colours; their size, which
// of them are seen where they are too many, and a note of what is out of sight.

import { READABLE, colourAt, cssColour, inkOn, ladder, packed, pixel, pixelCanvas, textWidth } from "../kit/pen.js";
import { fill, points, shareInCell } from "../kit/numbers.js";

const DECADES = 4; // the logarithmic scale goes from 10⁻⁴ to 1
const MOST_BITMAPS = 700; // in the cache
const LATER = 0.3; // of its share of the scale has a row that is not written yet: the same hue, near to the surface
const bitmaps = new Map();

// { table, low, high, share(value), nothing }: the colours of a stage. limit: the end of the diverging scale; nothing:
// the share of a value that says nothing.
export function scaleOf({ weights, log }, limit, theme) {
  const signed = (value) => (value / limit + 1) / 2;
  if (!weights) return { table: ladder(theme.diverging), low: -limit, high: limit, share: signed, nothing: signed(0) };
  const table = ladder(theme.sequential);
  if (!log) return { table, low: 0, high: 1, share: (value) => value, nothing: 0 };
  const share = (value) => (value > 0 ? Math.max(0, 1 + Math.log10(value) / DECADES) : 0);
  return { table, low: 10 ** -DECADES, high: 1, share, nothing: 0 };
}

// { values, …, later() }, of values as `painted` makes it. later(): the same for rows that are not written yet. key names
// all that the picture depends on.
export function bitmapOf(key, size, makeValues, scale, masked) {
  if (bitmaps.has(key)) return bitmaps.get(key);
  const values = makeValues();
  const faded = (value) => scale.nothing + (scale.share(value) - scale.nothing) * LATER;
  let later = null;
  const bitmap = {
    ...painted(values, size, scale.table, scale.share, masked),
    values,
    later() {
      later ??= painted(values, size, scale.table, faded, masked);
      return later;
    },
  };
  if (bitmaps.size >= MOST_BITMAPS) bitmaps.clear();
  bitmaps.set(key, bitmap);
  return bitmap;
}

// One pixel a cell: { canvas, pixelAt, colourAt }.
function painted(values, [rows, columns], table, share, masked) {
  const hole = packed(masked);
  let pixels;
  const canvas = pixelCanvas(columns, rows, (all) => {
    pixels = all;
    for (let at = 0; at < all.length; at += 1)
      all[at] = Number.isNaN(values[at]) ? hole : pixel(table, share(values[at]));
  });
  const pixelAt = (row, column) => pixels[row * columns + column];
  return { canvas, pixelAt, colourAt: (row, column) => cssColour(pixelAt(row, column)) };
}

// The cells from `first` up to `last` (without it), [row, column], the first at x, y. Later rows of cross attention
// stand back; of an attention whose keys are written, too, there is nothing yet.
export function drawBitmap(pen, { selection: { there, growing }, layout: { cw, ch } }, bitmap, { first, last, x, y }) {
  const across = last[1] - first[1];
  const put = (some, from, to) => {
    const box = [x, y + (from - first[0]) * ch, across * cw, (to - from) * ch];
    if (to > from) pen.picture(some, first[1], from, across, to - from, ...box);
  };
  const now = Math.min(last[0], Math.max(first[0], there));
  put(bitmap, first[0], now);
  if (now < last[0] && !growing) put(bitmap.later(), now, last[0]);
}

const SMALLER = [16, 15]; // px of numbers in narrow cells, outside lecture mode
const LEAST_DRAWN = 9; // px of a cell: below it neither gaps nor hatching
const UNPRINTED = 0.005; // a smaller weight has a colour, or a line, but no number

export function hasNumber(value, { weights, signed }) {
  return !Number.isNaN(value) && !((weights || signed) && Math.abs(value) < UNPRINTED);
}

// How the numbers of one picture are printed in cells cw × ch px large: { size, digits }; null where they could not be
// read.
function printing({ data, selection, layout: { cw, ch }, scale, view }) {
  const most = selection.stage === "scores" ? scale.high : Math.ceil(scale.high / data.root);
  const scores = [`−${most}`, `−${Math.min(most, 99)}.9`];
  const longest = selection.weights ? [">99"] : selection.signed ? [`−${Math.round(100 * scale.high)}`] : scores;
  const apart = selection.weights ? 1 : 4; // px: scores fill each cell
  const sizes = view.lecture ? [READABLE] : [READABLE, ...SMALLER];
  for (let digits = longest.length - 1; digits >= 0; digits -= 1) {
    const size = sizes.find((each) => ch >= each && textWidth(longest[digits], each) + apart <= cw);
    if (size) return { size, digits };
  }
  return null;
}

function numberInCell(value, { weights, signed }, digits) {
  if (weights) return shareInCell(value);
  if (signed) return points(value, 0);
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return "≈0"; // never 0 when it is not 0
  return value.toFixed(Math.abs(value) >= 100 ? 0 : digits).replace("-", "−");
}

// first, last (without it): the cells in sight, as [row, column]; left, top: where they lie.
export function drawCells(pen, frame, { first, last, left, top }) {
  const { selection, bitmap, layout, theme } = frame;
  const { cw, ch } = layout;
  const width = selection.columns.length;
  const print = frame.arriving ? null : printing(frame);
  const drawn = cw >= LEAST_DRAWN && ch >= LEAST_DRAWN;
  for (let row = first[0]; row < last[0]; row += 1) {
    for (let column = first[1]; column < last[1]; column += 1) {
      const value = bitmap.values[row * width + column];
      if (Number.isNaN(value)) {
        if (drawn) pen.hatch(left(column), top(row), cw, ch, { fill: theme.masked, stroke: theme.surface });
      } else if (print && row < selection.there && hasNumber(value, selection)) {
        const words = numberInCell(value, selection, print.digits);
        const style = { size: print.size, fill: inkOn(bitmap.pixelAt(row, column)), align: "center" };
        pen.text(words, left(column) + cw / 2, top(row) + ch / 2, style);
      }
    }
  }
  if (!drawn) return;
  const now = Math.min(last[0], Math.max(first[0], selection.there));
  const gaps = (from, to) => {
    const all = [];
    for (let row = from; row <= to; row += 1) all.push([left(first[1]), top(row), left(last[1]), top(row)]);
    for (let column = first[1]; column <= last[1]; column += 1)
      all.push([left(column), top(from), left(column), top(to)]);
    return all;
  };
  pen.lines(gaps(first[0], now), { stroke: theme.line, width: 1 });
  if (now < last[0]) pen.lines(gaps(now, last[0]), { stroke: theme.line, width: 1, alpha: 0.4 });
}

// Covers rows and columns that do not exist yet, and what is to be guessed.
// margin: px around the cells that are covered, too.
export function coverAbsent(pen, { selection, layout: { cw, ch }, theme }, x, y, margin = 0) {
  const { rows, columns, row: current, there, thereColumns, growing, guessing, covered } = selection;
  const [w, h] = [cw * columns.length, ch * rows.length];
  const rowsFrom = (row, by, ink) => pen.box(x - by, y + row * ch, w + 2 * by, h - row * ch + by, ink);
  const columnsFrom = thereColumns * cw;
  if (growing && there < rows.length) rowsFrom(there, margin, { fill: theme.surface });
  if (thereColumns < columns.length)
    pen.box(x + columnsFrom, y - margin, w - columnsFrom + margin, h + 2 * margin, { fill: theme.surface });
  if (guessing && current >= 0) rowsFrom(current + Number(!covered), 0, { fill: theme.panel });
}

export const SCALE_BAR = { w: 120, h: 14 }; // px
const SHADES = 60; // so many colours of it are drawn

// The colours of a scale, from x on; the names of its ends beside it. Returns where the right one ends.
export function drawScale(pen, table, [low, high], x, middle, theme, w = SCALE_BAR.w) {
  const left = x + textWidth(low, READABLE) + 8;
  const { h } = SCALE_BAR;
  pen.text(low, x, middle, { fill: theme.ink });
  for (let shade = 0; shade < SHADES; shade += 1) {
    const fill = colourAt(table, shade / (SHADES - 1));
    pen.box(left + (shade * w) / SHADES, middle - h / 2, w / SHADES + 0.5, h, { fill });
  }
  pen.box(left - 0.5, middle - h / 2 - 0.5, w + 1, h + 1, { stroke: theme.quiet, width: 1 });
  pen.text(high, left + w + 8, middle, { fill: theme.ink });
  return left + w + 8 + textWidth(high, READABLE);
}

export function scaleWidth(ends, w = SCALE_BAR.w) {
  return w + 16 + ends.reduce((sum, words) => sum + textWidth(words, READABLE), 0);
}

const NOTE = READABLE + 4; // px of that line

// Px of a cell: as large as so many fit, at most `most`. Below `least` they scroll, unless the whole is to be seen.
export function cellSize(room, count, { least, most, whole }) {
  const size = Math.min(most, room / count);
  if (size >= least) return Math.floor(size);
  return whole ? size : least;
}

// Px of a side that are seen: all, or whole cells, with room for the note.
export function seenLength(all, room, cell, note = NOTE) {
  return all <= room + 0.5 ? all : Math.max(1, Math.floor((room - note) / cell)) * cell;
}

// Whether the note needs its line, in px.
export function noteHeight(all, room) {
  return all > room + 0.5 ? NOTE : 0;
}

// Scrolls one axis just so far that a cell and its neighbours can be seen; -1 for no cell.
export function scrolledTo(at, from, { cell, seen, over }) {
  const wanted = at < 0 ? from : Math.min(Math.max(from, (at + 2) * cell - seen), Math.max(0, at - 1) * cell);
  return Math.min(over, Math.max(0, wanted));
}

// Of one axis: how many cells there are, px of one, px that are seen and that are not.
export function axisOf(count, cell, seen) {
  return { count, cell, seen, over: count * cell - seen };
}

export const NO_AXIS = axisOf(0, 1, 0); // nothing scrolls

// Where rows or columns are small, every n-th label; that of the held one, then of the current one, in place of those near it.
export function isLabelled(at, held, thin, current = -1) {
  const near = (one) => thin > 1 && one >= 0 && Math.abs(at - one) < thin;
  return at === held || (!near(held) && (at === current || (!near(current) && at % thin === 0)));
}

// Below a picture: which rows and columns are seen, where not all are. names: the words for these.
export function drawNote(pen, frame, { x, y, w }, names = ["columns_in_sight", "rows_in_sight"]) {
  const arrows = ["←→", "↑↓"];
  const parts = frame.layout.axes.map(({ count, cell, seen }, at) => {
    const first = Math.round(frame.scroll[at] / cell);
    const last = Math.min(count, first + Math.round(seen / cell));
    const words = fill(frame.texts[names[at]], { first: first + 1, last, all: count });
    const [before, after] = arrows[at];
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
