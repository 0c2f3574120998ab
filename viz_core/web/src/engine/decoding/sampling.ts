// Sampling, as in viz_core/decoding/sampling.py: a token is drawn from the distribution, or from its most probable part.

import { endsOf } from "../config";
import { logSoftmax, type Model } from "../transformer";
import { stream } from "./random";
import { allowed, type Changes, comparable, Reader } from "./reading";

/** draws: the indices of the wanted draws. */
export type SampleSettings = { temperature: number; top_k: number; top_p: number; seed: number; draws: readonly number[] };

/** A distribution after temperature and cut. order: the ids by probability; the first `count` are kept. tempered, probabilities: in
 * this order, with the temperature before the cut, and after it. */
export type Filtered = {
  order: Uint32Array;
  count: number;
  tempered: Float32Array;
  probabilities: Float32Array;
  mass_cut: number;
};

/** One token of a draw. dice: the number drawn; before, after: its probability without and with temperature and cut. */
export type SampleStep = { id: number; dice: number; before: number; after: number; count: number; mass_cut: number };

/** First the temperature, then top-k, then top-p of what top-k left (Holtzman et al. 2020, §3), renormalized. */
export function filtered(logits: Float32Array, temperature: number, topK: number, topP: number): Filtered {
  const scaled = Float64Array.from(comparable(logits), (logit) => logit / temperature);
  const at = (id: number | undefined) => scaled[id as number] as number;
  const order = Uint32Array.from(scaled, (_, id) => id).sort((a, b) => at(b) - at(a) || a - b);
  const powers = Float64Array.from(order, (id) => Math.exp(at(id) - at(order[0])) || 0); // −∞ − −∞ is NaN
  const possible = order.findIndex((id) => at(id) === Number.NEGATIVE_INFINITY);
  let count = Math.min(possible < 0 ? order.length : possible, topK || order.length);
  const total = (start: number, end: number) => powers.subarray(start, end).reduce((a, b) => a + b, 0);
  if (topP < 1) {
    const ofK = total(0, count);
    let [reached, nucleus] = [0, 0];
    while (nucleus < count && reached < topP) {
      reached += (powers[nucleus] as number) / ofK;
      nucleus += 1;
    }
    count = nucleus;
  }
  const [kept, cut] = [total(0, count), total(count, order.length)];
  const all = kept + cut || 1;
  const tempered = Float32Array.from(powers, (power) => power / all);
  const probabilities = Float32Array.from(powers, (power, rank) => (rank < count ? power / kept : 0));
  return { order, count, tempered, probabilities, mass_cut: Math.fround(cut / all) };
}

/** Several translations, each with its own stream of random numbers, which depends on the seed and on its index alone. */
export function sample(model: Model, source: readonly number[], how: SampleSettings, changes: Changes = {}) {
  const reader = new Reader(model, source, changes);
  return how.draws.map((draw) => {
    const [random, steps] = [stream(how.seed, draw), [] as SampleStep[]];
    let [id, prefix] = [model.config.bos_id, reader.start];
    while (steps.length < reader.room && !(steps.length && endsOf(model.config).includes(id))) {
      const [logits, next] = reader.read(id, prefix);
      const cut = filtered(allowed(logits, model.config), how.temperature, how.top_k, how.top_p);
      const dice = random();
      id = cut.count ? (reader.only(steps.length) ?? pointed(cut, dice)) : model.config.pad_id;
      const before = Math.exp(logSoftmax(comparable(logits))[id] as number);
      const after = cut.probabilities[cut.order.indexOf(id)] as number;
      steps.push({ id, dice, before, after, count: cut.count, mass_cut: cut.mass_cut });
      prefix = next;
    }
    return steps;
  });
}

/** The token at which the dice points: the kept ones lie side by side, most probable first, each as wide as its probability. */
function pointed({ order, count, probabilities }: Filtered, dice: number) {
  const width = (rank: number) => probabilities[rank] as number;
  const total = probabilities.reduce((a, b) => a + b, 0);
  let [edge, rank] = [width(0), 0];
  while (rank + 1 < count && edge <= dice * total) {
    rank += 1;
    edge += width(rank);
  }
  return order[rank] as number;
}
