// One head's X · W + b = Y, and what of it is shown: the picked row and dimension, the labels that may be seen, readings.

import { decimals, fill } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";
import { guessedFrom } from "../../../viz_core/browser/kit/store.js";

// payload: of pages/qkv/payload.py. Of a matrix: { rows, columns, data, limit, the largest number that is one }.
export function readQkv(payload) {
  const { about, tensors } = readTensors(payload);
  const [x, w, y] = ["x", "w", "y"].map((name) => matrixOf(tensors[name]));
  x.limit = y.limit = Math.max(x.limit, y.limit); // one scale; W, whose numbers are much smaller, has its own
  return { about, x, w, y };
}

function matrixOf({ shape: [rows, columns], data }) {
  const largest = data.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1e-9);
  return { rows, columns, data, limit: largest };
}

// { row, column, tokens, isOf: whether the payload is of this view's layer and head }
export function qkvAt({ about, x, y }, view) {
  return {
    row: Math.min(view[about.walks], x.rows - 1),
    column: Math.min(view.dim, y.columns - 1),
    tokens: seen(about.tokens, about.stack, about.texts, view),
    isOf: view.layer === about.layer && view.head === about.head,
  };
}

// Tokens of the decoder that are still to be guessed are hidden: it reads at step n + 1 what step n has written.
export function seen(tokens, stack, { hidden }, view) {
  if (stack !== "decoder") return tokens;
  return tokens.map((token, at) => (at > guessedFrom(view) ? hidden : token));
}

// cell: { matrix: x, w or y; row, column }
export function readingOf(qkv, tokens, { matrix, row, column }) {
  const { role, texts } = qkv.about;
  const { columns, data } = qkv[matrix];
  const value = decimals(data[row * columns + column], 3, 6);
  const dim = column + 1;
  return fill(texts[`reading_${matrix}`], { token: tokens[row], role, dim, from: row + 1, to: dim, value });
}

// As the scales have their ends.
export function endText(limit) {
  return decimals(limit, 1, 6);
}
