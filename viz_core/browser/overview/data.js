// The overview payload.

import { readTensors, slice } from "../kit/tensors.js";

export const KINDS = ["self", "masked", "cross"];

export function readOverview(bytes) {
  const { about, tensors } = readTensors(bytes);
  const [layers, heads, S] = tensors.weights_self.shape;
  const T = tensors.mask.shape[0];
  const dims = tensors.memory.shape[1];
  const units = tensors.decoder_ffn_hidden.shape[2];
  const rows = { self: S, masked: T, cross: T };
  const columns = { self: S, masked: T, cross: S };
  const source = about.source.map(([label]) => label);
  const target = about.target.map(([label]) => label);
  return {
    ...about,
    layers,
    heads,
    S,
    T,
    dims,
    units,
    rows,
    columns,
    source,
    target,
    queries: { self: source, masked: target, cross: target },
    keys: { self: source, masked: target, cross: source },
    weights: (kind, layer, head) => slice(tensors[`weights_${kind}`], layer, head), // (Tq, Tk), row by row
    allowed: (kind, query, key) => kind !== "masked" || tensors.mask.data[query * T + key] === 1,
    vector: (name, ...at) => slice(tensors[name], ...at),
    firing: (stack, layer, at) => slice(tensors[`firing_${stack}`], layer)[at],
  };
}

// ‖x‖₂; derived.
export function lengthOf(vector) {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

// The index of the largest of a row.
export function strongestOf(row) {
  let best = 0;
  for (let index = 1; index < row.length; index += 1) if (row[index] > row[best]) best = index;
  return best;
}
