// Sampling, as in pages/decoding/truncation.py: ten draws, and the distribution of each step before and after truncation.

import { changesOf, greedyOf } from "../analysis/search";
import { marked } from "../analysis/words";
import { endsOf } from "../config";
import { filtered, type SampleStep, sample } from "../decoding/sampling";
import { type Explanation, tracedPass } from "../explain";
import { sum } from "../../payload";
import { row } from "../tensor";
import { idsOf, type Tokenized } from "../tokenizer/base";
import { signsOf, stripped, visible } from "../tokenizer/text";
import { doubles, integers, lacking, pack, type Scene, siteOf, vocabularyLabel } from "./view";

const DRAWS = 10;

type Settings = { temp: number; top_k: number; top_p: number; seed: number; draw: number };
type Draw = readonly SampleStep[];

const settingsOf = (asked: URLSearchParams) =>
  Object.fromEntries(["temp", "top_k", "top_p", "seed", "draw"].map((name) => [name, Number(asked.get(name))])) as Settings;

/** The draws of a sentence with the settings that were asked for last, so that another one is highlighted at once. */
const kept = new WeakMap<Explanation, { key: string; draws: Draw[] }>();
const keyOf = ({ temp, top_k, top_p, seed }: Settings) => [temp, top_k, top_p, seed].join();

export function* sampledSentences(scene: Scene, asked: URLSearchParams): Generator<number, Uint8Array> {
  const { model, explanation, target } = scene;
  const settings = settingsOf(asked);
  const draws = knownDraws(scene, settings) ?? [];
  while (draws.length < DRAWS) {
    yield draws.length / DRAWS;
    draws.push(sampled(scene, settings, draws.length + 1));
  }
  kept.set(explanation, { key: keyOf(settings), draws });
  const greedy = greedyOf(scene, explanation);
  const totals = [greedy.totals.at(-1) ?? 0, ...draws.map((draw) => sum(draw.map((step) => step.log_prob)))];
  if (!totals.every(Number.isFinite)) throw lacking(scene, "sampled_sentences");
  const all = [greedy.ids, ...draws.map((draw) => draw.map(({ id }) => id))];
  const read = all.map((ids) => target.tokenizer.read(ids, target.split));
  const { forced } = changesOf(scene, explanation);
  const lines = read.map((line, at) => {
    const ids = all[at] as number[];
    const ofWords = new Set([...forced.keys()].map((step) => line.tokens[step]?.word ?? -1));
    const words = marked(read[0] as Tokenized, line); // every second piece is a word
    return {
      words: words.map(([piece, differs], index) => [piece, differs, index % 2 === 1 && ofWords.has((index - 1) / 2)]),
      tokens: ids.length,
      ended: at ? endsOf(model.config).includes(ids.at(-1) ?? -1) : greedy.ended,
    };
  });
  const { temp: t, top_k: k, top_p: p, seed, draw } = settings;
  const end = visible(target.tokenizer.tokenText(model.config.eos_id));
  return pack({ totals: doubles(totals) }, { lines, settings: { t, k, p, seed, draw, end } });
}

function knownDraws({ explanation }: Scene, settings: Settings) {
  const last = kept.get(explanation);
  return last?.key === keyOf(settings) ? last.draws : null;
}

function sampled(scene: Scene, { temp: temperature, top_k, top_p, seed }: Settings, draw: number): Draw {
  const how = { temperature, top_k, top_p, seed, draws: [draw - 1] };
  return sample(scene.model, idsOf(scene.explanation.source), how, changesOf(scene, scene.explanation))[0] ?? [];
}

// The distribution of each step before and after truncation.

const SHOWN = 10; // tokens of a step that have bars
const POINTS = 300; // of the curve, evenly spaced on its logarithmic axis

type Step = {
  before: string;
  tokens: string[];
  numbers: Record<string, number[]>;
};

