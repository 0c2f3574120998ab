// Composition of a picture, for the screen and for a file: its heads, colours, layout and marks.

import { fill } from "../kit/numbers.js";
import { bitmapOf, scaleOf } from "./cells.js";
import { MEAN } from "./data.js";
import { drawGrid, layoutGrid, thumbAt } from "./grid.js";
import { drawLines, layoutLines, tokenAt } from "./lines.js";
import { cellAt, drawMatrix, layoutMatrix } from "./matrix.js";
import { drawNeurons } from "./neurons.js";
import { layoutNeurons, neuronAt } from "./neurons_layout.js";
import { scrolledTo } from "./scrolling.js";
import { focusRow, formOf, headsOf, placeOf, selectionOf, strongestIn, valuesOf } from "./selection.js";

// layout(frame, box, whole): where all stands, with `axes`, across and down; draw(pen, frame); under(frame, x, y): what
// marks.hover is, of a grid marks.thumb, at a point.
const FORMS = {
  grid: { layout: layoutGrid, draw: drawGrid, under: thumbAt },
  lines: { layout: layoutLines, draw: drawLines, under: tokenAt },
  matrix: { layout: layoutMatrix, draw: drawMatrix, under: cellAt },
  neurons: { layout: layoutNeurons, draw: drawNeurons, under: neuronAt },
};

// version: another one for another payload. whole: nothing scrolls.
export function compose(data, version, view, theme, box, whole) {
  const texts = data.about.texts;
  const selection = selectionOf(data, view);
  const heads = headsOf(data, view);
  const form = formOf(view);
  const head = view.show === "mean" ? MEAN : view.head;
  const limit = Math.max(...heads.map(([layer, each]) => data.limit(layer, each)));
  const scale = scaleOf(selection, limit, theme);
  const bitmap = (layer, each) =>
    bitmapOf(
      [version, theme.surface, selection.key, selection.log, limit, layer, each].join(" "),
      [selection.rows.length, selection.columns.length],
      () => valuesOf(data, selection, layer, each),
      scale,
      theme.masked,
    );
  const frame = { data, version, view, theme, texts, selection, heads, form, scale, head, scroll: [0, 0], marks: {} };
  return Object.assign(frame, {
    grid: form === "grid",
    titles: titlesOf(data, selection, view, head),
    asked: Math.max(0, focusRow(selection, view)), // the row that is spoken of
    bitmapOf: (index) => bitmap(...heads[index]),
    bitmap: bitmap(view.layer, head),
    layout: FORMS[form].layout(frame, box, whole),
  });
}

function titlesOf({ about: { texts }, out }, selection, view, head) {
  const headName = (at) => fill(texts.head, { head: at + 1 });
  const layerName = (at) => fill(texts.layer, { layer: at + 1 });
  const one = headName(view.head) + (out(view.layer, view.head) ? `, ${texts.out}` : "");
  return {
    rows: selection.words ? texts.rows_words : texts.rows,
    columns: texts.columns,
    absent: texts.absent,
    corner: [layerName(view.layer), head === MEAN ? texts.mean_sign : one],
    head: headName,
    layer: layerName,
  };
}

export function under(frame, x, y) {
  return FORMS[frame.form].under(frame, x, y);
}

// The scroll position in which a cell can be seen.
export function follow({ form, layout: { axes } }, scroll, row, column) {
  const at = [column, form === "neurons" ? column : row];
  return axes.map((axis, i) => scrolledTo(at[i], scroll[i], axis));
}

export function draw(pen, frame) {
  FORMS[frame.form].draw(pen, frame);
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
  const exists = (cell) => cell && cell[0] < there && cell[1] < thereColumns;
  if (frame.grid)
    return what.index < frame.heads.length ? { index: what.index, cell: exists(what.cell) ? what.cell : null } : null;
  if (!exists(what)) return null;
  return frame.form === "neurons" ? [frame.asked, what[1], what[2] ?? -1] : what.slice(0, 2);
}

// A token's partner, where only a token is pointed at: its strongest; the locked one, where one query is all that there
// is.
export function fullCell(frame, [row, column]) {
  if (frame.form === "neurons" && column < 0 && row === frame.asked) return spokenCell(frame, null);
  if (column < 0) return [row, strongestOf(frame, row)];
  if (row >= 0) return [row, column];
  const { values } = frame.bitmap;
  const width = frame.selection.columns.length;
  const share = (at) => values[at * width + column] || 0;
  let best = 0;
  for (let other = 1; other < frame.selection.there; other += 1) if (share(other) > share(best)) best = other;
  return [best, column];
}

// By weight, at every stage.
function strongestOf({ data, selection, view, head }, row) {
  const one = { ...selection, stage: "softmax", rows: [selection.rows[row]] };
  return strongestIn(valuesOf(data, one, view.layer, head), 0, selection.columns.length);
}
