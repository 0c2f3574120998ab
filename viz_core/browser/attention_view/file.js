// Export of the picture as SVG: the whole matrix, without scrolling, and the arithmetic of the cell beside it.

import { fill } from "../kit/numbers.js";
import { svgPen, textWidth } from "../kit/pen.js";
import { STAGES } from "../kit/store.js";
import { drawLegend } from "./cells.js";
import { sizeInFile } from "./neurons_layout.js";
import { compose, draw } from "./picture.js";
import { drawMix, drawParts, drawProduct } from "./vectors.js";

const MARGIN = 24;
const HEADING = 44;
const FOOT = 44;
const SIDE_BOX = 330;
const ROW = 24;
const SIGNED = 44;
const LEAST_W = 640;
const LEAST_H = 420;
const LINE_HIGH = 28;
const SIDE_HIGH = 600; // px

// shown: the frame on the screen; message: { words, panel } of its cell.
export function exported(shown, { words, panel }) {
  const { data, version, view, theme, texts, selection } = shown;
  const { rows, columns } = selection;
  const side = panel ? SIDE_BOX + MARGIN : 0;
  const neurons = shown.form === "neurons";
  const usual = {
    w: shown.grid ? LEAST_W * 1.8 : columns.length * (selection.signed ? SIGNED : ROW) + 320,
    h: shown.grid ? 0 : rows.length * ROW + 200,
  };
  const wish = neurons ? sizeInFile(selection, data) : usual;
  const w = Math.max(LEAST_W, wish.w);
  const h = neurons ? wish.h : Math.max(LEAST_H, wish.h);
  const width = w + side + 2 * MARGIN;
  const height = h + HEADING + FOOT + 2 * MARGIN;
  const pen = svgPen(width, height, { ground: theme.surface });
  const picture = { x: MARGIN, y: MARGIN + HEADING, w, h };
  const frame = compose(data, version, view, theme, picture, true);
  frame.marks = { ...shown.marks, hover: null, thumb: null };
  const heading = fill(texts.heading, { kind: texts.kind, stage: texts[`long_${view.stage}`] });
  pen.text(heading, MARGIN, MARGIN + 12, { size: 22, bold: true, fill: theme.ink, max: width - 2 * MARGIN });
  draw(pen, frame);
  if (panel)
    drawSide(pen, frame, panel, { x: MARGIN + w + MARGIN, y: picture.y, w: SIDE_BOX, h: Math.min(h, SIDE_HIGH) });
  const foot = height - MARGIN - 16;
  const legend = neurons ? 0 : 400;
  pen.text(words, MARGIN, foot, { size: 18, fill: theme.ink, max: width - legend - 3 * MARGIN });
  if (!neurons)
    drawLegend(
      pen,
      frame.scale,
      selection,
      { x: width - MARGIN - legend, y: foot - 15, w: legend, h: 30 },
      { masked: frame.bitmap.values.some(Number.isNaN), texts, theme },
    );
  return pen.finish();
}

function drawSide(pen, frame, panel, { x, y, w, h }) {
  const { view, theme } = frame;
  if (panel.kind === "parts") {
    drawParts(pen, panel, frame, { x, y, w, h });
    return;
  }
  const reached = STAGES.indexOf(view.stage);
  const lines = panel.rows.filter(({ stage }) => STAGES.indexOf(stage) <= reached);
  const high = h - 6 * LINE_HIGH - 20;
  (view.stage === "mix" ? drawMix : drawProduct)(pen, frame, panel.at, { x, y, w, h: high });
  lines.forEach(({ name, value, bold }, line) => {
    const middle = y + high + 20 + (line + 0.5) * LINE_HIGH;
    pen.text(name, x, middle, { size: 18, fill: theme.ink, bold, max: w - textWidth(value, 20, bold) - 12 });
    pen.text(value, x + w, middle, { size: 20, fill: theme.ink, bold, align: "right" });
  });
}
