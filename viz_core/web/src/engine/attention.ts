// Attention (Vaswani et al. 2017, §3.2), as in viz_core/model/attention.py.

import { OFF, type Tap } from "./taps";
import { concatenated, joined, linear, map, mapRows, productOfRows, size, split, type Tensor, transposed } from "./tensor";
import type { Weights } from "./weights";

/** Keys and values of every head, (h, Tk, d_k) each. */
export type KeysValues = { readonly k: Tensor; readonly v: Tensor };

/** softmax(Q Kᵀ / √d_k) V  (§3.2.1, eq. 1).
 *
 * @param q queries, (h, Tq, d_k)
 * @param mask 1 where a query may look, (1, Tq or 1, Tk)
 * @returns the mixed values of each head, (h, Tq, d_k); a query that may look nowhere gets zeros
 */
export function scaledDotProductAttention(q: Tensor, { k, v }: KeysValues, mask: Tensor, tap = OFF) {
  const root = Math.sqrt(size(q, -1));
  const scores = tap("scores", productOfRows(q, k)); // (h, Tq, Tk)
  const scaled = tap(
    "scaled",
    map(scores, (score) => score / root),
  );
  const seen = tap("mask", mask);
  const masked = tap("masked", where(seen, scaled, Number.NEGATIVE_INFINITY));
  const weights = tap("weights", where(seen, mapRows(masked, softmax), 0));
  return tap("mix", productOfRows(weights, transposed(v))); // (h, Tq, d_k)
}

/** Concat(head_1 … head_h) Wᴼ, with head_i = Attention(x W_iQ, y W_iK, y W_iV)  (§3.2.2): (Tq, D) → (Tq, D). */
export function multiHeadAttention(x: Tensor, y: KeysValues, mask: Tensor, w: Weights, heads: number, tap: Tap) {
  const q = tap("q", split(affine(x, w.at("w_q")), heads)); // (h, Tq, d_k)
  const [k, v] = [tap("k", y.k), tap("v", y.v)]; // (h, Tk, d_k)
  const mix = scaledDotProductAttention(q, { k, v }, mask, tap); // (h, Tq, d_k)
  return tap("out", affine(joined(mix), w.at("w_o"))); // (Tq, D)
}

/** The keys and values of y, (Tk, D), after those of earlier positions. */
export function keysValues(y: Tensor, w: Weights, heads: number, before?: KeysValues): KeysValues {
  const [k, v] = [split(affine(y, w.at("w_k")), heads), split(affine(y, w.at("w_v")), heads)];
  return before ? { k: concatenated([before.k, k], 1), v: concatenated([before.v, v], 1) } : { k, v };
}

/** x W + b. */
export const affine = (x: Tensor, w: Weights) => linear(x, w.get("weight"), w.get("bias"));

/** e^x / Σ e^x; NaN where all are −∞, as in torch. */
export function softmax(x: Float32Array) {
  const most = x.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const powers = Float64Array.from(x, (value) => Math.exp(value - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** x where the mask is 1, and another value elsewhere. mask: (1, Tq or 1, Tk). */
function where(mask: Tensor, x: Tensor, otherwise: number) {
  const n = mask.data.length;
  return map(x, (value, index) => (mask.data[index % n] ? value : otherwise));
}