export function truncation(scene: Scene, asked: URLSearchParams) {
  const settings = settingsOf(asked);
  const { temp, top_k, top_p, draw } = settings;
  const total = scene.target.tokenizer.vocab.length;
  const ranks = curveRanks(total);
  const chosen = draw ? (knownDraws(scene, settings)?.[draw - 1] ?? sampled(scene, settings, draw)) : null;
  const steps = cutStepsOf(scene, settings, chosen, ranks);
  const about = {
    ranks,
    total,
    prefixes: steps.map(({ before }) => visible(stripped(before))),
    tokens: steps.map(({ tokens }) => tokens.map(visible)),
    settings: { t: temp, k: top_k, p: top_p, draw, steps: (chosen ?? steps).length },
  };
  const of = (name: string) => steps.map(({ numbers }) => numbers[name] ?? []);
  const shares = ["model", "tempered", "before", "after", "mass", "chosen"].map((name) => [name, doubles(of(name))]);
  return pack({ ...Object.fromEntries(shares), cut: integers(of("cut")) }, about);
}

/** The ranks, from 1, at which the curve is drawn. */
const curveRanks = (total: number) => [
  ...new Set(Array.from({ length: POINTS }, (_, at) => Math.round(total ** (at / (POINTS - 1))))),
];

/** All steps of the explained sentence: of greedy's words, or of those of one draw. */
function cutStepsOf(scene: Scene, settings: Settings, chosen: Draw | null, curve: readonly number[]): Step[] {
  const { model, explanation, target } = scene;
  const [changes, total] = [changesOf(scene, explanation), target.tokenizer.vocab.length];
  const ids = chosen?.map(({ id }) => id) ?? null;
  const reads = ids && [model.config.bos_id, ...ids.slice(0, -1)];
  const trace = reads ? tracedPass(model, idsOf(explanation.source), reads, explanation.table) : explanation.trace;
  const logProbs = siteOf(trace, "output.log_probs");
  const steps: Step[] = [];
  for (const [step, { start }] of explanation.output.entries()) {
    if (chosen && step >= chosen.length) {
      const nothing = Object.entries(steps[0]?.numbers ?? {}).map(([name, { length }]) => [name, Array<number>(length).fill(0)]);
      steps.push({ before: "", tokens: [], numbers: Object.fromEntries(nothing) });
      continue;
    }
    const own = row(logProbs, step);
    const { order, count, tempered, probabilities, mass_cut: lost } = filtered(own, settings.temp, settings.top_k, settings.top_p);
    const [id, isForced] = [ids ? ids[step] : changes.forced.get(step), changes.forced.has(step)];
    const rankOfDrawn = id === undefined ? -1 : order.indexOf(id);
    const before = ids ? target.tokenizer.decode(ids.slice(0, step)) : signsOf(explanation.text).slice(0, start).join("");
    const ranks = Array.from({ length: Math.min(SHOWN, total) }, (_, rank) => rank);
    if (rankOfDrawn >= SHOWN) ranks[ranks.length - 1] = rankOfDrawn;
    const others = (values: Float32Array) => values.reduce((sum, value, rank) => sum + (ranks.includes(rank) ? 0 : value), 0);
    const bars = (values: Float32Array) => [...ranks.map((rank) => values[rank] as number), others(values)];
    const picked =
      id === undefined ? [0, 0, 0] : [rankOfDrawn + 1, Math.exp(own[id] as number), probabilities[rankOfDrawn] as number];
    steps.push({
      before,
      tokens: ranks.map((rank) => vocabularyLabel(target.tokenizer, order[rank] as number)),
      numbers: {
        model: curve.map((rank) => Math.exp(own[order[rank - 1] as number] as number)),
        tempered: curve.map((rank) => tempered[rank - 1] as number),
        before: bars(tempered),
        after: bars(probabilities),
        cut: [count, Math.min(rankOfDrawn, SHOWN - 1)],
        mass: [1 - lost, sum(tempered.subarray(0, settings.top_k || total))],
        chosen: [Number(isForced), ...picked, chosen?.[step]?.dice ?? 0],
      },
    });
  }
  return steps;
}
