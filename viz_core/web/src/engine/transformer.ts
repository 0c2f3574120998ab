// The encoder–decoder Transformer (Vaswani et al. 2017, Figure 1), as in viz_core/model: one sentence at a time.
//
// Shape letters: S source length · T target length · D d_model · h heads · d_k = D/h · F d_ff · V vocabulary. In attention,
// Tq query positions (rows), Tk key positions (columns).

import { keysValues, decoderLayer, encoderLayer, type LayerCache, layerNorm } from "./blocks";
import { generatorWeight, hasFinalNorm, layersOf, type ModelConfig, type Stack, type Weights } from "./config";
import { OFF, type Tap } from "./taps";
import { add, type Floats, greatest, linear, map, mapRows, type Tensor, take, tensor } from "./tensor";

export type Model = { readonly config: ModelConfig; readonly weights: Weights };

/** The encoder's output, (S, D), and 1 at real tokens, (1, 1, S). */
export type Encoded = { readonly memory: Tensor; readonly mask: Tensor };

/** The target ids read so far, and what each layer remembers of them. It never changes, so that hypotheses can share it. */
export type Cache = { readonly ids: readonly number[]; readonly layers: readonly LayerCache[] };

/** One teacher-forced pass → log-probabilities of the token that follows each target position, (T, V). */
export function forward(model: Model, source: readonly number[], target: readonly number[], tap = OFF) {
  const encoded = encode(model, source, tap);
  const [states] = decode(model, target, encoded, begin(model, encoded), tap);
  return generate(model, states, tap.at("output"));
}

/** Source ids ending in ⟨/s⟩ → memory and its padding mask. */
export function encode({ config, weights }: Model, source: readonly number[], tap = OFF): Encoded {
  const mask = tensor([1, 1, source.length], Float32Array.from(real(source, config)));
  let x = embed(source, 0, weights.at("source_embedding"), weights.get("source_embedding.weight"), config, tap.at("source")); // (S, D)
  const w = weights.at("encoder.layers");
  for (let layer = 0; layer < layersOf(config, "encoder"); layer += 1)
    x = encoderLayer(x, mask, w.at(layer), config, tap.at("encoder").at(layer));
  return { memory: tap("encoder.memory", finalNorm(x, "encoder", config, weights)), mask };
}

/** The cache before the first target token: keys and values of the memory alone. */
export function begin({ config, weights }: Model, { memory }: Encoded): Cache {
  const layers = Array.from({ length: layersOf(config, "decoder") }, (_, layer) => ({
    cross: keysValues(memory, weights.at("decoder.layers").at(layer).at("cross_attn"), config.n_heads),
  }));
  return { ids: [], layers };
}

/** The next target ids: one while decoding, all in a teacher-forced pass → the generator's input, (T, D), and the cache after them. */
export function decode(model: Model, ids: readonly number[], encoded: Encoded, cache: Cache, tap = OFF): [Tensor, Cache] {
  const { config, weights } = model;
  const [start, all] = [cache.ids.length, [...cache.ids, ...ids]];
  const mask = decoderMask(all, start, config); // (1, T, Tk)
  let x = embed(ids, start, weights.at("target_embedding"), embeddingMatrix(model, "target"), config, tap.at("target")); // (T, D)
  const layers: LayerCache[] = [];
  for (const [layer, before] of cache.layers.entries()) {
    const w = weights.at("decoder.layers").at(layer);
    const [next, after] = decoderLayer(x, mask, encoded.mask, before, w, config, tap.at("decoder").at(layer));
    x = next;
    layers.push(after);
  }
  return [tap("decoder.states", finalNorm(x, "decoder", config, weights)), { ids: all, layers }];
}

/** One number for each token of the vocabulary, then their log-softmax (§3.4): (T, D) → (T, V). */
export function generate(model: Model, states: Tensor, tap = OFF) {
  return tap("log_probs", mapRows(tap("logits", logitsOf(model, states)), logSoftmax));
}

/** (T, D) → (T, V). */
export const logitsOf = ({ config, weights }: Model, states: Tensor) =>
  linear(states, weights.get(generatorWeight(config)), config.output_bias ? weights.get("generator.bias") : undefined);

/** The embedding matrix of one side, (V, D). */
export const embeddingMatrix = ({ config, weights }: Model, side: "source" | "target") =>
  weights.get(`${config.tied_embeddings ? "source" : side}_embedding.weight`);

/** Look up each token's vector, scale it by √d_model, add its position; in some models, a LayerNorm follows. → (T, D) */
function embed(ids: readonly number[], start: number, w: Weights, table: Tensor, config: ModelConfig, tap: Tap) {
  const scale = config.scaled_embeddings ? Math.sqrt(config.d_model) : 1;
  const places = ids.map((_, index) => start + index);
  const lookup = tap("lookup", take(table, ids));
  const embedding = tap(
    "embedding",
    map(lookup, (value) => value * scale),
  );
  const summed = add(embedding, tap("positions", positionVectors(places, w, config)));
  return tap("input", config.embedding_norm ? layerNorm(tap("summed", summed), w.at("norm"), config) : summed);
}

/** The vector of each position, (T, D). w: of the embedding. */
export const positionVectors = (places: readonly number[], w: Weights, config: ModelConfig) =>
  config.positions === "learned" ? take(w.get("positions"), places) : positionalEncoding(places, config);

/** PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(the same)  (§3.5); "halves": all sines, then all cosines. */
function positionalEncoding(places: readonly number[], { d_model: d, positions }: ModelConfig) {
  return map(tensor([places.length, d]), (_, index) => {
    const at = index % d;
    const i = positions === "halves" ? at % (d / 2) : at >> 1;
    const angle = (places[Math.floor(index / d)] as number) * 10000 ** ((-2 * i) / d);
    return (positions === "halves" ? at < d / 2 : at % 2 === 0) ? Math.sin(angle) : Math.cos(angle);
  });
}

export function finalNorm(x: Tensor, stack: Stack, config: ModelConfig, weights: Weights) {
  return hasFinalNorm(config, stack) ? layerNorm(x, weights.at(stack).at("norm"), config) : x;
}

/** 1 at real tokens, 0 at padding. The first token is always real: it may be padding in name, as in Marian. */
const real = (ids: readonly number[], { pad_id }: ModelConfig) => ids.map((id, index) => Number(id !== pad_id || index === 0));

/** 1 where a target position from `start` on may look: no padding, and in a causal decoder no later position (§3.2.3). */
export function decoderMask(ids: readonly number[], start: number, config: ModelConfig) {
  const keys = real(ids, config);
  const rows = ids.length - start;
  const seen = (at: number) => config.decoder === "masked" || at % ids.length <= start + Math.floor(at / ids.length);
  return map(tensor([1, rows, ids.length]), (_, at) => (seen(at) ? (keys[at % ids.length] as number) : 0));
}

/** x − log Σ e^x. */
export function logSoftmax<Into extends Floats = Float64Array>(
  x: Float32Array,
  result = new Float64Array(x.length) as Floats as Into,
) {
  const most = greatest(x);
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += Math.exp((x[i] as number) - most);
  const total = most + Math.log(sum);
  for (let i = 0; i < x.length; i += 1) result[i] = (x[i] as number) - total;
  return result;
}
