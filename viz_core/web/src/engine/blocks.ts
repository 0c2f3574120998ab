// The layers that the stacks are made of (Vaswani et al. 2017, §3.1 and §3.3), as in viz_core/model/blocks.py.

import { affine, type KeysValues, keysValues, multiHeadAttention } from "./attention";
import type { ModelConfig } from "./config";
import type { Tap } from "./taps";
import { add, map, mapRows, type Tensor } from "./tensor";
import type { Weights } from "./weights";

const ACTIVATIONS = {
  relu: (x: number) => Math.max(0, x),
  gelu: (x: number) => (x * (1 + erf(x / Math.SQRT2))) / 2,
  swish: (x: number) => x / (1 + Math.exp(-x)),
};

/** γ (x − μ) / √(σ² + ε) + β (Ba et al. 2016); in models of The Annotated Transformer γ (x − μ) / (s + ε) + β. */
export function layerNorm(x: Tensor, w: Weights, config: ModelConfig) {
  const [gamma, beta] = [w.get("gamma").data, w.get("beta").data];
  return mapRows(x, (numbers) => {
    const { mean, divisor } = moments(numbers, config);
    return numbers.map((value, i) => ((value - mean) / divisor) * (gamma[i] as number) + (beta[i] as number));
  });
}

/** μ, and √(σ² + ε) or s + ε. */
export function moments(x: Float32Array, { layer_norm: kind, layer_norm_eps: eps }: ModelConfig) {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const squares = x.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, divisor: kind === "deviation" ? Math.sqrt(squares / (x.length - 1)) + eps : Math.sqrt(squares / x.length + eps) };
}

/** max(0, x W₁ + b₁) W₂ + b₂ (§3.3, eq. 2), or with another function than max(0, ·): (T, D) → (T, D). */
function feedForward(x: Tensor, w: Weights, { activation }: ModelConfig, tap: Tap) {
  const hidden = tap("hidden", map(affine(x, w.at("w_1")), ACTIVATIONS[activation])); // (T, F)
  return tap("out", affine(hidden, w.at("w_2"))); // (T, D)
}

/** Post-norm is the paper's LayerNorm(x + Sublayer(x)) (§3.1); pre-norm is x + Sublayer(LayerNorm(x)) (Xiong et al. 2020). */
function addAndNorm(name: string, x: Tensor, sublayer: (x: Tensor) => Tensor, w: Weights, config: ModelConfig, tap: Tap) {
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
