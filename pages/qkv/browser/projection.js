// X × W + b = Y as three pictures of cells, with either pen of kit/pen.js: the row of X, the column of W and the cell of Y that
// belong together are framed.

import { drawScale, scaleOf, scaleWidth } from "../../../viz_core/browser/attention_view/cells.js";
import {
  READABLE,
  cssColour,
  packed,
  pixel,
  pixelCanvas,
  textWidth,
  widestText,
} from "../../../viz_core/browser/kit/pen.js";
import { SOURCES } from "./sources.js";
import { endText } from "./qkv_data.js";

// px
const LEAST_WIDTH = 860;
const GAP = 10; // below the sources
const HEAD = 30; // the titles of the matrices
const FOOT = 26; // a line below them: of the axis, and of the scale of colours
const UPRIGHT = 24; // an upright title of an axis
const LONGEST_LABEL = 180;
const LEAST_ROW = 22; // with its label
const MOST_ROW = 56;
const LABELLED = 24; // so many rows have all their labels, more are to be seen whole
const SMALLEST_ROW = 6;
const WHOLE = 680; // all rows together, where there are more
const FRAME = 3;
const SHARES = { x: 0.44, w: 0.15, y: 0.41 }; // of the width that labels and signs leave
const SIGNS = { times: 36, plus: 74 }; // the room of × and + b =
const SIGN = 26; // letters
const SCALE = 70; // of the colours of a scale

// Where all stands in w × h px; more where that is too little, unless the whole is to be seen.
export function layoutProjection({ about, x, w: weights, y }, w, h, whole) {
  const width = Math.max(w, LEAST_WIDTH);
  const labels = UPRIGHT + Math.min(widestText(about.tokens), LONGEST_LABEL) + 10;
  const room = width - labels - SIGNS.times - UPRIGHT - SIGNS.plus - 2 * FRAME;
  const top = SOURCES + GAP + HEAD;
  const row = rowHeight(x.rows, h - top - 2 * FOOT - 4, whole);
  const high = row * x.rows;
  const place = (left, share, { rows, columns }) => ({
    x: left,
    y: top,
    w: share * room,
    h: high,
    cw: (share * room) / columns,
    ch: high / rows,
  });
  const atX = place(labels, SHARES.x, x);
  const atW = place(labels + atX.w + SIGNS.times + UPRIGHT, SHARES.w, weights);
  const atY = place(atW.x + atW.w + SIGNS.plus, SHARES.y, y);
  return { width, height: top + high + 2 * FOOT + 4, labels, row, x: atX, w: atW, y: atY };
}

function rowHeight(rows, room, whole) {
  if (whole) return Math.min(MOST_ROW, Math.max(room, 0) / rows);
  if (rows > LABELLED) return Math.max(SMALLEST_ROW, WHOLE / rows);
  return Math.min(MOST_ROW, Math.max(LEAST_ROW, Math.floor(room / rows)));
}

// The three matrices as pictures of one pixel a cell, made anew for another theme.
export function picturesOf(qkv, theme) {
  const made = ["x", "w", "y"].map((name) => [name, pictureOf(qkv[name], theme)]);
  return Object.fromEntries(made);
}

function pictureOf({ rows, columns, data, limit }, theme) {
  const scale = scaleOf({ weights: false }, limit, theme);
  const hole = packed(theme.masked); // a number that overflowed
  let pixels;
  const canvas = pixelCanvas(columns, rows, (all) => {
    pixels = all;
    data.forEach((value, at) => {
      all[at] = Number.isFinite(value) ? pixel(scale.table, scale.share(value)) : hole;
    });
  });
  return { canvas, scale, colourAt: (row, column) => cssColour(pixels[row * columns + column]) };
}

