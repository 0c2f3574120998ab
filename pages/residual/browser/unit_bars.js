// Drawing of the most active units of one token, with either pen of kit/pen.js: their activations as bars, the largest on top, the length
// of what each adds, and in the decoder which tokens that promotes.

import { READABLE, linesOf, textWidth, widestText } from "../../../viz_core/browser/kit/pen.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { UNIT_LINE } from "./hidden_map.js";
import { ticksTo } from "../../../viz_core/web/src/marks/scale";

// px
const ROW = { least: 26, most: 38 };
const GAP = 10;
const LEAST_BARS = 90; // the room of the longest bar
const BAR = 0.72; // of a row
const LISTED = 6; // units, at most
const UNPICKED = 0.5; // opacity

// Where the bars stand in w px from x, y on, in about h px: { lines of the title, bars: { x, w }, top, row, tail, foot, … }.
export function layoutUnitBars(ffn, { token }, { x, y, w, h }) {
  const { texts, tokens } = ffn.about;
  const lines = linesOf(fill(texts.units_title, { token: tokens[token] }), (line) => textWidth(line, READABLE) <= w);
  const { name, number, tail: wanted, length } = columnsOf(ffn);
  const tail = Math.min(wanted, w - name - LEAST_BARS - number - GAP);
  const top = y + (lines.length + 1) * UNIT_LINE;
  const room = (h - (lines.length + 3) * UNIT_LINE) / LISTED;
  const row = Math.min(ROW.most, Math.max(ROW.least, room));
  const bars = { x: x + name, w: w - name - number - GAP - tail };
  return {
    x,
    y,
    w,
    lines,
    bars,
    tail: { x: x + w - tail, w: tail, length },
    top,
    row,
    foot: top + LISTED * row + 2 * UNIT_LINE,
  };
}

// Px of the columns: the units' names, the numbers at the bars, and all beside them, where a length has so much before the words.
function columnsOf({ about, layers, limits }) {
  const { texts, size, promotes } = about;
  const words = Array.from({ length: layers }, (_, layer) => Object.values(promotes[layer] ?? {})).flat();
  const length = words.length ? textWidth("888.8", READABLE) + 2 * GAP : 0;
  return {
    name: textWidth(fill(texts.unit, { unit: size }), READABLE, true) + GAP,
    number: textWidth(Math.max(...limits).toFixed(2), READABLE, true) + GAP,
    tail: Math.max(textWidth(texts.adds, READABLE), length + widestText(words, false)),
    length,
  };
}

// Px in which no word is cut.
export function leastUnitBars(ffn) {
  const { name, number, tail } = columnsOf(ffn);
  return name + LEAST_BARS + number + GAP + tail + 2;
}

// hovered: { rank } or null.
export function drawUnitBars(pen, { about }, shown, layout, theme, hovered) {
  const { units, limit } = shown;
  const { lines, bars, tail, top, row } = layout;
  if (!units.length) return;
  lines.forEach((line, at) => {
    pen.text(line, layout.x, layout.y + (at + 0.5) * UNIT_LINE - 1, { fill: theme.ink });
  });
  pen.text(about.texts.adds, tail.x, top - UNIT_LINE / 2, { fill: theme.quiet, max: tail.w });
  units.forEach((each, rank) => {
    const middle = top + (rank + 0.5) * row;
    const isPicked = rank === shown.rank;
    const style = { fill: isPicked ? theme.accent : theme.ink, bold: isPicked };
    const name = fill(about.texts.unit, { unit: each.unit + 1 });
    pen.text(name, bars.x - GAP, middle, { ...style, align: "right" });
    const length = Number.isFinite(each.strength) ? (each.strength / limit) * bars.w : 0;
    const box = [bars.x, middle - (BAR * row) / 2, length, BAR * row];
    pen.box(...box, { fill: theme.accent, alpha: isPicked ? 1 : UNPICKED });
    pen.text(each.strength.toFixed(2), bars.x + length + 6, middle, style);
    tailOf(pen, each, tail, middle, theme);
    if (hovered?.rank === rank)
      pen.box(layout.x + 1, top + rank * row + 1, layout.w - 2, row - 2, { stroke: theme.ink, width: 1 });
  });
  axis(pen, about.texts.strength, limit, layout, theme);
}

function tailOf(pen, { length, promotes }, { x, w, length: wide }, middle, theme) {
  pen.text(length.toFixed(1), x, middle, { fill: theme.ink });
  if (promotes) pen.text(promotes, x + wide, middle, { fill: theme.ink, max: w - wide });
}

function axis(pen, title, limit, { bars, top, row }, theme) {
  const foot = top + LISTED * row;
  pen.lines(
    [
      [bars.x, top, bars.x, foot],
      [bars.x, foot, bars.x + bars.w, foot],
    ],
    { stroke: theme.line, width: 1 },
  );
  for (const value of ticksTo(limit, Math.max(2, Math.min(6, Math.floor(bars.w / 45))))) {
    const x = bars.x + (value / limit) * bars.w;
    pen.lines([[x, foot, x, foot + 5]], { stroke: theme.line, width: 1 });
    pen.text(String(value), x, foot + UNIT_LINE / 2 + 3, { fill: theme.ink, align: "center" });
  }
  pen.text(title, bars.x + bars.w / 2, foot + UNIT_LINE * 1.5 + 1, { fill: theme.ink, align: "center" });
}

// The unit under a point, { rank }, or null.
export function unitUnder({ units }, { x, w, top, row }, px, py) {
  const rank = Math.floor((py - top) / row);
  return px >= x && px < x + w && rank >= 0 && rank < units.length ? { rank } : null;
}
