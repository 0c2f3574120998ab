// Letters of this part's drawings, beside those of `shared/pen.js`.

import { textWidth } from "../shared/pen.js";

// The end of a text, as much of it as fits, after an ellipsis.
export function ending(text, room, size) {
  if (textWidth(text, size) <= room) return text;
  const signs = [...text];
  let start = 0, over = signs.length; // from `over` on it fits
  while (start < over) {
    const middle = (start + over) >> 1;
    if (textWidth(`…${signs.slice(middle).join("")}`, size) <= room) over = middle; else start = middle + 1;
  }
  return `…${signs.slice(over).join("")}`;
}
