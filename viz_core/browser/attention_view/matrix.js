// Attention matrix of one head: rows are queries, columns are keys, both with their tokens.

import { READABLE, textWidth } from "../kit/pen.js";
import { drawCells } from "./cells.js";
import { MORE, drawMore } from "./more.js";

const AXIS_TITLE = 25;
const LEAST_CELL = READABLE;
const SCROLLED_CELL = 24; // px: an axis title; the least row; the column of a matrix that scrolls, whose labels lean
const SLANT = 38;
const APART = 17;
const LONGEST_ROW = 200;
const LONGEST_COLUMN = 150; // degrees at least; px between slanted lines; px of labels
const WIDEST = 100;
const HIGHEST = 60; // px of a cell
const CORNER = 48; // px of the two lines that name layer and head

// Where all stands in a box of the picture. whole: shrink as far as it takes; else what is too long scrolls.
export function layoutMatrix(selection, box, whole) {
  const { rows, columns, cells } = selection;
  const widest = (side, most) =>
    Math.min(most, Math.max(24, ...side.map(({ label }) => textWidth(label, READABLE, true))));
  const labels = Math.min(Math.max(widest(rows, LONGEST_ROW), 60), box.w * 0.3) + 12;
  const long = widest(columns, LONGEST_COLUMN) + 6;
  const x = box.x + AXIS_TITLE + labels;
  let room = box.x + box.w - x;
  let cw = Math.min(WIDEST, Math.floor(room / cells));
  const slanted = long > cw;
  let slant = 0;
  if (slanted) {
    slant = slantOf(cw < LEAST_CELL && !whole ? SCROLLED_CELL : cw);
    room -= Math.max(0, long * Math.cos(slant) - cw / 2);
    cw = Math.min(WIDEST, room / cells);
    if (cw < LEAST_CELL && !whole) cw = SCROLLED_CELL;
    slant = slantOf(cw);
  }
  const y = box.y + AXIS_TITLE + (slanted ? long * Math.sin(slant) + 12 : READABLE + 12);
  const space = box.y + box.h - y - 2;
  cw = cw >= LEAST_CELL ? Math.floor(cw) : cw;
  const more = cw * columns.length > room + 0.5 ? MORE : 0; // px of the line that says what is out of sight
  let ch = Math.min(HIGHEST, (space - more) / rows.length);
  if (ch < LEAST_CELL && !whole) ch = LEAST_CELL;
  ch = ch >= LEAST_CELL ? Math.floor(ch) : ch;
  const all = [cw * columns.length, ch * rows.length];
  const w = seen(all[0], room, cw);
  const h = all[1] <= space - more + 0.5 ? all[1] : seen(all[1], space - MORE, ch);
  const least = y - box.y + LEAST_CELL * rows.length + more + 2; // px of height in which no row scrolls
  return { box, x, y, cw, ch, labels, long, slant, w, h, over: [all[0] - w, all[1] - h], least };
}

// Whole cells of what scrolls, never half a one.
function seen(all, room, cell) {
  return all <= room + 0.5 ? all : Math.max(1, Math.floor(room / cell)) * cell;
}

// The narrower the columns, the steeper their labels, so that these stay apart.
function slantOf(cw) {
  return Math.max((SLANT * Math.PI) / 180, Math.asin(Math.min(1, APART / Math.max(cw, LEAST_CELL))));
}

// [row, column] under a point; -1 for a label.
export function cellAt(layout, selection, scroll, px, py) {
  const { x, y, cw, ch, w, h, labels } = layout;
  const column = px < x ? -1 : Math.floor((px - x + scroll[0]) / cw);
  const row = py < y ? -1 : Math.floor((py - y + scroll[1]) / ch);
  if (px < x - labels || px >= x + w || py < y - READABLE - 8 || py >= y + h || (row < 0 && column < 0)) return null;
  if (row >= selection.rows.length || column >= selection.columns.length) return null;
  return row < selection.there && column < selection.thereColumns ? [row, column] : null;
}

