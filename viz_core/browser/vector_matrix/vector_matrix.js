// Vectors as the rows of a matrix of coloured cells, one dimension in each column; or the products of all pairs of them. The row of the
// token that is looked at is framed, and a click on another one looks at that.

import { makeCanvasFigure } from "../kit/canvas_figure.js";
import { el, setText } from "../kit/dom.js";
import { decimals, fill } from "../kit/numbers.js";
import { readTensors } from "../kit/payload.js";
import { guessedFrom } from "../kit/store.js";
import { drawMatrix, layoutMatrix, pictureOf, underMatrix } from "./matrix_picture.js";

const HEIGHTS = [380, 900]; // px

// payload: of viz_core/browser/vectors_payload.py. The message "column" goes with a click on another column, where one is picked.
// Returns { update(payload), svg(), destroy() }.
export function mountVectorMatrix(root, payload, store) {
  let matrix = read(payload);
  let picture = null;
  let painted = "";
  let column = matrix.column; // Python's control, which hears of a click
  const reading = el("p", { class: "reading" });
  const title = el("p", { class: "title" });
  const figure = makeCanvasFigure(
    root,
    {
      above: [title],
      below: [reading],
      heights: HEIGHTS,
      prepare,
      layout: (w, h, whole) => layoutMatrix(matrix, w, h, whole),
      draw: (pen, layout, hovered) => drawMatrix(pen, matrix, picture, now(), layout, store.theme, hovered),
      under: (layout, x, y) => underMatrix(matrix, layout, x, y),
      hover: say,
      clickable: ({ row }) => row < matrix.walked,
      click,
      slider: () => ({ at: now().row, count: matrix.walked, words: sayHere() }),
      move,
      spoken: () =>
        [matrix.titles.above, matrix.titles.rows, matrix.titles.columns, sayHere()].filter(Boolean).join(". "),
      region: () => matrix.texts.region,
      name: () => matrix.texts.file,
    },
    store,
  );

  function now() {
    const from = matrix.side === "target" ? guessedFrom(store.view) : Infinity;
    return {
      row: Math.min(store.view[matrix.walks], matrix.walked - 1),
      column,
      labels: matrix.labels.map((label, at) => (at > from && at < matrix.walked ? matrix.texts.hidden : label)),
    };
  }

  function prepare() {
    const look = [...store.theme.diverging, ...store.theme.sequential].join();
    if (painted !== look) picture = pictureOf(matrix, store.theme);
    painted = look;
    setText(title, matrix.titles.above);
    title.hidden = !matrix.titles.above;
    say(null);
  }

  function click({ row, column: at }) {
    store.set({ [matrix.walks]: Math.min(Math.max(row, 0), matrix.walked - 1) });
    if (matrix.column === null || at === column) return;
    column = at;
    root.send?.("column", at);
    store.repaint();
  }

  // To the next row, or to the next column where one is picked.
  function move(across, down) {
    const { row } = now();
    if (column === null) return click({ row: row + (down || across), column: 0 });
    click({ row: row + down, column: Math.min(Math.max(column + across, 0), matrix.columns - 1) });
  }

  function say(found) {
    setText(reading, found ? sayAt(found) : sayHere());
  }

  function sayHere() {
    const { row } = now();
    if (column !== null) return sayAt({ row, column });
    const begins = Array.from({ length: Math.min(4, matrix.columns) }, (_, at) => decimals(matrix.at(row, at), 2, 4));
    const values = begins.join(", ") + (matrix.columns > 4 ? ", …" : "");
    return fill(matrix.texts.begins, { label: now().labels[row], values });
  }

  function sayAt({ row, column: at }) {
    const { labels } = now();
    const value = decimals(matrix.at(row, at), matrix.column === null ? 4 : 2, 6);
    if (matrix.column !== null) return fill(matrix.texts.product, { a: labels[row], b: labels[at], value });
    return fill(matrix.texts.cell, { label: labels[row], dim: at + matrix.first, value });
  }

  function update(next) {
    matrix = read(next);
    ({ column } = matrix);
    painted = "";
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}

// What Python sent, with the number of each cell.
function read(payload) {
  const { about, tensors } = readTensors(payload);
  const [rows, columns] = tensors.values.shape;
  return {
    ...about,
    rows,
    columns,
    data: tensors.values.data,
    at: (row, column) => tensors.values.data[row * columns + column],
  };
}
