// Drawing of LayerNorm, with either pen of kit/pen.js: one vector in three stages below each other, a bar for each dimension, the same
// dimension picked in each; behind the bars the mean and one standard deviation around it.

import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen.js";
import { number, signed } from "../../../viz_core/browser/kit/numbers.js";
import { NORM_STAGES, stageTitle } from "./layer_norm_data.js";

// px
const LEAST_WIDTH = 640;
const UPRIGHT = 26; // the title of an axis, upright
const APART = 8; // numbers of an axis from it
const RIGHT = 20; // half of the last number of the axis of dimensions
const HEAD = 30; // the title of a stage
const BETWEEN = 10; // below a stage
const LINE = 26; // of the axis of dimensions: its numbers, its title
const LEAST_PICKED = 3; // the picked bar is to be seen where bars are narrow
const VALUE = 13; // the middle of the picked number from the end of its bar
const DOTS = [2, 3];
const TICKS = 8; // of the axis of dimensions

// Where all stands in w × h px; wider where bars would become too narrow. Of a stage: { y, h }, its plot.
export function layoutNorm({ size }, { stages }, w, h) {
  const width = Math.max(w, LEAST_WIDTH);
  const left =
    UPRIGHT +
    widestText(
      NORM_STAGES.flatMap((name) => ticksOf(stages[name].reach).map(tickText)),
      false,
    ) +
    APART;
  const high = (h - 2 * LINE) / NORM_STAGES.length;
  const plots = NORM_STAGES.map((_, at) => ({ y: at * high + HEAD, h: high - HEAD - BETWEEN }));
  const wide = (width - RIGHT - left) / size;
  return { width, height: h, left, right: width - RIGHT, wide, size, plots, foot: NORM_STAGES.length * high };
}

const ticksOf = (reach) => [reach / 2, 0, -reach / 2];

function tickText(value) {
  const written = Math.abs(value) < 1e5 ? String(value) : number(value);
  return written.replace("-", "−");
}

// From where to where, in px across, the bar of a dimension goes.
export function barOf({ left, wide }, dim) {
  return [left + dim * wide, left + (dim + 1) * wide];
}

const heightOf = ({ y, h }, value, reach) => y + (h / 2) * (1 - value / reach);

// shown: of normAt. hovered: a dimension or undefined.
export function drawNorm(pen, norm, shown, layout, theme, hovered) {
  const { left, right, plots } = layout;
  NORM_STAGES.forEach((name, at) => {
    const [plot, stage] = [plots[at], shown.stages[name]];
    pen.text(stageTitle(norm, shown, name), left, plot.y - HEAD / 2 - 2, { fill: theme.ink });
    axis(pen, norm.about.texts.axes[name], stage, plot, layout, theme);
    pen.inside(left, plot.y, right - left, plot.h, () => {
      band(pen, stage, plot, layout, theme);
      bars(pen, stage, shown.dim, plot, layout, theme);
    });
    spread(pen, stage, plot, layout, theme);
    if (hovered !== undefined) {
      const [from, to] = barOf(layout, hovered);
      pen.box(from - 1, plot.y, to - from + 2, plot.h, { stroke: theme.ink, width: 1 });
    }
  });
  NORM_STAGES.forEach((name, at) => {
    pickedNumber(pen, shown.stages[name], shown.dim, plots[at], layout, theme);
  });
  dimensions(pen, norm, layout, theme);
}

function axis(pen, title, { reach }, plot, { left }, theme) {
  pen.lines([[left, plot.y, left, plot.y + plot.h]], { stroke: theme.line, width: 1 });
  for (const value of ticksOf(reach))
    pen.text(tickText(value), left - APART, heightOf(plot, value, reach), { fill: theme.ink, align: "right" });
  pen.text(title, UPRIGHT / 2 - 2, plot.y + plot.h / 2, { fill: theme.ink, align: "center", angle: -90 });
}