// shown: of qkvAt. hovered: { matrix, row, column } or null.
export function drawProjection(pen, qkv, pictures, shown, layout, theme, hovered) {
  const { about } = qkv;
  const { row, column } = shown;
  const inks = { x: theme.ink, w: theme.ink, y: theme[`${about.role}_text`] };
  for (const name of ["x", "w", "y"]) {
    const { x, y, w, h } = layout[name];
    const { rows, columns, limit } = qkv[name];
    pen.box(x - 4, y - 4, w + 8, h + 8, { fill: theme[about.stack] });
    pen.picture(pictures[name], 0, 0, columns, rows, x, y, w, h);
    const style = { fill: inks[name], bold: true, align: "center" };
    pen.text(about.titles[name], x + w / 2, y - HEAD / 2 - 2, { ...style, max: w + 2 * SIGNS.times });
    axisLine(pen, layout[name], columns, about.axes[name === "x" ? "model" : "head"], theme);
    scaleLine(pen, pictures[name].scale, limit, layout[name], theme);
  }
  rowLabels(pen, qkv, shown, layout, theme);
  signs(pen, layout, theme);
  const upright = { fill: theme.ink, align: "center", angle: -90 };
  const middle = layout.x.y + layout.x.h / 2;
  pen.text(about.axes.tokens, UPRIGHT / 2 - 2, middle, upright);
  pen.text(about.axes.model, layout.w.x - UPRIGHT / 2 - 3, middle, { ...upright, max: layout.w.h + 2 * FOOT });
  const held = { stroke: theme.accent, width: FRAME };
  frame(pen, layout.x, row, 0, 1, qkv.x.columns, held);
  frame(pen, layout.w, 0, column, qkv.w.rows, 1, held);
  frame(pen, layout.y, row, column, 1, 1, held);
  if (hovered) frame(pen, layout[hovered.matrix], hovered.row, hovered.column, 1, 1, { stroke: theme.ink, width: 2 });
}

function frame(pen, { x, y, cw, ch }, row, column, rows, columns, ink) {
  pen.box(x + column * cw, y + row * ch, columns * cw, rows * ch, ink);
}

// The first and the last dimension, and what they are of between them, where there is room.
function axisLine(pen, { x, y, w, h }, columns, title, theme) {
  const middle = y + h + FOOT / 2 + 5;
  const last = String(columns);
  const ends = textWidth("1", READABLE) + textWidth(last, READABLE);
  const room = w - ends - 16;
  if (textWidth(title, READABLE) > room) {
    pen.text(title, x + w / 2, middle, { fill: theme.ink, align: "center", max: w + 2 * SIGNS.times });
    return;
  }
  pen.text("1", x, middle, { fill: theme.ink });
  pen.text(title, x + w / 2, middle, { fill: theme.ink, align: "center" });
  pen.text(last, x + w, middle, { fill: theme.ink, align: "right" });
}

function scaleLine(pen, { table }, limit, { x, y, w, h }, theme) {
  const ends = [`−${endText(limit)}`, endText(limit)];
  const wide = scaleWidth(ends, SCALE);
  drawScale(pen, table, ends, x + (w - wide) / 2, y + h + FOOT * 1.5 + 5, theme, SCALE);
}

// Where rows are small, every n-th label, and that of the picked row in place of those near it.
function rowLabels(pen, { about }, { row, tokens }, { labels, x, row: high }, theme) {
  const thin = Math.ceil(READABLE / high);
  tokens.forEach((token, at) => {
    const near = Math.abs(at - row) < thin && at !== row;
    if (at !== row && (at % thin || near)) return;
    const ink = at === row ? theme[`${about.role}_text`] : theme.ink;
    const style = { fill: ink, bold: at === row, align: "right", max: labels - UPRIGHT - 10 };
    pen.text(token, labels - 8, x.y + (at + 0.5) * high, style);
  });
}

function signs(pen, { x, w, y }, theme) {
  const style = { size: SIGN, fill: theme.ink, align: "center" };
  const middle = x.y + x.h / 2;
  pen.text("×", x.x + x.w + SIGNS.times / 2, middle, style);
  pen.text("+ b =", (w.x + w.w + y.x) / 2, middle, { ...style, size: READABLE + 4 });
}

// The cell under a point, { matrix, row, column }; beside X a label, which counts as the first of its row; or null.
export function cellUnder(qkv, layout, px, py) {
  for (const matrix of ["x", "w", "y"]) {
    const { x, y, w, h, cw, ch } = layout[matrix];
    const left = matrix === "x" ? UPRIGHT : x;
    if (px < left || px >= x + w || py < y || py >= y + h) continue;
    const column = Math.max(0, Math.min(qkv[matrix].columns - 1, Math.floor((px - x) / cw)));
    return { matrix, row: Math.min(qkv[matrix].rows - 1, Math.floor((py - y) / ch)), column };
  }
  return null;
}
