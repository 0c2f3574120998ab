// The drawing of the waves: each dimension in a lane of its own, the first on top. The dots are the values that positions really
// get, in the colours of the matrix; the curve between them is the formula.

import { svgEl } from "../../../viz_core/browser/kit/dom.js";
import { signed } from "../../../viz_core/browser/kit/numbers.js";
import { BASELINE, READABLE, clipped, colourAt, ladder } from "../../../viz_core/browser/kit/pen.js";
import { LONGEST, SLANT } from "./layout.js";

const DOT = { few: 7.5, many: 3.5, picked: 4 }; // px, radii; the picked one is so much larger
const FEW = 40; // positions with large dots
const VALUE = READABLE + 4; // px of the letters of a value

// The nodes of what stays while one steps.
export function drawLanes(waves, layout, theme) {
  return waves.names.flatMap((name, lane) => {
    const curve = [...waves.curves[lane]].map(
      (value, at) => `${layout.x(waves.fine[at])} ${layout.y(lane, value / waves.limit)}`,
    );
    const middle = layout.y(lane, 0);
    const dots = [...waves.points[lane]].map((_, at) => dot(waves, lane, at, layout, theme, false));
    return [
      svgEl("line", { x1: layout.left, x2: layout.right, y1: middle, y2: middle, stroke: theme.line }),
      svgEl("path", { d: `M${curve.join("L")}`, fill: "none", stroke: theme.quiet, "stroke-width": 2 }),
      ...dots,
      text(name, layout.left - 12, middle, { fill: theme.ink, "text-anchor": "end" }),
    ];
  });
}

// What changes with the picked position: { behind, above }, the line through all lanes, and its dots, values and labels.
export function drawPicked(waves, picked, labels, layout, theme) {
  const x = layout.x(picked);
  const marks = waves.names.flatMap((_, lane) => {
    const value = { fill: theme.accent, "font-size": VALUE, "font-weight": 600 };
    return [
      dot(waves, lane, picked, layout, theme, true),
      text(signed(waves.points[lane][picked]), layout.right + 12, layout.y(lane, 0), value),
    ];
  });
  const line = { x1: x, x2: x, y1: 0, y2: layout.bottom, stroke: theme.accent, "stroke-width": 3 };
  return {
    behind: svgEl("line", line),
    above: [...marks, ...axis(waves, picked, labels, layout, theme)],
  };
}

function text(words, x, y, { "font-size": size = READABLE, ...attributes }) {
  return svgEl("text", { x, y: y + BASELINE * size, "font-size": size, ...attributes }, words);
}

function dot({ points, count, limit }, lane, at, layout, theme, picked) {
  const value = points[lane][at] / limit;
  return svgEl("circle", {
    cx: layout.x(at),
    cy: layout.y(lane, value),
    r: (count <= FEW ? DOT.few : DOT.many) + (picked ? DOT.picked : 0),
    fill: colourAt(ladder(theme.diverging), (value + 1) / 2),
    stroke: picked ? theme.accent : theme.ink,
    "stroke-width": 2,
  });
}

// The positions below the lanes; of many only some, but always the picked one.
function axis({ about }, picked, labels, layout, theme) {
  const { bottom, thin, slanted, left, right } = layout;
  const shown = labels
    .map((label, at) => ({ label, at }))
    .filter(({ at }) => at === picked || (at % thin === 0 && Math.abs(at - picked) >= thin));
  const ticks = shown.flatMap(({ label, at }) => {
    const x = layout.x(at);
    const style = { fill: at === picked ? theme.accent : theme.ink, "font-weight": at === picked ? 600 : 400 };
    const words = clipped(label, slanted ? LONGEST : thin * layout.step - 4, READABLE, true);
    const turn = slanted ? { transform: `rotate(${-SLANT} ${x} ${bottom + 12})` } : {};
    const anchor = { "text-anchor": slanted ? "end" : "middle" };
    return [
      svgEl("line", { x1: x, x2: x, y1: bottom, y2: bottom + 5, stroke: theme.line }),
      text(words, x, bottom + (slanted ? 12 : 16), { ...style, ...turn, ...anchor }),
    ];
  });
  const title = { fill: theme.ink, "text-anchor": "middle" };
  return [
    svgEl("line", { x1: left, x2: right, y1: bottom, y2: bottom, stroke: theme.line }),
    ...ticks,
    text(about.texts.axis, (left + right) / 2, layout.title, title),
  ];
}
