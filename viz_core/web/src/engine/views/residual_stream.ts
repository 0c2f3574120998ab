// The answers of the page Add & norm, as in pages/residual/: lengths of the stream, LayerNorm, the feed-forward's hidden units.

import { greatestOf, nth } from "../../payload";
import { layersOf, type ModelConfig, type Stack, generatorWeight, hasFinalNorm } from "../config";
import { before, streamPlaces } from "../analysis/logits";
import { dot, norm, row, stack as together, linear, map, size, type Tensor, take, tensor, transposed } from "../tensor";
import { labelsOf, floats, pack, type Scene, siteOf, topIds, vocabularyLabel, integers, enumerated } from "./view";
import { visible } from "../tokenizer/text";
import type { Model } from "../transformer";

/** lengths (P, T): of each token's vector; added (P, T): of what the sub-layer added, NaN where nothing is added; largest (L, T, 5): of
 * the picked sub-layer, the dimension in which it adds most, there x, what is added and the sum, and the cosine of both vectors. */
export function residualStream({ model: { config }, explanation }: Scene, asked: URLSearchParams) {
  const [stack, block] = [asked.get("stack") as Stack, asked.get("block") as string];
  const { tokens } = stack === "encoder" ? explanation.source : explanation.target;
  const places = streamPlaces(config, stack);
  const lengths = (sites: readonly string[]) => floats(sites.map(lengthsAt));
  const lengthsAt = (site: string) => {
    const vectors = site ? siteOf(explanation.trace, site) : null;
    return tokens.map((_, at) => (vectors ? norm(row(vectors, at)) : Number.NaN));
  };
  const added = places.map(({ kind, layer, block }) => (kind === "add" ? `${stack}.${layer}.${block}.out` : ""));
  const largest = [...Array(layersOf(config, stack)).keys()].map((layer) => {
    const sites = [before(config, stack, layer, block), `${stack}.${layer}.${block}.out`, `${stack}.${layer}.resid_${block}`];
    return tokens.map((_, at) => largestOf(sites.map((site) => row(siteOf(explanation.trace, site), at))));
  });
  return pack(
    {
      lengths: lengths(places.map(({ site }) => site)),
      added: lengths(added),
      largest: floats(largest),
    },
    {
      stack,
      stops: places.map(({ kind, layer, block }) => ({ kind, layer, block })),
      sublayer: `${stack}_${block}`,
      tokens: labelsOf(tokens),
    },
  );
}

function largestOf(vectors: readonly Float32Array[]) {
  const [x, added] = vectors as [Float32Array, Float32Array];
  const dim = greatestOf(added.map(Math.abs));
  const size = norm(x) * norm(added);
  return [dim, ...vectors.map((vector) => nth(vector, dim)), size && dot(x, added) / size];
}

// LayerNorm of one sub-layer, as `layer_norm_view` in pages/residual/layer_norm.py.

/** The site that a sub-layer's LayerNorm reads. */
export const layerNormInput = (config: ModelConfig, stack: Stack, layer: number, block: string) =>
  config.norm === "pre" ? before(config, stack, layer, block) : `${stack}.${layer}.resid_${block}`;

/** x (L, T, D), what LayerNorm reads; out (L, T, D); gamma and beta (L, D), as learned. */
export function layerNormView({ model: { config, weights }, explanation }: Scene, asked: URLSearchParams) {
  const [stack, block] = [asked.get("stack") as Stack, asked.get("block") as string];
  const layers = [...Array(layersOf(config, stack)).keys()];
  const ofAll = (site: (layer: number) => string) => together(layers.map((layer) => siteOf(explanation.trace, site(layer))));
  const learned = (name: string) =>
    together(layers.map((layer) => weights.get(`${stack}.layers.${layer}.add_${block}.norm.${name}`)));
  const tensors = {
    x: ofAll((layer) => layerNormInput(config, stack, layer, block)),
    out: ofAll((layer) => `${stack}.${layer}.norm_${block}`),
    gamma: learned("gamma"),
    beta: learned("beta"),
  };
  return pack(tensors, {
    stack,
    sublayer: `${stack}_${block}`,
    norm: config.norm,
    kind: config.layer_norm,
    eps: layers.map(() => config.layer_norm_eps),
    tokens: labelsOf((stack === "encoder" ? explanation.source : explanation.target).tokens),
  });
}

// The feed-forward network's hidden units, as `feed_forward_view` in pages/residual/feed_forward.py.

const UNITS = 6; // of a token's most active units
const PROMOTED = 3; // tokens of each unit
const COLUMNS = 256; // more would be narrower than a pixel on the smallest screen
const ACTIVATIONS = { relu: "ReLU", gelu: "GELU", swish: "swish" };