// Scrolls so far that a row, and a column where there is one, can be seen.
export function inSight(layout, scroll, row, column) {
  const along = (from, size, at, view, over) =>
    Math.min(over, Math.max(0, Math.min(Math.max(from, (at + 2) * size - view), Math.max(0, at - 1) * size)));
  return [
    column >= 0 ? along(scroll[0], layout.cw, column, layout.w, layout.over[0]) : Math.min(scroll[0], layout.over[0]),
    row >= 0 ? along(scroll[1], layout.ch, row, layout.h, layout.over[1]) : Math.min(scroll[1], layout.over[1]),
  ];
}

// frame: { selection, bitmap, layout, scroll, marks: { hover, focus, locked }, titles, theme }
export function drawMatrix(pen, frame) {
  const {
    selection,
    layout,
    scroll: [sx, sy],
    marks,
    theme,
  } = frame;
  const { x, y, cw, ch, w, h } = layout;
  const { rows, columns, thereColumns } = selection;
  const first = [Math.floor(sy / ch), Math.floor(sx / cw)];
  const last = [Math.min(rows.length, Math.ceil((sy + h) / ch)), Math.min(columns.length, Math.ceil((sx + w) / cw))];
  const left = (column) => x + column * cw - sx;
  const top = (row) => y + row * ch - sy;
  const part = { first, last, left, top };
  pen.inside(x - 3, y - 3, w + 6, h + 6, () => {
    const across = last[1] - first[1];
    const down = last[0] - first[0];
    pen.picture(frame.bitmap, first[1], first[0], across, down, left(first[1]), top(first[0]), across * cw, down * ch);
    drawCells(pen, frame, part);
    notThere(pen, frame, part);
    if (frame.data.out(frame.view.layer, frame.head))
      pen.lines(
        [
          [x, y, x + w, y + h],
          [x, y + h, x + w, y],
        ],
        { stroke: theme.ink, width: 3, alpha: 0.5 },
      );
    const held = marks.hover ?? marks.focus;
    if (selection.row >= 0)
      pen.box(x - 1, top(selection.row), Math.min(thereColumns * cw - sx, w) + 2, ch, { stroke: theme.q, width: 3 });
    if (held && held[0] >= 0 && held[1] >= 0) strokes(pen, frame, part, held);
    if (marks.focus && !selection.covered)
      pen.box(left(marks.focus[1]), top(marks.focus[0]), cw, ch, {
        stroke: theme.accent,
        width: 4,
        dash: marks.locked ? null : [5, 4],
      });
    if (marks.hover && marks.hover[0] >= 0 && marks.hover[1] >= 0)
      pen.box(left(marks.hover[1]), top(marks.hover[0]), cw, ch, { stroke: theme.ink, width: 2 });
  });
  axes(pen, frame, part);
  drawMore(pen, frame, {
    x,
    y: y + h,
    w,
    first: [Math.round(sy / ch), Math.round(sx / cw)],
    seen: [Math.round(h / ch), Math.round(w / cw)],
    all: [rows.length, columns.length],
  });
}

// Rows and columns that do not exist yet; later rows of cross attention stand back; what is to be guessed is covered.
function notThere(pen, { selection, layout, titles, theme }, { left, top }) {
  const { rows, columns, there, thereColumns, growing } = selection;
  const right = left(columns.length);
  const bottom = top(rows.length);
  const { cw, ch } = layout;
  if (there < rows.length) {
    pen.box(left(0) - 2, top(there), right - left(0) + 4, bottom - top(there) + 2, {
      fill: theme.surface,
      alpha: growing ? 1 : 0.74,
    });
  }
  if (thereColumns < columns.length)
    pen.box(left(thereColumns), top(0) - 2, right - left(thereColumns) + 2, bottom - top(0) + 4, {
      fill: theme.surface,
    });
  if (growing && there < rows.length) {
    pen.box(left(0) + 0.5, top(0) + 0.5, right - left(0) - 1, bottom - top(0) - 1, {
      stroke: theme.line,
      width: 1,
      dash: [4, 5],
    });
    if ((rows.length - there) * ch > READABLE + 4)
      pen.text(titles.absent, (left(0) + right) / 2, (top(there) + bottom) / 2, {
        size: READABLE,
        fill: theme.quiet,
        align: "center",
        max: right - left(0),
      });
  }
  if (selection.covered && selection.row >= 0) {
    pen.box(left(0), top(selection.row), right - left(0), bottom - top(selection.row), { fill: theme.panel });
    for (let column = 0; column < columns.length; column += 1)
      pen.text("?", left(column) + cw / 2, top(selection.row) + ch / 2, {
        size: Math.min(READABLE + 4, ch),
        bold: true,
        fill: theme.ink,
        align: "center",
      });
  }
}

