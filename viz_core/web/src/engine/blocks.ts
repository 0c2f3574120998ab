// Attention and the layers that the stacks are made of (Vaswani et al. 2017, §3), as in viz_core/model/.

import { OFF, type Tap } from "./taps";
import {
  concatenated,
  divided,
  greatest,
  joined,
  linear,
  mapRows,
  product,
  productOfRows,
  size,
  split,
  type Tensor,
  add,
  tensor,
  type Floats,
} from "./tensor";
import type { Block, Weights, ModelConfig } from "./config";

// Attention (Vaswani et al. 2017, §3.2), as in viz_core/model/attention.py.

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
  const scaled = tap("scaled", divided(scores, root));
  const seen = tap("mask", mask);
  const masked = tap("masked", where(seen, scaled, Number.NEGATIVE_INFINITY));
  const weights = tap("weights", where(seen, mapRows(masked, softmax), 0));
  return tap("mix", product(weights, v)); // (h, Tq, d_k)
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
export function softmax<Into extends Floats = Float64Array>(
  x: Float32Array,
  result = new Float64Array(x.length) as Floats as Into,
) {
  const most = greatest(x);
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += Math.exp((x[i] as number) - most);
  for (let i = 0; i < x.length; i += 1) result[i] = Math.exp((x[i] as number) - most) / sum;
  return result;
}

/** x where the mask is 1, and another value elsewhere. mask: (1, Tq or 1, Tk). */
function where(mask: Tensor, x: Tensor, otherwise: number) {
  const [data, n] = [x.data.slice(), mask.data.length];
  for (let i = 0; i < data.length; i += 1) if (!mask.data[i % n]) data[i] = otherwise;
  return tensor(x.shape, data);
}

const ACTIVATIONS = {
  relu: (x: number) => Math.max(0, x),
  gelu: (x: number) => (x * (1 + erf(x / Math.SQRT2))) / 2,
  swish: (x: number) => x / (1 + Math.exp(-x)),
};

/** γ (x − μ) / √(σ² + ε) + β (Ba et al. 2016); in models of The Annotated Transformer γ (x − μ) / (s + ε) + β. */
export function layerNorm(x: Tensor, w: Weights, config: ModelConfig) {
  const [gamma, beta] = [w.get("gamma").data, w.get("beta").data];
  return mapRows(x, (row, into) => {
    const { mean, divisor } = moments(row, config);
    for (let i = 0; i < row.length; i += 1)
      into[i] = (((row[i] as number) - mean) / divisor) * (gamma[i] as number) + (beta[i] as number);
  });
}

/** μ, and √(σ² + ε) or s + ε. */
export function moments(x: Float32Array, { layer_norm: kind, layer_norm_eps: eps }: ModelConfig) {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < x.length; i += 1) sum += x[i] as number;
  const mean = sum / x.length;
  for (let i = 0; i < x.length; i += 1) squares += ((x[i] as number) - mean) ** 2;
  return { mean, divisor: kind === "deviation" ? Math.sqrt(squares / (x.length - 1)) + eps : Math.sqrt(squares / x.length + eps) };
}

/** max(0, x W₁ + b₁) W₂ + b₂ (§3.3, eq. 2), or with another function than max(0, ·): (T, D) → (T, D). */
function feedForward(x: Tensor, w: Weights, { activation }: ModelConfig, tap: Tap) {
  const [hidden, act] = [affine(x, w.at("w_1")), ACTIVATIONS[activation]]; // (T, F)
  for (let i = 0; i < hidden.data.length; i += 1) hidden.data[i] = act(hidden.data[i] as number);
  return tap("out", affine(tap("hidden", hidden), w.at("w_2"))); // (T, D)
}

/** Post-norm is the paper's LayerNorm(x + Sublayer(x)) (§3.1); pre-norm is x + Sublayer(LayerNorm(x)) (Xiong et al. 2020). */
function addAndNorm(name: Block, x: Tensor, sublayer: (x: Tensor) => Tensor, w: Weights, config: ModelConfig, tap: Tap) {
  const norm = (y: Tensor) => tap(`norm_${name}`, layerNorm(y, w.at(`add_${name}`).at("norm"), config));
  const sum = (y: Tensor) => tap(`resid_${name}`, add(x, y));
  return config.norm === "pre" ? sum(sublayer(norm(x))) : norm(sum(sublayer(x)));
}

/** Self-attention, then feed-forward (left half of Figure 1): (S, D) → (S, D). mask: 1 at real tokens, (1, 1, S). */
export function encoderLayer(x: Tensor, mask: Tensor, w: Weights, config: ModelConfig, tap: Tap) {
  const h = config.n_heads;
  const attend = (y: Tensor) => {
    const own = w.at("self_attn");
    return multiHeadAttention(y, keysValues(y, own, h), mask, own, h, tap.at("self_attn"));
  };
  const mixed = addAndNorm("self_attn", x, attend, w, config, tap);
  return addAndNorm("ffn", mixed, (y) => feedForward(y, w.at("ffn"), config, tap.at("ffn")), w, config, tap);
}

/** What a decoder layer remembers: keys and values of the positions so far, and those of the memory. */
export type LayerCache = { readonly own?: KeysValues; readonly cross: KeysValues };

/** Masked self-attention, cross attention, feed-forward (right half of Figure 1): (T, D) → (T, D), and its cache after it.
 *
 * @param mask where the positions of x may look in the target so far, (1, T, Tk)
 * @param memoryMask where they may look in the source, (1, 1, S)
 */
export function decoderLayer(
  x: Tensor,
  mask: Tensor,
  memoryMask: Tensor,
  cache: LayerCache,
  w: Weights,
  config: ModelConfig,
  tap: Tap,
): [Tensor, LayerCache] {
  const h = config.n_heads;
  let own = cache.own;
  const attend = (y: Tensor) => {
    own = keysValues(y, w.at("self_attn"), h, own);
    return multiHeadAttention(y, own, mask, w.at("self_attn"), h, tap.at("self_attn"));
  };
  const cross = (y: Tensor) => multiHeadAttention(y, cache.cross, memoryMask, w.at("cross_attn"), h, tap.at("cross_attn"));
  const mixed = addAndNorm("self_attn", x, attend, w, config, tap);
  const informed = addAndNorm("cross_attn", mixed, cross, w, config, tap);
  const result = addAndNorm("ffn", informed, (y) => feedForward(y, w.at("ffn"), config, tap.at("ffn")), w, config, tap);
  return [result, { own, cross: cache.cross }];
}

/** 2/√π ∫₀ˣ e^(−t²) dt, as a series of positive terms (Abramowitz & Stegun 1964, 7.1.6). */
function erf(x: number) {
  if (Math.abs(x) > 6) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
