// What is longer than the picture: the size of its cells, which of them are seen, and a note of what is out of sight.

import { fill } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";

const NOTE = READABLE + 4; // px of that line

// Px of a cell: as large as so many fit, at most `most`. Below `least` they scroll, unless the whole is to be seen.
export function cellSize(room, count, { least, most, whole }) {
  const size = Math.min(most, room / count);
  if (size >= least) return Math.floor(size);
  return whole ? size : least;
}

// Px of a side that are seen: all, or whole cells, with room for the note.
export function seenLength(all, room, cell, note = NOTE) {
  return all <= room + 0.5 ? all : Math.max(1, Math.floor((room - note) / cell)) * cell;
}

// Whether the note needs its line, in px.
export function noteHeight(all, room) {
  return all > room + 0.5 ? NOTE : 0;
}

// Scrolls one axis just so far that a cell and its neighbours can be seen; -1 for no cell.
export function scrolledTo(at, from, { cell, seen, over }) {
  const wanted = at < 0 ? from : Math.min(Math.max(from, (at + 2) * cell - seen), Math.max(0, at - 1) * cell);
  return Math.min(over, Math.max(0, wanted));
}

// Of one axis: how many cells there are, px of one, px that are seen and that are not.
export function axisOf(count, cell, seen) {
  return { count, cell, seen, over: count * cell - seen };
}

export const NO_AXIS = axisOf(0, 1, 0); // nothing scrolls

// Below a picture: which rows and columns are seen, where not all are. names: the words for these.
export function drawNote(pen, frame, { x, y, w }, names = ["columns_in_sight", "rows_in_sight"]) {
  const arrows = ["←→", "↑↓"];
  const parts = frame.layout.axes.map(({ count, cell, seen }, at) => {
    const first = Math.round(frame.scroll[at] / cell);
    const last = Math.min(count, first + Math.round(seen / cell));
    const words = fill(frame.texts[names[at]], { first: first + 1, last, all: count });
    const [before, after] = arrows[at];
    if (Math.round(seen / cell) >= count) return "";
    return `${first > 0 ? `${before} ` : ""}${words}${last < count ? ` ${after}` : ""}`;
  });
  const message = parts.reverse().filter(Boolean).join("   ");
  if (!message) return;
  const left = x + Math.max(0, (w - textWidth(message, READABLE, true)) / 2);
  pen.text(message, left, y + NOTE / 2 + 1, { bold: true, fill: frame.theme.accent, max: w });
}
