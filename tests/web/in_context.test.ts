// Words in context: labels keep their order and their distance, and a strong colour marks the more similar half.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { contextAt, inContext, readContexts, spread } from "../../pages/embeddings/browser/in_context";
import type { View } from "../../viz_core/web/src/figure";

const ROOM = { w: 900, h: 450, whole: false };
const VIEW = { step: 0, token: 0, layer: 0 } as Partial<View> as View;

function contexts(cosines: number[][], typed: number | null) {
  const names = cosines.map((_, at) => `sentence <b>${at}</b>`);
  const about = {
    tokens: ["fly"],
    others: [names],
    typed: [typed],
    missing: [""],
    second: "",
    words: [],
    d_model: 4,
    texts: TEXTS,
  };
  const data = readContexts(payload({ cosines: [cosines.flat()], average: [[0.1, 0.05, 0]] }, about));
  data.tensors.cosines.shape = [1, cosines.length, 3];
  return data;
}

const TEXTS = { input: "input", layer: "layer [[layer]]", average: "all", named: "[[name]]: [[value]]" };

test("labels at the ends keep their order and their distance", () => {
  const ends = [30, 12, 50, 13, 200, 14];
  const px = spread(ends, 25);
  const order = [...px.keys()].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  const sorted = order.map((at) => px[at] ?? 0);
  for (const [at, one] of sorted.slice(1).entries()) assert.ok(one - (sorted[at] ?? 0) >= 25 - 1e-9);
  assert.equal(px[4], 200);
  assert.ok(Math.abs(sorted.slice(0, 5).reduce((sum, each) => sum + each, 0) - (30 + 12 + 50 + 13 + 14)) < 1e-9);
});

test("a more similar sentence is drawn higher, in a strong colour, with its text as typed", () => {
  const rows = [0.9, 0.8, 0.5, 0.2].map((end) => [1, 0.95, end]);
  const shown = contextAt(contexts(rows, 1), VIEW);
  assert.deepEqual(
    shown.others.map(({ ink }) => ink),
    ["accent", "ink", "accent", "quiet"],
  );
  const all = drawn(inContext.scene(shown, ROOM, null).marks);
  const labels = all.filter(({ words }) => words?.includes("sentence"));
  assert.deepEqual(texts(labels)[1], "0.80  sentence <b>1</b>");
  const heights = labels.map(({ at: [, y = 0] }) => y);
  assert.deepEqual(
    heights,
    heights.toSorted((a, b) => a - b),
  );
  assert.equal(inContext.reading(shown, null), "layer 1    «sentence <b>0</b>»: 0.95");
  assert.equal(inContext.reading(shown, { place: 2, line: null }), "layer 2    all: 0.00");
});
