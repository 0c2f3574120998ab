// What is shown as one drawing of its own, one part below the other, for the export.

import { setAttributes, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { FAMILY, READABLE, textWidth } from "../../../viz_core/browser/kit/pen.js";

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
