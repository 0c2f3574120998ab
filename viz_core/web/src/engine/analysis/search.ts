// Beam search of an explained sentence, with greedy decoding for comparison, as in viz_core/analysis/search.py.

import { idsOf } from "../tokenizer/base";
import { isWhole, siteEdits } from "../edits";
import { type BeamSettings, type BeamStep, beam, type Hypothesis, lengthPenalty, ranked } from "../decoding/beam";
import type { Changes, Forced } from "../decoding/reading";
import { type Explanation, type Translator, forcedToken } from "../explain";
import { row, type Tensor } from "../tensor";

const UNCACHED_STEPS = 48; // most steps where an edit forbids the cache, so that each step recomputes the whole prefix
const GREEDY = { size: 1, length_penalty: 0, n_best: 1, early_stop: true };

/** Where a search stands as compared with greedy's sentence; fields as in Python's `BeamSearch`. Steps count from 0. */
export type BeamSearch = {
  steps: BeamStep[];
  hypotheses: Hypothesis[];
  best: Hypothesis;
  greedy: Hypothesis;
  forced: Forced;
  parts: number | null;
  ahead: number | null;
  pruned: number | null;
};

/** How the decoding of an explained sentence is changed: its edits, forced tokens, and the step at which it is cut off. */
export function changesOf({ model, target }: Translator, { table, given }: Explanation): Changes & { forced: Forced } {
  const forced = Array.from(
    given ? [] : table.words.force,
    ([step, word]) => [step, forcedToken(word, target.tokenizer).id] as const,
  );
  const whole = isWhole(table);
  return { edits: siteEdits(table, model.config), whole, forced: new Map(forced), most: whole ? UNCACHED_STEPS : undefined };
}

const searched = (translator: Translator, explanation: Explanation, how: BeamSettings) =>
  beam(translator.model, idsOf(explanation.source), how, changesOf(translator, explanation));

/** Greedy's sentence; it needs a search only where the explained sentence is another one. */
export const greedyOf = (translator: Translator, explanation: Explanation) =>
  written(translator, explanation) ?? (ranked(searched(translator, explanation, GREEDY).at(-1) as BeamStep, 1)[0] as Hypothesis);

/** Null where there is no candidate, as in an edited model that computes NaN. */
export function search(translator: Translator, explanation: Explanation, settings: BeamSettings): BeamSearch | null {
  const steps = searched(translator, explanation, settings);
  const hypotheses = ranked(steps.at(-1) as BeamStep, settings.n_best);
  const [best] = hypotheses;
  if (!steps[0]?.candidates.length || !best) return null;
  const own = greedyOf(translator, explanation);
  const scores = own.totals.map((total, at) => total / lengthPenalty(at + 1, settings.length_penalty));
  const greedy = { ...own, scores };
  const parts = best.ids.findIndex((_, step) => !sameUntil(step, best, greedy));
  const survives = ({ live, finished }: BeamStep, step: number) =>
    [...live, ...finished].some((one) => one.ids.length === step + 1 && sameUntil(step, one, greedy));
  const pruned = steps.slice(0, greedy.ids.length).findIndex((each, step) => !survives(each, step));
  const { forced } = changesOf(translator, explanation);
  return {
    steps,
    hypotheses,
    best,
    greedy,
    forced,
    parts: parts < 0 ? null : parts,
    ahead: overtaken(best, greedy),
    pruned: pruned < 0 ? null : pruned,
  };
}

const sameUntil = (step: number, { ids }: Hypothesis, other: Hypothesis) =>
  ids.slice(0, step + 1).join() === other.ids.slice(0, step + 1).join();

// Greedy's sentence from the explanation, if the model wrote it by itself and to its end.
function written({ model: { config } }: Translator, { output, trace, table, given }: Explanation): Hypothesis | null {
  const ids = output.map(({ id }) => id);
  if (given || isWhole(table) || table.words.force.size || ids.at(-1) !== config.eos_id) return null;
  const logProbs = ids.map((id, step) => row(trace.get("output.log_probs") as Tensor, step)[id] as number);
  let total = 0;
  const totals = logProbs.map((value) => {
    total += value;
    return total;
  });
  return Number.isFinite(total) ? { ids, log_probs: logProbs, totals, scores: totals, ended: true } : null;
}

/** The step at which the rival's score overtakes greedy's for good. A finished sentence keeps its last score. */
function overtaken(rival: Hypothesis, greedy: Hypothesis) {
  const at = ({ scores }: Hypothesis, step: number) => scores[Math.min(step, scores.length - 1)] ?? 0;
  let since: number | null = null;
  for (let step = Math.max(rival.ids.length, greedy.ids.length) - 1; step >= 0; step -= 1) {
    if (sameUntil(step, rival, greedy) || at(rival, step) <= at(greedy, step)) break;
    since = step;
  }
  return since;
}
