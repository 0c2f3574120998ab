// Scroll note below a picture: which rows and columns are visible, and where there are more.

import { fill } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";

export const MORE = READABLE + 4; // px of that line

// first, seen, all: [rows, columns], counted in cells; x, y, w: below the picture; rows: the words for what stands in
// rows.
export function drawMore(pen, { texts, theme }, { x, y, w, first, seen, all, rows = "rows_in_sight" }) {
  const message = [
    [rows, "↑", "↓"],
    ["columns_in_sight", "←", "→"],
  ]
    .flatMap(([name, before, after], at) => {
      if (seen[at] >= all[at]) return [];
      const last = Math.min(all[at], first[at] + seen[at]);
      const words = fill(texts[name], { first: first[at] + 1, last, all: all[at] });
      return [`${first[at] > 0 ? `${before} ` : ""}${words}${last < all[at] ? ` ${after}` : ""}`];
    })
    .join("   ");
  if (!message) return;
  pen.text(message, x + Math.max(0, (w - textWidth(message, READABLE, true)) / 2), y + MORE / 2 + 1, {
    size: READABLE,
    bold: true,
    fill: theme.accent,
    max: w,
  });
}