/** The tensors of `feed_forward_payload`, where they are explained. */
export function feedForwardView(scene: Scene, asked: URLSearchParams) {
  const { model, explanation } = scene;
  const [stack, { config }] = [asked.get("stack") as Stack, model];
  const { tokens } = stack === "encoder" ? explanation.source : explanation.target;
  const passes = Array.from({ length: layersOf(config, stack) }, (_, layer) => passOf(scene, stack, layer));
  const each = [passes.length, tokens.length];
  const hidden = together(passes.map((pass) => pass.hidden));
  const rows = Array.from({ length: passes.length * tokens.length }, (_, at) => row(hidden, at));
  const counts = (holds: (value: number) => boolean) =>
    passes.map(({ hidden }) => tokens.map((_, token) => row(hidden, token).filter(holds).length));
  const strongest = passes.map((pass) => tokens.map((_, token) => strongestOf(pass, token)));
  const ofUnits = (name: keyof Unit, otherwise = 0) =>
    strongest.map((all) => all.map((units) => Array.from({ length: UNITS }, (_, rank) => units[rank]?.[name] ?? otherwise)));
  const width = Math.ceil(size(hidden, -1) / COLUMNS);
  const columns = rows.map((units) => largest(units, width));
  const tensors = {
    columns: floats(columns, [...each, columns[0]?.length ?? 0]),
    zeros: integers(counts((value) => value === 0)),
    active: integers(counts((value) => value > 0)),
    totals: floats(passes.map(({ out }) => tokens.map((_, token) => norm(row(out, token))))),
    units: integers(ofUnits("unit", -1)),
    strengths: floats(ofUnits("strength")),
    biases: floats(ofUnits("bias")),
    products: floats(ofUnits("product")),
    lengths: floats(ofUnits("length")),
  };
  const picked = (layer: number) => strongest[layer]?.flat() ?? [];
  const promotes = (stack === "decoder" ? passes : []).map(({ w2 }, layer) =>
    promotedBy(scene, layer, w2, [...new Set(picked(layer).map(({ unit }) => unit))]),
  );
  return pack(tensors, {
    stack,
    tokens: labelsOf(tokens),
    size: size(hidden, -1),
    width,
    promotes,
    activation: ACTIVATIONS[scene.model.config.activation],
  });
}

/** One layer for all tokens: x (T, D), hidden (T, F), out (T, D); w1 and w2 (F, D), a row for each unit. */
type Pass = { x: Tensor; hidden: Tensor; out: Tensor; w1: Tensor; b1: Tensor; w2: Tensor };

export function passOf({ model: { config, weights }, explanation: { trace } }: Scene, stack: Stack, layer: number): Pass {
  const [at, w] = [`${stack}.${layer}`, weights.at(`${stack}.layers.${layer}.ffn`)];
  const x = siteOf(trace, config.norm === "pre" ? `${at}.norm_ffn` : before(config, stack, layer, "ffn"));
  const second = w.get("w_2.weight");
  const w2 = tensor([size(second, 1), size(second, 0)], transposed(tensor([1, ...second.shape], second.data)).data);
  const [hidden, out] = [siteOf(trace, `${at}.ffn.hidden`), siteOf(trace, `${at}.ffn.out`)];
  return { x, hidden, out, w1: w.get("w_1.weight"), b1: w.get("w_1.bias"), w2 };
}

/** product: x · w₁, without the bias; length: of what the unit adds. */
type Unit = { unit: number; strength: number; bias: number; product: number; length: number };

/** A token's most active units above 0, the most active first. */
function strongestOf({ x, hidden, w1, b1, w2 }: Pass, token: number) {
  const active = row(hidden, token);
  const above = topIds(active, UNITS).filter((unit) => (active[unit] as number) > 0);
  return above.map((unit): Unit => {
    const strength = active[unit] as number;
    const product = dot(row(x, token), row(w1, unit));
    return { unit, strength, bias: b1.data[unit] as number, product, length: strength * norm(row(w2, unit)) };
  });
}

const promotions = new WeakMap<Model, Map<string, number[]>>(); // by layer and unit: sentences change nothing, and the product is large

/** Unit → the tokens whose logits it raises most, by the output matrix and the gain of the last LayerNorm (Geva et al. 2022). */
function promotedBy({ model, target: { tokenizer }, words }: Scene, layer: number, w2: Tensor, units: readonly number[]) {
  const { config, weights } = model;
  const known = promotions.get(model) ?? new Map<string, number[]>();
  promotions.set(model, known);
  const unknown = units.filter((unit) => !known.has(`${layer} ${unit}`));
  const gain = hasFinalNorm(config, "decoder") ? weights.get("decoder.norm.gamma").data : null;
  const added = map(take(w2, unknown), (value, at) => value * (gain?.[at % gain.length] ?? 1));
  const logits = linear(added, weights.get(generatorWeight(config)));
  for (const [at, unit] of unknown.entries()) known.set(`${layer} ${unit}`, topIds(row(logits, at), PROMOTED));
  const name = (id: number) => `«${visible(vocabularyLabel(tokenizer, id))}»`;
  return Object.fromEntries(units.map((unit) => [unit, enumerated(words, known.get(`${layer} ${unit}`)?.map(name) ?? [])]));
}

/** The largest of every few neighbours. */
const largest = (units: Float32Array, width: number) =>
  Array.from({ length: Math.ceil(units.length / width) }, (_, at) => Math.max(...units.subarray(at * width, (at + 1) * width)));
