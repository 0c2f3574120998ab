// The cells of a matrix with the titles of its axes, their labels and the scale of colours, with either pen of kit/pen.js.

import { decimals, endOfScale } from "../kit/numbers.js";
import { READABLE, cssColour, inkOn, ladder, packed, pixel, pixelCanvas, textWidth, widestText } from "../kit/pen.js";
import { drawNumbers, drawTitleAndScale } from "./axis.js";

// px
const LEAST_WIDTH = 560;
const UPRIGHT = 26; // an upright title
const LONGEST_LABEL = 200;
const LEAST_ROW = 24; // with its label
const MOST_ROW = 48;
const LABELLED = 24; // so many rows have all their labels, more are to be seen whole
const SMALLEST_ROW = 4;
const WHOLE = 640; // all rows together, where there are more
const LINE = 26; // below the cells: of the numbers, of the title with the scale
const GAP = 2; // between rows that have a label each
const FRAME = 3;
const SLANTED = 84; // room of slanted labels above the columns

export function layoutMatrix(matrix, w, h, whole) {
  const isPair = matrix.column !== null;
  const width = Math.max(w, LEAST_WIDTH);
  const left = UPRIGHT + Math.min(widestText(matrix.labels), LONGEST_LABEL) + 14;
  const top = FRAME + (isPair ? SLANTED : 0);
  const across = width - left - (isPair ? 40 : FRAME);
  const row = rowHeight(matrix.rows, h - top - 2 * LINE - 8, whole);
  const cw = isPair ? Math.min(across / matrix.columns, 2.2 * row) : across / matrix.columns;
  const high = row * matrix.rows;
  return { width, height: top + high + 2 * LINE + 8, x: left, y: top, w: cw * matrix.columns, h: high, cw, ch: row };
}

function rowHeight(rows, room, whole) {
  if (whole) return Math.min(MOST_ROW, Math.max(room, 0) / rows);
  if (rows > LABELLED) return Math.max(SMALLEST_ROW, WHOLE / rows);
  return Math.min(MOST_ROW, Math.max(LEAST_ROW, Math.floor(room / rows)));
}

// One pixel a cell, made anew for another theme. A scale that does not begin below 0 has one hue.
export function pictureOf({ rows, columns, data, ends: [low, high] }, theme) {
  const table = ladder(low < 0 ? theme.diverging : theme.sequential);
  const hole = packed(theme.masked); // a number that overflowed
  let pixels;
  const canvas = pixelCanvas(columns, rows, (all) => {
    pixels = all;
    data.forEach((value, at) => {
      all[at] = Number.isFinite(value) ? pixel(table, (value - low) / (high - low)) : hole;
    });
  });
  const pixelAt = (row, column) => pixels[row * columns + column];
  return { canvas, table, pixelAt, colourAt: (row, column) => cssColour(pixelAt(row, column)) };
}

// shown: { row, column, labels }. hovered: { row, column } or null.
export function drawMatrix(pen, matrix, picture, shown, layout, theme, hovered) {
  const { x, y, w, h, cw, ch } = layout;
  pen.picture(picture, 0, 0, matrix.columns, matrix.rows, x, y, w, h);
  if (ch >= LEAST_ROW) {
    const gaps = Array.from({ length: matrix.rows - 1 }, (_, at) => [x, y + (at + 1) * ch, x + w, y + (at + 1) * ch]);
    pen.lines(gaps, { stroke: theme.surface, width: GAP });
  }
  if (matrix.column === null) drawNumbers(pen, { ...matrix, x, w, middle: y + h + LINE / 2 + 2 }, theme);
  else columnLabels(pen, shown, layout, theme);
  if (matrix.column !== null) printed(pen, matrix, picture, layout);
  rowLabels(pen, shown, layout, theme);
  // beside the cells, or where it is longer than they are high, along the whole figure
  const beside = textWidth(matrix.titles.rows, READABLE) <= h ? y + h / 2 : layout.height / 2;
  const upright = { fill: theme.ink, align: "center", angle: -90, max: layout.height };
  pen.text(matrix.titles.rows, UPRIGHT / 2, beside, upright);
  foot(pen, matrix, picture, layout, theme);
  const { row, column } = shown;
  const from = column ?? 0;
  pen.box(x + from * cw, y + row * ch, column === null ? w : cw, ch, { stroke: theme.ink, width: FRAME });
  if (hovered) pen.box(x + hovered.column * cw, y + hovered.row * ch, cw, ch, { stroke: theme.accent, width: 2 });
}

// Every n-th label where rows are small, and that of the picked row in place of those near it.
function rowLabels(pen, { row, labels }, { x, y, ch }, theme) {
  const thin = Math.ceil((READABLE + 2) / ch);
  labels.forEach((label, at) => {
    const isNear = Math.abs(at - row) < thin;
    if (at !== row && (at % thin || isNear)) return;
    const style = {
      fill: at === row ? theme.accent : theme.ink,
      bold: at === row,
      align: "right",
      max: x - UPRIGHT - 12,
    };
    pen.text(label, x - 9, y + (at + 0.5) * ch, style);
  });
}

function columnLabels(pen, { column, labels }, { x, y, cw }, theme) {
  const thin = Math.ceil((READABLE + 2) / cw);
  labels.forEach((label, at) => {
    const isNear = Math.abs(at - column) < thin;
    if (at !== column && (at % thin || isNear)) return;
    const style = {
      fill: at === column ? theme.accent : theme.ink,
      bold: at === column,
      angle: -40,
      max: SLANTED * 1.3,
    };
    pen.text(label, x + (at + 0.5) * cw, y - 10, style);
  });
}

// The number of each cell, where it has room.
function printed(pen, matrix, picture, { x, y, cw, ch }) {
  const longest = Math.max(...matrix.ends.map((end) => textWidth(decimals(end, 0, 0), READABLE)));
  if (longest + 6 > cw || ch < READABLE) return;
  for (let row = 0; row < matrix.rows; row += 1)
    for (let column = 0; column < matrix.columns; column += 1) {
      const style = { fill: inkOn(picture.pixelAt(row, column)), align: "center" };
      pen.text(decimals(matrix.at(row, column), 0, 0), x + (column + 0.5) * cw, y + (row + 0.5) * ch, style);
    }
}

function foot(pen, { titles, ends, column }, { table }, { x, y, w, h, width }, theme) {
  const beyond = column === null ? ["≤ ", "≥ "] : ["", ""]; // of the products no number is beyond the ends
  const texts = ends.map((end, at) => `${beyond[at]}${endOfScale(end)}`);
  const middle = y + h + LINE * 1.5 + 6;
  drawTitleAndScale(pen, { x, w, width, middle, title: titles.columns, table, ends: texts }, theme);
}

// The cell under a point, or the row whose label is there; null where there is none.
export function underMatrix(matrix, { x, y, w, h, cw, ch }, px, py) {
  if (px < UPRIGHT || px >= x + w || py < y || py >= y + h) return null;
  const column = Math.max(0, Math.min(matrix.columns - 1, Math.floor((px - x) / cw)));
  return { row: Math.min(matrix.rows - 1, Math.floor((py - y) / ch)), column };
}
