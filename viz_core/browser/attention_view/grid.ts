// Thumbnails of all heads of a layer, or of all layers and heads. A click opens one.

import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { percentInList } from "../kit/numbers";
import { READABLE, cross, textWidth } from "../kit/pen";
import { NO_AXIS, coverAbsent, drawBitmap } from "./cells";
import { WORDS_FOOT, drawTip, drawWords, wordsWidth } from "./grid_words";
import { drawThreads } from "./lines";
import { focusRow, strongestIn } from "./selection";
import type { GridFrame, Shown, Thumb } from "./picture";

const HEAD = 26; // px of a line of titles
const SIDE = 66; // px of the layers' names
const GAP = 12; // px between two pictures
const AXES = 24; // px of the line that names the axes

// w, h: px of a thumbnail's place; shownW, shownH: of the drawing in it; words: of the words on the left.
export function layoutGrid({ selection, data, view }: Shown, box: Box) {
  const model = view.show === "model";
  const lines = view.form === "lines"; // keys on the left, queries on the right; a matrix has its keys below
  const words = wordsWidth(lines ? selection.columns : selection.rows, box);
  const right = lines ? wordsWidth(selection.rows, box) : 0;
  const foot = lines ? 0 : WORDS_FOOT;
  const across = model ? data.heads : Math.min(data.heads, Math.max(4, Math.ceil(data.heads / 2)));
  const down = model ? data.layers : Math.ceil(data.heads / across);
  const left = (model ? SIDE : 0) + words;
  const top = model ? HEAD : 0;
  const title = model ? 0 : HEAD;
  const w = (box.w - 4 - left - right - GAP * (across - 1)) / across;
  const h = (box.h - AXES - foot - top - GAP * (down - 1)) / down - title;
  const [rows, columns] = [selection.rows.length, selection.columns.length];
  let [cw, ch] = [w / columns, h / rows];
  if (cw >= 2 && ch >= 2) [cw, ch] = [Math.floor(cw), Math.floor(ch)];
  cw = Math.min(cw, 3 * ch);
  ch = Math.min(ch, 3 * cw);
  const at = (index: number) => ({
    x: box.x + 2 + left + (index % across) * (w + GAP),
    y: box.y + top + Math.floor(index / across) * (h + title + GAP) + title,
  });
  const [shownW, shownH] = lines ? [w, h] : [cw * columns, ch * rows];
  const axes = [NO_AXIS, NO_AXIS] as const;
  return { box, model, across, down, w, h, cw, ch, shownW, shownH, title, words, right, at, axes };
}

