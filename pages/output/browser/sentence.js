// The sentence as far as it is written, with the next token in a dashed box; and the whole picture as one SVG.

import { setAttributes, svgEl } from "../../../viz_core/browser/kit/dom.js";
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
    written.textContent = shown;
    next.textContent = clipped(token, width / 2, LARGE, true);
    instead.textContent = other;
    setAttributes(svg, { width, viewBox: `0 0 ${width} ${TALL}` });
    setAttributes(written, { fill: before ? theme.ink : theme.quiet, "font-size": size });
    setAttributes(box, { x: start, width: tokenPlace + 2 * PAD, fill: `${theme.output}33`, stroke: theme.output });
    setAttributes(next, { x: start + PAD, fill: theme.ink });
    setAttributes(instead, { x: start + tokenPlace + 2 * PAD + 14, fill: theme.quiet });
  };
  return { svg, paint };
}

const AROUND = 16;
const LINE = 30; // px

// svgs: with their sizes in viewBox; line: a text that stands below the first.
export function drawn(svgs, line, theme) {
  const copies = svgs.map(copy);
  const [width] = sizeOf(copies[0]);
  let y = AROUND;
  const placed = copies.map((each, index) => {
    const [wide, high] = sizeOf(each);
    for (const [name, value] of Object.entries({ x: AROUND, y, width: wide, height: high }))
      each.setAttribute(name, value);
    y += high + (index ? 0 : LINE);
    return each;
  });
  const message = svgEl(
    "text",
    {
      x: AROUND,
      y: AROUND + sizeOf(copies[0])[1] + 20,
      "font-family": FAMILY,
      "font-size": READABLE,
      fill: theme.ink,
      textLength: textWidth(line, READABLE),
      lengthAdjust: "spacingAndGlyphs",
    },
    line,
  );
  const [wide, high] = [width + 2 * AROUND, y + AROUND];
  const ground = svgEl("rect", { width: wide, height: high, fill: theme.surface });
  return new XMLSerializer().serializeToString(
    svgEl(
      "svg",
      { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, "xml:space": "preserve" },
      ground,
      ...placed,
      message,
    ),
  );
}

// A copy without what moves: the attributes say where everything comes to rest. Texts are as wide as here, whatever
// letters there are where the file is opened.
function copy(svg) {
  const made = svg.cloneNode(true);
  const texts = [...made.querySelectorAll("text")];
  [...svg.querySelectorAll("text")].forEach((text, at) => {
    if (text.textContent)
      setAttributes(texts[at], { textLength: text.getComputedTextLength(), lengthAdjust: "spacingAndGlyphs" });
  });
  made.querySelectorAll(".going").forEach((node) => node.remove());
  for (const node of [made, ...made.querySelectorAll("*")])
    ["style", "class", "role", "aria-label"].forEach((name) => node.removeAttribute(name));
  return made;
}

function sizeOf(svg) {
  return svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
}
