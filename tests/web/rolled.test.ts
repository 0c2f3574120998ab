import assert from "node:assert/strict";
import { test } from "node:test";
import { payload, rows, view } from "./drawn";
import { attentionRollout, readRollout } from "../../pages/why/browser/attention_rollout";
import { rolloutShares } from "../../pages/why/browser/source_words";
import { type Edge, connected, rollout, strongest } from "../../pages/why/browser/rolled";

// Two layers of each stack; three source tokens, the first two of one word; two target tokens.
const LAYERS = {
  self: rows("0.5 0.5 0 0.25 0.25 0.5 0 0 1; 1 0 0 0 0.5 0.5 0.25 0.25 0.5"),
  masked: rows("1 0 0.5 0.5; 1 0 0.75 0.25"),
  cross: rows("0.5 0.25 0.25 0.125 0.125 0.75; 0.25 0.25 0.5 0 0.5 0.5"),
};
const SHAPES = { self: [2, 3, 3], masked: [2, 2, 2], cross: [2, 2, 3] };
const OWNERS = [0, 0, 1];
const WORDS = { words: ["sleeps", "</s>"], target: ["<s>", "schläft"], written: ["schläft", "</s>"] };
const data = readRollout(payload(LAYERS, { ...WORDS, owners: OWNERS }, SHAPES));
const tensor = (name: keyof typeof LAYERS) => ({ shape: SHAPES[name], data: Float64Array.from(LAYERS[name].flat()), exact: true });
const tensors = { self: tensor("self"), masked: tensor("masked"), cross: tensor("cross") };
const flows = rollout({ ...tensors, owners: OWNERS }, 1);
const sum = (numbers: Iterable<number>) => Array.from(numbers).reduce((a, b) => a + b, 0);

test("edges carry all that flows: half of each decoder layer goes to the memory, whatever the words", () => {
  assert.equal(sum(flows.source), 0.75);
  assert.equal(sum(flows.cross.shares.slice(4)), 0.5); // of the last layer: 2 positions × 2 words
  assert.equal(sum(flows.encoder.shares.slice(0, 4)), 0.75);
  const intoFirst = [0, 1].map((word) => (flows.encoder.shares[word] ?? 0) + (flows.encoder.shares[2 + word] ?? 0));
  assert.deepEqual(intoFirst, flows.source);
});

test("the drawn edges are the strongest, connected with the step at the top; the others are counted", () => {
  const all = strongest(flows, 1, 1000);
  assert.ok(Math.abs(all.left) < 1e-12 && all.edges.length === all.count);
  const few = strongest(flows, 1, 5);
  const order = all.edges.toSorted((a, b) => b.share - a.share);
  assert.deepEqual([few.count, few.least], [all.count, order[4]?.share]);
  assert.ok(few.edges.every((edge) => edge.share >= few.least) && few.left > 0);
  const cut = all.edges.filter(({ leg, layer, end }) => leg !== "cross" || (layer === 1 && end === 1));
  const ofEncoder = connected(cut, 1, 2, 2).filter(({ leg, layer }: Edge) => leg === "encoder" && layer === 1);
  assert.deepEqual([...new Set(ofEncoder.map(({ start }) => start))], [1]);
  assert.deepEqual(connected(cut, 0, 2, 2), []);
});

test("an edge is read; the shares have their means over all steps beside them, and the arithmetic takes them from the figure", () => {
  const flow = attentionRollout.at(data, view({ step: 1 }));
  const edge = flow.ribbons.findIndex(({ leg }) => leg === "cross");
  assert.equal(attentionRollout.reading(flow, { edge }), flow.ribbons[edge]?.words);
  assert.ok(attentionRollout.spoken?.(flow).startsWith("Attention rollout from «</s>» at step 2 back to the source. "));
  const [own, excess] = rolloutShares.at(data, view({ step: 1 })).scores.map(({ values }) => values ?? []);
  const first = rollout({ ...tensors, owners: OWNERS }, 0).source;
  own?.forEach((share, word) => {
    const rolled = flows.source[word] ?? 0;
    assert.ok(Math.abs(share - 100 * rolled) < 1e-9);
    assert.ok(Math.abs((excess?.[word] ?? 0) - 50 * (rolled - (first[word] ?? 0))) < 1e-9);
  });
  const { total, count } = data.below(view({ step: 1 }));
  assert.deepEqual([total, count], ["75 %", strongest(flows, 1).edges.length]);
});
