// What stands below rows of cells, one column for each dimension: some of their numbers; their title and the scale of colours.

import { drawScale, scaleWidth } from "../attention_view/cells.js";
import { READABLE, textWidth } from "../kit/pen.js";

const TICK = 70; // px at least between two numbers
const SCALE = 90; // px of the colours

// The numbers of every n-th column, the first and the last among them. first: the number of the first.
export function drawNumbers(pen, { x, w, columns, first, middle }, theme) {
  const every = Math.max(1, Math.ceil((columns * TICK) / w / 8) * 8);
  const room = textWidth(String(columns), READABLE) + 12;
  const style = { fill: theme.ink, align: "center" };
  for (let at = 0; at === 0 || ((columns - 1 - at) * w) / columns > room; at += every)
    pen.text(String(at + first), x + ((at + 0.5) * w) / columns, middle, style);
  if (columns > 1) pen.text(String(columns - 1 + first), x + w, middle, { ...style, align: "right" });
}

// The title below the middle of the cells, the scale at the right edge of the figure.
export function drawTitleAndScale(pen, { x, w, width, middle, title, table, ends }, theme) {
  const wide = scaleWidth(ends, SCALE);
  drawScale(pen, table, ends, width - wide - 4, middle, theme, SCALE);
  const room = width - wide - x;
  pen.text(title, x + Math.min(w, room) / 2, middle, { fill: theme.ink, align: "center", max: room - 20 });
}
