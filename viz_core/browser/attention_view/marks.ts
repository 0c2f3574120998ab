// Which cells of an attention picture are framed, and what a click changes.

import { nth } from "../../web/src/payload";
import type { View } from "../../web/src/ui/store";
import { placeOf } from "./selection";
import type { Place } from "./data";
import { type Frame, type Pointed, fullCell, spokenCell } from "./picture";
import { guessed } from "./reading";

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
