// Two drawings side by side as one, each below its name.

import { svgPen } from "../shared/pen.js";

const HEADED = 40, INDENT = 24; // px

// svgs: texts that begin with an <svg> of width and height in px, as `exported` makes them.
export function joined(svgs, names, theme) {
  const sizes = svgs.map((svg) => { const [, , w, h] = /viewBox="([^"]+)"/.exec(svg)[1].split(" ").map(Number); return { w, h }; });
  const width = sizes[0].w + sizes[1].w, height = HEADED + Math.max(...sizes.map(({ h }) => h));
  const pen = svgPen(width, height, { ground: theme.surface });
  names.forEach((name, side) => pen.text(name, side * sizes[0].w + INDENT, INDENT, { size: 20, bold: true, fill: theme.ink, max: sizes[side].w - 2 * INDENT }));
  const inner = svgs.map((svg, side) => svg.replace(/<svg[^>]*>/, (tag) => placed(tag, side * sizes[0].w, sizes[side])));
  return pen.finish().replace(/<\/svg>\s*$/, `${inner.map(unique).join("")}</svg>`);
}

function placed(tag, x, { w, h }) {
  return `${tag.replace(/\s(x|y|width|height)="[^"]*"/g, "").slice(0, -1)} x="${x}" y="${HEADED}" width="${w}" height="${h}">`;
}

// Both name their patterns and clips alike.
function unique(svg, side) {
  return svg.replace(/\bid="([^"]+)"/g, `id="$1-${side}"`).replace(/url\(#([^)]+)\)/g, `url(#$1-${side})`);
}
