// Composition of a picture, for the screen and for a file: its heads, colours, layout and marks.

import { fill } from "../kit/numbers.js";
import { bitmapOf, scaleOf } from "./cells.js";
import { MEAN } from "./data.js";
import { drawGrid, layoutGrid, thumbAt } from "./grid.js";
import { drawLines, layoutLines, rowInSight, tokenAt } from "./lines.js";
import { cellAt, drawMatrix, inSight, layoutMatrix } from "./matrix.js";
import { drawNeurons } from "./neurons.js";
import { layoutNeurons, neuronAt } from "./neurons_layout.js";
import { focusRow, formOf, headsOf, placeOf, selectionOf, strongestIn, valuesOf } from "./selection.js";

// version: another one for another payload. whole: nothing scrolls.
export function compose(data, version, view, theme, box, whole) {
  const texts = data.about.texts;
  const selection = selectionOf(data, view);
  const heads = headsOf(data, view);
  const form = formOf(view);
  const grid = form === "grid";
  const mean = view.show === "mean";
  const limit = Math.max(...heads.map(([layer, head]) => data.limit(layer, head)));
  const scale = scaleOf(selection, limit, theme);
  const bitmap = (layer, head) =>
    bitmapOf(
      [version, theme.surface, selection.key, selection.log, limit, layer, head].join(" "),
      selection.rows.length,
      selection.columns.length,
      () => valuesOf(data, selection, layer, head),
      scale,
      theme.masked,
    );
  const layout = {
    grid: () => layoutGrid(selection, data, view.show, box),
    lines: () => layoutLines(selection, box, whole),
    neurons: () => layoutNeurons(selection, { data, texts }, box, whole),
    matrix: () => layoutMatrix(selection, box, whole),
  }[form]();
  const titles = {
    rows: selection.words ? texts.rows_words : texts.rows,
    columns: texts.columns,
    absent: texts.absent,
    corner: [
      fill(texts.layer, { layer: view.layer + 1 }),
      mean
        ? texts.mean_sign
        : fill(texts.head, { head: view.head + 1 }) + (data.out(view.layer, view.head) ? `, ${texts.out}` : ""),
    ],
    head: (head) => fill(texts.head, { head: head + 1 }),
    layer: (layer) => fill(texts.layer, { layer: layer + 1 }),
  };
  return {
    data,
    version,
    view,
    theme,
    texts,
    selection,
    heads,
    grid,
    form,
    scale,
    layout,
    titles,
    head: mean ? MEAN : view.head,
    asked: Math.max(0, focusRow(selection, view)), // the row that is spoken of
    bitmapOf: (index) => bitmap(...heads[index]),
    bitmap: bitmap(view.layer, mean ? MEAN : view.head),
    scroll: [0, 0],
    marks: {},
  };
}

// What is under a point, as marks.hover of a matrix, of lines or of neurons, or marks.thumb of a grid.
export function under(frame, x, y) {
  const { form, layout, selection, scroll } = frame;
  if (form === "grid") return thumbAt(layout, selection, frame.heads, x, y);
  if (form === "neurons") return neuronAt(layout, frame, scroll, x, y);
  return form === "lines" ? tokenAt(layout, selection, scroll, x, y) : cellAt(layout, selection, scroll, x, y);
}

// The cell that is spoken of: locked, else under the pointer, else the strongest of its row.
export function spokenCell(frame, hover) {
  const locked = placeOf(frame.selection, frame.view.cell);
  return locked ?? (hover ? fullCell(frame, hover) : [frame.asked, strongestOf(frame, frame.asked)]);
}

// What the pointer rests on, where that still exists.
export function stillThere(frame, what) {
  if (!what || frame.grid !== "index" in what) return null;
  const { there, thereColumns } = frame.selection;
  const exists = ([row, column]) => row < there && column < thereColumns;
  if (frame.grid)
    return what.index < frame.heads.length
      ? { index: what.index, cell: what.cell && exists(what.cell) ? what.cell : null }
      : null;
  if (!exists(what)) return null;
  return frame.form === "neurons" ? [frame.asked, what[1], what[2] ?? -1] : what.slice(0, 2);
}

// A token's partner, where only a token is pointed at: its strongest; the locked one, where one query is all that there
// is.
export function fullCell(frame, [row, column]) {
  if (frame.form === "neurons" && column < 0 && row === frame.asked) return spokenCell(frame, null);
  if (row >= 0 && column >= 0) return [row, column];
  if (row >= 0) return [row, strongestOf(frame, row)];
  const width = frame.selection.columns.length;
  const { values } = frame.bitmap;
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
  if (form === "neurons") return rowInSight(layout, scroll, column);
  return form === "lines" ? rowInSight(layout, scroll, row) : inSight(layout, scroll, row, column);
}

export function draw(pen, frame) {
  if (frame.form === "grid") drawGrid(pen, frame);
  else if (frame.form === "lines") drawLines(pen, frame);
  else if (frame.form === "neurons") drawNeurons(pen, frame);
  else drawMatrix(pen, frame);
}