// The query's stroke runs across to the cell, the key's runs down.
function strokes(pen, { layout: { x, y, cw, ch }, theme }, { left, top }, [row, column]) {
  pen.lines(
    [
      [x, top(row) + ch, left(column), top(row) + ch],
      [x, top(row), left(column), top(row)],
    ],
    { stroke: theme.q, width: 2 },
  );
  pen.lines(
    [
      [left(column), y, left(column), top(row)],
      [left(column) + cw, y, left(column) + cw, top(row)],
    ],
    { stroke: theme.k, width: 2 },
  );
}

function axes(pen, { selection, layout, marks, titles, theme }, { first, last, left, top }) {
  const { box, x, y, cw, ch, labels, long, slant, w, h } = layout;
  const held = marks.hover ?? marks.focus;
  pen.text(titles.columns, x + w / 2, box.y + 11, {
    size: READABLE,
    bold: true,
    fill: theme.k_text,
    align: "center",
    max: box.w - labels,
  });
  // a long title begins right below the corner
  const above = textWidth(titles.rows, READABLE, true) > h ? box.y + CORNER : y;
  pen.text(titles.rows, box.x + 10, (above + y + h) / 2, {
    size: READABLE,
    bold: true,
    fill: theme.q_text,
    align: "center",
    angle: -90,
    max: y + h - above,
  });
  titles.corner.forEach((words, line) =>
    pen.text(words, box.x + 2, box.y + 11 + line * 22, {
      size: READABLE,
      bold: true,
      fill: theme.ink,
      max: labels + AXIS_TITLE,
    }),
  );
  const down = Math.ceil(LEAST_CELL / ch);
  const across = Math.ceil(LEAST_CELL / cw);
  const size = Math.min(READABLE, Math.max(13, ch));
  const nearby = (one, other, least) => one !== other && other >= 0 && Math.abs(one - other) < least;
  const heldRow = held ? held[0] : selection.row;
  const heldColumn = held ? held[1] : -1;
  for (let row = first[0]; row < Math.min(last[0], selection.growing ? selection.there : last[0]); row += 1) {
    const now = row === heldRow;
    const at = top(row) + ch / 2;
    if (
      (row % down && !now && row !== selection.row) ||
      (down > 1 && nearby(row, heldRow, down)) ||
      at < y - 2 ||
      at > y + h + 2
    )
      continue;
    const fill = row >= selection.there ? theme.quiet : row === selection.row || now ? theme.q_text : theme.ink;
    pen.text(selection.rows[row].label, x - 8, at, {
      size: now && marks.hover ? grown(selection.rows[row].label, labels - 8, size) : size,
      bold: now || row === selection.row,
      fill,
      align: "right",
      max: labels - 8,
    });
  }
  for (let column = first[1]; column < Math.min(last[1], selection.thereColumns); column += 1) {
    const now = column === heldColumn;
    const at = left(column) + cw / 2;
    if ((column % across && !now) || (across > 1 && nearby(column, heldColumn, across)) || at < x - 2 || at > x + w + 2)
      continue;
    const { label } = selection.columns[column];
    const room = slant ? long - 6 : cw - 2;
    const style = {
      size: now && marks.hover ? grown(label, room, READABLE) : READABLE,
      bold: now,
      fill: now ? theme.k_text : theme.ink,
    };
    if (slant) pen.text(label, at, y - 9, { ...style, angle: (-slant * 180) / Math.PI, max: LONGEST_COLUMN });
    else pen.text(label, at, y - 13, { ...style, align: "center", max: now && marks.hover ? 0 : room });
  }
}

// A label under the pointer grows where there is room for it.
function grown(label, room, size) {
  return textWidth(label, READABLE + 3, true) <= room ? READABLE + 3 : size;
}