// The thumbnail and cell under a point.
export function thumbAt({ layout, selection, heads }: GridFrame, px: number, py: number): Thumb | null {
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

// marks.thumb: as from `thumbAt`; marks.tip: the words for its cell.
export function drawGrid(pen: Pen, frame: GridFrame) {
  const { view, selection, heads, layout, marks, theme } = frame;
  const { cw, ch, shownW, shownH } = layout;
  const lines = view.form === "lines";
  const held = focusRow(selection, view);
  heads.forEach(([layer, head], index) => {
    const { x, y } = layout.at(index);
    const now = layer === view.layer && head === view.head;
    const over = marks.thumb?.index === index;
    if (!lines) {
      const { columns, rows } = selection;
      drawBitmap(pen, frame, frame.bitmapOf(index), [0, 0], [rows.length, columns.length], { x, y });
      coverAbsent(pen, frame, { x, y });
    }
    if (!layout.model) titleOf(pen, frame, index, held);
    const stroke = over ? theme.ink : now ? theme.accent : theme.line;
    pen.box(x - 1, y - 1, shownW + 2, shownH + 2, { stroke, width: over || now ? 4 : 1 });
    if (frame.data.out(layer, head)) cross(pen, x, y, shownW, shownH, { stroke: theme.ink, width: 2 });
    if (!lines && held >= 0) markRow(pen, frame, held, x, y);
    if (over && marks.thumb?.cell && !lines) {
      const [row, column] = marks.thumb.cell;
      pen.box(x + column * cw, y + row * ch, Math.max(cw, 4), Math.max(ch, 4), { stroke: theme.accent, width: 3 });
    }
  });
  if (lines) drawThreads(pen, frame, held);
  axesLine(pen, frame);
  if (layout.model) modelTitles(pen, frame);
  drawWords(pen, frame, held);
  if (marks.tip && marks.thumb?.cell) drawTip(pen, frame, marks.tip, marks.thumb.index, marks.thumb.cell);
}

// Names of heads above, of layers beside the thumbnails.
function modelTitles(pen: Pen, { view, layout, titles, theme }: GridFrame) {
  const { at, box, across, down, shownW, shownH } = layout;
  const style = (now: boolean) => ({ bold: now, fill: now ? theme.accent : theme.ink });
  for (let head = 0; head < across; head += 1) {
    const words = layout.w < 76 ? String(head + 1) : titles.head(head);
    pen.text(words, at(head).x + shownW / 2, box.y + 10, { ...style(head === view.head), align: "center" });
  }
  for (let layer = 0; layer < down; layer += 1) {
    const middle = at(layer * across).y + shownH / 2;
    pen.text(titles.layer(layer), box.x, middle, { ...style(layer === view.layer), max: SIDE - 6 });
  }
}

// A frame around the row, or ticks beside it where it is too thin.
function markRow(pen: Pen, { selection, layout, theme }: GridFrame, held: number, x: number, y: number) {
  const { cw, ch, shownW } = layout;
  const middle = y + (held + 0.5) * ch;
  const beside = [x - 6, x + shownW].map((from) => [from, middle, from + 6, middle]);
  if (ch >= 6) pen.box(x, y + held * ch, cw * selection.thereColumns, ch, { stroke: theme.q, width: 2 });
  else pen.lines(beside, { stroke: theme.q, width: 3 });
}

// The legend of the axes: which side has the queries and which the keys.
function axesLine(pen: Pen, { view, layout: { box }, titles, texts, theme }: GridFrame) {
  let x = box.x;
  const put = (words: string, bold: boolean, fill: string, gap: number) => {
    pen.text(words, x, box.y + box.h - AXES / 2 + 2, { bold, fill });
    x += textWidth(words, READABLE, bold) + gap;
  };
  const rows = (where: string) => [where, titles.rows, theme.q_text] as const;
  const columns = (where: string) => [where, titles.columns, theme.k_text] as const;
  const sides =
    view.form === "lines" ? [columns(texts.left), rows(texts.right)] : [rows(texts.rows_are), columns(texts.columns_are)];
  for (const [where, what, ink] of sides) {
    put(where, false, theme.quiet, 6);
    put(what, true, ink, 22);
  }
}

// The head's name, and the key to which the current row attends most.
function titleOf(pen: Pen, frame: GridFrame, index: number, held: number) {
  const { view, selection, heads, layout, titles, theme } = frame;
  const { x, y } = layout.at(index);
  const [, head] = nth(heads, index);
  const now = head === view.head;
  const name = titles.head(head);
  const line = y - HEAD / 2;
  pen.text(name, x, line, { bold: now, fill: now ? theme.accent : theme.ink });
  if (held < 0 || selection.covered || !selection.weights) return;
  const { values } = frame.bitmapOf(index);
  const { columns } = selection;
  const column = strongestIn(values, held, columns.length);
  const share = percentInList(values[held * columns.length + column] || 0);
  const end = x + layout.shownW;
  const keyEnd = end - textWidth(share, READABLE) - 6;
  const max = keyEnd - x - textWidth(name, READABLE, true) - 10;
  if (max < 0) return;
  pen.text(share, end, line, { fill: theme.ink, align: "right" });
  if (max > 30) pen.text(nth(columns, column).label, keyEnd, line, { bold: true, fill: theme.k_text, align: "right", max });
}
