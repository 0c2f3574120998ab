// The overview payload.

import { readTensors, slice } from "../kit/tensors.js";

export const KINDS = ["self", "masked", "cross"];

export function readOverview(bytes) {
  const { about, tensors } = readTensors(bytes);
  const { source, target } = about;
  const [layers, heads] = tensors.weights_self.shape;
  return {
    ...about,
    layers,
    heads,
    S: source.length,
    T: target.length,
    dims: tensors.memory.shape[1],
    units: tensors.decoder_ffn_hidden.shape[2],
    queries: { self: source, masked: target, cross: target },
    keys: { self: source, masked: target, cross: source },
    // of a layer and a head (Tq, Tk), row by row; of a query, too, (Tk,)
    weights: (kind, ...at) => slice(tensors[`weights_${kind}`], ...at),
    allowed: (kind, query, key) => kind !== "masked" || slice(tensors.mask, query, key)[0] === 1,
    vector: (name, ...at) => slice(tensors[name], ...at),
    firing: (stack, layer, row) => slice(tensors[`firing_${stack}`], layer, row)[0],
  };
}
