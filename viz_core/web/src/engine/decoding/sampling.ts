// Sampling, as in viz_core/decoding/sampling.py: a token is drawn from the distribution, or from its most probable part, with the random
// numbers that Python draws.

import { endsOf } from "../config";
import { logSoftmax, type Model } from "../transformer";
import { allowed, type Changes, comparable, Reader } from "./reading";

// The random numbers of Python's draws: NumPy's SeedSequence makes a seed of 32 bits, from which torch's MT19937 makes the numbers.

const next32 = Math.imul;

/** The numbers of one draw, evenly from 0…1, as in viz_core/decoding/sampling.py. */
export function stream(seed: number, draw: number) {
  const engine = mersenneTwister(seedSequence([...words(seed), ...words(draw)]));
  return () => ((engine() & 0x1fffff) * 2 ** 32 + engine()) / 2 ** 53;
}

/** The numbers of `torch.rand` after `manual_seed`: 24 bits each. */
export function uniform(seed: number) {
  const engine = mersenneTwister(seed);
  return () => (engine() & 0xffffff) / 2 ** 24;
}

const words = (number: number) => (number < 2 ** 32 ? [number] : [number % 2 ** 32, Math.floor(number / 2 ** 32)]);

/** The first of NumPy's `SeedSequence(entropy).generate_state` (O'Neill 2015, "Developing a seed_seq alternative"). */
function seedSequence(entropy: readonly number[]) {
  let constant = 0x43b0d7e5;
  const hashed = (value: number) => {
    const before = value ^ constant;
    constant = next32(constant, 0x931e8875);
    const product = next32(before, constant);
    return product ^ (product >>> 16);
  };
  const mixed = (x: number, y: number) => {
    const result = (next32(0xca01f9dd, x) - next32(0x4973f715, y)) | 0;
    return result ^ (result >>> 16);
  };
  const pool = [0, 1, 2, 3].map((at) => hashed(entropy[at] ?? 0));
  for (let from = 0; from < 4; from += 1)
    for (let to = 0; to < 4; to += 1) if (from !== to) pool[to] = mixed(pool[to] as number, hashed(pool[from] as number));
  const product = next32((pool[0] as number) ^ 0x8b51f9dd, next32(0x8b51f9dd, 0x58f38ded));
  return (product ^ (product >>> 16)) >>> 0;
}

/** Numbers of 32 bits (Matsumoto & Nishimura 1998). */
function mersenneTwister(seed: number) {
  const state = new Uint32Array(624);
  state[0] = seed;
  for (let i = 1; i < 624; i += 1) {
    const before = state[i - 1] as number;
    state[i] = next32(1812433253, before ^ (before >>> 30)) + i;
  }
  let at = 624;
  return () => {
    if (at === 624) {
      for (let i = 0; i < 624; i += 1) {
        const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % 624] as number) & 0x7fffffff);
        state[i] = (state[(i + 397) % 624] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let y = state[at] as number;
    at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

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

/** One token of a draw. dice: the number drawn; log_prob: without temperature and cut; before, after: its probability without and with
 * them. */
export type SampleStep = { id: number; dice: number; log_prob: number } & Record<"before" | "after" | "count" | "mass_cut", number>;

/** First the temperature, then top-k, then top-p of what top-k left (Holtzman et al. 2020, §3), renormalized. */
export function filtered(logits: Float32Array, temperature: number, topK: number, topP: number): Filtered {
  const scaled = new Float64Array(comparable(logits)).map((logit) => logit / temperature); // `from` with a function is slow
  const at = (id: number | undefined) => scaled[id as number] as number;
  const order = descending(scaled);
  const powers = new Float64Array(order).map((id) => Math.exp(at(id) - at(order[0])) || 0); // −∞ − −∞ is NaN
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
  const tempered = new Float32Array(powers.map((power) => power / all));
  const probabilities = new Float32Array(powers.map((power, rank) => (rank < count ? power / kept : 0)));
  return { order, count, tempered, probabilities, mass_cut: Math.fround(cut / all) };
}

/** The indices from the greatest number to the least, equal ones in their own order: faster than a sort that compares by a function. */
function descending(numbers: Float64Array) {
  const [sorted, length] = [numbers.slice().sort(), numbers.length];
  const [order, taken] = [new Uint32Array(length), new Uint32Array(length + 1)];
  for (let index = 0; index < length; index += 1) {
    let [low, high] = [0, length]; // until all before `low` are at most as great, and all after it greater
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as number) <= (numbers[index] as number)) low = middle + 1;
      else high = middle;
    }
    const equals = taken[low] as number;
    order[length - low + equals] = index;
    taken[low] = equals + 1;
  }
  return order;
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
      const logProb = logSoftmax(comparable(logits))[id] as number;
      const after = cut.probabilities[cut.order.indexOf(id)] as number;
      steps.push({ id, dice, log_prob: logProb, before: Math.exp(logProb), after, count: cut.count, mass_cut: cut.mass_cut });
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
