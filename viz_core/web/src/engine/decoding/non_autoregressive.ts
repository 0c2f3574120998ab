// Decoding of all tokens at once, in a few passes, as in viz_core/decoding/non_autoregressive.py.

import { affine } from "../blocks";
import { OFF } from "../taps";
import { argmax, row, size, take, type Tensor, topIds } from "../tensor";
import { begin, decode, type Encoded, generate, logSoftmax, type Model } from "../transformer";

const MASK_ID = 3;

/** The N tokens after a pass: their ln p in the pass that wrote them, the places that were masked before it and written by it, and
 * there ln p of all tokens, (masked, V). */
export type Iteration = { ids: number[]; scores: number[]; hidden: boolean[]; logProbs: Tensor };

/** Log-probabilities at each of N places, (N, V), of each pass, at most `most`, until one repeats the one before. */
export function fixedPointSteps(model: Model, encoded: Encoded, length: number, most: number, tap = OFF): Tensor[] {
  const [steps, start] = [[] as Tensor[], begin(model, encoded)];
  for (let read = Array<number>(length).fill(model.config.bos_id); steps.length < most; ) {
    const [states] = decode(model, read, encoded, start, tap);
    const logProbs = generate(model, states, tap.at("output"));
    steps.push(logProbs);
    const after = [...read.slice(0, 1), ...bestOf(logProbs).slice(0, -1)];
    if (after.join() === read.join()) break;
    read = after;
  }
  return steps;
}

/** The most probable token of each row. */
export const bestOf = (logProbs: Tensor) => Array.from({ length: size(logProbs, 0) }, (_, at) => argmax(row(logProbs, at)));

/** How many places are masked: n = N · (T − t) / T, rounded down (§3.2, eq. 3); all of them at t = 0. */
const maskedCount = (length: number, iteration: number, iterations: number) =>
  Math.floor((length * (iterations - iteration)) / iterations);

/** Fills the places pass by pass, the least sure ones again, until none is masked any more. */
export function maskPredictSteps(model: Model, encoded: Encoded, length: number, iterations: number): Iteration[] {
  const [steps, places] = [[] as Iteration[], [...Array(length).keys()]];
  let [ids, scores] = [places.map(() => MASK_ID), places.map(() => 0)];
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const count = maskedCount(length, iteration, iterations);
    if (!count) break;
    const masked = [...places].sort((a, b) => (scores[a] as number) - (scores[b] as number)).slice(0, count);
    masked.sort((a, b) => a - b);
    const hidden = places.map((place) => masked.includes(place));
    const read = ids.map((id, place) => (hidden[place] ? MASK_ID : id));
    const logProbs = generate(model, take(statesOf(model, encoded, read), masked));
    const best = bestOf(logProbs);
    [ids, scores] = [[...ids], [...scores]];
    for (const [at, place] of masked.entries()) {
      ids[place] = best[at] as number;
      scores[place] = row(logProbs, at)[best[at] as number] as number;
    }
    steps.push({ ids, scores, hidden, logProbs });
  }
  return steps;
}

/** ln p of the token behind each position but the last, when it has the given token and all others are known, (V,). */
export function* nextGivenOthers(model: Model, encoded: Encoded, ids: readonly number[], tokens: readonly number[]) {
  for (const [place, token] of tokens.entries()) {
    const read = ids.map((id, at) => (at === place ? token : at === place + 1 ? MASK_ID : id));
    yield row(generate(model, take(statesOf(model, encoded, read), [place + 1])), 0);
  }
}

const statesOf = (model: Model, encoded: Encoded, read: readonly number[]) =>
  decode(model, read, encoded, begin(model, encoded))[0];

/** ln p of each length of the translation, from the memory at ⟨/s⟩. */
export function lengthLogProbs({ weights }: Model, { memory, mask }: Encoded) {
  const last = mask.data.reduce((sum, real) => sum + real, 0) - 1;
  return logSoftmax(affine(take(memory, [last]), weights.at("length")).data);
}

/** The most probable lengths, each at least 1 token. */
export const likelyLengths = (model: Model, encoded: Encoded, count: number) =>
  topIds(lengthLogProbs(model, encoded).subarray(1), count).map((id) => id + 1);
