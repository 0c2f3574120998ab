// The arithmetic of one dimension of LayerNorm, with the numbers of the figure above it.

import { mountBelow } from "../../../viz_core/browser/kit/below.js";
import { fill, grouped, number, threeDigits } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";
import { escaped } from "../../../viz_core/browser/kit/prose.js";
import { normAt } from "./layer_norm";

// payload: of pages/residual/layer_norm.py, the texts alone.
export function mountLayerNormArithmetic(root, payload, store) {
  let { about } = readTensors(payload);
  const below = mountBelow(root, store, (view) => {
    const norm = store.given.layer_norm;
    if (norm?.sublayer !== about.sublayer) return []; // the numbers are on their way
    const { heading, text } = about.texts;
    return [{ name: "arithmetic", heading, text: fill(text, valuesOf(normAt(norm, view))) }];
  });
  return {
    update(next) {
      ({ about } = readTensors(next));
      below.repaint();
    },
    destroy: below.destroy,
  };
}

function valuesOf({ tokens, size, exact, token, dim, stages, gamma, beta, ...terms }) {
  const write = exact ? number : threeDigits;
  return {
    token: escaped(tokens[token]),
    dim: grouped(dim + 1),
    size: grouped(size),
    mean: write(terms.mean),
    variance: write(terms.variance),
    deviation: write(terms.deviation),
    eps: number(terms.epsilon),
    x: write(stages.before.values[dim]),
    standard: write(stages.standard.values[dim]),
    gamma: number(gamma[dim]),
    beta: number(beta[dim]),
    out: write(stages.after.values[dim]),
  };
}
