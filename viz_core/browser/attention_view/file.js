// Export of the picture as SVG: the whole matrix, without scrolling, and the arithmetic of the cell beside it.

import { fill } from "../kit/numbers.js";
import { textWidth } from "../kit/pen.js";
import { STAGES } from "../kit/store.js";
import { svgPen } from "../kit/svg_pen.js";
import { drawLegend } from "./cells.js";
import { sizeInFile } from "./neurons_layout.js";
import { drawNumbers } from "./panel.js";
import { compose, draw } from "./picture.js";

const MARGIN = 24;
const HEADING = 44;
const FOOT = 44;
const SIDE_BOX = 330;
const LEGEND = 400;
const ROW = 24;
const SIGNED = 44; // px of a cell with a difference
const LEAST_SIZE = { w: 640, h: 420 };
const LINE_HIGH = 28;
const SIDE_HIGH = 600; // px

// shown: the frame on the screen; message: { words, panel } of its cell.
export function exported(shown, { words, panel }) {
  const { data, version, view, theme, texts } = shown;
  const neurons = shown.form === "neurons";
  const { w, h } = sizeOf(shown);
  const width = w + (panel ? SIDE_BOX + MARGIN : 0) + 2 * MARGIN;
  const height = h + HEADING + FOOT + 2 * MARGIN;
  const pen = svgPen(width, height, { ground: theme.surface });
  const frame = compose(data, version, view, theme, { x: MARGIN, y: MARGIN + HEADING, w, h }, true);
  frame.marks = { ...shown.marks, hover: null, thumb: null };
  const heading = fill(texts.heading, { kind: texts.kind, stage: texts[`long_${view.stage}`] });
  pen.text(heading, MARGIN, MARGIN + 12, { size: 22, bold: true, fill: theme.ink, max: width - 2 * MARGIN });
  draw(pen, frame);
  const side = { x: MARGIN + w + MARGIN, y: MARGIN + HEADING, w: SIDE_BOX, h: Math.min(h, SIDE_HIGH) };
  if (panel) drawSide(pen, frame, panel, side);
  const foot = height - MARGIN - 16;
  const legend = neurons ? 0 : LEGEND;
  pen.text(words, MARGIN, foot, { fill: theme.ink, max: width - legend - 3 * MARGIN });
  const masked = frame.bitmap.values.some(Number.isNaN);
  if (!neurons) drawLegend(pen, frame, { x: width - MARGIN - legend, w: legend, middle: foot }, masked);
  return pen.finish();
}

// The room that the picture has in a file.
function sizeOf({ grid, form, selection, data }) {
  const { rows, columns, signed } = selection;
  if (form === "neurons") {
    const wanted = sizeInFile(selection, data);
    return { w: Math.max(LEAST_SIZE.w, wanted.w), h: wanted.h };
  }
  if (grid) return { w: LEAST_SIZE.w * 1.8, h: LEAST_SIZE.h };
  const across = columns.length * (signed ? SIGNED : ROW) + 320;
  return { w: Math.max(LEAST_SIZE.w, across), h: Math.max(LEAST_SIZE.h, rows.length * ROW + 200) };
}

function drawSide(pen, frame, panel, { x, y, w, h }) {
  if (panel.kind === "parts") {
    drawNumbers(pen, frame, panel, { x, y, w, h });
    return;
  }
  const reached = STAGES.indexOf(frame.view.stage);
  const lines = panel.rows.filter(({ stage }) => STAGES.indexOf(stage) <= reached);
  const high = h - 6 * LINE_HIGH - 20;
  drawNumbers(pen, frame, panel, { x, y, w, h: high });
  lines.forEach(({ name, value, bold }, line) => {
    const middle = y + high + 20 + (line + 0.5) * LINE_HIGH;
    const style = { fill: frame.theme.ink, bold };
    pen.text(name, x, middle, { ...style, max: w - textWidth(value, 20, bold) - 12 });
    pen.text(value, x + w, middle, { ...style, size: 20, align: "right" });
  });
}
