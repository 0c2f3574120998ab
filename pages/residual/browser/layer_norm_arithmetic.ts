// The arithmetic of one dimension of LayerNorm, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { grouped, number, threeDigits } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { nth } from "../../../viz_core/web/src/payload";
import { type Norm, normAt } from "./layer_norm";

/** payload: from pages/residual/layer_norm.py, only texts. */
export const mountLayerNormArithmetic = below<{ sublayer: string }>(({ about, say }, view, { given }) => {
  const norm = given.layer_norm as Norm | undefined;
  if (norm?.sublayer !== about.sublayer) return []; // the numbers are on their way
  const { tokens, size, exact, token, dim, stages, gamma, beta, ...terms } = normAt(norm, view);
  const write = exact ? number : threeDigits;
  const text = say("text", {
    token: escaped(tokens[token] ?? ""),
    dim: grouped(dim + 1),
    size: grouped(size),
    mean: write(terms.mean),
    variance: write(terms.variance),
    deviation: write(terms.deviation),
    eps: number(terms.epsilon),
    x: write(nth(stages.before.values, dim)),
    standard: write(nth(stages.standard.values, dim)),
    gamma: number(nth(gamma, dim)),
    beta: number(nth(beta, dim)),
    out: write(nth(stages.after.values, dim)),
  });
  return [{ name: "arithmetic", heading: say("heading"), text }];
});
