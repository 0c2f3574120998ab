// The cell of an attention picture: which one is read out and framed, what is still to be guessed, and what a click changes.

import { nth } from "../../web/src/payload";
import type { View } from "../../web/src/ui/store";
import type { Place } from "./data";
import type { Frame, Pointed } from "./picture";
import { placeOf, strongestIn, valuesOf } from "./selection";

// Whether the weight of a cell is still to be guessed.
export function guessed({ selection }: Frame, place: Place | null) {
  return place !== null && selection.covered && place[0] >= selection.row;
}

// The cell that is read out: the locked one, else the one under the pointer, else the strongest of the focused row.
export function spokenCell(frame: Frame, hover: Place | null): Place {
  const locked = placeOf(frame.selection, frame.view.cell);
  return locked ?? (hover ? fullCell(frame, hover) : [frame.focusedRow, strongestOf(frame, frame.focusedRow)]);
}

// The strongest key of a row, by weight at every stage.
function strongestOf({ data, selection, view, head }: Frame, row: number) {
  const one = { ...selection, stage: "softmax", rows: [nth(selection.rows, row)] };
  return strongestIn(valuesOf(data, one, view.layer, head), 0, selection.columns.length);
}

// Completes a token under the pointer to a cell: a query by its strongest key; a key by the focused query, or among lines by the query
// that attends to it most; in the neuron view the only query gets the locked key.
export function fullCell(frame: Frame, [row, column]: Place): Place {
  if (frame.form === "neurons" && column < 0 && row === frame.focusedRow) return spokenCell(frame, null);
  if (column < 0) return [row, strongestOf(frame, row)];
  if (row >= 0) return [row, column];
  if (frame.form === "matrix") return [frame.focusedRow, column];
  const { values } = frame.bitmap;
  const width = frame.selection.columns.length;
  const share = (at: number) => values[at * width + column] || 0;
  let best = 0;
  for (let other = 1; other < frame.selection.there; other += 1) if (share(other) > share(best)) best = other;
  return [best, column];
}

// The hovered cell (in a matrix always a full cell, the one read out) and the locked cell, or else the focused one.
export function marksOf(frame: Frame, pointed: Place | null) {
  const cell = pointed && frame.form === "matrix" ? fullCell(frame, pointed) : pointed;
  const hover = guessed(frame, cell) ? pointed : cell;
  const locked = placeOf(frame.selection, frame.view.cell);
  const focus = locked ?? (hover ? null : spokenCell(frame, null));
  return { hover, focus: guessed(frame, focus) ? null : focus, locked: Boolean(locked) };
}

// [query, key] of a cell.
export function tokensOf({ selection: { rows, columns } }: Frame, [row, column]: Place): View["cell"] {
  return [nth(rows, row).tokens[0], nth(columns, column).tokens[0]];
}

// The change of the view on a click: opens a head of a grid, or locks or unlocks a cell; null: none.
export function clicked(frame: Frame, pointed: Pointed): Partial<View> | null {
  if (!Array.isArray(pointed)) {
    const [layer, head] = nth(frame.heads, pointed.index);
    return { layer, head, show: "one" };
  }
  const place = fullCell(frame, pointed);
  if (guessed(frame, place)) return null;
  const isLocked = placeOf(frame.selection, frame.view.cell)?.join() === place.join();
  return { cell: isLocked ? null : tokensOf(frame, place) };
}
