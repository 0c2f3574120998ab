// The sentence as far as it is written, with the next token in a dashed box; and the whole picture as one SVG.

import { setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { FAMILY, READABLE, clipped, ending, textWidth } from "../../../viz_core/browser/kit/pen.js";

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

const AROUND = 16;
const LINE = 30; // px

// svgs: with their sizes in viewBox; line: a text that stands below the first.
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
