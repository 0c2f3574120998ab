// One head's X · W + b = Y, and what of it is shown: the picked row and dimension, the labels that may be seen, readings.

import { fetched } from "../../../viz_core/browser/kit/fetched.js";
import { decimals, fill } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";
import { guessedFrom } from "../../../viz_core/browser/kit/store.js";

// payload: of pages/qkv/payload.py. before: what was read of another sentence, whose W are those of the same model.
export function readQkv(payload, before = null) {
  const { about, tensors } = readTensors(payload);
  const isSame = before && about.weights && before.about.weights === about.weights;
  const weights = isSame ? before.weights : new Map(); // of heads, by their places
  weights.set(about.place.join(), tensors.w.data);
  return { about, tensors, weights, heads: new Map() };
}

// One head: { about, layer, head, x, w, y, bias, isKnown: whether its W has arrived }. Of a matrix: { rows, columns, data, limit, the
// largest number that is one }.
export function headAt(qkv, view) {
  const { tensors, heads } = qkv;
  const [layer, head] = [Math.min(view.layer, tensors.y.shape[0] - 1), Math.min(view.head, tensors.y.shape[1] - 1)];
  const place = [layer, head].join();
  if (!heads.has(place)) heads.set(place, makeHead(qkv, layer, head));
  return heads.get(place);
}

function makeHead({ about, tensors, weights }, layer, head) {
  const { x: stream, y: made, b, w: size } = tensors;
  const x = matrixOf(stream.shape, slice(stream, Math.min(layer, stream.shape[0] - 1)));
  const y = matrixOf(made.shape, slice(made, layer, head));
  x.limit = y.limit = Math.max(x.limit, y.limit); // one scale; W, whose numbers are much smaller, has its own
  const arrived = weights.get([layer, head].join());
  const w = matrixOf(size.shape, arrived ?? new Float32Array(size.data.length).fill(NaN));
  const streams = about.sources.streams.map((each) => ({ ...each, name: fill(each.name, { layer: layer + 1 }) }));
  const titles = { ...about.titles, w: fill(about.titles.w, { head: head + 1 }) };
  const named = { ...about, titles, sources: { ...about.sources, streams } };
  return { about: named, layer, head, x, w, y, bias: slice(b, layer, head), isKnown: Boolean(arrived) };
}

function matrixOf(shape, data) {
  const [rows, columns] = shape.slice(-2);
  const largest = data.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1e-9);
  return { rows, columns, data, limit: largest };
}

// Brings W of the heads at these places, [layer, head] of each; arrived() is called after each of them.
export function bringWeights(qkv, places, arrived) {
  const { about, tensors, weights, heads } = qkv;
  for (const [layer, head] of places) {
    const [place, address] = [[layer, head].join(), fill(about.weights, { layer, head })];
    const isThere = layer >= 0 && layer < tensors.y.shape[0] && head >= 0 && head < tensors.y.shape[1];
    if (!address || !isThere || weights.has(place)) continue;
    fetched(address).then((found) => {
      if (typeof found === "string" || weights.has(place)) return; // the server is away: it is asked for again with the next step
      weights.set(place, new Float32Array(found.buffer));
      heads.delete(place);
      arrived();
    });
  }
}

// { row, column, tokens }, in this view, of a head
export function pickedIn({ about, x, y }, view) {
  return {
    row: Math.min(view[about.walks], x.rows - 1),
    column: Math.min(view.dim, y.columns - 1),
    tokens: seen(about.tokens, about.stack, about.texts, view),
  };
}

// Tokens of the decoder that are still to be guessed are hidden: it reads at step n + 1 what step n has written.
export function seen(tokens, stack, { hidden }, view) {
  if (stack !== "decoder") return tokens;
  return tokens.map((token, at) => (at > guessedFrom(view) ? hidden : token));
}

// cell: { matrix: x, w or y; row, column }
export function readingOf(head, tokens, { matrix, row, column }) {
  const { role, texts } = head.about;
  const { columns, data } = head[matrix];
  const value = decimals(data[row * columns + column], 3, 6);
  const dim = column + 1;
  return fill(texts[`reading_${matrix}`], { token: tokens[row], role, dim, from: row + 1, to: dim, value });
}

// As the scales have their ends.
export function endText(limit) {
  return decimals(limit, 1, 6);
}
