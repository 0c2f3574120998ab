// Thumbnails: all heads of a layer, or all layers and heads. A click opens one.

import { percentInList } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { drawThreads } from "./lines.js";
import { focusRow, strongestIn } from "./selection.js";

const HEAD = 26;
const SIDE = 70;
const GAP = 12;
const AXES = 24; // px: a line of titles, the layers' names, between two pictures, the line that names the axes

export function layoutGrid(selection, data, show, box) {
  const model = show === "model";
  const across = model ? data.heads : Math.min(data.heads, Math.max(4, Math.ceil(data.heads / 2)));
  const down = model ? data.layers : Math.ceil(data.heads / across);
  const left = model ? SIDE : 0;
  const top = model ? HEAD : 0;
  const title = model ? 0 : HEAD;
  const w = (box.w - 4 - left - GAP * (across - 1)) / across;
  const h = (box.h - AXES - top - GAP * (down - 1)) / down - title;
  const rows = selection.rows.length;
  const columns = selection.columns.length;
  let cw = w / columns;
  let ch = h / rows;
  if (cw >= 2 && ch >= 2) [cw, ch] = [Math.floor(cw), Math.floor(ch)];
  cw = Math.min(cw, 3 * ch);
  ch = Math.min(ch, 3 * cw);
  const at = (index) => ({
    x: box.x + 2 + left + (index % across) * (w + GAP),
    y: box.y + top + Math.floor(index / across) * (h + title + GAP) + title,
  });
  return { box, model, across, down, left, w, h, cw, ch, title, at };
}

// { index, cell } under a point.
export function thumbAt(layout, selection, heads, px, py) {
  for (let index = 0; index < heads.length; index += 1) {
    const { x, y } = layout.at(index);
    if (px < x || px >= x + layout.w || py < y - layout.title || py >= y + layout.h) continue;
    const row = Math.floor((py - y) / layout.ch);
    const column = Math.floor((px - x) / layout.cw);
    const inside = row >= 0 && column >= 0 && row < selection.there && column < selection.thereColumns;
    return { index, cell: inside ? [row, column] : null };
  }
  return null;
}

// frame: { data, view, selection, heads, bitmapOf(index), scale, layout, marks: { thumb }, titles, theme }
export function drawGrid(pen, frame) {
  const { view, selection, heads, layout, marks, titles, theme } = frame;
  const { cw, ch, model } = layout;
  const { rows, columns } = selection;
  const w = cw * columns.length;
  const h = ch * rows.length;
  const lines = view.form === "lines";
  const held = focusRow(selection, view);
  heads.forEach(([layer, head], index) => {
    const { x, y } = layout.at(index);
    const bitmap = frame.bitmapOf(index);
    const now = layer === view.layer && head === view.head;
    const over = marks.thumb?.index === index;
    if (!lines) {
      pen.picture(bitmap, 0, 0, columns.length, rows.length, x, y, w, h);
      standBack(pen, frame, x, y);
    }
    if (!model) titleOf(pen, frame, index, bitmap, held, x, y);
    const width = lines ? layout.w : w;
    const height = lines ? layout.h : h;
    pen.box(x - 1, y - 1, width + 2, height + 2, {
      stroke: over ? theme.ink : now ? theme.accent : theme.line,
      width: over || now ? 4 : 1,
    });
    if (frame.data.out(layer, head))
      pen.lines(
        [
          [x, y, x + width, y + height],
          [x, y + height, x + width, y],
        ],
        { stroke: theme.ink, width: 2 },
      );
    if (!lines && held >= 0) markRow(pen, frame, held, x, y);
    if (over && marks.thumb.cell && !lines) {
      const [row, column] = marks.thumb.cell;
      pen.box(x + column * cw, y + row * ch, Math.max(cw, 4), Math.max(ch, 4), { stroke: theme.accent, width: 3 });
    }
  });
  if (lines) drawThreads(pen, frame, held);
  axesLine(pen, frame);
  if (!model) return;
  for (let head = 0; head < layout.across; head += 1) {
    const words = layout.w < 76 ? String(head + 1) : titles.head(head);
    pen.text(words, layout.at(head).x + (lines ? layout.w : w) / 2, layout.box.y + 10, {
      size: READABLE,
      bold: head === view.head,
      fill: head === view.head ? theme.accent : theme.ink,
      align: "center",
    });
  }
  for (let layer = 0; layer < layout.down; layer += 1) {
    pen.text(titles.layer(layer), layout.box.x, layout.at(layer * layout.across).y + (lines ? layout.h : h) / 2, {
      size: READABLE,
      bold: layer === view.layer,
      fill: layer === view.layer ? theme.accent : theme.ink,
      max: SIDE - 6,
    });
  }
}

