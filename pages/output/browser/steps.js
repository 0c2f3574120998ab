// Overview of all steps: the probability of each token of the output as a bar. A click goes to the step.

import { setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { percentInList, shareInCell } from "../../../viz_core/browser/kit/numbers.js";
import { FAMILY, READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen.js";
import { followPointer } from "./bars.js";

const TITLE = 24;
const NUMBERS = 20;
const BARS = 48;
const LABELS = 24; // px
const BASE = TITLE + NUMBERS + BARS;
const HEIGHT = BASE + LABELS;

// act: { go(step), hover(step or null) }. Returns { svg, paint }.
export function makeSteps(act) {
  const title = svgEl("text", { x: 0, y: 17 });
  const legend = svgEl("text", { y: 17, "text-anchor": "end" });
  const floor = svgEl("line", { x1: 0, y1: BASE, y2: BASE, "stroke-width": 1 });
  const list = svgEl("g");
  const style = { role: "img", class: "steps", height: HEIGHT, "font-family": FAMILY, "font-size": READABLE };
  const svg = svgEl("svg", style, title, legend, floor, list);
  let columns = [];

  const at = ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const step = Math.floor(((clientX - box.left) / box.width) * columns.length);
    return step >= 0 && step < columns.length ? step : null;
  };
  followPointer(svg, at, act.go, act.hover);

  // values: of each step { p, best, same }; labels: what stands there.
  const paint = (values, labels, { texts, given_target: given }, theme, width, highlighted) => {
    if (columns.length !== values.length) {
      columns = values.map(makeColumn);
      list.replaceChildren(...columns.map((column) => column.node));
    }
    const wide = width / values.length;
    setAttributes(svg, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    setAttributes(floor, { x2: width, stroke: theme.line });
    setText(title, texts[given ? "steps_typed" : "steps"], { fill: theme.quiet });
    setText(legend, given ? texts.best : "", { x: width, fill: theme.output_text });
    const shown = apart(labels, wide, width, highlighted);
    columns.forEach((column, step) => {
      const place = { middle: (step + 0.5) * wide, wide, width, highlighted: step === highlighted };
      column.paint(values[step], shown[step], given, theme, place);
    });
  };
  return { svg, paint };
}

function makeColumn() {
  const back = svgEl("rect", { rx: 5, y: TITLE, height: HEIGHT - TITLE });
  const bar = svgEl("rect");
  const best = svgEl("line", { "stroke-width": 4 });
  const label = svgEl("text", { y: BASE + 18 });
  // the highlighted one may reach over its neighbours
  const number = svgEl("text", { "stroke-width": 5, "paint-order": "stroke" });
  const node = svgEl("g", {}, back, bar, best, number, label);
  return {
    node,
    paint(value, words, given, theme, { middle, wide, width, highlighted }) {
      const size = Math.max(1, Math.min(wide * 0.76, 60));
      const left = middle - size / 2;
      const [high, top] = [value.p * BARS, BASE - value.best * BARS];
      setAttributes(back, { x: middle - wide / 2, width: wide, fill: highlighted ? theme.panel : "none" });
      setAttributes(bar, { x: left, width: size, y: BASE - high, height: high });
      setAttributes(bar, { fill: given ? theme.accent : theme.output, "fill-opacity": highlighted ? 1 : 0.5 });
      setAttributes(best, { x1: left, x2: left + size, y1: top, y2: top, stroke: theme.output });
      setAttributes(best, { visibility: given && !value.same ? "visible" : "hidden" });
      const fitting = [percentInList(value.p), shareInCell(value.p)].find((text) => textWidth(text, READABLE) < wide);
      const share = fitting ?? (highlighted ? percentInList(value.p) : "");
      centre(number, share, middle, width);
      setAttributes(number, { y: BASE - high - 5, fill: highlighted ? theme.ink : theme.quiet });
      setAttributes(number, { stroke: highlighted ? theme.panel : "none" });
      centre(label, words, middle, width);
      setAttributes(label, { fill: highlighted ? theme.accent : theme.ink, "font-weight": highlighted ? 600 : 400 });
    },
  };
}

// On its column, but never over the edge of the drawing.
function centre(node, text, middle, width) {
  const half = textWidth(text, READABLE, true) / 2;
  setText(node, text, { "text-anchor": "middle", x: Math.min(Math.max(middle, half), width - half) });
}

// Texts that keep apart: that of the highlighted step first, then from the left all that still have room; the others
// are left out.
function apart(texts, wide, width, highlighted) {
  const cut = texts.map((text) => clipped(text, Math.max(wide * 3, 120), READABLE, true));
  const ends = cut.map((text, step) => {
    const half = textWidth(text, READABLE, true) / 2;
    const middle = Math.min(Math.max((step + 0.5) * wide, half), width - half);
    return [middle - half - 4, middle + half + 4];
  });
  let last = -Infinity;
  return cut.map((text, step) => {
    const [left, right] = ends[step];
    const free = step === highlighted || (left >= last && (step > highlighted || right <= ends[highlighted][0]));
    if (free) last = right;
    return free ? text : "";
  });
}
