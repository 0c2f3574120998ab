// The sentence as far as it is written, and the next token in a dashed box.

import { setAttributes, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { clipped, ending, FAMILY, textWidth } from "../../../viz_core/browser/kit/pen.js";

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
