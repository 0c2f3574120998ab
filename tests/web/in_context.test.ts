import assert from "node:assert/strict";
import { test } from "node:test";
import { payload, rows, view } from "./drawn";
import { contextAt, inContext, readContexts, shortened, spread } from "../../pages/embeddings/browser/in_context";

test("a shortened text ends with a whole word", () => {
  const texts = ["a short one", "Paul has dogs, and", "Paul has a cat and", "Donaudampfschiff", "三个字三个字三个字"];
  const cut = ["a short one", "Paul has dogs…", "Paul has a…", "Donaudampfsch…", "三个字三个字…"];
  assert.deepEqual(texts.map((text) => shortened(text, 14)), cut); // biome-ignore format: one line
});

test("labels at the ends keep their order and their distance", () => {
  const ends = [30, 12, 50, 13, 200, 14];
  const px = spread(ends, 25);
  const order = [...px.keys()].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  const sorted = order.map((at) => px[at] ?? 0);
  for (const [at, one] of sorted.slice(1).entries()) assert.ok(one - (sorted[at] ?? 0) >= 25 - 1e-9);
  assert.equal(px[4], 200);
  assert.ok(Math.abs(sorted.slice(0, 5).reduce((sum, each) => sum + each, 0) - (30 + 12 + 50 + 13 + 14)) < 1e-9);
});

test("a strong colour marks the more similar half, and each line is read with its text as typed", () => {
  const others = [[0, 1, 2, 3].map((at) => `sentence <b>${at}</b>`)];
  const texts = { input: "input", layer: "layer [[layer]]", average: "all", named: "[[name]]: [[value]]" };
  const about = { tokens: ["fly"], others, typed: [1], missing: [""], second: "", words: [], d_model: 4, texts };
  const tensors = { cosines: rows("1 0.95 0.9 1 0.95 0.8 1 0.95 0.5 1 0.95 0.2"), average: rows("0.1 0.05 0") };
  const shown = contextAt(readContexts(payload(tensors, about, { cosines: [1, 4, 3] })), view());
  assert.equal(shown.others.map(({ ink }) => ink).join(" "), "accent ink accent quiet");
  assert.equal(inContext.reading(shown, null), "layer 1    «sentence <b>0</b>»: 0.95");
  assert.equal(inContext.reading(shown, { place: 2, line: null }), "layer 2    all: 0.00");
});
