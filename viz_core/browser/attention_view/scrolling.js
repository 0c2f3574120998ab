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

// first, seen, all: [rows, columns], counted in cells; x, y, w: below the picture; rows: the words for what stands in
// rows.
export function drawNote(pen, { texts, theme }, { x, y, w, first, seen, all, rows = "rows_in_sight" }) {
  const axes = [
    [rows, "↑", "↓"],
    ["columns_in_sight", "←", "→"],
  ];
  const parts = axes.map(([name, before, after], at) => {
    if (seen[at] >= all[at]) return "";
    const last = Math.min(all[at], first[at] + seen[at]);
    const words = fill(texts[name], { first: first[at] + 1, last, all: all[at] });
    return `${first[at] > 0 ? `${before} ` : ""}${words}${last < all[at] ? ` ${after}` : ""}`;
  });
  const message = parts.filter(Boolean).join("   ");
  const left = x + Math.max(0, (w - textWidth(message, READABLE, true)) / 2);
  pen.text(message, left, y + NOTE / 2 + 1, { bold: true, fill: theme.accent, max: w });
}
