// Drawing of the hidden units of all tokens, with either pen of kit/pen.js: a row for each token, a column for one unit or the largest
// of some neighbours, beside each row how many of its units are 0.

import { drawScale, scaleWidth } from "../../../viz_core/browser/attention_view/cells.js";
import {
  READABLE,
  cssColour,
  ladder,
  linesOf,
  packed,
  pixel,
  pixelCanvas,
  textWidth,
  widestText,
} from "../../../viz_core/browser/kit/pen.js";
import { percent } from "../../../viz_core/browser/kit/numbers.js";
import { slice } from "../../../viz_core/browser/kit/payload.js";
import { activationText, silentShare, mapTitle } from "./feed_forward_data.js";
import { ticksTo } from "../../../viz_core/web/src/marks/scale";

// px
const UPRIGHT = 26; // the title of an axis, upright
const LONGEST_LABEL = 170;
export const UNIT_LINE = 26; // of letters
const GAP = 10; // between labels and rows
const ROW = { least: 22, most: 38 }; // with its label
const LABELLED = 24; // so many rows have all their labels; more are to be seen together
const SMALLEST_ROW = 6;
const TOGETHER = 540; // all rows, where there are more
const FRAME = 3;
const SCALE = 70; // of the colours

// Where the map stands in w px from x, y on, rows in about h px: { cells: { x, y, w, h }, row, lines of the title, foot, … }.
export function layoutHidden(ffn, shown, { x, y, w, h }, whole) {
  const { about, tokens } = ffn;
  const lines = linesOf(mapTitle(ffn, shown), (line) => textWidth(line, READABLE) <= w);
  const label = UPRIGHT + Math.min(widestText(about.tokens), LONGEST_LABEL) + GAP;
  const shares = GAP + widestText([about.texts.silent, "99.99 %"]);
  const top = y + (lines.length + 1) * UNIT_LINE;
  const row = rowHeight(tokens, h - (lines.length + 3) * UNIT_LINE, whole);
  const cells = { x: x + label, y: top, w: w - label - shares, h: row * tokens };
  return { x, y, w, lines, cells, row, foot: top + cells.h + 2 * UNIT_LINE };
}

function rowHeight(rows, room, whole) {
  if (whole) return Math.min(ROW.most, Math.max(room, 0) / rows);
  if (rows > LABELLED) return Math.max(SMALLEST_ROW, TOGETHER / rows);
  return Math.min(ROW.most, Math.max(ROW.least, room / rows));
}

// One pixel a cell: { canvas, colourAt }.
export function mapPicture({ tensors, tokens, columns, limits }, layer, theme) {
  const table = ladder(theme.sequential);
  const values = slice(tensors.columns, layer);
  const hole = packed(theme.masked); // a number that overflowed
  let pixels;
  const canvas = pixelCanvas(columns, tokens, (all) => {
    pixels = all;
    values.forEach((value, at) => {
      all[at] = Number.isFinite(value) ? pixel(table, value / limits[layer]) : hole;
    });
  });
  return { canvas, colourAt: (row, column) => cssColour(pixels[row * columns + column]) };
}

// hovered: { row } or null.
export function drawHidden(pen, ffn, shown, picture, layout, theme, hovered) {
  const { about, columns } = ffn;
  const { cells, row } = layout;
  const { x, y, w, h } = cells;
  layout.lines.forEach((line, at) => {
    pen.text(line, layout.x, layout.y + (at + 0.5) * UNIT_LINE - 1, { fill: theme.ink });
  });
  pen.text(about.texts.silent, layout.x + layout.w, y - UNIT_LINE / 2, { fill: theme.quiet, align: "right" });
  pen.picture(picture, 0, 0, columns, shown.count, x, y, w, row * shown.count);
  pen.box(x, y, w, h, { stroke: theme.line, width: 1 });
  labels(pen, ffn, shown, layout, theme);
  const upright = { fill: theme.ink, align: "center", angle: -90 };
  pen.text(about.texts.tokens, layout.x + UPRIGHT / 2 - 2, y + h / 2, upright);
  units(pen, ffn, layout, theme);
  scale(pen, shown, layout, theme);
  if (hovered && hovered.row !== shown.token)
    pen.box(x, y + hovered.row * row, w, row, { stroke: theme.ink, width: 1.5 });
  pen.box(x, y + shown.token * row, w, row, { stroke: theme.accent, width: FRAME });
}

// Where rows are small, every n-th label, and that of the picked row in place of those near it.
function labels(pen, ffn, { layer, token, count }, { x, w, cells, row }, theme) {
  const thin = Math.ceil(READABLE / row);
  for (let at = 0; at < count; at += 1) {
    const near = Math.abs(at - token) < thin;
    if (at !== token && (at % thin || near)) continue;
    const style = { fill: at === token ? theme.accent : theme.ink, bold: at === token, align: "right" };
    const middle = cells.y + (at + 0.5) * row;
    const room = cells.x - x - UPRIGHT - GAP;
    pen.text(ffn.about.tokens[at], cells.x - GAP + 2, middle, { ...style, max: room });
    pen.text(percent(silentShare(ffn, layer, at)), x + w, middle, style);
  }
}

// The axis of units, numbered from 1.
function units(pen, { about, columns }, { cells }, theme) {
  const { size, width, texts } = about;
  const foot = cells.y + cells.h;
  const across = (unit) => cells.x + ((unit - 0.5) / (columns * width)) * cells.w;
  const numbers = ticksTo(size, Math.max(2, Math.floor(cells.w / 75)));
  for (const unit of [1, ...numbers.filter((each) => each > 1 && Number.isInteger(each))]) {
    pen.lines([[across(unit), foot, across(unit), foot + 5]], { stroke: theme.line, width: 1 });
    pen.text(String(unit), across(unit), foot + UNIT_LINE / 2 + 3, { fill: theme.ink, align: "center" });
  }
  pen.text(texts.axis, cells.x + cells.w / 2, foot + UNIT_LINE * 1.5 + 1, { fill: theme.ink, align: "center" });
}

function scale(pen, { limit }, { x, w, cells }, theme) {
  const ends = ["0", activationText(limit)];
  const left = x + w - scaleWidth(ends, SCALE);
  drawScale(pen, ladder(theme.sequential), ends, left, cells.y + cells.h + UNIT_LINE * 1.5 + 1, theme, SCALE);
}

// What is under a point: { row, column }, of a label without column; null where there is no row yet.
export function rowUnder({ columns }, { count }, { x, w, cells, row }, px, py) {
  const at = Math.floor((py - cells.y) / row);
  if (px < x || px >= x + w || at < 0 || at >= count) return null;
  const column = Math.floor(((px - cells.x) / cells.w) * columns);
  return column >= 0 && column < columns ? { row: at, column } : { row: at };
}
