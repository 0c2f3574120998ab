// The logit lens and a logit as a sum: what stands below them, also where numbers overflow or do not add up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { payload, rows, view } from "./drawn";
import { lensOfSteps } from "../../pages/why/browser/lens_of_steps";
import { logitSums } from "../../pages/why/browser/logit_sums";

const SHAPES = { top: [1, 3, 1], shares: [1, 3, 1], log_probs: [1, 3, 2], ranks: [1, 3, 2] };

test("from which layer on the word leads", () => {
  const lens = (ranks: number[], logProb = Math.log(0.5)) => {
    const layers = { log_probs: ranks.map(() => [logProb, -1]), ranks: ranks.map((rank) => [rank, 2]) };
    const tensors = { top: rows("1 2 1"), shares: rows("0.5 0.25 0.75"), words: rows("1 2"), ...layers };
    const about = { labels: { 1: "<b>", 2: "b" }, written: ["<b>"], against: 1, texts: {} };
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
    const about = { written: ["a", "b"], rivals: ["_", "c"], same: [false, true], texts: {} };
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
