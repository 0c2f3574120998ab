// Where a logit comes from, as in viz_core/analysis/logits.py: the places of the residual stream, the logit lens, direct logit
// attribution; and how far two predictions are apart.

import { attentionAt, type Block, BLOCKS, hasFinalNorm, layersOf, type ModelConfig, type Stack, generatorWeight } from "../config";
import { moments } from "../blocks";
import type { SiteName, Trace } from "../taps";
import { concatenated, dot, row, size, type Tensor, tensor } from "../tensor";
import { finalNorm, generate, type Model, logSoftmax } from "../transformer";

// The residual stream's places, as in viz_core/analysis/residual_stream.py.

/** One place of the stream. name: of the weights of a LayerNorm there. */
export type StreamPlace = { kind: "input" | "add" | "norm"; site: SiteName; layer: number | null; block: string; name: string };

export function streamPlaces(config: ModelConfig, stack: Stack): StreamPlace[] {
  const side = stack === "encoder" ? "source" : "target";
  const end = stack === "encoder" ? "encoder.memory" : "decoder.states";
  const at = (kind: StreamPlace["kind"], site: SiteName, name = "", layer: number | null = null, block = "") => ({
    kind,
    site,
    layer,
    block,
    name,
  });
  const route: StreamPlace[] = [at("input", `${side}.${config.embedding_norm ? "summed" : "input"}`)];
  if (config.embedding_norm) route.push(at("norm", `${side}.input`, `${side}_embedding.norm`, null, "embedding"));
  for (let layer = 0; layer < layersOf(config, stack); layer += 1)
    for (const block of BLOCKS[stack]) {
      route.push(at("add", `${stack}.${layer}.resid_${block}`, "", layer, block));
      const norm = `${stack}.layers.${layer}.add_${block}.norm`;
      if (config.norm === "post") route.push(at("norm", `${stack}.${layer}.norm_${block}`, norm, layer, block));
    }
  if (hasFinalNorm(config, stack)) route.push(at("norm", end, `${stack}.norm`));
  return route;
}

/** The site of the stream at the input of a sub-layer. */
export function before(config: ModelConfig, stack: Stack, layer: number, block: string) {
  const route = streamPlaces(config, stack);
  const add = route.findIndex((place) => place.kind === "add" && place.layer === layer && place.block === block);
  return (route[add - 1] as StreamPlace).site;
}

/** The site of the stream after a layer. */
export const layerOutput = ({ norm }: ModelConfig, stack: Stack, layer: number) =>
  `${stack}.${layer}.${norm === "pre" ? "resid" : "norm"}_ffn` as const;

/** The sites of a stack's stream before its layers and after each. */
export const streamSites = (config: ModelConfig, stack: Stack): SiteName[] => [
  `${stack === "encoder" ? "source" : "target"}.input`,
  ...Array.from({ length: layersOf(config, stack) }, (_, layer) => layerOutput(config, stack, layer)),
];

/** The stream after each layer read as if it were the last (nostalgebraist 2020): log-probabilities, (L + 1, V). */
export function logitLens(model: Model, trace: Trace, step: number) {
  const { config, weights } = model;
  const streams = streamSites(config, "decoder").map((site) => tensor([1, config.d_model], row(trace.get(site) as Tensor, step)));
  return generate(model, finalNorm(concatenated(streams, 0), "decoder", config, weights));
}

/** One part of the decoder and what it adds to a logit; fields as in Python's `Contribution`. */
export type Contribution = { writer: string; value: number; layer: number | null; head: number | null; block: string };

/** by_key: for each attention and layer, such as `cross 0`, the heads' contributions by key, (h, Tk). */
export type LogitAttribution = { parts: Contribution[]; by_key: Record<string, number[][]>; value: number };

/** The logit of one token, or its difference to that of another, as a sum of what each part adds, with every LayerNorm's σ held
 * fixed (Elhage et al. 2021): the token's output vector d is carried back along the stream, and what wrote w contributes d · w. */
