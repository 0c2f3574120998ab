// The colours of the stage with their numbers.

import { ladder, colourAt } from "../kit/colours.js";
import { percent, points } from "../kit/numbers.js";
import { canvasPen, READABLE, textWidth } from "../kit/pen.js";
import { fit } from "./panel.js";

const BAR = 120;
const HIGH = 14;
const SHADES = 60; // px, px, and so many colours

const ROOM = { w: 240, masked: 100, log: 50, points: 70, h: 30 }; // px of the canvas below the picture

// Below the picture; neurons have their scale in it, and say of each key whether it is masked.
export function paintLegend(canvas, frame, zoom) {
  const { selection, theme, texts, scale } = frame;
  const masked = masks(frame);
  canvas.hidden = frame.form === "neurons";
  if (canvas.hidden) return;
  const place = {
    x: 0,
    y: 0,
    w: ROOM.w + (masked ? ROOM.masked : 0) + (selection.log ? ROOM.log : 0) + (selection.signed ? ROOM.points : 0),
    h: ROOM.h,
  };
  const pen = canvasPen(fit(canvas, place.w, ROOM.h, zoom));
  pen.box(0, 0, place.w, place.h, { fill: theme.surface });
  drawLegend(pen, scale, selection, place, { masked, texts, theme });
}

// Whether a masked cell can be seen.
function masks({ selection, bitmap }) {
  const width = selection.columns.length;
  return (
    selection.stage !== "scores" &&
    selection.stage !== "scaled" &&
    bitmap.values.some(
      (value, at) =>
        Number.isNaN(value) && Math.floor(at / width) < selection.there && at % width < selection.thereColumns,
    )
  );
}

// Right-aligned in a box w wide; h is its height. masked: whether a masked cell can be seen.
export function drawLegend(pen, scale, { weights, signed, log }, { x, y, w, h }, { masked, texts, theme }) {
  const middle = y + h / 2;
  const end = x + w;
  const [low, high] = weights
    ? [log ? percent(scale.low) : "0 %", "100 %"]
    : signed
      ? [points(-scale.high, 0), `${points(scale.high, 0)} ${texts.points}`]
      : [`−${scale.high}`, String(scale.high)];
  const right = textWidth(high, READABLE);
  const left = textWidth(low, READABLE);
  const bar = end - right - 8 - BAR;
  const table = ladder(scale.colours);
  pen.text(high, end, middle, { size: READABLE, fill: theme.ink, align: "right" });
  for (let part = 0; part < SHADES; part += 1) {
    pen.box(bar + (part * BAR) / SHADES, middle - HIGH / 2, BAR / SHADES + 0.5, HIGH, {
      fill: colourAt(table, part / (SHADES - 1)),
    });
  }
  pen.box(bar - 0.5, middle - HIGH / 2 - 0.5, BAR + 1, HIGH + 1, { stroke: theme.quiet, width: 1 });
  if (!weights)
    pen.lines([[bar + BAR / 2, middle - HIGH / 2 - 4, bar + BAR / 2, middle + HIGH / 2 + 4]], {
      stroke: theme.quiet,
      width: 1,
    });
  pen.text(low, bar - 8, middle, { size: READABLE, fill: theme.ink, align: "right" });
  if (!masked) return;
  const name = textWidth(texts.masked, READABLE);
  const at = bar - 8 - left - 18 - name;
  if (at - 28 < x) return;
  pen.text(texts.masked, at, middle, { size: READABLE, fill: theme.ink });
  pen.hatch(at - 28, middle - 10, 20, 20, { fill: theme.masked, stroke: theme.surface });
}
