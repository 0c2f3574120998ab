// Q, K, V: where they come from, and how one head makes one of them. W of another head is a file of its own, which the browser keeps.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { cellUnder, drawProjection, layoutProjection, picturesOf } from "./projection.js";
import { bringWeights, headAt, pickedIn, readQkv, readingOf, seen } from "./qkv_data.js";
import { drawSources } from "./sources.js";

const HEIGHTS = [420, 900]; // px
const IDLE = 400; // ms after a step until the heads beside are brought, too

// payload: of pages/qkv/payload.py. Returns { update(payload), svg(), destroy() }.
export function mountQkv(root, payload, store) {
  let qkv = readQkv(payload);
  let pictures = null;
  let painted = null; // of which head and theme the pictures are
  let idle = 0;
  const one = () => headAt(qkv, store.view);
  const now = () => pickedIn(one(), store.view);
  const reading = el("p", { class: "reading" });
  const hint = el("p", { class: "hint" });
  const bar = el("div", { class: "bar" }, hint, reading);
  const figure = makeCanvasFigure(
    root,
    {
      above: [bar],
      heights: HEIGHTS,
      prepare,
      layout: (w, h, whole) => layoutProjection(one(), w, h, whole),
      draw,
      under: (layout, x, y) => cellUnder(one(), layout, x, y),
      hover: read,
      clickable: () => true,
      click,
      slider: () => ({ at: now().column, count: one().y.columns, words: readingHere() }),
      move,
      spoken,
      region: () => qkv.about.texts.region,
      name: fileName,
    },
    store,
  );

  function fileName() {
    const { layer, head } = one();
    return fill(qkv.about.texts.file, { role: qkv.about.role, layer: layer + 1, head: head + 1 });
  }

  function draw(pen, layout, hovered) {
    const { about } = one();
    const { theme, view } = store;
    const shown = (tokens, stack) => seen(tokens, stack, about.texts, view);
    drawSources(pen, about.sources, about.role, shown, { x: 2, y: 0, w: layout.width - 4 }, theme);
    drawProjection(pen, one(), pictures, now(), layout, theme, hovered);
  }

  function prepare(view) {
    const { theme } = store;
    const head = one();
    const of = [theme.diverging, head.layer, head.head, head.isKnown].join();
    if (painted !== of) {
      pictures = picturesOf(head, theme);
      painted = of;
      bring(head);
    }
    setText(hint, qkv.about.texts.hint);
    hint.hidden = view.lecture;
    root.toggleAttribute("data-stale", !head.isKnown); // its numbers are on their way
    read(null);
  }

  // W of this head, and a little later of those to which one step leads.
  function bring({ layer, head }) {
    bringWeights(qkv, [[layer, head]], store.repaint);
    clearTimeout(idle);
    const beside = [
      [layer + 1, head],
      [layer - 1, head],
      [layer, head + 1],
      [layer, head - 1],
    ];
    idle = setTimeout(() => bringWeights(qkv, beside, store.repaint), IDLE);
  }

  function read(found) {
    setText(reading, found ? readingOf(one(), now().tokens, found) : readingHere());
  }

  function readingHere() {
    const { row, column, tokens } = now();
    return readingOf(one(), tokens, { matrix: "y", row, column });
  }

  // A row of X, a column of W, or both.
  function click({ matrix, row, column }) {
    const { walks } = qkv.about;
    store.set({ ...(matrix === "w" ? {} : { [walks]: row }), ...(matrix === "x" ? {} : { dim: column }) });
  }

  // To the next column of W, or row of X.
  function move(across, down) {
    const { row, column } = now();
    const dim = Math.min(Math.max(column + across, 0), one().y.columns - 1);
    store.set(across ? { dim } : { [qkv.about.walks]: row + down });
  }

  function spoken() {
    const { about } = one();
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
    store.takeBack("qkv", qkv);
    qkv = readQkv(next, qkv);
    store.give("qkv", qkv);
    painted = null;
    figure.show();
  }

  function destroy() {
    clearTimeout(idle);
    store.takeBack("qkv", qkv);
    figure.destroy();
  }

  store.give("qkv", qkv);
  return { update, svg: figure.svg, destroy };
}
