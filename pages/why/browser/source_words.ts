// Which source words the written token depends on: their scores by erasure, integrated gradients and logit attribution.

import { number, percent } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { figure, type View } from "../../../viz_core/web/src/figure";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { bestOf, wordBarsOf } from "./word_bars";

const METHODS = ["erasure", "gradients", "keys"] as const;

type About = { words: string[]; count: number; written: string[]; gradients: number };

/** payload: from pages/why/source_words.py. below: the values of the texts below. */
function readSourceWords(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "losses" | "gradients" | "keys" | "numbers">(payload);
  const { words, count, written } = about;
  /** What awaits integrated gradients: the next run, or nothing where they cannot be computed. */
  const missing = (step: number) => (about.gradients && about.gradients !== step + 1 ? "awaited" : "absent");
  function at(view: View) {
    const step = Math.min(view.step, written.length - 1);
    const [losses, shares, keys] = [tensors.losses, tensors.gradients, tensors.keys].map((each) => Array.from(sliceOf(each, step)));
    const values = [losses, shares?.every(Number.isFinite) ? shares : null, keys];
    const scores = METHODS.map((method, index) => {
      const own = values[index] ?? null;
      const best = bestOf(own?.slice(0, count) ?? null); // special tokens are not named
      return { name: say(method), unit: say(`unit_${method}`), values: own, best, awaited: say(missing(step)) };
    });
    return { say, step, word: entryAt(written, step), words, scores };
  }
  function below(view: View) {
    const { step, word, scores } = at(view);
    const [erasure, gradients, keys] = scores.map(({ best }) => best);
    const [, shares, cross] = scores.map(({ values }) => values ?? []);
    const [logit, value, baseline, target] = Array.from(sliceOf(tensors.numbers, step)) as [number, number, number, number];
    const erased = Math.max(erasure ?? 0, 0);
    const best = escaped(nth(words, erased));
    if (!shares?.length) return { told: missing(step) === "awaited" ? "computing" : "absent", computed: "" };
    const [loss, distance, source] = [nth(sliceOf(tensors.losses, step), erased), value - baseline, sum(shares)];
    const error = source + target - distance;
    const named = scores.map(({ name, best: row }) =>
      row < 0 ? say("names_none", { way: name }) : say("names", { way: name, word: escaped(nth(words, row)) }),
    );
    const isOne = erasure === gradients && gradients === keys;
    const numbers = {
      loss,
      logit,
      value,
      baseline,
      distance,
      source,
      target,
      error,
      without: value - loss,
      cross: sum(cross ?? []),
    };
    return {
      ...Object.fromEntries(Object.entries(numbers).map(([name, each]) => [name, number(each)])),
      told: !isOne ? "disagree" : erased === erasure ? "agree" : "agree_on_none",
      names: named.join(say("between")),
      computed: "of_needed",
      word: escaped(word),
      best,
      share: distance ? percent(Math.abs(error / distance)) : "–",
    };
  }
  return { at, below };
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

export const sourceWords = wordBarsOf({
  read: readSourceWords,
  at: ({ at }: ReturnType<typeof readSourceWords>, view: View) => at(view),
  shared: "source_words",
});

export const mountSourceWords = figure(sourceWords);
