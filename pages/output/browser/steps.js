// Overview of all steps: the probability of each token of the output as a bar. A click goes to the step.

import { setAttributes, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { percentInList, shareInCell } from "../../../viz_core/browser/kit/numbers.js";
import { FAMILY, READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen.js";

const TITLE = 24;
const NUMBERS = 20;
const BARS = 48;
const LABELS = 24; // px
const HEIGHT = TITLE + NUMBERS + BARS + LABELS;

// act: { go(step), hover(step or null) }. Returns { svg, paint }.
export function makeSteps(act) {
  const title = svgEl("text", { x: 0, y: 17 });
  const legend = svgEl("text", { y: 17, "text-anchor": "end" });
  const floor = svgEl("line", { x1: 0, "stroke-width": 1 });
  const list = svgEl("g");
  const svg = svgEl(
    "svg",
    { role: "img", class: "steps", height: HEIGHT, "font-family": FAMILY, "font-size": READABLE },
    title,
    legend,
    floor,
    list,
  );
  let columns = [];

  const at = ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const step = Math.floor(((clientX - box.left) / box.width) * columns.length);
    return step >= 0 && step < columns.length ? step : null;
  };
  svg.addEventListener("click", (event) => {
    const step = at(event);
    if (step !== null) act.go(step);
  });
  svg.addEventListener("pointermove", (event) => act.hover(at(event)));
  svg.addEventListener("pointerleave", () => act.hover(null));

  // values: of each step { p, best, same }; labels: what stands there.
  const paint = (values, labels, { texts, forced }, theme, width, highlighted) => {
    if (columns.length !== values.length) {
      columns = values.map(makeColumn);
      list.replaceChildren(...columns.map((column) => column.node));
    }
    const wide = width / values.length;
    const base = TITLE + NUMBERS + BARS;
    setAttributes(svg, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    setAttributes(floor, { x2: width, y1: base, y2: base, stroke: theme.line });
    title.textContent = texts[forced ? "steps_typed" : "steps"];
    legend.textContent = forced ? texts.best : "";
    setAttributes(title, { fill: theme.quiet });
    setAttributes(legend, { x: width, fill: theme.output_text });
    const named = apart(labels, wide, width, highlighted);
    const numbered = values.map(({ p }, step) => {
      const fits = [percentInList(p), shareInCell(p)].find((text) => textWidth(text, READABLE) < wide);
      return fits ?? (step === highlighted ? percentInList(p) : "");
    });
    columns.forEach((column, step) =>
      column.paint(values[step], {
        x: step * wide,
        wide,
        base,
        highlighted: step === highlighted,
        forced,
        theme,
        width,
        label: named[step],
        number: numbered[step],
      }),
    );
  };
  return { svg, paint };
}

function makeColumn() {
  const back = svgEl("rect", { rx: 5, y: TITLE, height: HEIGHT - TITLE });
  const bar = svgEl("rect");
  const best = svgEl("line", { "stroke-width": 4 });
  const label = svgEl("text");
  // the highlighted one may reach over its neighbours
  const number = svgEl("text", { "stroke-width": 5, "paint-order": "stroke" });
  const node = svgEl("g", {}, back, bar, best, number, label);
  return {
    node,
    paint({ p, best: wanted, same }, { x, wide, base, highlighted, forced, theme, width, label: name, number: said }) {
      const thick = Math.max(1, Math.min(wide * 0.76, 60));
      const middle = x + wide / 2;
      const top = base - wanted * BARS;
      setAttributes(back, { x, width: wide, fill: highlighted ? theme.panel : "none" });
      setAttributes(bar, {
        x: middle - thick / 2,
        width: thick,
        y: base - p * BARS,
        height: p * BARS,
        fill: forced ? theme.accent : theme.output,
        "fill-opacity": highlighted ? 1 : 0.5,
      });
      setAttributes(best, {
        x1: middle - thick / 2,
        x2: middle + thick / 2,
        y1: top,
        y2: top,
        stroke: theme.output,
        visibility: forced && !same ? "visible" : "hidden",
      });
      line(
        number,
        said,
        {
          y: base - p * BARS - 5,
          fill: highlighted ? theme.ink : theme.quiet,
          stroke: highlighted ? theme.panel : "none",
        },
        middle,
        width,
      );
      line(
        label,
        name,
        { y: base + 18, fill: highlighted ? theme.accent : theme.ink, "font-weight": highlighted ? 600 : 400 },
        middle,
        width,
      );
    },
  };
}

// Centred on its column, but never over the edge of the drawing.
function line(node, text, attributes, middle, width) {
  const half = textWidth(text, READABLE, true) / 2;
  if (node.textContent !== text) node.textContent = text;
  setAttributes(node, { ...attributes, "text-anchor": "middle", x: Math.min(Math.max(middle, half), width - half) });
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
