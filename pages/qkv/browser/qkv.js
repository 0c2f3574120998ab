// Q, K, V: where they come from, and how one head makes one of them. The payload is of one layer and head; another token and
// another dimension are drawn here.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
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
  const reading = el("p", { class: "reading" });
  const hint = el("p", { class: "hint" });
  const bar = el("div", { class: "bar" }, hint, reading);
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
      slider: () => ({ at: now().column, count: qkv.y.columns, words: readingHere() }),
      move,
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
    setText(hint, qkv.about.texts.hint);
    hint.hidden = view.lecture;
    root.toggleAttribute("data-stale", !now().isOf); // its numbers are on their way
    read(null);
  }

  function read(found) {
    setText(reading, found ? readingOf(qkv, now().tokens, found) : readingHere());
  }

  function readingHere() {
    const { row, column, tokens } = now();
    return readingOf(qkv, tokens, { matrix: "y", row, column });
  }

  // A row of X, a column of W, or both.
  function click({ matrix, row, column }) {
    const { walks } = qkv.about;
    store.set({ ...(matrix === "w" ? {} : { [walks]: row }), ...(matrix === "x" ? {} : { dim: column }) });
  }

  // To the next column of W, or row of X.
  function move(across, down) {
    const { row, column } = now();
    const dim = Math.min(Math.max(column + across, 0), qkv.y.columns - 1);
    store.set(across ? { dim } : { [qkv.about.walks]: row + down });
  }

  function spoken() {
    const { about } = qkv;
    const { sources, texts, titles, axes } = about;
    const ways = Object.entries(sources.feeds).map(([role, stream]) =>
      fill(texts.made, {
        name: sources.streams[stream].name,
        role: role.toUpperCase(),
        result: sources.results[role],
      }),
    );
    return fill(texts.picture, {
      made: ways.join(". "),
      tokens: axes.tokens,
      title: titles.y,
      reading: readingHere(),
    });
  }

  function update(next) {
    qkv = readQkv(next);
    painted = null;
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}
