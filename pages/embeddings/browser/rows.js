// The drawing of a lookup: names and numbers of the rows, what leads from the picked one to the sum, and what stands around.

import { svgEl } from "../../../viz_core/browser/kit/dom.js";
import { signed } from "../../../viz_core/browser/kit/numbers.js";
import { BASELINE, READABLE, cssColour, inkOn, ladder, pixel } from "../../../viz_core/browser/kit/pen.js";

const NUMBER = READABLE + 2; // px of the letters of a number
const SIGN = READABLE + 4; // and of 0, 1 and ×
const PAD = 3; // px between two cells
const FRAME = 4; // px of the line around the picked row and the sum
const DIGITS = 3;

// Returns the nodes. shown: of windowAt; words, layout: of lookup.js.
export function drawRows({ rows, picked, sum, limit }, words, layout, theme) {
  const colours = ladder(theme.diverging);
  const nodes = rows.flatMap((row, index) => [
    ...name(words.labels[index], row.at, row.picked ? theme.accent : theme.ink, row.picked, layout),
    ...oneHot(row, layout, theme),
    ...numbers(row, row.at, words, limit, colours, layout, theme),
  ]);
  const total = [
    ...name(words.sum, sum, theme.ink, true, layout),
    ...numbers(picked, sum, words, limit, colours, layout, theme),
  ];
  return [
    ...heads(words, layout, theme),
    ...nodes,
    ...total,
    ...between(rows, layout, theme),
    ...frames(picked.at, sum, layout, theme),
    ...axis(words, sum, layout, theme),
  ];
}

function text(words, x, y, fill, attributes = {}) {
  const size = attributes["font-size"] ?? READABLE;
  return svgEl("text", { x, y: y + BASELINE * size, fill, "text-anchor": "middle", ...attributes }, words);
}

function middle(at, { top, row }) {
  return top(at) + row / 2;
}

function name(words, at, fill, strong, layout) {
  const style = { "text-anchor": "end", "font-weight": strong ? 600 : 400 };
  return [text(words, layout.left - 12, middle(at, layout), fill, style)];
}

// The number of the one-hot vector beside a row.
function oneHot({ at, picked }, layout, theme) {
  const { left, column, row, top } = layout;
  const fill = picked ? theme.accent : "none";
  const box = { x: left, y: top(at) + PAD / 2, width: column, height: row - PAD, fill, stroke: theme.line };
  const y = middle(at, layout);
  const style = { "font-size": SIGN, "font-weight": picked ? 700 : 400 };
  return [
    svgEl("rect", box),
    text(picked ? "1" : "0", left + column / 2, y, picked ? theme.surface : theme.ink, style),
    text("×", left + 1.3 * column, y, theme.ink, { "font-size": SIGN }),
  ];
}

function numbers(row, at, words, limit, colours, layout, theme) {
  const { cell, column, top } = layout;
  const y = middle(at, layout);
  const cells = [...row.values].map((value, index) => {
    const colour = pixel(colours, (value / limit + 1) / 2);
    const box = { x: cell(index) + PAD / 2, y: top(at) + PAD / 2, width: column - PAD, height: layout.row - PAD };
    const ink = { "font-size": NUMBER };
    return svgEl(
      "g",
      { "data-said": words.said(row, index) },
      svgEl("rect", { ...box, fill: cssColour(colour) }),
      text(signed(value, DIGITS), cell(index) + column / 2, y, inkOn(colour), ink),
    );
  });
  if (!layout.skips) return cells;
  const last = cells.length - 1;
  const between = (cell(last) + cell(last - 1) + column) / 2;
  return [...cells, text("…", between, y, theme.quiet, { "font-size": NUMBER })];
}

// Dots where rows are left out.
function between(rows, layout, theme) {
  const across = [layout.left + layout.column / 2, (layout.cell(0) + layout.cell(layout.last) + layout.column) / 2];
  const middles = rows.filter(({ after }) => after).map(({ at }) => layout.top(at - 0.35));
  return middles.flatMap((y) => across.map((x) => text("⋮", x, y, theme.quiet, { "font-size": SIGN })));
}

// Around the picked row and the sum, and the arrow from one to the other.
function frames(from, to, layout, theme) {
  const { cell, column, row, top, last } = layout;
  const [x, right] = [cell(0) - 1, cell(last) + column + 1];
  const line = { fill: "none", stroke: theme.accent, "stroke-width": FRAME };
  const box = (at) => svgEl("rect", { x, y: top(at) - 1, width: right - x, height: row + 2, ...line });
  const [start, end, out] = [middle(from, layout), middle(to, layout), right + 0.28 * column];
  const path = `M${right + FRAME / 2} ${start}H${out}V${end}H${right + 12}`;
  const head = `M${right + 4} ${end}l13 -8v16z`;
  return [
    box(from),
    box(to),
    svgEl("path", { d: path, fill: "none", stroke: theme.accent, "stroke-width": 3 }),
    svgEl("path", { d: head, fill: theme.accent }),
  ];
}

function heads(words, { left, column, cell, last, head }, theme) {
  const across = (cell(0) + cell(last) + column) / 2;
  return [
    text(words.oneHot, left + column / 2, head / 2 - 2, theme.ink),
    text(words.matrix, across, head / 2 - 2, theme.ink),
  ];
}

function axis(words, sum, layout, theme) {
  const { cell, column, row, top, last } = layout;
  const y = top(sum) + row + 18;
  const ticks = words.columns.map((number, index) => text(number, cell(index) + column / 2, y, theme.ink));
  return [...ticks, text(words.dimension, (cell(0) + cell(last) + column) / 2, y + 24, theme.ink)];
}
