// The nearest neighbours of the token that is looked at, by cosine. The payload has those of all tokens of one side. Some are words
// of the other language, so that nothing is drawn while a word is to be guessed.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
import { placeOn } from "../../../viz_core/browser/kit/drawing.js";
import { clauses, fill, signed } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";
import { hides } from "../../../viz_core/browser/kit/store.js";
import { drawNeighbours, layoutNeighbours, underRow } from "./neighbours_picture.js";

const HEIGHTS = [380, 540]; // px
const DIGITS = 4; // of the cosine that is read: the first neighbours are often equal in two

// payload: of pages/embeddings/neighbours.py. Returns { update(payload), svg(), destroy() }.
export function mountNeighbours(root, payload, store) {
  let sent = readNeighbours(payload);
  const now = () => neighboursAt(sent, store.view);
  const reading = el("p", { class: "reading" });
  const figure = makeCanvasFigure(
    root,
    {
      below: [reading],
      heights: HEIGHTS,
      prepare: () => read(null),
      layout: (w, h) => layoutNeighbours(sent, now(), w, h),
      draw: (pen, layout, hovered) => drawNeighbours(pen, now(), layout, store.theme, hovered),
      under: (layout, x, y) => underRow(now(), layout, x, y),
      hover: read,
      clickable: () => false,
      click: () => {},
      covered: () => (hides(store.view) ? sent.about.texts.covered : ""),
      spoken,
      region: () => sent.about.texts.region,
      name: () => fill(sent.about.texts.file, { token: now().token }),
    },
    store,
  );

  // Of the row under the pointer, else of the nearest, whose cosine the arithmetic takes apart.
  function read(found) {
    const { token, rows } = now();
    const rank = found?.row ?? 0;
    if (!rows.length || hides(store.view)) return setText(reading, "");
    const { id, label, cosine } = rows[rank];
    const values = { token, id, label, rank: rank + 1, cosine: signed(cosine, DIGITS) };
    setText(reading, fill(sent.about.texts.reading, values));
  }

  function spoken() {
    const { texts } = sent.about;
    const { title, rows } = now();
    const entries = rows.map(({ label, cosine }) => fill(texts.entry, { label, cosine: signed(cosine) }));
    return fill(texts.picture, { title, neighbours: clauses(entries) });
  }

  function update(next) {
    sent = readNeighbours(next);
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}

// With the rows of each different token, and least, where the axis of all of them begins.
export function readNeighbours(payload) {
  const { about, tensors } = readTensors(payload);
  const { which, ids, neighbours, cosines } = tensors;
  const rowsOf = (at) =>
    [...slice(neighbours, at)].flatMap((index, rank) =>
      index < 0 ? [] : [{ id: ids.data[index], label: about.labels[index], cosine: slice(cosines, at)[rank] }],
    );
  const lists = Array.from({ length: neighbours.shape[0] }, (_, at) => rowsOf(at));
  const least = Math.min(0, ...lists.flat().map(({ cosine }) => cosine));
  return { about, which: which.data, lists, least };
}

// { token, title, axis, rows: [{ id, label, cosine }] } of the token that is looked at.
export function neighboursAt({ about, which, lists }, view) {
  const at = Math.min(placeOn(about.side, view), which.length - 1);
  const token = about.tokens[at];
  return { token, title: fill(about.texts.title, { token }), axis: about.texts.cosine, rows: lists[which[at]] };
}
