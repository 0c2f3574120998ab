// The vectors of one token as a table and as strips, with either pen of kit/pen.js. The table is the left end of the strips: two lines
// say which part of them it enlarges.

import { scaleOf } from "../attention_view/cells.js";
import { endOfScale, signed } from "../kit/numbers.js";
import { READABLE, colourAt, inkOn, pixel, pixelCanvas, widestText } from "../kit/pen.js";
import { drawNumbers, drawTitleAndScale } from "../vector_matrix/axis.js";

// px
const LEAST_WIDTH = 700;
const SHOWN = 8; // dimensions whose numbers are printed
const HEAD = 28; // their numbers
const CELL = [40, 62]; // height of a cell of the table, at least and at most
const STRIP = [30, 52];
const BETWEEN = 60; // the table and the strips
const FOOT = 56; // a line of numbers, and one of the title and the scale
const GAP = 3; // between cells

export function layoutTable({ vectors, dims, names, notes }, w, h) {
  const count = vectors.length;
  const width = Math.max(w, LEAST_WIDTH);
  const left = widestText(names) + 14;
  const across = width - left - widestText(notes, false) - 16;
  const room = Math.max(h - HEAD - BETWEEN - FOOT, 0) / count;
  const within = (share, [least, most]) => Math.min(most, Math.max(least, Math.floor(share * room)));
  const [cell, strip] = [within(0.54, CELL), within(0.46, STRIP)];
  const table = { x: left, y: HEAD, w: across, h: count * cell, ch: cell, columns: Math.min(SHOWN, dims) };
  const strips = { x: left, y: HEAD + table.h + BETWEEN, w: across, h: count * strip, ch: strip, columns: dims };
  return { width, height: strips.y + strips.h + FOOT, table, strips };
}

export function drawTable(pen, shown, layout, theme, hovered) {
  const scale = scaleOf({ weights: false }, shown.limit, theme);
  const { table, strips } = layout;
  for (const part of [table, strips])
    shown.names.forEach((name, row) => {
      const style = { fill: theme.ink, align: "right" };
      pen.text(name, part.x - 8, part.y + (row + 0.5) * part.ch, style);
    });
  shown.vectors.forEach((vector, row) => {
    cells(pen, vector, row, table, scale);
    const picture = pictureOf(vector, scale);
    pen.picture(picture, 0, 0, vector.length, 1, strips.x, strips.y + row * strips.ch, strips.w, strips.ch - 2 * GAP);
    const middle = strips.y + row * strips.ch + (strips.ch - 2 * GAP) / 2;
    pen.text(shown.notes[row], strips.x + strips.w + 10, middle, { fill: theme.ink });
  });
  for (let at = 0; at < table.columns; at += 1)
    pen.text(String(at + shown.first), table.x + ((at + 0.5) * table.w) / table.columns, HEAD / 2, {
      fill: theme.ink,
      align: "center",
    });
  enlarged(pen, layout, shown.dims, theme);
  below(pen, shown, scale, layout, theme);
  if (hovered) {
    const { x, y, w, ch, columns } = layout[hovered.part];
    const wide = w / columns;
    pen.box(x + hovered.dim * wide, y + hovered.row * ch, wide, ch - 2 * GAP, { stroke: theme.ink, width: 2 });
  }
}

function cells(pen, vector, row, { x, y, w, ch, columns }, scale) {
  const wide = w / columns;
  for (let at = 0; at < columns; at += 1) {
    const share = scale.share(vector[at]);
    const box = [x + at * wide, y + row * ch, wide - GAP, ch - GAP];
    pen.box(...box, { fill: colourAt(scale.table, share) });
    const style = { fill: inkOn(pixel(scale.table, share)), align: "center", size: READABLE + 2 };
    pen.text(signed(vector[at]), box[0] + box[2] / 2, box[1] + box[3] / 2, style);
  }
}

function pictureOf(vector, { table, share }) {
  const canvas = pixelCanvas(vector.length, 1, (all) => {
    vector.forEach((value, at) => {
      all[at] = pixel(table, share(value));
    });
  });
  return { canvas, colourAt: (_, column) => colourAt(table, share(vector[column])) };
}

function enlarged(pen, { table, strips }, dims, theme) {
  const [from, to] = [table.y + table.h + 2, strips.y - 3];
  const end = strips.x + (strips.w * table.columns) / dims;
  const lines = [
    [table.x, from, strips.x, to],
    [table.x + table.w - GAP, from, end, to],
  ];
  pen.lines(lines, { stroke: theme.quiet, width: 1, dash: [2, 4] });
}

function below(pen, { dims, first, axis, limit }, { table }, { width, strips: { x, y, w, h } }, theme) {
  const ends = [`≤ −${endOfScale(limit)}`, `≥ ${endOfScale(limit)}`];
  drawNumbers(pen, { x, w, columns: dims, first, middle: y + h + 11 }, theme);
  drawTitleAndScale(pen, { x, w, width, middle: y + h + 40, title: axis, table, ends }, theme);
}

// What is at a point: { part: table or strips, row, dim }, or null.
export function underTable(layout, px, py) {
  for (const part of ["table", "strips"]) {
    const { x, y, w, h, ch, columns } = layout[part];
    if (px < x || px >= x + w || py < y || py >= y + h) continue;
    return { part, row: Math.floor((py - y) / ch), dim: Math.floor(((px - x) / w) * columns) };
  }
  return null;
}