function band(pen, { mean, deviation, reach }, plot, { left, right }, theme) {
  const [top, foot] = [mean + deviation, mean - deviation].map((value) => heightOf(plot, value, reach));
  if (Number.isFinite(foot - top)) pen.box(left, top, right - left, foot - top, { fill: theme.line, alpha: 0.5 });
}

function spread(pen, { mean, deviation, reach }, plot, { left, right }, theme) {
  const level = (value) => [left, heightOf(plot, value, reach), right, heightOf(plot, value, reach)];
  const known = (lines) => lines.filter((line) => line.every(Number.isFinite));
  const ink = { stroke: theme.quiet, width: 1.5 };
  pen.lines(known([level(mean)]), ink);
  pen.lines(known([level(mean - deviation), level(mean + deviation)]), { ...ink, dash: DOTS });
}

function bars(pen, { values, reach }, picked, plot, layout, theme) {
  const zero = heightOf(plot, 0, reach);
  const shapes = { above: "", below: "" }; // one path for each colour, so that there are no seams between bars
  values.forEach((value, dim) => {
    if (dim === picked || !Number.isFinite(value)) return;
    const [from, to] = barOf(layout, dim);
    shapes[value < 0 ? "below" : "above"] += `M${from} ${zero}H${to}V${heightOf(plot, value, reach)}H${from}Z`;
  });
  if (shapes.above) pen.path(shapes.above, { fill: theme.diverging[5] });
  if (shapes.below) pen.path(shapes.below, { fill: theme.diverging[1] });
  const [from, to] = barOf(layout, picked);
  const wider = Math.max(LEAST_PICKED - (to - from), 0) / 2;
  const y = heightOf(plot, values[picked], reach);
  if (!Number.isFinite(y)) return;
  pen.box(from - wider, Math.min(y, zero), to - from + 2 * wider, Math.abs(y - zero), { fill: theme.accent });
}

// At the end of its bar, or beside it where the plot ends there.
function pickedNumber(pen, { values, reach }, picked, plot, layout, theme) {
  const value = values[picked];
  const [from, to] = barOf(layout, picked);
  const style = { fill: theme.accent, bold: true, halo: theme.surface };
  const words = signed(value);
  const y = heightOf(plot, Number.isFinite(value) ? value : 0, reach) + (value < 0 ? VALUE : -VALUE);
  const isInside = y > plot.y + VALUE - 4 && y < plot.y + plot.h - VALUE + 4;
  const half = textWidth(words, READABLE, true) / 2;
  if (isInside) {
    const middle = Math.min(Math.max((from + to) / 2, layout.left + half), layout.right - half);
    pen.text(words, middle, y, { ...style, align: "center" });
    return;
  }
  const level = y < plot.y + plot.h / 2 ? plot.y + VALUE - 2 : plot.y + plot.h - VALUE + 2;
  const isRight = to + 6 + 2 * half > layout.right;
  pen.text(words, isRight ? from - 5 : to + 5, level, { ...style, align: isRight ? "right" : "left" });
}

function dimensions(pen, { about, size }, layout, theme) {
  const { left, right, foot } = layout;
  pen.lines([[left, foot - BETWEEN / 2, right, foot - BETWEEN / 2]], { stroke: theme.line, width: 1 });
  const step = Math.max(2, Math.floor(size / TICKS));
  const numbers = [1, ...Array.from({ length: Math.floor(size / step) }, (_, at) => (at + 1) * step)];
  for (const dimension of numbers) {
    const x = left + (dimension - 0.5) * layout.wide;
    pen.lines([[x, foot - BETWEEN / 2, x, foot]], { stroke: theme.line, width: 1 });
    pen.text(String(dimension), x, foot + LINE / 2 - 1, { fill: theme.ink, align: "center" });
  }
  pen.text(about.texts.dims, (left + right) / 2, foot + LINE * 1.5 - 2, { fill: theme.ink, align: "center" });
}

// The dimension under a point, { dim }, or null.
export function dimensionUnder({ left, wide, size, foot }, x, y) {
  const dim = Math.floor((x - left) / wide);
  return dim >= 0 && dim < size && y >= 0 && y < foot ? { dim } : null;
}
