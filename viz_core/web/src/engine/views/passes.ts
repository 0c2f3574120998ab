// Non-autoregressive decoding, as `passes` in pages/decoding/passes.py.

import { changesOf } from "../analysis/search";
import { endsOf, longestSource, type ModelConfig } from "../config";
import {
  bestOf,
  fixedPointSteps,
  lengthLogProbs,
  likelyLengths,
  maskPredictSteps,
  nextGivenOthers,
} from "../decoding/non_autoregressive";
import { greedy } from "../decoding/reading";
import { type Explanation, framedTokens, type Translator } from "../explain";
import { greatestOf } from "../../payload";
import { isWhole } from "../edits";
import { editor, OFF } from "../taps";
import { argmax, row, type Tensor, tensor, topIds } from "../tensor";
import { idsOf } from "../tokenizer/base";
import { visible } from "../tokenizer/text";
import { type Encoded, encode } from "../transformer";
import { doubles, floats, integers, labelsOf, lacking, pack, type Scene } from "./view";

const LENGTHS = 3; // most probable ones that are tried
const TOP = 3; // tokens of each position that have bars

type Pass = { ids: number[]; scores: number[]; hidden: boolean[] };
/** first: ln p in the first pass, (N, V). chance: of its length, NaN if that was given. */
type Prediction = { passes: Pass[]; first: Tensor; chance: number };
/** Decoding token by token: its text and steps. */
type Written = { text: string; steps: number };

export function* passes(scene: Scene, asked: URLSearchParams): Generator<unknown, Uint8Array> {
  const { explanation, target, others } = scene;
  const [name, other, most] = [asked.get("masked") ?? "", asked.get("beside") ?? "", Number(asked.get("passes"))];
  const [masked, beside] = name ? [others(name), others(other)] : [null, scene];
  const encoded = masked && encode(masked.model, sourceOf(masked, explanation));
  const [tried, written] = masked && encoded ? filled(masked, encoded, beside, explanation, asked) : fixedPoint(scene, most);
  const { passes: all, first } = tried[0] as Prediction;
  if (!first.data.every(Number.isFinite)) throw lacking(scene, "passes");
  const { tokenizer, split } = masked?.target ?? target;
  const ids = all.at(-1)?.ids ?? [];
  const both = ids.slice(1).map((_, place) => bothOf(first, place));
  const tokens = both.map(([token]) => token);
  const informed = masked && encoded ? nextGivenOthers(masked.model, encoded, ids, tokens) : null;
  const pairs: object[] = [];
  for (const [place, token] of tokens.entries()) {
    yield place / tokens.length;
    const series = [row(first, place), row(first, place + 1), ...[informed?.next().value ?? []].flat()].map((logs) =>
      logs.map(Math.exp),
    );
    pairs.push(pairOf(token, series));
  }
  const labelled = pairs.flatMap((pair) => (pair as { ids: number[] }).ids).sort((a, b) => a - b);
  const about = {
    words: all.map((one) => labelsOf(tokenizer.read(one.ids, split).tokens)),
    pairs,
    likely: greatestOf(both.map(([, sum]) => sum)),
    labels: Object.fromEntries(labelled.map((id) => [id, visible(tokenizer.tokenText(id))])),
    vocabulary: tokenizer.vocab.length,
    text: visible(tokenizer.decode(ids)),
    settings: {
      ...{ name: masked ? name : scene.name, masked: masked !== null, most, whole: isWhole(explanation.table) },
      ignored: masked ? explanation.edits !== "" : explanation.given || explanation.table.words.force.size > 0,
    },
    steps: explanation.output.length,
    tried: masked ? tried.map((one) => [tokensOf(one).length, visible(tokenizer.decode(tokensOf(one)))]) : [],
    beside: {
      ...{ name: masked ? other : scene.name, text: visible(written.text), steps: written.steps },
      alike: masked !== null && isAlike(masked.model.config, beside.model.config),
    },
  };
  const tensors = {
    ids: integers(all.map((one) => one.ids)),
    probabilities: floats(all.map(({ scores }) => scores.map(Math.exp))),
    tried: doubles(masked ? tried.map((one) => [one.chance, meanOf(one)]) : [], [masked ? tried.length : 0, 2]),
    hidden: { shape: [all.length, ids.length], data: Uint8Array.from(all.flatMap(({ hidden }) => hidden.map(Number))) },
  };
  return pack(tensors, about);
}

// The same text as this model's encoder reads it.
function sourceOf({ model, source }: Translator, explanation: Explanation) {
  const read = source.tokenizer.encode(explanation.source.text, source.split);
  return idsOf(framedTokens(source.tokenizer, { ...read, tokens: read.tokens.slice(0, longestSource(model.config)) }, 0));
}

