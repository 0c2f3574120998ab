// Beam search, as in viz_core/decoding/beam.py: at every step the `size` best hypotheses are extended.

import { endsOf } from "../config";
import { topIds } from "../tensor";
import { logSoftmax, type Model } from "../transformer";
import { allowed, type Changes, comparable, type Prefix, Reader } from "./reading";

/** The tokens written so far, ⟨/s⟩ among them once it has ended, with numbers for each. */
export type Hypothesis = { ids: number[]; log_probs: number[]; totals: number[]; scores: number[]; ended: boolean };

/** A live hypothesis, by its index, extended by one token. */
export type Candidate = {
  parent: number;
  token: number;
  log_prob: number;
  total: number;
  score: number;
  fate: "kept" | "finished" | "pruned";
};

/** One step of the search: see `BeamStep` in Python. */
export type BeamStep = { candidates: Candidate[]; live: Hypothesis[]; finished: Hypothesis[]; reachable: number; done: boolean };

export type BeamSettings = { size: number; length_penalty: number; n_best: number; early_stop: boolean };

/** lp(Y) = ((5 + |Y|) / (5 + 1))^α  (Wu et al. 2016, §7, eq. 14). */
export const lengthPenalty = (length: number, alpha: number) => ((5 + length) / 6) ** alpha;

const EMPTY: Hypothesis = { ids: [], log_probs: [], totals: [], scores: [], ended: false };
const START: BeamStep = { candidates: [], live: [EMPTY], finished: [], reachable: 0, done: false };

/** The whole tree of a search, step by step. */
export function beam(model: Model, source: readonly number[], settings: BeamSettings, changes: Changes = {}) {
  const [reader, { config }] = [new Reader(model, source, changes), model];
  const how = { ...settings, ends: endsOf(config), most: reader.room };
  const steps: BeamStep[] = [];
  let [step, prefixes] = [START, [reader.start]];
  while (!step.done && steps.length < reader.room) {
    const { live } = step;
    const read = live.map(({ ids }, index) => reader.read(ids.at(-1) ?? config.bos_id, prefixes[index] as Prefix));
    const only = reader.only(steps.length);
    const possible = read.flatMap(([raw], parent) => {
      const logits = comparable(raw);
      const among = allowed(logits, config);
      const best = topIds(among, how.size + how.ends.length).filter((id) => among[id] !== Number.NEGATIVE_INFINITY);
      const [logProbs, before] = [logSoftmax(logits), live[parent]?.totals.at(-1) ?? 0];
      return (only === undefined ? best : [only]).map((token) => {
        const log_prob = logProbs[token] as number;
        return { parent, token, log_prob, total: before + log_prob };
      });
    });
    step = nextStep(step, possible, steps.length + 1, how);
    const kept = step.candidates.filter(({ fate }) => fate === "kept");
    prefixes = kept.map(({ parent }) => (read[parent] as [Float32Array, Prefix])[1]);
    steps.push(step);
  }
  return steps;
}

/** The n_best hypotheses, best first; unfinished ones after all others. */
export const ranked = ({ finished, live }: BeamStep, nBest: number) =>
  [...finished, ...live.toSorted((a, b) => scoreOf(b) - scoreOf(a))].slice(0, nBest);

type Possible = Omit<Candidate, "score" | "fate">;
type How = BeamSettings & { ends: readonly number[]; most: number };

function nextStep({ live: parents, finished: before }: BeamStep, possible: Possible[], length: number, how: How): BeamStep {
  const { size, length_penalty: alpha, n_best: nBest, early_stop: early, ends, most } = how;
  const sorted = possible
    .filter(({ log_prob }) => log_prob > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.total - a.total || a.parent - b.parent || a.token - b.token);
  let kept = 0;
  const candidates = sorted.map((candidate, rank): Candidate => {
    const ended = ends.includes(candidate.token);
    const stays = ended ? rank < size : kept < size;
    kept += Number(stays && !ended);
    const fate = stays ? (ended ? "finished" : "kept") : "pruned";
    return { ...candidate, score: candidate.total / lengthPenalty(length, alpha), fate };
  });
  const extended = (wanted: Candidate["fate"]) =>
    candidates.filter(({ fate }) => fate === wanted).map((each) => then(parents[each.parent] as Hypothesis, each));
  const live = candidates.length ? extended("kept") : parents;
  const finished = [...before, ...extended("finished")].sort((a, b) => scoreOf(b) - scoreOf(a));
  const reachable = Math.max(...live.map(({ totals }) => totals.at(-1) ?? 0)) / lengthPenalty(most, alpha);
  const certain = finished.length >= nBest && scoreOf(finished[nBest - 1]) >= reachable;
  return { candidates, live, finished, reachable, done: !kept || length === most || (early && certain) };
}

function then(parent: Hypothesis, { token, log_prob, total, score, fate }: Candidate): Hypothesis {
  const { ids, log_probs, totals, scores } = parent;
  return {
    ids: [...ids, token],
    log_probs: [...log_probs, log_prob],
    totals: [...totals, total],
    scores: [...scores, score],
    ended: fate === "finished",
  };
}

const scoreOf = (hypothesis: Hypothesis | undefined) => hypothesis?.scores.at(-1) ?? 0;
