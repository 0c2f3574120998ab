// Drawing of the nearest neighbours, with either pen of kit/pen.js: a bar for each, the nearest on top, on an axis that ends at 1.

import { signed } from "../../../viz_core/browser/kit/numbers.js";
import { READABLE, linesOf, textWidth, widestText } from "../../../viz_core/browser/kit/pen.js";

// px
const TITLE = READABLE + 2; // of the letters of title and axis
const LINE = 26; // of them
const BELOW_TITLE = 10;
const LABEL = 240; // at most, and
const NARROW = 0.36; // of the width
const APART = 10; // between a label and its bar, a bar and its number
const LEAST_ROW = 24;
const MOST_ROW = 60;
const BAR = 0.72; // of a row
const TICKS = 30; // the numbers of the axis
const RIGHT = 12; // half a number of the axis
const STEP = 0.2; // from tick to tick

// Where all stands in w × h px, the same for all tokens of the sentence but for the title; higher where rows would become too low.
export function layoutNeighbours({ about, lists, least }, { title, axis }, w, h) {
  const lines = (words) => linesOf(words, (line) => textWidth(line, TITLE) <= w);
  const [titles, names] = [lines(title), lines(axis)];
  const labels = widestText(about.labels, false) + APART;
  const left = Math.min(labels, LABEL, NARROW * w);
  const top = titles.length * LINE + BELOW_TITLE;
  const foot = TICKS + names.length * LINE;
  const count = Math.max(1, ...lists.map((rows) => rows.length));
  const row = Math.max(LEAST_ROW, Math.min(MOST_ROW, (h - top - foot) / count));
  const bottom = top + count * row;
  const right = w - RIGHT;
  const x = (value) => left + ((value - least) / (1 - least)) * (right - left);
  return { width: w, height: bottom + foot, titles, names, left, right, top, bottom, row, least, x };
}

// shown: of neighboursAt. hovered: { row } or null.
export function drawNeighbours(pen, { rows }, layout, theme, hovered) {
  const { titles, left, right, width, top, row, x } = layout;
  titles.forEach((line, at) => pen.text(line, 0, (at + 0.5) * LINE, { size: TITLE, fill: theme.ink }));
  if (hovered) pen.box(0, top + hovered.row * row, width, row, { fill: theme.panel });
  grid(pen, layout, theme);
  rows.forEach(({ label, cosine }, at) => {
    const y = top + (at + 0.5) * row;
    const bold = at === hovered?.row;
    const [from, to] = [Math.min(x(0), x(cosine)), Math.max(x(0), x(cosine))];
    pen.text(label, left - APART, y, { fill: theme.ink, align: "right", max: left - APART, bold });
    pen.box(from, y - (BAR * row) / 2, to - from, BAR * row, { fill: theme.accent });
    const words = signed(cosine);
    // beside the bar, and in it where that would be beyond the axis
    const fits = to + APART + textWidth(words, READABLE, bold) <= right + RIGHT;
    const ink = fits ? { fill: theme.ink } : { fill: theme.surface, align: "right" };
    pen.text(words, fits ? to + APART : to - APART, y, { ...ink, bold });
  });
}

// Lines across which the bars are read, the numbers of the axis and its name.
function grid(pen, { left, right, top, bottom, least, names, x }, theme) {
  const first = Math.ceil(least / STEP - 1e-9);
  const ticks = Array.from({ length: Math.round(1 / STEP) - first + 1 }, (_, at) => (first + at) * STEP);
  pen.lines(
    ticks.map((value) => [x(value), top, x(value), bottom]),
    { stroke: theme.line, width: 1 },
  );
  pen.lines([[x(0), top, x(0), bottom]], { stroke: theme.quiet, width: 1 });
  for (const value of ticks) {
    const words = String(Number(value.toFixed(1))).replace("-", "−");
    pen.text(words, x(value), bottom + TICKS / 2, { fill: theme.ink, align: "center" });
  }
  names.forEach((line, at) => {
    const y = bottom + TICKS + (at + 0.5) * LINE;
    const middle = names.length > 1 ? 0 : (left + right) / 2;
    pen.text(line, middle, y, { size: TITLE, fill: theme.ink, align: middle ? "center" : "left" });
  });
}

// The row at a point, { row }; null beside the rows.
export function underRow({ rows }, { top, row }, _, y) {
  const at = Math.floor((y - top) / row);
  return at >= 0 && at < rows.length ? { row: at } : null;
}
