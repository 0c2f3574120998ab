// The sentence as far as it is written, with the next token in a dashed box; below the distribution, the probability of each
// of its tokens as a bar (a click goes to the step); and the whole picture as one SVG.

import { setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { FAMILY, READABLE, clipped, ending, linesOf, textWidth } from "../../../viz_core/browser/kit/pen.js";
import { percentInList, shareInCell } from "../../../viz_core/browser/kit/numbers.js";
import { followPointer } from "./bars.js";

// px
const LARGE = 30;
const SMALL = 20;
const TALL = 44;
const FOOT = 32;
const PAD = 9;

export function makeSentence() {
  const written = svgEl("text", { y: FOOT, "font-size": LARGE });
  const next = svgEl("text", { y: FOOT, "font-size": LARGE, "font-weight": 600 });
  const box = svgEl("rect", { y: 3, height: TALL - 6, rx: 9, "stroke-width": 3, "stroke-dasharray": "7 5" });
  const instead = svgEl("text", { y: FOOT, "font-size": SMALL });
  const svg = svgEl("svg", { role: "img", height: TALL, "font-family": FAMILY }, box, written, next, instead);

  const paint = ({ before, token, instead: other }, { nothing }, theme, width) => {
    const tokenPlace = Math.min(textWidth(token, LARGE, true), width / 2);
    const otherPlace = other ? textWidth(other, SMALL) + 16 : 0;
    const shown = before ? ending(before, width - tokenPlace - otherPlace - 2 * PAD - 6, LARGE) : nothing;
    const size = before ? LARGE : SMALL;
    const start = textWidth(shown, size) + (before ? 2 : 10);
    setAttributes(svg, { width, viewBox: `0 0 ${width} ${TALL}` });
    setText(written, shown, { fill: before ? theme.ink : theme.quiet, "font-size": size });
    setAttributes(box, { x: start, width: tokenPlace + 2 * PAD, fill: `${theme.output}33`, stroke: theme.output });
    setText(next, clipped(token, width / 2, LARGE, true), { x: start + PAD, fill: theme.ink });
    setText(instead, other, { x: start + tokenPlace + 2 * PAD + 14, fill: theme.quiet });
  };
  return { svg, paint };
}

const AROUND = 16; // px
const LINE = 30; // px

// svgs: with their sizes in viewBox; line: a text below the first.
export function drawn(svgs, line, theme) {
  const copies = svgs.map(copy);
  let y = AROUND;
  copies.forEach((each, index) => {
    const [width, height] = sizeOf(each);
    setAttributes(each, { x: AROUND, y, width, height });
    y += height + (index ? 0 : LINE);
  });
  const [wide, high] = sizeOf(copies[0]);
  const place = { x: AROUND, y: AROUND + high + 20, textLength: textWidth(line, READABLE) };
  const style = { "font-family": FAMILY, "font-size": READABLE, fill: theme.ink, lengthAdjust: "spacingAndGlyphs" };
  const [width, height] = [wide + 2 * AROUND, y + AROUND];
  const whole = svgEl(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, "xml:space": "preserve" },
    svgEl("rect", { width, height, fill: theme.surface }),
    ...copies,
    svgEl("text", { ...place, ...style }, line),
  );
  return new XMLSerializer().serializeToString(whole);
}

// A copy without what moves: the attributes say where everything comes to rest. Texts are as wide as here, whatever
// letters there are where the file is opened.
function copy(svg) {
  const made = svg.cloneNode(true);
  const texts = made.querySelectorAll("text");
  svg.querySelectorAll("text").forEach((text, at) => {
    if (text.textContent)
      setAttributes(texts[at], { textLength: text.getComputedTextLength(), lengthAdjust: "spacingAndGlyphs" });
  });
  for (const node of made.querySelectorAll(".going")) node.remove();
  for (const node of [made, ...made.querySelectorAll("*")])
    setAttributes(node, { style: null, class: null, role: null, "aria-label": null });
  return made;
}

function sizeOf(svg) {
  return svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
}

