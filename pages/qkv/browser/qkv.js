// Q, K, V: where they come from, and how one head makes one of them. The payload is of one layer and head; another token and
// another dimension are drawn here.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setAttributes, setText } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { cellUnder, drawProjection, layoutProjection, picturesOf } from "./projection.js";
import { qkvAt, readQkv, readingOf, seen } from "./qkv_data.js";
import { drawSources } from "./sources.js";

const HEIGHTS = [420, 900]; // px

// payload: of pages/qkv/payload.py. Returns { update(payload), svg(), destroy() }.
export function mountQkv(root, payload, store) {
  let qkv = readQkv(payload);
  let pictures = null;
  let painted = null; // of which theme the pictures are
  const now = () => qkvAt(qkv, store.view);
  const slider = el("input", { type: "range", min: 1, oninput: () => store.set({ dim: Number(slider.value) - 1 }) });
  const name = el("span");
  const number = el("output");
  const reading = el("p", { class: "reading" });
  const controls = el("label", { class: "dim" }, name, slider, number);
  const bar = el("div", { class: "bar" }, controls, reading);
  const figure = makeCanvasFigure(
    root,
    {
      above: [bar],
      heights: HEIGHTS,
      prepare,
      layout: (w, h, whole) => layoutProjection(qkv, w, h, whole),
      draw,
      under: (layout, x, y) => cellUnder(qkv, layout, x, y),
      hover: read,
      clickable: () => true,
      click,
      spoken,
      region: () => qkv.about.texts.region,
      name: fileName,
    },
    store,
  );

  function fileName() {
    const { role, layer, head, texts } = qkv.about;
    return fill(texts.file, { role, layer: layer + 1, head: head + 1 });
  }

  function draw(pen, layout, hovered) {
    const { about } = qkv;
    const { theme, view } = store;
    const shown = (tokens, stack) => seen(tokens, stack, about.texts, view);
    drawSources(pen, about.sources, about.role, shown, { x: 2, y: 0, w: layout.width - 4 }, theme);
    drawProjection(pen, qkv, pictures, now(), layout, theme, hovered);
  }

  function prepare(view) {
    const { theme } = store;
    if (painted !== theme.diverging.join()) {
      pictures = picturesOf(qkv, theme);
      painted = theme.diverging.join();
    }
    const { about, y } = qkv;
    const { column, isOf } = now();
    setText(name, about.texts.dim);
    setAttributes(slider, { max: y.columns });
    slider.value = column + 1;
    setText(number, String(column + 1));
    controls.hidden = view.lecture || y.columns < 2;
    root.toggleAttribute("data-stale", !isOf); // its numbers are on their way
    read(null);
  }

  function read(found) {
    const { row, column, tokens } = now();
    setText(reading, readingOf(qkv, tokens, found ?? { matrix: "y", row, column }));
  }

  // A row of X, a column of W, or both.
  function click({ matrix, row, column }) {
    const { walks } = qkv.about;
    store.set({ ...(matrix === "w" ? {} : { [walks]: row }), ...(matrix === "x" ? {} : { dim: column }) });
  }

  function spoken() {
    const { about } = qkv;
    const { sources, texts, titles, axes } = about;
    const { row, column, tokens } = now();
    const ways = Object.entries(sources.feeds).map(([role, stream]) =>
      fill(texts.made, {
        name: sources.streams[stream].name,
        role: role.toUpperCase(),
        result: sources.results[role],
      }),
    );
    const said = readingOf(qkv, tokens, { matrix: "y", row, column });
    return fill(texts.picture, { made: ways.join(". "), tokens: axes.tokens, title: titles.y, reading: said });
  }

  function update(next) {
    qkv = readQkv(next);
    painted = null;
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}
