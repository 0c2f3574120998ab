// Each token of the sentence beside the same token in other sentences, as `in_context` in pages/embeddings/context.py; the encoder's
// vectors of many sentences, as viz_core/analysis/contexts.py.

import { streamSites } from "../analysis/logits";
import { longestSource, type Weights } from "../config";
import { siteEdits } from "../edits";
import { framedTokens } from "../explain";
import { editor, recorder, type Trace } from "../taps";
import { concatenated, dot, norm, row, take, type Tensor, mapRows } from "../tensor";
import { visible } from "../tokenizer/text";
import type { Token } from "../tokenizer/base";
import { encode } from "../transformer";
import { labelOf, lacking, pack, type Scene, siteOf } from "./view";

const [NEAREST, FARTHEST] = [3, 3]; // of the other sentences with the token, those that are drawn
const NEIGHBOURS = 5; // other tokens at each place
const DIMENSIONS = 2; // numbers of a vector that the arithmetic writes out

/** Tokens of many sentences. unit: their vectors at unit length at each place of the encoder, (N, D); mean: of these, (D,). */
type Pool = {
  tokens: readonly { token: Token; sentence: string; isWhole: boolean }[];
  places: readonly { unit: Tensor; mean: Float64Array }[];
};
type Other = { text: string; cosines: number[]; start: number[][]; typed: boolean };

const pools = new WeakMap<Weights, { edits: string; pool: Pool }>(); // the last one of each model

/** The answer is as in Python. second: a sentence of the reader's, maybe empty. */
export function* inContext(scene: Scene, asked: URLSearchParams): Generator<unknown, Uint8Array> {
  const { model, explanation, sentences } = scene;
  const { source, edits, trace } = explanation;
  const second = asked.get("second") ?? "";
  const streams = streamSites(model.config, "encoder").map((site) => siteOf(trace, site));
  if (!streams.every(({ data }) => data.every(Number.isFinite))) throw lacking(scene, "in_context");
  const known = pools.get(model.weights);
  const pool = known?.edits === edits ? known.pool : yield* poolOf(scene, sentences);
  pools.set(model.weights, { edits, pool });
  const own = second ? yield* poolOf(scene, [second]) : null;
  const units = streams.map(unit);
  const tokens = source.tokens.map((token, at) => {
    const vectors = units.map((place) => row(place, at));
    const cosines = similarity(pool, vectors);
    const mine = own ? same(own, token.id, similarity(own, vectors), "", true) : [];
    const others = [...mine.slice(0, 1), ...same(pool, token.id, cosines, source.text, false)];
    return {
      label: visible(labelOf(token)),
      others: others.sort((a, b) => (b.cosines.at(-1) as number) - (a.cosines.at(-1) as number)),
      start: vectors.map(startOf),
      average: vectors.map((vector, place) => dot(vector, pool.places[place]?.mean ?? [])),
      near: cosines.map((line) => nearest(pool, line, token.id)),
      missing: mine.length || !own ? "" : visible(scene.source.tokenizer.tokenText(token.id)),
    };
  });
  return pack({}, { tokens, second, d_model: model.config.d_model });
}

/** The vectors of all tokens of these texts; special tokens and bytes are left out, long texts are cut. Yields the share that is done. */
function* poolOf({ model, source, explanation }: Scene, texts: readonly string[]): Generator<unknown, Pool> {
  const { config } = model;
  const sites = streamSites(config, "encoder");
  const tokens: Pool["tokens"][number][] = [];
  const found = sites.map((): Tensor[] => []);
  const all = [...new Set(texts)];
  for (const [number, text] of all.entries()) {
    const read = source.tokenizer.encode(text, source.split);
    if (!read.tokens.length) continue;
    const framed = framedTokens(source.tokenizer, { ...read, tokens: read.tokens.slice(0, longestSource(config)) }, 0).tokens;
    const spoken = [...framed.keys()].filter((at) => source.tokenizer.isText((framed[at] as Token).id));
    const trace: Trace = new Map();
    const ids = framed.map(({ id }) => id);
    encode(model, ids, editor(siteEdits(explanation.table, config), recorder(trace)));
    for (const [place, site] of sites.entries()) found[place]?.push(take(siteOf(trace, site), spoken));
    for (const token of spoken.map((at) => framed[at] as Token)) {
      const word = token.word === null ? undefined : read.words[token.word];
      tokens.push({ token, sentence: read.text, isWhole: word?.start === token.start && word.end === token.end });
    }
    yield number / all.length;
  }
  const places = found.map((vectors) => {
    const all = unit(concatenated(vectors, 0));
    const mean = new Float64Array(config.d_model);
    for (const [at, value] of all.data.entries()) mean[at % mean.length] = (mean[at % mean.length] ?? 0) + value / tokens.length;
    return { unit: all, mean };
  });
  return { tokens, places };
}

/** a / |a|. */
const unit = (vectors: Tensor) =>
  mapRows(vectors, (vector, into) => {
    const length = Math.max(norm(vector), 1e-12);
    for (let i = 0; i < vector.length; i += 1) into[i] = (vector[i] as number) / length;
  });

/** cos(a, b) between a token's unit vector at each place and those of all tokens of the pool. */
const similarity = ({ places, tokens }: Pool, vectors: readonly Float32Array[]) =>
  places.map(({ unit }, place) => Float32Array.from(tokens, (_, at) => dot(row(unit, at), vectors[place] ?? [])));

/** The pool's other sentences with this token that are drawn, the most similar after the last layer first. */
function same({ tokens, places }: Pool, id: number, cosines: readonly Float32Array[], text: string, typed: boolean): Other[] {
  const last = (at: number) => cosines.at(-1)?.[at] as number;
  const all = [...tokens.keys()].filter((at) => tokens[at]?.token.id === id && tokens[at].sentence !== text);
  all.sort((a, b) => last(b) - last(a));
  const drawn = all.length <= NEAREST + FARTHEST ? all : [...all.slice(0, NEAREST), ...all.slice(-FARTHEST)];
  return drawn.map((at) => ({
    text: visible(tokens[at]?.sentence ?? ""),
    cosines: cosines.map((line) => line[at] as number),
    start: places.map(({ unit }) => startOf(row(unit, at))),
    typed,
  }));
}

/** The most similar whole words of the pool, each once, without the token itself. */
function nearest({ tokens }: Pool, cosines: Float32Array, id: number) {
  const words = [...tokens.keys()].filter((at) => tokens[at]?.isWhole && tokens[at].token.id !== id);
  const best = new Map<number, [word: string, cosine: number]>();
  for (const at of words.sort((a, b) => (cosines[b] as number) - (cosines[a] as number))) {
    const { token } = tokens[at] as Pool["tokens"][number];
    if (!best.has(token.id)) best.set(token.id, [visible(labelOf(token)), cosines[at] as number]);
    if (best.size === NEIGHBOURS) break;
  }
  return [...best.values()];
}

const startOf = (vector: Float32Array) => [...vector.slice(0, DIMENSIONS)];