// Heights, in px.
const TITLE = 24;
const NUMBERS = 20;
const BARS = 48;
const LABELS = 24; // of one line of them
const STEP = 22; // from one line of the title to the next
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

  // values: of each step { p, best, same }; labels: its token.
  const paint = (values, labels, { texts, given_target: given }, theme, width, highlighted) => {
    if (columns.length !== values.length) {
      columns = values.map(makeColumn);
      list.replaceChildren(...columns.map((column) => column.node));
    }
    const wide = width / values.length;
    const lines = linesOf(texts[given ? "steps_typed" : "steps"], (line) => textWidth(line, READABLE) <= width);
    const best = given ? texts.best : "";
    const free = textWidth(lines.at(-1), READABLE) + textWidth(best, READABLE) < width - 2 * PAD;
    const last = lines.length - (free ? 1 : 0); // the line on which the legend stands
    const below = last * STEP;
    const lower = { transform: `translate(0 ${below})` };
    setAttributes(list, lower);
    setAttributes(floor, { ...lower, x2: width, stroke: theme.line });
    title.replaceChildren(...lines.map((words, at) => svgEl("tspan", { x: 0, y: 17 + at * STEP }, words)));
    setAttributes(title, { fill: theme.quiet });
    setText(legend, best, { x: width, y: 17 + below, fill: theme.output_text });
    const [shown, rows] = apart(labels, wide, width, highlighted);
    const high = HEIGHT + below + (rows - 1) * LABELS;
    setAttributes(svg, { width, height: high, viewBox: `0 0 ${width} ${high}` });
    columns.forEach((column, step) => {
      const place = { middle: (step + 0.5) * wide, wide, width, row: step % rows, highlighted: step === highlighted };
      column.paint(values[step], shown[step], given, theme, place);
    });
  };
  return { svg, paint };
}

function makeColumn() {
  const back = svgEl("rect", { rx: 5, y: TITLE });
  const bar = svgEl("rect");
  const best = svgEl("line", { "stroke-width": 4 });
  const label = svgEl("text");
  // the highlighted one may reach over its neighbours
  const number = svgEl("text", { "stroke-width": 5, "paint-order": "stroke" });
  const node = svgEl("g", {}, back, bar, best, number, label);
  return {
    node,
    paint(value, words, given, theme, { middle, wide, width, row, highlighted }) {
      const size = Math.max(1, Math.min(wide * 0.76, 60));
      const left = middle - size / 2;
      const [high, top] = [value.p * BARS, BASE - value.best * BARS];
      const lower = row * LABELS;
      setAttributes(back, { x: middle - wide / 2, width: wide, height: HEIGHT - TITLE + lower });
      setAttributes(back, { fill: highlighted ? theme.panel : "none" });
      setAttributes(bar, { x: left, width: size, y: BASE - high, height: high });
      setAttributes(bar, { fill: given ? theme.accent : theme.output, "fill-opacity": highlighted ? 1 : 0.5 });
      setAttributes(bar, { stroke: highlighted ? theme.ink : null });
      setAttributes(best, { x1: left, x2: left + size, y1: top, y2: top, stroke: theme.output });
      setAttributes(best, { visibility: given && !value.same ? "visible" : "hidden" });
      const fitting = [percentInList(value.p), shareInCell(value.p)].find((text) => textWidth(text, READABLE) < wide);
      const share = fitting ?? (highlighted ? percentInList(value.p) : "");
      centre(number, share, middle, width);
      setAttributes(number, { y: BASE - high - 5, fill: highlighted ? theme.ink : theme.quiet });
      setAttributes(number, { stroke: highlighted ? theme.panel : theme.surface });
      centre(label, words, middle, width);
      setAttributes(label, { y: BASE + 18 + lower });
      setAttributes(label, { fill: highlighted ? theme.accent : theme.ink, "font-weight": highlighted ? 600 : 400 });
    },
  };
}

// On its column, but never over the edge of the drawing.
function centre(node, text, middle, width) {
  const half = textWidth(text, READABLE, true) / 2;
  setText(node, text, { "text-anchor": "middle", x: Math.min(Math.max(middle, half), width - half) });
}

// Texts that keep apart, in turn on one of two lines where one has no room for all: that of the highlighted step first, then
// from the left all that still have room; the others are left out. Returns [texts, how many lines].
function apart(texts, wide, width, highlighted) {
  const cut = texts.map((text) => clipped(text, Math.max(wide * 3, 120), READABLE, true));
  const ends = cut.map((text, step) => {
    const half = textWidth(text, READABLE, true) / 2;
    const middle = Math.min(Math.max((step + 0.5) * wide, half), width - half);
    return [middle - half - 4, middle + half + 4];
  });
  const rows = ends.some(([left], step) => step > 0 && left < ends[step - 1][1]) ? 2 : 1;
  const last = Array(rows).fill(-Infinity);
  const shown = cut.map((text, step) => {
    const [left, right] = ends[step];
    const row = step % rows;
    const isPast = step > highlighted || row !== highlighted % rows;
    const free = step === highlighted || (left >= last[row] && (isPast || right <= ends[highlighted][0]));
    if (free) last[row] = right;
    return free ? text : "";
  });
  return [shown, rows];
}
