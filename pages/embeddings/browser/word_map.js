// A map of the tokens of one side and their nearest neighbours; the token that is looked at and its neighbours stand out. Some are words
// of the other language, so that nothing is drawn while a word is to be guessed.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
import { placeOn } from "../../../viz_core/browser/kit/drawing.js";
import { clauses, fill } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";
import { hides } from "../../../viz_core/browser/kit/store.js";
import { acrossOf, drawMap, layoutMap, underMap } from "./word_map_picture.js";

const HEIGHTS = [420, 620]; // px

// payload: of pages/embeddings/word_map.py. Returns { update(payload), svg(), destroy() }.
export function mountWordMap(root, payload, store) {
  let map = readMap(payload);
  const place = () => Math.min(placeOn(map.about.side, store.view), map.which.length - 1);
  const picked = () => map.which[place()];
  const reading = el("p", { class: "reading" });
  const figure = makeCanvasFigure(
    root,
    {
      below: [reading],
      heights: HEIGHTS,
      prepare: () => read(null),
      layout: (w, h, whole) => layoutMap(map, picked(), w, h, whole),
      draw: (pen, layout, hovered) => drawMap(pen, map, picked(), layout, store.theme, hovered),
      sight: (layout) => (picked() < 0 ? [0, 0] : acrossOf(layout, picked())),
      under: underMap,
      hover: read,
      clickable: ({ index }) => map.points[index].own,
      click: pick,
      covered: () => (hides(store.view) ? map.about.texts.covered : ""),
      spoken,
      region: () => map.about.texts.region,
      name: () => map.about.texts.file,
    },
    store,
  );

  // Where the sentence has the token more than once, the next of its places, and behind the last the first.
  function pick({ index }) {
    const places = [...map.which.keys()].filter((at) => map.which[at] === index);
    const next = places.find((at) => at > place() && picked() === index) ?? places[0];
    store.set({ [map.about.side === "source" ? "token" : "step"]: next });
  }

  function read(found) {
    setText(reading, found ? readingOf(map, found.index) : readingHere());
  }

  function readingHere() {
    if (hides(store.view)) return "";
    if (picked() >= 0) return readingOf(map, picked());
    return fill(map.about.texts.missing, { label: map.about.tokens[place()] });
  }

  function spoken() {
    const { texts } = map.about;
    const tokens = map.points.filter(({ own }) => own).map(({ label }) => fill(texts.token, { label }));
    return fill(texts.picture, { ...texts, tokens: clauses(tokens), reading: readingHere() });
  }

  function update(next) {
    map = readMap(next);
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}

// points: { x, y, label, owner, own } of all tokens on the map; which: the index among them of each token of the sentence, or −1.
export function readMap(payload) {
  const { about, tensors } = readTensors(payload);
  const { at, owner, which } = tensors;
  const points = about.labels.map((label, index) => {
    const [x, y] = slice(at, index);
    return { x, y, label, owner: owner.data[index], own: owner.data[index] === index };
  });
  return { about, points, which: which.data };
}

// In words, which tokens a line connects with this one.
function readingOf({ about: { texts }, points }, index) {
  const { label, owner, own } = points[index];
  if (!own) return fill(texts.neighbour, { label, owner: points[owner].label });
  const neighbours = points.filter((point) => !point.own && point.owner === index);
  const named = clauses(neighbours.map((point) => fill(texts.token, point)));
  return fill(neighbours.length ? texts.linked : texts.alone, { label, neighbours: named });
}
