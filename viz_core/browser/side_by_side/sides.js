// What both forms of a comparison need: the store as one side sees it, and drawings joined into one file.

import { svgPen } from "../kit/svg_pen.js";

// change: view => view. Returns a store like the given one; what is set goes there.
export function within(store, change) {
  return Object.create(store, {
    view: { get: () => change(store.view) },
    subscribe: { value: (fn) => store.subscribe((view, before) => fn(change(view), change(before))) },
  });
}

export function clamp(view, { layers, heads }) {
  return view.layer < layers && view.head < heads
    ? view
    : { ...view, layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
}

const HEADING_LINE = 30;
const INDENT = 24; // px

// svgs: texts that begin with an <svg> of width and height in px, as `exported` makes them; headings: for each, the
// lines above it.
export function joined(svgs, headings, theme) {
  const sizes = svgs.map((svg) => {
    const [, , w, h] = /viewBox="([^"]+)"/.exec(svg)[1].split(" ").map(Number);
    return { w, h };
  });
  const from = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, { w }) => sum + w, 0));
  const top = INDENT / 2 + HEADING_LINE * Math.max(...headings.map(({ length }) => length));
  const pen = svgPen(from.at(-1) + sizes.at(-1).w, top + Math.max(...sizes.map(({ h }) => h)), {
    ground: theme.surface,
  });
  headings.forEach((lines, at) =>
    lines.forEach((line, row) => {
      pen.text(line, from[at] + INDENT, INDENT + row * HEADING_LINE, {
        size: 20,
        bold: true,
        fill: theme.ink,
        max: sizes[at].w - 2 * INDENT,
      });
    }),
  );
  const inner = svgs.map((svg, at) =>
    unique(
      svg.replace(/<svg[^>]*>/, (tag) => placed(tag, from[at], top, sizes[at])),
      at,
    ),
  );
  return pen.finish().replace(/<\/svg>\s*$/, `${inner.join("")}</svg>`);
}

function placed(tag, x, y, { w, h }) {
  const bare = tag.replace(/\s(x|y|width|height)="[^"]*"/g, "").slice(0, -1);
  return `${bare} x="${x}" y="${y}" width="${w}" height="${h}">`;
}

// All name their patterns and clips alike.
function unique(svg, at) {
  return svg.replace(/\bid="([^"]+)"/g, `id="$1-${at}"`).replace(/url\(#([^)]+)\)/g, `url(#$1-${at})`);
}
