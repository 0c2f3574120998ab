import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { attentionRollout, readRollout } from "../../pages/why/browser/attention_rollout";
import { type Edge, connected, rollout, strongest } from "../../pages/why/browser/rolled";
import { rolloutShares } from "../../pages/why/browser/rollout_shares";
import { type View, underPoint } from "../../viz_core/web/src/figure";

// Two layers of each stack; three source tokens, the first two of one word; two target tokens.
const LAYERS = {
  self: [
    [0.5, 0.5, 0, 0.25, 0.25, 0.5, 0, 0, 1],
    [1, 0, 0, 0, 0.5, 0.5, 0.25, 0.25, 0.5],
  ],
  masked: [
    [1, 0, 0.5, 0.5],
    [1, 0, 0.75, 0.25],
  ],
  cross: [
    [0.5, 0.25, 0.25, 0.125, 0.125, 0.75],
    [0.25, 0.25, 0.5, 0, 0.5, 0.5],
  ],
};
const SHAPES = { self: [2, 3, 3], masked: [2, 2, 2], cross: [2, 2, 3] };
const about = {
  words: ["sleeps", "</s>"],
  owners: [0, 0, 1],
  target: ["<s>", "schläft"],
  written: ["schläft", "</s>"],
  texts: {
    flow: {
      lead: "From «[[word]]» at step [[step]]",
      edge_cross: "[[layer]] cross «[[start]]» «[[end]]» [[share]]",
      column_1: "memory",
    },
    word_shares: { score: "[[method]] «[[word]]» [[value]]", rolled: "rollout", excess: "excess" },
  },
};
const data = readRollout(payload(LAYERS, about, SHAPES));
const tensors = Object.fromEntries(
  Object.entries(LAYERS).map(([name, layers]) => [
    name,
    { shape: SHAPES[name as "self"], data: Float64Array.from(layers.flat()), exact: true },
  ]),
) as Record<keyof typeof LAYERS, { shape: number[]; data: Float64Array; exact: boolean }>;
const flows = rollout({ ...tensors, owners: about.owners }, 1);
const sum = (numbers: Iterable<number>) => Array.from(numbers).reduce((a, b) => a + b, 0);
const view = (step: number) => ({ step }) as Partial<View> as View;
const ROOM = { w: 1000, h: 500, whole: false };

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
  const kept = connected(cut, 1, 2, 2);
  assert.deepEqual(
    [...new Set(kept.filter(({ leg, layer }: Edge) => leg === "encoder" && layer === 1).map(({ start }) => start))],
    [1],
  );
  assert.deepEqual(connected(cut, 0, 2, 2), []);
});

test("the flow runs from the written token at the upper right to the source at the lower left, and an edge is read", () => {
  const shown = attentionRollout.at(data, view(1));
  const scene = attentionRollout.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const placeOf = (words: string) => all.find((each) => each.words === words)?.at ?? [];
  const [end, word, memory] = [placeOf("→ </s>"), placeOf("sleeps"), placeOf("memory")];
  assert.ok((end[0] ?? 0) > (memory[0] ?? 0) && (memory[0] ?? 0) > (word[0] ?? 0) && (end[1] ?? 0) < (word[1] ?? 0));
  const across = shown.ribbons.findIndex(({ leg }) => leg === "cross");
  assert.equal(attentionRollout.reading(shown, { edge: across }), shown.ribbons[across]?.words);
  assert.ok(attentionRollout.spoken?.(shown).startsWith("From «</s>» at step 2. "));
  const found = Array.from({ length: 100 }, (_, at) => underPoint(scene, scene.width - 160, 5 * at)).filter(Boolean);
  assert.ok(found.length > 1);
});

test("the shares have their means over all steps beside them, and the arithmetic takes them from the figure", () => {
  const shown = rolloutShares.at(data, view(1));
  const [own, excess] = shown.scores.map(({ values }) => values ?? []);
  const first = rollout({ ...tensors, owners: about.owners }, 0).source;
  const mean = first.map((share, word) => (share + (flows.source[word] ?? 0)) / 2);
  own?.forEach((share, word) => {
    assert.ok(Math.abs(share - 100 * (flows.source[word] ?? 0)) < 1e-9);
    assert.ok(Math.abs((excess?.[word] ?? 0) - (share - 100 * (mean[word] ?? 0))) < 1e-9);
  });
  const values = data.below(view(1));
  assert.equal(values.total, "75 %");
  assert.equal(values.count, strongest(flows, 1).edges.length);
  assert.ok(texts(drawn(rolloutShares.scene(shown, ROOM, null).marks)).includes("sleeps"));
});