const tokensOf = ({ passes }: Prediction) => passes.at(-1)?.ids ?? [];
const meanOf = ({ passes }: Prediction) => passes.at(-1)?.scores.reduce((sum, score, _, all) => sum + score / all.length, 0) ?? 0;
const isAlike = (one: ModelConfig, other: ModelConfig) => one.n_layers === other.n_layers && one.d_model === other.d_model;

/** By mask-predict: of the most probable lengths, or of the one that the translation beside it has, the best first. */
function filled(
  { model, target }: Translator,
  encoded: Encoded,
  beside: Translator,
  explanation: Explanation,
  asked: URLSearchParams,
): [Prediction[], Written] {
  const longest = model.config.max_len - 1;
  const { text, tokens } = translated(beside, explanation, target);
  const isKnown = asked.get("count") === "known";
  const lengths = isKnown ? [Math.min(Math.max(tokens, 1), longest)] : likelyLengths(model, encoded, Math.min(LENGTHS, longest));
  const chances = lengthLogProbs(model, encoded);
  const tried = lengths.map((length): Prediction => {
    const passes = maskPredictSteps(model, encoded, length, Number(asked.get("passes")));
    return { passes, first: passes[0]?.logProbs as Tensor, chance: isKnown ? Number.NaN : Math.exp(chances[length] as number) };
  });
  return [tried.sort((one, other) => meanOf(other) - meanOf(one)), { text, steps: tokens + 1 }];
}

/** The translation by another model, and its number of tokens in this tokenizer. */
function translated(beside: Translator, explanation: Explanation, { tokenizer, split }: Translator["target"]) {
  const { ids } = greedy(beside.model, sourceOf(beside, explanation));
  const text = beside.target.tokenizer.decode(ids.filter((id) => !endsOf(beside.model.config).includes(id)));
  return { text, tokens: tokenizer.encode(text, split).tokens.length };
}

const ROUNDS = 5; // how often a time is measured; the shortest counts

/** The seconds that mask-predict and decoding token by token take here. */
export function* decodingTimes({ explanation, others }: Scene, asked: URLSearchParams): Generator<unknown, Uint8Array> {
  const [masked, beside] = [others(asked.get("masked") ?? ""), others(asked.get("beside") ?? "")];
  const most = Number(asked.get("passes"));
  const length = tokensOf(
    filled(masked, encode(masked.model, sourceOf(masked, explanation)), beside, explanation, asked)[0][0] as Prediction,
  ).length;
  const decodings = [
    () => maskPredictSteps(masked.model, encode(masked.model, sourceOf(masked, explanation)), length, most),
    () => translated(beside, explanation, masked.target),
  ];
  const seconds = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    yield round / ROUNDS;
    for (const [at, decode] of decodings.entries()) {
      // alternating, so that other load affects both
      const begun = performance.now();
      decode();
      seconds[at] = Math.min(seconds[at] as number, (performance.now() - begun) / 1000);
    }
  }
  return pack({}, { seconds });
}

/** By the causal decoder, as trained or edited. hidden: all positions from the first one that differs from greedy's. */
function fixedPoint(scene: Scene, most: number): [Prediction[], Written] {
  const { model, explanation, target } = scene;
  const { forced: _, ...changes } = changesOf(scene, explanation);
  const source = idsOf(explanation.source);
  const tap = changes.edits ? editor(changes.edits, OFF) : OFF;
  const { ids: written } = greedy(model, source, changes);
  const steps = fixedPointSteps(model, encode(model, source, tap), written.length, most, tap);
  const passes = steps.map((logProbs): Pass => {
    const ids = bestOf(logProbs);
    const differs = ids.findIndex((id, at) => id !== written[at]);
    const same = differs < 0 ? ids.length : differs;
    return { ids, scores: ids.map((id, at) => row(logProbs, at)[id] as number), hidden: ids.map((_, at) => at >= same) };
  });
  const text = target.tokenizer.decode(written);
  return [[{ passes, first: steps[0] ?? tensor([0, 0]), chance: Number.NaN }], { text, steps: written.length }];
}

/** The token that a position and the next are most likely to share before either sees the other's, and the sum of both ln p. */
function bothOf(first: Tensor, place: number) {
  const next = row(first, place + 1);
  const sums = row(first, place).map((log, id) => log + (next[id] as number));
  const token = argmax(sums);
  return [token, sums[token] as number] as const;
}

function pairOf(token: number, series: readonly Float32Array[]) {
  const [own] = series as [Float32Array];
  const ids = [...new Set([token, ...series.flatMap((values) => topIds(values, TOP))])];
  ids.sort((a, b) => (own[b] as number) - (own[a] as number));
  return { token, ids, series: series.map((values) => ids.map((id) => values[id] as number)) };
}
