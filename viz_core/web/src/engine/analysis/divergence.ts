// How far two models' predictions are apart, as in viz_core/analysis/divergence.py.

import { logSoftmax } from "../transformer";

/** KL(p ‖ q) = Σ p log₂ (p / q), in bits (Kullback & Leibler 1951), of ln p and ln q, which are normalized once more in float64. */
export function divergence(before: Float32Array, after: Float32Array) {
  const [p, q] = [logSoftmax(before), logSoftmax(after)];
  const nats = p.reduce((sum, log, id) => (Math.exp(log) > 0 ? sum + Math.exp(log) * (log - (q[id] as number)) : sum), 0);
  return Math.max(nats / Math.LN2, 0);
}
