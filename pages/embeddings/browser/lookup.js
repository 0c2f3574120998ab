// A one-hot vector times the embedding matrix: every row of the matrix beside its 0 or 1, and the sum at the bottom.

import { el, nameScroller, saySideways, setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { keepDrawn } from "../../../viz_core/browser/kit/drawing.js";
import { fill, grouped, signed } from "../../../viz_core/browser/kit/numbers.js";
import { FAMILY, READABLE, clipped, widestText } from "../../../viz_core/browser/kit/pen.js";
import { readLookup } from "./data.js";
import { drawRows } from "./rows.js";

const ROW = 56; // px, the height of a row where there is room
const LEAST = { lecture: 30, read: 42 }; // px, otherwise
const COLUMN = 66; // px, the least width of a cell
const LABEL = 230; // px, of the names of the rows at most
const HEAD = 38;
const FOOT = 56; // px, of what stands above and below the cells
const READING = 30; // px, of the line below the figure
// In cells: where the matrix begins, right of the one-hot vector; the gap before its last dimension; and the room of
// the arrow.
const MATRIX = 1.6;
const GAP = 0.7;
const RIGHT = 0.45;
const DIGITS = 4;

// payload: of pages/embeddings/lookup.py. Returns { update(payload), destroy() }.
export function mountLookup(root, payload, store) {
  let lookup = readLookup(payload);
  const svg = svgEl("svg", { role: "img", "font-family": FAMILY, "font-size": READABLE });
  const scroller = el("div", { class: "scroll" }, svg);
  const reading = el("p", { class: "reading" });
  root.replaceChildren(scroller, reading);
  saySideways(scroller);

  let hint = "";
  const read = (words) => setText(reading, words || hint);
  svg.addEventListener("pointermove", ({ target }) => read(target.closest("[data-said]")?.dataset.said));
  svg.addEventListener("pointerleave", () => read(""));

  const paint = (view, room) => {
    const { about } = lookup;
    const shown = lookup.windowAt(view);
    const words = wordsOf(lookup, shown);
    const layout = layoutOf(lookup, room, view);
    setAttributes(svg, { width: layout.width, height: layout.height, "aria-label": words.picture });
    svg.replaceChildren(...drawRows(shown, words, layout, room.theme));
    nameScroller(scroller, layout.width > room.width, about.texts.region);
    hint = words.hint;
    read("");
  };
  const drawing = keepDrawn(root, store, paint);

  function update(next) {
    lookup = readLookup(next);
    drawing.show();
  }
  return { update, destroy: drawing.destroy };
}

// All that is written. said(row, column): of a cell.
function wordsOf({ about, columns }, { rows, picked }) {
  const { texts, entries, d_model: dims } = about;
  const { id, label } = picked;
  const matrix = fill(texts.matrix, { entries: grouped(entries), d_model: dims });
  const sum = fill(texts.sum, { id });
  const values = [...picked.values].map((value) => signed(value, 3));
  const listed = columns.length < dims ? [...values.slice(0, -1), "…", values.at(-1)] : values;
  return {
    oneHot: texts.one_hot,
    matrix,
    sum,
    labels: rows.map((row) => clipped(nameOf(row), LABEL, READABLE, row.picked)),
    columns: columns.map((column) => String(column + 1)),
    dimension: texts.dimension,
    hint: fill(texts.hint, { id, label }),
    picture: fill(texts.picture, { matrix, sum, label, values: listed.join(", ") }),
    said: (row, column) =>
      fill(texts.cell, {
        id: row.id,
        label: row.label,
        dim: columns[column] + 1,
        value: signed(row.values[column], DIGITS),
      }),
  };
}

function nameOf({ id, label }) {
  return `${id}  ${label}`;
}

// Px of everything, the same for all tokens of the sentence, so that nothing moves but the rows.
function layoutOf({ about, columns, names, tall }, { width: room, height: most }, { lecture }) {
  const left = Math.min(widestText([...names.map(nameOf), fill(about.texts.sum, { id: about.entries })]), LABEL) + 14;
  const gap = columns.length < about.d_model ? GAP : 0;
  const last = columns.length - 1;
  const cells = MATRIX + columns.length + gap + RIGHT;
  const column = Math.max(COLUMN, (room - left) / cells);
  const fitting = (most - HEAD - FOOT - READING) / (tall + 1);
  const row = Math.max(lecture ? LEAST.lecture : LEAST.read, Math.min(ROW, fitting));
  return {
    width: Math.floor(left + cells * column),
    height: Math.ceil(HEAD + (tall + 1) * row + FOOT),
    left,
    column,
    row,
    last,
    head: HEAD,
    skips: gap > 0,
    cell: (index) => left + (MATRIX + index + (index === last ? gap : 0)) * column,
    top: (at) => HEAD + at * row,
  };
}
