// The logit lens and a logit as a sum: what stands below them, also where numbers overflow or do not add up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { payload } from "./drawn";
import { lensOfSteps } from "../../pages/why/browser/lens_of_steps";
import { logitSums } from "../../pages/why/browser/logit_sums";
import type { View } from "../../viz_core/web/src/figure";

const view = (step: number, layer = 0) => ({ step, layer, head: 0 }) as Partial<View> as View;
const NAN = Number.NaN;

test("from which layer on the word leads", () => {
  const lens = (ranks: number[], logProb = Math.log(0.5)) =>
    lensOfSteps.read(
      payload(
        {
          top: [[1, 2, 1]],
          shares: [[0.5, 0.25, 0.75]],
          words: [[1, 2]],
          log_probs: ranks.map(() => [logProb, -1]),
          ranks: ranks.map((rank) => [rank, 2]),
        },
        { labels: { 1: "<b>", 2: "b" }, written: ["<b>"], against: 1, texts: {} },
        { top: [1, 3, 1], shares: [1, 3, 1], log_probs: [1, 3, 2], ranks: [1, 3, 2] },
      ),
      null,
      "",
    );
  const told = (ranks: number[]) => lens(ranks).below(view(0, 1)).told;
  assert.deepEqual([told([1, 1, 1]), told([7, 1, 2]), told([7, 2, 1])], ["always_first", "never_first", "first_from"]);
  const { first, same, rank_first, probability, layer, word } = lens([1234, 2, 1]).below(view(0, 1));
  assert.deepEqual([first, same, rank_first, probability, layer], [2, "same_rival", "1,234", "50 %", 2]);
  assert.ok(!word.includes("<"));
  const { told: unknown, computed } = lens([1, 1, 1], NAN).below(view(0));
  assert.deepEqual([unknown, computed], ["unknown", ""]);
});

test("a remainder is a row at all steps where one step's is more than rounding", () => {
  const sums = (value: number) =>
    logitSums.read(
      payload(
        {
          terms: [
            [1, 0.5, -1, 2, 0.25, 0.25],
            [0, 0, 0, 1, 0, 0],
          ],
          value: [[3, value]],
          heads: [[1, 1, 0, 1]],
        },
        { written: ["a", "b"], rivals: ["_", "c"], same: [false, true], texts: {} },
        { value: [2], heads: [2, 1, 2] },
      ),
      null,
      "",
    );
  const rows = (value: number) => logitSums.at(sums(value), view(0)).rows.length;
  assert.deepEqual([rows(1.0001), rows(2)], [7, 8]);
  const [exact, lacking] = [0, 1].map((step) => sums(2).below(view(step)));
  assert.deepEqual([exact?.told, exact?.same, lacking?.told, lacking?.same], ["exact", "", "no_sum", "same_rival"]);
  assert.equal(lacking?.remainder, "1.000");
  assert.ok(exact?.left.includes("\\text{\\_}") && exact.terms.includes("{(2.000)}") && !exact.terms.includes("remainder"));
});
