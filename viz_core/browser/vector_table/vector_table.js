// A few vectors that belong to one token, such as its embedding, its position and their sum: their first numbers as a table, all their
// dimensions as strips below it. The payload has those of every token.

import { makeCanvasFigure } from "../kit/canvas_figure.js";
import { el, setText } from "../kit/dom.js";
import { forAudience } from "../kit/instructions.js";
import { clauses, decimals, fill } from "../kit/numbers.js";
import { readTensors, slice } from "../kit/payload.js";
import { drawTable, layoutTable, underTable } from "./table_picture.js";

const HEIGHTS = [420, 640]; // px

// payload: of viz_core/browser/vectors_payload.py. Returns { update(payload), svg(), destroy() }.
export function mountVectorTable(root, payload, store) {
  let sent = readTensors(payload);
  const reading = el("p", { class: "reading" });
  const figure = makeCanvasFigure(
    root,
    {
      below: [reading],
      heights: HEIGHTS,
      prepare: () => say(null),
      layout: (w, h) => layoutTable(now(), w, h),
      draw: (pen, layout, hovered) => drawTable(pen, now(), layout, store.theme, hovered),
      under: (layout, x, y) => underTable(layout, x, y),
      hover: say,
      clickable: () => false,
      click: () => {},
      spoken,
      region: () => sent.about.texts.region,
      name: () => sent.about.texts.file,
    },
    store,
  );

  // The vectors of the token that is looked at.
  function now() {
    const { about, tensors } = sent;
    const [tokens, count, dims] = tensors.vectors.shape;
    const token = Math.min(store.view[about.walks], tokens - 1);
    const vectors = Array.from({ length: count }, (_, at) => slice(tensors.vectors, token, at));
    const { names, axis, first, texts, labels } = about;
    const [notes, limit, label] = [about.notes[token], about.limits[token], labels[token]];
    return { vectors, dims, notes, limit, names, axis, first, texts, label };
  }

  function say(found) {
    const { vectors, names, first, texts, label } = now();
    if (!found) return setText(reading, fill(forAudience(texts.of, store.view), { label }));
    const value = decimals(vectors[found.row][found.dim], 4, 6);
    setText(reading, fill(texts.number, { name: names[found.row], dim: found.dim + first, value }));
  }

  function spoken() {
    const { vectors, names, notes, axis } = now();
    const begins = (vector) => clauses([...vector.subarray(0, 4)].map((value) => decimals(value, 2, 4)));
    const rows = names.map((name, at) => `${name}: ${begins(vectors[at])}, … ${notes[at]}`);
    return [axis, ...rows].join(". ");
  }

  function update(next) {
    sent = readTensors(next);
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}
