// The cell that is pointed at or locked: its sentence for the strip, its numbers for the panel.

import { fill } from "../kit/numbers.js";
import { panelOf } from "./panel.js";
import { fullCell, spokenCell } from "./picture.js";
import { reading, readingOfDifference, readingOfDimension } from "./reading.js";
import { placeOf } from "./selection.js";

const NUMBERS = ["score", "scaled", "exp", "total", "weight"];

// Whether a cell is still to be guessed.
export function guessed({ selection }, place) {
  return Boolean(place) && selection.covered && place[0] >= selection.row;
}

// exact: the numbers of the locked cell as Python sent them, or null: long sentences travel rounded. Returns { words,
// place, panel }.
export function spokenOf(frame, hover, exact) {
  const { data, texts, selection, view } = frame;
  const thumb = frame.grid && hover ? hover : null;
  const place = thumb?.cell ?? spokenCell(frame, frame.grid ? null : hover);
  const hovered = !frame.grid && hover ? fullCell(frame, hover) : place;
  const [layer, head] = thumb ? frame.heads[thumb.index] : [view.layer, frame.head];
  const bitmap = thumb ? frame.bitmapOf(thumb.index) : frame.bitmap;
  const numbers = exactOf(frame, exact, layer, head, place);
  const isExact = hovered === place && numbers;
  const value = isExact
    ? exactValue(frame, numbers)
    : bitmap.values[hovered[0] * selection.columns.length + hovered[1]];
  const note = view.specials === "hide" && (selection.weights || selection.signed) ? texts.note_hidden : "";
  const dim = frame.form === "neurons" && hover ? hover[2] : -1;
  const words = guessed(frame, hovered)
    ? fill(texts.guess, { query: selection.rows[selection.row]?.label ?? "" })
    : data.signed
      ? readingOfDifference(texts, data, selection, hovered, layer, head) + note
      : dim >= 0
        ? readingOfDimension(texts, data, selection, view, hovered, dim)
        : reading(texts, isExact ? { ...data, exact: true } : data, selection, hovered, value, layer, head) + note;
  return {
    words,
    place,
    panel:
      frame.grid || data.signed || frame.form === "neurons" || guessed(frame, place)
        ? null
        : panelOf(data, selection, view, texts, place, numbers),
  };
}

// The exact numbers, where they are of this very cell.
function exactOf({ data, selection: { rows, columns, words } }, exact, layer, head, [row, column]) {
  const fits =
    exact &&
    !words &&
    exact.kind === data.about.kind &&
    exact.layer === layer &&
    exact.head === head &&
    exact.query === rows[row].tokens[0] &&
    exact.key === columns[column].tokens[0];
  return fits
    ? Object.fromEntries(NUMBERS.filter((name) => exact[name] !== null).map((name) => [name, exact[name]]))
    : null;
}

function exactValue({ selection, bitmap, view }, exact) {
  const { stage, weights } = selection;
  const [row, column] = placeOf(selection, view.cell) ?? [0, 0];
  if (Number.isNaN(bitmap.values[row * selection.columns.length + column])) return NaN;
  return weights ? exact.weight : stage === "scores" ? exact.score : exact.scaled;
}
