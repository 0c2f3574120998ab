// Puts together what one picture shows, for the screen and for a file: which heads, in which colours, where, and what is marked.

import { fill } from "../shared/numbers.js";
import { MEAN } from "./data.js";
import { drawGrid, layoutGrid, thumbAt } from "./grid.js";
import { bitmapOf, scaleOf } from "./heat.js";
import { drawLines, layoutLines, rowInSight, tokenAt } from "./lines.js";
import { cellAt, drawMatrix, inSight, layoutMatrix } from "./matrix.js";
import { focusRow, headsOf, placeOf, selectionOf, strongestIn, valuesOf } from "./selection.js";

// version: another one for another payload. whole: nothing scrolls.
export function compose(data, version, view, theme, box, whole) {
  const texts = data.about.texts, selection = selectionOf(data, view), heads = headsOf(data, view);
  const grid = view.show === "layer" || view.show === "model", mean = view.show === "mean";
  const limit = Math.max(...heads.map(([layer, head]) => data.limit(layer, head)));
  const scale = scaleOf(selection, limit, theme);
  const bitmap = (layer, head) => bitmapOf([version, theme.surface, selection.key, selection.log, limit, layer, head].join(" "),
    selection.rows.length, selection.columns.length, () => valuesOf(data, selection, layer, head), scale, theme.masked);
  const form = grid ? "grid" : view.form;
  const layout = grid ? layoutGrid(selection, data, view.show, box) : form === "lines" ? layoutLines(selection, box, whole) : layoutMatrix(selection, box, whole);
  const titles = {
    rows: selection.words ? texts.rows_words : texts.rows,
    columns: texts.columns, absent: texts.absent,
    corner: [fill(texts.layer, { layer: view.layer + 1 }), mean ? texts.mean_sign : fill(texts.head, { head: view.head + 1 })],
    head: (head) => fill(texts.head, { head: head + 1 }),
    layer: (layer) => fill(texts.layer, { layer: layer + 1 }),
  };
  return { data, view, theme, texts, selection, heads, grid, form, scale, layout, titles,
    head: mean ? MEAN : view.head,
    bitmapOf: (index) => bitmap(...heads[index]),
    bitmap: bitmap(view.layer, mean ? MEAN : view.head),
    scroll: [0, 0], marks: {} };
}

// What is under a point, as marks.hover of a matrix or of lines, or marks.thumb of a grid.
export function under(frame, x, y) {
  const { form, layout, selection, scroll } = frame;
  if (form === "grid") return thumbAt(layout, selection, frame.heads, x, y);
  return form === "lines" ? tokenAt(layout, selection, scroll, x, y) : cellAt(layout, selection, scroll, x, y);
}

// The cell that is spoken of: locked, else under the pointer, else the strongest of its row.
export function spokenCell(frame, hover) {
  const { selection, view } = frame, locked = placeOf(selection, view.cell);
  if (locked) return locked;
  const full = hover && fullCell(frame, hover);
  return full ?? [Math.max(0, focusRow(selection, view)), strongestOf(frame, Math.max(0, focusRow(selection, view)))];
}

// A token's strongest partner, where only a token is pointed at.
export function fullCell(frame, [row, column]) {
  if (row >= 0 && column >= 0) return [row, column];
  if (row >= 0) return [row, strongestOf(frame, row)];
  const width = frame.selection.columns.length, { values } = frame.bitmap;
  let best = 0;
  for (let other = 1; other < frame.selection.there; other += 1) {
    if ((values[other * width + column] || 0) > (values[best * width + column] || 0)) best = other;
  }
  return [best, column];
}

// By weight, at every stage.
function strongestOf({ data, selection, view, head }, row) {
  const one = { ...selection, stage: "softmax", rows: [selection.rows[row]] };
  return strongestIn(valuesOf(data, one, view.layer, head), 0, selection.columns.length);
}

export function follow({ form, layout }, scroll, row, column) {
  if (form === "grid") return [0, 0];
  return form === "lines" ? rowInSight(layout, scroll, row) : inSight(layout, scroll, row, column);
}

export function draw(pen, frame) {
  if (frame.form === "grid") drawGrid(pen, frame);
  else if (frame.form === "lines") drawLines(pen, frame);
  else drawMatrix(pen, frame);
}
