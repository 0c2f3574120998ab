// What is computed in the browser: the last softmax at every temperature, the layer norm, two scores that show why queries and keys
// are separate.

import assert from "node:assert/strict";
import { test } from "node:test";
import { payload, rows, view } from "./drawn";
import { normAt, readNorm } from "../../pages/residual/browser/layer_norm";
import { rivalOf } from "../../pages/qkv/browser/sources";
import { readNextToken } from "../../pages/output/browser/data";
import { shareInCell } from "../../viz_core/browser/kit/numbers";

const near = (one: number, other: number, share: number) => Math.abs(one - other) <= share * Math.abs(other);

test("softmax is that of all logits, at the least, the usual and the greatest temperature", () => {
  const logits = Array.from({ length: 3 }, (_, step) =>
    Array.from({ length: 40 }, (_, id) => Math.fround(9 * Math.sin(7 * id + step))),
  );
  const usual = logits.map((row) => row.reduce((sum, logit) => sum + Math.exp(logit), 0));
  const ids = [0, 1, 2].map((step) => [5, 11 + step]); // the last one is the written token
  const logProbs = ids.map((row, step) => row.map((id) => (logits[step]?.[id] ?? 0) - Math.log(usual[step] ?? 0)));
  const all = readNextToken(payload({ logits, ids, log_probs: logProbs }, { labels: {}, texts: {} }));
  for (const [step, temperature] of [0.1, 1, 5].entries()) {
    const row = logits[step] ?? [];
    const most = Math.max(...row);
    const over = row.map((logit) => Math.exp((logit - most) / temperature));
    const total = over.reduce((sum, weight) => sum + weight, 0);
    const expected = over.map((weight) => weight / total);
    const { probabilities, bits } = all.spread(step, temperature);
    assert.ok(probabilities.length === 40 && expected.every((share, id) => near(probabilities[id] ?? 0, share, 1e-12)));
    assert.ok(Math.abs(probabilities.reduce((sum, share) => sum + share, 0) - 1) < 1e-12);
    assert.ok(near(bits, -expected.reduce((sum, share) => sum + share * Math.log2(Math.max(share, 1e-300)), 0), 1e-10));
    const shown = all.overview(temperature)[step]?.p ?? 0;
    // at T = 1 the recorded number, whose logarithm is a float32
    assert.ok(near(shown, expected[all.expected(step)] ?? 0, temperature === 1 ? 1e-5 : 1e-12), `T = ${temperature}`);
  }
});

test("where room is equal a share has four signs and is never 0 or 100 unless it is", () => {
  const shares = [0, 1e-9, 9e-4, 1e-3, 0.0994, 0.0996, 0.9949, 0.9951, 1].map(shareInCell);
  assert.deepEqual(shares, ["0", "<0.1", "<0.1", "0.1", "9.9", "10", "99", ">99", "100"]);
});

test("the layer norm of the annotated transformer divides by the deviation of a sample, to which it adds ε", () => {
  const [x, eps] = [[1, -2, 0.5, 3], 1e-3];
  const mean = 0.625;
  const squares = x.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  for (const [kind, square, divisor] of [
    ["variance", squares / 4, Math.sqrt(squares / 4 + eps)],
    ["deviation", squares / 3, Math.sqrt(squares / 3) + eps],
  ] as const) {
    const about = { stack: "encoder", sublayer: "ffn", kind, eps: [eps], tokens: ["a"], texts: {} };
    const sent = payload({ x: [x], out: [x], gamma: [x], beta: [x] }, about, { x: [1, 1, 4], out: [1, 1, 4] });
    const { variance, stages } = normAt(readNorm(sent), view({ dim: null }));
    const { values } = stages.standard;
    assert.ok(near(variance, square, 1e-12) && x.every((each, at) => Math.abs((values[at] ?? 9) - (each - mean) / divisor) < 1e-9));
  }
});

test("the rival of a key is another one, with a mask an earlier one", () => {
  const [there = [], back = []] = rows("9 1 3 -4; 0 1.5 3 4");
  assert.deepEqual([rivalOf(there, back, 2, false), rivalOf(there, back, 0, false)], [0, 3]);
  assert.equal(rivalOf([0, 1, 3, -9], [0, 1.5, 3, 4], 2, true), 1); // not 3, which is masked
  assert.equal(rivalOf([1, 5], [1, 5], 1, true), 0); // no difference at all
});
