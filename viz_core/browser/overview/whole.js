// All that is drawn as one drawing of its own, for a file.

import { setAttributes, svgEl } from "../kit/dom.js";

const BELOW = 40; // px for the reading

// back, rows, foot: the three drawings; top: px that the rows are scrolled; names: the words that stand over them.
export function wholeDrawing({ back, rows, foot, top, at, names, css, reading, theme }) {
  const { width, height, head, view } = at;
  const tall = height + BELOW;
  const whole = svgEl("svg", { class: "vm", viewBox: `0 0 ${width} ${tall}`, width, height: tall });
  const middle = rows.cloneNode(true);
  const below = foot.cloneNode(true);
  setAttributes(middle, { x: 0, y: head, height: view, viewBox: `0 ${top} ${width} ${view}` });
  setAttributes(below, { x: 0, y: head + view, viewBox: `0 0 ${width} ${at.foot}` });
  // As wide as here, whatever font the reader has; on a ground of its own where something runs behind it.
  const words = names
    .flatMap(({ x, y, text, size, width: wide, ground }) => [
      ground &&
        svgEl("rect", { x: x - wide / 2 - 9, y: y - size, width: wide + 18, height: size * 1.3, fill: theme[ground] }),
      svgEl(
        "text",
        {
          x,
          y,
          "font-size": size,
          "font-weight": 600,
          "text-anchor": "middle",
          textLength: wide,
          lengthAdjust: "spacingAndGlyphs",
        },
        text,
      ),
    ])
    .filter(Boolean);
  whole.append(
    svgEl("style", {}, css),
    svgEl("rect", { width, height: tall, fill: theme.surface }),
    ...back.cloneNode(true).childNodes,
    middle,
    below,
    ...words,
    svgEl("text", { x: 10, y: height + 26, "font-size": 18 }, reading),
  );
  return new XMLSerializer().serializeToString(whole);
}
