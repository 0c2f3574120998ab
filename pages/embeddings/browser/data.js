// The rows of the embedding matrix around each token of one side, as pages/embeddings/lookup.py sends them.

import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";
import { placeOn } from "../../../viz_core/browser/kit/drawing.js";

const APART = 1.7; // rows from one to the next where others are left out between them, instead of 1

// Returns { about, columns, names, tall, windowAt(view) }. names: { id, label } of all rows; tall: rows of the largest
// window, with its gaps.
export function readLookup(payload) {
  const { about, tensors } = readTensors(payload);
  const { ids, rows, windows, picked } = tensors;
  const row = (index, own) => ({
    id: ids.data[index],
    label: about.labels[index],
    values: slice(rows, index),
    picked: index === own,
  });
  const windowOf = (token) => {
    const found = [...slice(windows, token)].filter((index) => index >= 0);
    return placed(found.map((index) => row(index, picked.data[token])));
  };
  const all = Array.from({ length: picked.data.length }, (_, token) => windowOf(token));
  return {
    about,
    columns: [...tensors.columns.data],
    names: about.labels.map((label, index) => ({ id: ids.data[index], label })),
    tall: Math.max(...all.map((window) => window.sum)),
    windowAt: (view) => all[Math.min(placeOn(about.side, view), all.length - 1)],
  };
}

// With `at`, the place of each row from the top, counted in rows, and that of the sum below them; after: whether rows are
// left out above it; limit: the end of the colour scale.
function placed(rows) {
  let at = 0;
  const shown = rows.map((row, index) => {
    const after = index > 0 && row.id > rows[index - 1].id + 1;
    if (index) at += after ? APART : 1;
    return { ...row, at, after };
  });
  const limit = Math.max(...rows.map(({ values }) => Math.max(...values.map(Math.abs)))) || 1;
  return { rows: shown, picked: shown.find((row) => row.picked), sum: at + APART, limit };
}
