// The feed-forward networks of one stack in all layers, and what of them is shown of one layer and token: the hidden units of all
// tokens, and the most active units of this one.

import { clauses, decimals, fill, percent, signed } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";

// payload: of pages/residual/feed_forward_payload.py.
export function readFeedForward(payload) {
  const { about, tensors } = readTensors(payload);
  const [layers, tokens, columns] = tensors.columns.shape;
  const limits = Array.from({ length: layers }, (_, layer) => largest(slice(tensors.strengths, layer)));
  return { about, tensors, layers, tokens, columns, limits };
}

function largest(values) {
  return values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, value) : most), 1e-9);
}

// { layer, token, count (so many tokens are drawn), limit (of the layer's activations), share (of the units that are 0), active, total
// (the length of what all add), units, rank (which of them is picked, as `cell`: token and rank) }
export function feedForwardAt(ffn, view) {
  const { about, tensors, layers, tokens, limits } = ffn;
  const isEncoder = about.stack === "encoder";
  const layer = Math.min(view.layer, layers - 1);
  const token = Math.min(isEncoder ? view.token : view.step, tokens - 1);
  const units = unitsOf(ffn, layer, token);
  const [row, rank] = view.cell ?? [];
  return {
    layer,
    token,
    count: isEncoder ? tokens : token + 1, // of the decoder, those that it has read
    limit: limits[layer],
    share: silentShare(ffn, layer, token),
    active: slice(tensors.active, layer)[token],
    total: slice(tensors.totals, layer)[token],
    units,
    rank: row === token && rank < units.length ? rank : 0,
  };
}

// The most active units of a token, the first one first: { unit, strength, product, bias, length, promotes }.
function unitsOf({ about, tensors }, layer, token) {
  const of = (name) => slice(tensors[name], layer, token);
  const [units, strengths, products, biases, lengths] = ["units", "strengths", "products", "biases", "lengths"].map(of);
  const listed = [...units].map((unit, at) => ({
    unit,
    strength: strengths[at],
    product: products[at],
    bias: biases[at],
    length: lengths[at],
    promotes: about.promotes[layer]?.[unit] ?? "",
  }));
  return listed.filter(({ unit }) => unit >= 0);
}

export function silentShare({ about, tensors }, layer, token) {
  return slice(tensors.zeros, layer)[token] / about.size;
}

// As a scale has its end.
export function activationText(limit) {
  return decimals(limit, 1, 6);
}

// The title of the map.
export function mapTitle({ about }, { layer }) {
  return fill(about.texts.hidden_title, { layer: layer + 1 });
}

// In words: a row, and with a column how active its units are; or a unit, of those that are listed.
export function unitReading(ffn, shown, { row, column, rank }) {
  const { about, tensors } = ffn;
  const { texts, tokens, size, width } = about;
  if (rank !== undefined) return pickedReading(about, shown, rank);
  const values = { token: tokens[row], share: percent(silentShare(ffn, shown.layer, row)) };
  const words = fill(texts.row, values);
  if (column === undefined) return words;
  const first = column * width + 1;
  const value = signed(slice(tensors.columns, shown.layer, row)[column], 3);
  const last = Math.min(first + width - 1, size);
  const at = fill(first === last ? texts.column : texts.column_pooled, { first, last, value });
  return `${words}    ${at}`;
}

function pickedReading({ texts, tokens }, { units, token }, rank) {
  const { unit, strength, length, promotes } = units[rank];
  const values = { unit: unit + 1, token: tokens[token], strength: signed(strength, 3), length: signed(length) };
  return clauses([fill(texts.picked, values), ...(promotes ? [fill(texts.promotes, { words: promotes })] : [])]);
}
