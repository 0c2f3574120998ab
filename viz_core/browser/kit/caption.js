// What stands below a picture in a file: the sentence as far as it is written, and what is edited in the model.

import { svgEl } from "./dom.js";
import { clipped, ending, FAMILY, READABLE, textWidth } from "./pen.js";

const CAPTION_LINE = 28;
const CAPTION_MARGIN = 16; // px of a line, and beside it
const BETWEEN_SIDES = " → ";

// Puts the lines below a drawing of this size, in px, whose viewBox begins at 0, 0. Returns its new height.
export function captioned(drawing, width, height, store) {
  const lines = captionOf(store, width - 2 * CAPTION_MARGIN);
  const high = height + CAPTION_LINE * lines.length + CAPTION_MARGIN / 2;
  if (!lines.length) return height;
  drawing.setAttribute("viewBox", `0 0 ${width} ${high}`);
  drawing.append(svgEl("rect", { y: height, width, height: high - height, fill: store.theme.surface }));
  const style = {
    x: CAPTION_MARGIN,
    "font-family": FAMILY,
    "font-size": READABLE,
    fill: store.theme.quiet,
    lengthAdjust: "spacingAndGlyphs",
  };
  lines.forEach((line, at) =>
    drawing.append(
      svgEl("text", { ...style, y: height + (at + 0.7) * CAPTION_LINE, textLength: textWidth(line, READABLE) }, line),
    ),
  );
  return high;
}

// Where both sides are long each has half of the line: the source shows its beginning, the target its end.
function captionOf({ limits: { source = "", written = [], edited = "" }, view }, room) {
  if (!source) return [];
  const rest = room - textWidth(BETWEEN_SIDES, READABLE);
  const target = `${written
    .slice(0, view.step + 1)
    .join("")
    .trim()} …`.trim();
  const first = clipped(source, Math.max(rest / 2, rest - textWidth(target, READABLE)), READABLE);
  const lines = [first + BETWEEN_SIDES + ending(target, rest - textWidth(first, READABLE), READABLE)];
  return edited ? [...lines, clipped(edited, room, READABLE)] : lines;
}
