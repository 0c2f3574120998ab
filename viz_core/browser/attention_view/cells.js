// Inside the cells of a matrix: gaps, the hatching of what is masked, and numbers wherever they can be read.

import { inkOn } from "../kit/colours.js";
import { points, shareInCell } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";

const SMALLER = 16; // px of numbers in narrow cells, outside lecture mode
const LEAST_DRAWN = 9; // px of a cell: below it neither gaps nor hatching
const UNPRINTED = 0.005; // a smaller weight has a colour, or a line, but no number

export function hasNumber(value, { weights, signed }) {
  return !Number.isNaN(value) && !((weights || signed) && Math.abs(value) < UNPRINTED);
}

// How the numbers of one picture are printed in cells cw × ch px large: { size, digits }; null where they could not be
// read.
function printing({ data, selection, layout: { cw, ch }, scale, view }) {
  const most = selection.stage === "scores" ? scale.high : Math.ceil(scale.high / data.root);
  const longest = selection.weights
    ? [">99"]
    : selection.signed
      ? [`−${Math.round(100 * scale.high)}`]
      : [`−${most}`, `−${Math.min(most, 99)}.9`];
  const apart = selection.weights ? 1 : 4; // px: scores fill each cell
  for (let digits = longest.length - 1; digits >= 0; digits -= 1) {
    const size = (view.lecture ? [READABLE] : [READABLE, SMALLER]).find(
      (each) => ch >= each && textWidth(longest[digits], each) + apart <= cw,
    );
    if (size) return { size, digits };
  }
  return null;
}

// A score with so many digits behind the point; never 0 when it is not 0.
function scoreInCell(value, digits) {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return "≈0";
  return value.toFixed(Math.abs(value) >= 100 ? 0 : digits).replace("-", "−");
}

// part: the cells in sight, as [row, column] first and last (without it), and where they lie.
export function drawCells(pen, frame, { first, last, left, top }) {
  const {
    selection,
    bitmap,
    layout: { cw, ch },
    theme,
  } = frame;
  const width = selection.columns.length;
  const print = printing(frame);
  const drawn = cw >= LEAST_DRAWN && ch >= LEAST_DRAWN;
  for (let row = first[0]; row < last[0]; row += 1) {
    for (let column = first[1]; column < last[1]; column += 1) {
      const value = bitmap.values[row * width + column];
      if (Number.isNaN(value)) {
        if (drawn) pen.hatch(left(column), top(row), cw, ch, { fill: theme.masked, stroke: theme.surface });
      } else if (print && row < selection.there && hasNumber(value, selection)) {
        const words = selection.weights
          ? shareInCell(value)
          : selection.signed
            ? points(value, 0)
            : scoreInCell(value, print.digits);
        pen.text(words, left(column) + cw / 2, top(row) + ch / 2, {
          size: print.size,
          fill: inkOn(bitmap.pixelAt(row, column)),
          align: "center",
        });
      }
    }
  }
  if (!drawn) return;
  const gaps = [];
  for (let row = first[0]; row <= last[0]; row += 1) gaps.push([left(first[1]), top(row), left(last[1]), top(row)]);
  for (let column = first[1]; column <= last[1]; column += 1)
    gaps.push([left(column), top(first[0]), left(column), top(last[0])]);
  pen.lines(gaps, { stroke: theme.line, width: 1 });
}
