// The next-token distributions, as in viz_core/browser/output_payload.py, also before and after truncation, as in
// pages/decoding/truncation.py.

import { generatorWeight } from "../config";
import { row, type Tensor } from "../tensor";
import type { Model } from "../transformer";
import { visible, signsOf, stripped } from "../tokenizer/text";
import { labelled, rankOf, stepsOf, topIds, written, floats, integers, pack, type Scene, siteOf, vocabularyLabel } from "./view";
import { idsOf } from "../tokenizer/base";
import { changesOf } from "../analysis/search";
import { type SampleStep, filtered, sample } from "../decoding/sampling";
import { tracedPass } from "../explain";

const MOST = 20; // labelled tokens of a step
const NAMED = 3; // products of a logit

export function nextToken({ model, explanation, target }: Scene) {
  const [logits, steps] = [siteOf(explanation.trace, "output.logits"), stepsOf(explanation)];
  const ids = steps.map(({ logProbs, expected }) => [...topIds(logProbs, MOST), expected.id]);
  const logProbsOf = (at: number, step: number) => (ids[step] ?? []).map((id) => steps[at]?.logProbs[id] ?? Number.NaN);
  const tensors = {
    logits,
    ids: integers(ids),
    log_probs: floats(ids.map((_, step) => logProbsOf(step, step))),
    before: floats(ids.map((_, step) => logProbsOf(step - 1, step))),
    ranks: integers(steps.map(({ logProbs, expected }) => rankOf(logProbs, expected.id))),
    ...termsOf(model, siteOf(explanation.trace, "decoder.states"), ids),
  };
  const about = {
    labels: labelled(target.tokenizer, ids.flat()),
    tokens: explanation.output.map(({ text }) => visible(text)),
    chosen: steps.map(({ chosen }) => visible(target.tokenizer.tokenText(chosen))),
    written: written(explanation),
    limits: limitsOf(logits.data),
    given_target: explanation.given,
  };
  return pack(tensors, about);
}

/** The products that make up each candidate's logit: the largest, with their dimensions and both factors; all others; the bias. */
function termsOf({ config, weights }: Model, states: Tensor, ids: readonly (readonly number[])[]) {
  const output = weights.get(generatorWeight(config));
  const biases = config.output_bias ? weights.get("generator.bias").data : null;
  const terms = ids.map((candidates, step) => {
    const x = row(states, step);
    return candidates.map((id) => {
      const w = row(output, id);
      const products = Array.from(x, (value, dim) => value * (w[dim] as number));
      const dims = [...products.keys()]
        .sort((a, b) => Math.abs(products[b] as number) - Math.abs(products[a] as number))
        .slice(0, NAMED);
      const others = sumOf(products) - sumOf(dims.map((dim) => products[dim] as number));
      const factors = { states: dims.map((dim) => x[dim] as number), weights: dims.map((dim) => w[dim] as number) };
      return { dims, others, ...factors, bias: biases?.[id] ?? 0 };
    });
  });
  return {
    places: integers(terms.map((step) => step.map(({ dims }) => dims))),
    states: floats(terms.map((step) => step.map(({ states }) => states))),
    weights: floats(terms.map((step) => step.map(({ weights }) => weights))),
    others: floats(terms.map((step) => step.map(({ others }) => others))),
    ...(biases && { biases: floats(terms.map((step) => step.map(({ bias }) => bias))) }),
  };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** Whole numbers that enclose 0 and every logit. */
function limitsOf(logits: Float32Array) {
  const [low, high] = logits.reduce(([low, high], z) => [Math.min(low, z), Math.max(high, z)], [0, 0] as [number, number]);
  return [Math.floor(low), Math.ceil(high)];
}

// The distribution of each step before and after truncation, as in pages/decoding/truncation.py.

const SHOWN = 10; // tokens of a step that have bars
const POINTS = 300; // of the curve, evenly spaced on its logarithmic axis

type Settings = { temp: number; top_k: number; top_p: number; seed: number; draw: number };
type Step = {
  before: string;
  tokens: string[];
  numbers: Record<string, number[]>;
};

export function truncation(scene: Scene, asked: URLSearchParams) {
  const number = (name: string) => Number(asked.get(name));
  const settings = {
    ...Object.fromEntries(["temp", "top_k", "top_p", "seed", "draw"].map((name) => [name, number(name)])),
  } as Settings;
  const { temp, top_k, top_p, draw } = settings;
  const total = scene.target.tokenizer.vocab.length;
  const ranks = curveRanks(total);
  const chosen = draw ? drawn(scene, settings) : null;
  const steps = cutStepsOf(scene, settings, chosen, ranks);
  const about = {
    ranks,
    total,
    prefixes: steps.map(({ before }) => visible(stripped(before))),
    tokens: steps.map(({ tokens }) => tokens.map(visible)),
    settings: { t: temp, k: top_k, p: top_p, draw, steps: (chosen ?? steps).length },
  };
  const joined = (name: string) => steps.flatMap(({ numbers }) => numbers[name] ?? []);
  const sent = (name: string) => ({
    shape: [steps.length, steps[0]?.numbers[name]?.length ?? 0],
    data: Float64Array.from(joined(name)),
  });
  const doubles = Object.fromEntries(["model", "tempered", "before", "after", "mass", "chosen"].map((name) => [name, sent(name)]));
  return pack({ ...doubles, cut: integers(joined("cut"), [steps.length, 2]) }, about);
}

/** The ranks, from 1, at which the curve is drawn. */
const curveRanks = (total: number) => [
  ...new Set(Array.from({ length: POINTS }, (_, at) => Math.round(total ** (at / (POINTS - 1))))),
];

/** All steps of the explained sentence: of greedy's words, or of those of one draw. */
function cutStepsOf(scene: Scene, settings: Settings, chosen: readonly SampleStep[] | null, curve: readonly number[]): Step[] {
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
        mass: [1 - lost, sumOf([...tempered.subarray(0, settings.top_k || total)])],
        chosen: [Number(isForced), ...picked, chosen?.[step]?.dice ?? 0],
      },
    });
  }
  return steps;
}

/** The steps of the draw whose words are read. */
function drawn(scene: Scene, { temp: temperature, top_k, top_p, seed, draw }: Settings) {
  const how = { temperature, top_k, top_p, seed, draws: [draw - 1] };
  return sample(scene.model, idsOf(scene.explanation.source), how, changesOf(scene, scene.explanation))[0] ?? [];
}