// A frame around the row, or marks beside it where it is too thin.
function markRow(pen, { selection, layout: { cw, ch }, theme }, held, x, y) {
  const middle = y + (held + 0.5) * ch;
  const end = x + cw * selection.columns.length;
  if (ch >= 6) pen.box(x, y + held * ch, cw * selection.thereColumns, ch, { stroke: theme.q, width: 2 });
  else
    pen.lines(
      [
        [x - 6, middle, x, middle],
        [end, middle, end + 6, middle],
      ],
      { stroke: theme.q, width: 3 },
    );
}

// Rows: queries. Columns: keys.
function axesLine(pen, { view, layout: { box }, titles, texts, theme }) {
  const y = box.y + box.h - AXES / 2 + 2;
  const names = view.form === "lines" ? [texts.left, texts.right] : [texts.rows_are, texts.columns_are];
  let x = box.x;
  const put = (words, bold, fill, gap) => {
    pen.text(words, x, y, { size: READABLE, bold, fill });
    x += textWidth(words, READABLE, bold) + gap;
  };
  put(names[0], false, theme.quiet, 6);
  put(titles.rows, true, theme.q_text, 22);
  put(names[1], false, theme.quiet, 6);
  put(titles.columns, true, theme.k_text, 0);
}

function standBack(pen, { selection, layout: { cw, ch }, theme }, x, y) {
  const { rows, columns, there, thereColumns, growing, covered, row } = selection;
  const w = cw * columns.length;
  const h = ch * rows.length;
  if (there < rows.length)
    pen.box(x, y + there * ch, w, h - there * ch, { fill: theme.surface, alpha: growing ? 1 : 0.7 });
  if (thereColumns < columns.length)
    pen.box(x + thereColumns * cw, y, w - thereColumns * cw, h, { fill: theme.surface });
  if (covered && row >= 0) pen.box(x, y + row * ch, w, h - row * ch, { fill: theme.panel });
}

// The head's number, and what the current row looks at most.
function titleOf(pen, { view, selection, heads, layout, titles, theme }, index, bitmap, held, x, y) {
  const [, head] = heads[index];
  const now = head === view.head;
  const name = titles.head(head);
  const line = y - HEAD / 2;
  pen.text(name, x, line, { size: READABLE, bold: now, fill: now ? theme.accent : theme.ink });
  if (held < 0 || selection.covered || !selection.weights) return;
  const column = strongestIn(bitmap.values, held, selection.columns.length);
  const share = percentInList(bitmap.values[held * selection.columns.length + column] || 0);
  const wide = view.form === "lines" ? layout.w : layout.cw * selection.columns.length;
  const end = x + wide;
  const room = wide - textWidth(name, READABLE, true) - textWidth(share, READABLE) - 16;
  if (room < 0) return;
  pen.text(share, end, line, { size: READABLE, fill: theme.ink, align: "right" });
  if (room > 30)
    pen.text(selection.columns[column].label, end - textWidth(share, READABLE) - 6, line, {
      size: READABLE,
      bold: true,
      fill: theme.k_text,
      align: "right",
      max: room,
    });
}
