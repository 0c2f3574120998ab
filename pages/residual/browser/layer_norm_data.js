// The LayerNorm of one sub-layer in all layers: of one token its vector in three stages, the numbers that lead from one to the next,
// and the picked dimension. What is derived is computed here in float64, from the recorded float32.

import { fill, minus, signed } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";

export const NORM_STAGES = ["before", "standard", "after"];
const ROUNDING = 0.0005; // a mean or a deviation below it is 0 but for rounding

// payload: of pages/residual/layer_norm.py.
export function readNorm(payload) {
  const { about, tensors } = readTensors(payload);
  const [layers, tokens, size] = tensors.x.shape;
  return { about, tensors, layers, tokens, size, exact: tensors.x.exact };
}

// Of the token and layer that are looked at: { layer, token, dim, mean, variance, deviation, eps, gamma, beta, stages: { before,
// standard, after } of { values, mean, deviation, reach } }. dim: the picked one, else the one that is farthest from the mean.
export function normAt({ about, tensors, layers, tokens, size }, view) {
  const layer = Math.min(view.layer, layers - 1);
  const token = Math.min(about.stack === "encoder" ? view.token : view.step, tokens - 1);
  const [x, out] = ["x", "out"].map((name) => slice(tensors[name], layer, token));
  const before = spreadOf(x);
  const ofSample = about.kind === "deviation"; // as The Annotated Transformer divides
  const variance = ofSample ? (before.variance * size) / (size - 1) : before.variance;
  const eps = about.eps[layer];
  const divisor = ofSample ? Math.sqrt(variance) + eps : Math.sqrt(variance + eps);
  const standard = Float64Array.from(x, (value) => (value - before.mean) / divisor);
  const shared = reachOf(standard, out); // one scale, so that gain and bias can be seen
  const stage = (values, spread, reach) => ({
    values,
    reach,
    mean: spread.mean,
    deviation: Math.sqrt(spread.variance),
  });
  return {
    layer,
    token,
    dim: view.dim === null ? farthest(standard) : Math.min(view.dim, size - 1),
    mean: before.mean,
    variance,
    deviation: Math.sqrt(variance),
    eps,
    gamma: slice(tensors.gamma, layer),
    beta: slice(tensors.beta, layer),
    stages: {
      before: stage(x, before, reachOf(x)),
      standard: stage(standard, spreadOf(standard), shared),
      after: stage(out, spreadOf(out), shared),
    },
  };
}

function spreadOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance };
}

// The end of an axis: the next power of two, so that vectors of about one size can be compared from step to step.
function reachOf(...vectors) {
  const largest = (values) =>
    values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return 2 ** Math.ceil(Math.log2(Math.max(1, ...vectors.map((values) => 1.1 * largest(values)))));
}

function farthest(values) {
  return values.reduce((best, value, dim) => (Math.abs(value) > Math.abs(values[best]) ? dim : best), 0);
}

// The title of a stage, with its mean and its deviation.
export function stageTitle({ about }, { stages }, name) {
  const { mean, deviation } = stages[name];
  return fill(about.texts.stages[name], { mean: short(mean), deviation: short(deviation) });
}

function short(value) {
  return Math.abs(value) < ROUNDING ? "0" : minus(value);
}

// One dimension in words, in all stages.
export function normReading({ about }, { stages, token }, dimension) {
  const { texts, tokens } = about;
  const values = NORM_STAGES.map((name) =>
    fill(texts.value, { name: texts.axes[name], value: signed(stages[name].values[dimension], 3) }),
  );
  return fill(texts.reading, { dimension: dimension + 1, token: tokens[token], values: values.join("    ") });
}