export function logitAttribution(model: Model, trace: Trace, step: number, token: number, against?: number): LogitAttribution {
  const { config, weights } = model;
  const at = (site: SiteName) => row(trace.get(site) as Tensor, step);
  const difference = (numbers: ArrayLike<number>, i = token) =>
    (numbers[i] as number) - (against === undefined ? 0 : (numbers[against] as number));
  const output = weights.get(generatorWeight(config));
  const other = against === undefined ? null : row(output, against);
  let d = Array.from(row(output, token), (value, i) => value - (other?.[i] ?? 0));
  const parts: Contribution[] = [];
  const by_key: LogitAttribution["by_key"] = {};
  const part = (writer: string, value: number, layer: number | null = null, head: number | null = null, block = "") => ({
    writer,
    value,
    layer,
    head,
    block,
  });
  if (config.output_bias) parts.push(part("bias", difference(weights.get("generator.bias").data)));
  const route = streamPlaces(config, "decoder");
  for (const [index, { kind, site, layer, block, name }] of [...route.entries()].slice(1).reverse()) {
    const w = weights.at(`decoder.layers.${layer}.${block}`);
    if (kind === "norm") {
      parts.unshift(part("beta", dot(d, weights.at(name).get("beta").data), layer, null, block));
      const gamma = weights.at(name).get("gamma").data;
      const { divisor } = moments(at(route[index - 1]?.site ?? site), config);
      const scaled = d.map((value, i) => (value * (gamma[i] as number)) / divisor);
      const mean = scaled.reduce((a, b) => a + b, 0) / scaled.length;
      d = scaled.map((value) => value - mean);
      continue;
    }
    const removed = at(`decoder.${layer as number}.${block as Block}.out`).every((value) => value === 0); // by an edit
    const here = removed ? d.map(() => 0) : d;
    if (block === "ffn") {
      const [hidden, w2] = [at(`decoder.${layer as number}.ffn.hidden`), w.at("w_2")];
      parts.unshift(
        part("ffn", dot(back(here, w2.get("weight")), hidden), layer),
        part("bias", dot(here, w2.get("bias").data), layer, null, block),
      );
      continue;
    }
    const [writer, wo, h] = [block === "self_attn" ? ("masked" as const) : ("cross" as const), w.at("w_o"), config.n_heads];
    const [carried, width] = [back(here, wo.get("weight")), config.d_model / h];
    const heads: Contribution[] = [];
    by_key[`${writer} ${layer}`] = Array.from({ length: h }, (_, head) => {
      const ofHead = carried.slice(head * width, (head + 1) * width);
      const inside = (site: "mix" | "v" | "weights") => trace.get(`${attentionAt(writer, layer as number)}.${site}`) as Tensor;
      const [mix, v, a] = [slice(inside("mix"), head), slice(inside("v"), head), slice(inside("weights"), head)];
      heads.push(part(writer, dot(ofHead, row(mix, step)), layer, head));
      const gone = row(mix, step).every((value) => value === 0);
      return Array.from(row(a, step), (weight, key) => (gone ? 0 : weight * dot(ofHead, row(v, key))));
    });
    parts.unshift(...heads, part("bias", dot(here, wo.get("bias").data), layer, null, block));
  }
  parts.unshift(part("embedding", dot(d, at("target.embedding"))), part("positions", dot(d, at("target.positions"))));
  return { parts, by_key, value: difference(at("output.logits")) };
}

/** One head of (h, T, d). */
export function slice(x: Tensor, head: number): Tensor {
  const cells = size(x, 1) * size(x, 2);
  return tensor([size(x, 1), size(x, 2)], x.data.subarray(head * cells, (head + 1) * cells));
}

// d W: (D,) and (D, n) → (n,).
function back(d: readonly number[], weight: Tensor) {
  const sums = new Array<number>(size(weight, 1)).fill(0);
  for (const [i, value] of d.entries())
    for (const [j, each] of row(weight, i).entries()) sums[j] = (sums[j] as number) + value * each;
  return sums;
}

// How far two models' predictions are apart, as in viz_core/analysis/divergence.py.

/** KL(p ‖ q) = Σ p log₂ (p / q), in bits (Kullback & Leibler 1951), of ln p and ln q, which are normalized once more in float64. */
export const divergence = (before: Float32Array, after: Float32Array) =>
  Math.max(divergenceTerms(before, after).reduce((sum, term) => sum + term, 0) / Math.LN2, 0);

/** p ln (p / q) of each token. */
export function divergenceTerms(before: Float32Array, after: Float32Array) {
  const [p, q] = [logSoftmax(before), logSoftmax(after)];
  return p.map((log, id) => (Math.exp(log) > 0 ? Math.exp(log) * (log - (q[id] as number)) : 0));
}
