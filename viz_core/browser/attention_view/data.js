// The attention payload: all layers and heads of one attention of one sentence. Head -1 is the mean of the heads.

import { readTensors, slice } from "../kit/tensors.js";

export const MEAN = -1;
const BY_WEIGHT = new Set(["softmax", "mix"]); // stages that show weights; the others show signed scores

const ROUND_ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20]; // the last for what division makes of a power of ten

export function isWeights(stage) {
  return BY_WEIGHT.has(stage);
}

export function readAttention(payload) {
  const { about, tensors } = readTensors(payload);
  const [layers, heads, rows, columns] = tensors.weights.shape;
  const width = tensors.q.shape[3];
  const root = Math.fround(Math.sqrt(width)); // d_k and √d_k
  const mask = tensors.mask.data;
  const cache = new Map();

  const once = (key, make) => {
    if (!cache.has(key)) cache.set(key, make());
    return cache.get(key);
  };

  // (rows × columns) at a stage: the very numbers of the trace; NaN where the mask forbids, from its stage on.
  const values = (layer, head, stage) =>
    once(`${layer} ${head} ${isWeights(stage) ? "weights" : stage}`, () => {
      if (head === MEAN) return meanOf(layer, stage);
      if (stage === "scores") return slice(tensors.scores, layer, head);
      const found = recorded(isWeights(stage) ? "weights" : stage, layer, head);
      if (stage !== "scaled") for (let at = 0; at < found.length; at += 1) if (!mask[at]) found[at] = NaN;
      return found;
    });

  // Scaled and masked are the scores divided, unless an edit of the model changed them: then they were sent.
  const recorded = (stage, layer, head) => {
    const sent = tensors[{ scaled: "scaled", mask: "masked" }[stage] ?? stage];
    return sent
      ? Float32Array.from(slice(sent, layer, head))
      : slice(tensors.scores, layer, head).map((score) => score / root);
  };

  const meanOf = (layer, stage) => {
    const sum = new Float64Array(rows * columns);
    for (let head = 0; head < heads; head += 1)
      values(layer, head, stage).forEach((value, at) => {
        sum[at] += value;
      });
    return Float32Array.from(sum, (total) => total / heads);
  };

  // The end of the colours for these scores: their largest size, rounded up to a 5. Raw and scaled share it.
  const limit = (layer, head) =>
    once(`limit ${layer} ${head}`, () => {
      const largest = values(layer, head, "scores").reduce((most, score) => Math.max(most, Math.abs(score)), 0);
      return 5 * Math.max(1, Math.ceil(largest / 5));
    });

  const vector = (site, layer, head, at) => slice(tensors[site], layer, head, at);

  // The end of the colours of q, k and their products: one for all of a head, so that it stays while one steps. A few
  // products are so much larger than the rest that with an end for them nothing else could be seen: what is beyond has
  // the last colour.
  const end = (layer, head) =>
    once(`end ${layer} ${head}`, () => {
      const [q, k] = ["q", "k"].map((site) => slice(tensors[site], layer, head));
      const squares = [q, k].reduce((sum, vectors) => vectors.reduce((total, x) => total + x * x, sum), 0);
      return roundEnd(3 * Math.sqrt(squares / (q.length + k.length)));
    });

  return {
    about,
    layers,
    heads,
    rows,
    columns,
    width,
    root,
    values,
    limit,
    vector,
    end,
    // an edit of the model took it out
    out: (layer, head) => about.out.some(([one, other]) => one === layer && other === head),
    open: (query, key) => mask[query * columns + key] === 1,
    exact: tensors.weights.exact && tensors.scores.exact,
    exactVectors: tensors.q.exact && tensors.k.exact,
  };
}

// The next round number.
function roundEnd(size) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(size, 1e-6)));
  return Number((unit * ROUND_ENDS.find((end) => end * unit >= size)).toPrecision(2));
}

// All numbers of one cell on its way through the softmax; exp and total are derived, as
// `viz_core.analysis.attention_cell` derives them.
export function cellOf(data, { layer, head, query, key }) {
  const row = (stage) => data.values(layer, head, stage).subarray(query * data.columns, (query + 1) * data.columns);
  const [scores, scaled, enters, weights] = ["scores", "scaled", "mask", "softmax"].map(row);
  const open = data.open(query, key);
  const total = enters.reduce((sum, score, other) => (data.open(query, other) ? sum + Math.exp(score) : sum), 0);
  return {
    score: scores[key],
    scaled: scaled[key],
    exp: Math.exp(open ? enters[key] : scaled[key]),
    total,
    weight: Number.isNaN(weights[key]) ? 0 : weights[key],
    open,
  };
}
