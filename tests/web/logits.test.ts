// The logit lens, a logit as a sum and the words of the source: what stands below them, also where numbers do not add up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { lensOfSteps } from "../../pages/why/browser/lens_of_steps";
import { logitSums } from "../../pages/why/browser/logit_sums";
import { sourceWords } from "../../pages/why/browser/source_words";
import { underPoint } from "../../viz_core/web/src/figure";

const SHAPES = { top: [1, 3, 1], shares: [1, 3, 1], log_probs: [1, 3, 2], ranks: [1, 3, 2] };

test("from which layer on the word leads", () => {
  const lens = (ranks: number[], logProb = Math.log(0.5)) => {
    const layers = { log_probs: ranks.map(() => [logProb, -1]), ranks: ranks.map((rank) => [rank, 2]) };
    const tensors = { top: rows("1 2 1"), shares: rows("0.5 0.25 0.75"), words: rows("1 2"), ...layers };
    const about = { labels: { 1: "<b>", 2: "b" }, written: ["<b>"], against: 1 };
    return lensOfSteps.read(payload(tensors, about, SHAPES), null, "").below(view({ layer: 1 }));
  };
  const told = [lens([1, 1, 1]), lens([7, 1, 2]), lens([7, 2, 1])].map((each) => each.told);
  assert.deepEqual(told, ["always_first", "never_first", "first_from"]);
  const { first, same, rank_first, probability, layer, word } = lens([1234, 2, 1]);
  assert.deepEqual([first, same, rank_first, probability, layer], [2, "same_rival", "1,234", "50 %", 2]);
  assert.ok(!word.includes("<"));
  const { told: unknown, computed } = lens([1, 1, 1], Number.NaN);
  assert.deepEqual([unknown, computed], ["unknown", ""]);
});

test("a remainder is a row at all steps where one step's is more than rounding", () => {
  const sums = (value: number) => {
    const tensors = { terms: rows("1 0.5 -1 2 0.25 0.25; 0 0 0 1 0 0"), value: [[3, value]], heads: rows("1 1 0 1") };
    const about = { written: ["a", "b"], rivals: ["_", "c"], same: [false, true] };
    return logitSums.read(payload(tensors, about, { value: [2], heads: [2, 1, 2] }), null, "");
  };
  assert.deepEqual(
    [1.0001, 2].map((value) => logitSums.at(sums(value), view()).rows.length),
    [7, 8],
  );
  const [exact, lacking] = [sums(2).below(view()), sums(2).below(view({ step: 1 }))];
  assert.deepEqual([exact.told, exact.same, lacking.told, lacking.same], ["exact", "", "no_sum", "same_rival"]);
  assert.equal(lacking.remainder, "1.000");
  assert.ok(exact.left.includes("\\text{\\_}") && exact.terms.includes("{(2.000)}") && !exact.terms.includes("remainder"));
});

const TENSORS = {
  losses: rows("1 -0.5 3; 0 -1 0.001; 0.25 2 0"),
  gradients: rows("0.5 0.25 0; -1 0 2; NaN NaN NaN"),
  keys: rows("2 0 0; 0 -1 5; 0.5 1.5 0"),
  numbers: rows("9 -2 -3 0.5; 8 -1 -1 -1; 7 NaN NaN NaN"),
};
const ABOUT = { words: ["cat", "<b>", "</s>"], count: 2, written: ["Katze", "·n", "</s>"] };
const read = (gradients: number) => sourceWords.read(payload(TENSORS, { ...ABOUT, gradients }), null, "");

test("each method names its best word, never a special token", () => {
  const data = read(0);
  const shown = sourceWords.at(data, view());
  assert.equal(shown.scores.map(({ best }) => best).join(" "), "0 0 0");
  const { told, best, loss, value, distance, error } = data.below(view()) as Record<string, string>;
  assert.deepEqual([told, best, loss, value, distance, error], ["agree", "cat", "1.000", "-2.000", "1.000", "0.250"]);
  const none = data.below(view({ step: 1 })) as Record<string, string>;
  assert.deepEqual(
    [none.told, none.names],
    [
      "agree_on_none",
      ["erasure", "integrated gradients", "logit attribution"].map((way) => `no word (${way}: no score above 0)`).join(", "),
    ],
  );
  assert.equal(
    sourceWords.reading(shown, null),
    "erasure, «cat»: 1.00    integrated gradients, «cat»: 0.50    logit attribution, «cat»: 2.00",
  );
  const scene = sourceWords.scene(shown, ROOM, null);
  const spot = underPoint(scene, 900, placeOf(drawn(scene.marks), "cat").y);
  assert.deepEqual([spot, sourceWords.reading(shown, spot)], [{ column: 2, row: 0 }, "logit attribution, «cat»: 2.00"]);
});

test("scores that are still to come have no bars and no numbers; those that cannot come say so", () => {
  for (const [gradients, words, told] of [
    [1, "being computed …", "computing"] as const,
    [3, "only in the app", "absent"] as const,
  ]) {
    const data = read(gradients);
    const shown = sourceWords.at(data, view({ step: 2 }));
    const all = texts(drawn(sourceWords.scene(shown, ROOM, null).marks));
    assert.equal(all.filter((each) => each === words).length, 1);
    assert.ok(!all.includes("NaN"));
    assert.equal(sourceWords.reading(shown, { column: 1, row: 0 }), "integrated gradients, «cat»: …");
    assert.deepEqual(data.below(view({ step: 2 })), { told, computed: "" });
  }
});
