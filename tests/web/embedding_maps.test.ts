import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, view } from "./drawn";
import { lookup } from "../../pages/embeddings/browser/lookup";
import { layoutMap, wordMap } from "../../pages/embeddings/browser/word_map";
import { neighboursFigure } from "../../pages/embeddings/browser/neighbours";
import { underPoint } from "../../viz_core/web/src/figure";
import { contextAt, inContext, readContexts, shortened, spread } from "../../pages/embeddings/browser/in_context";
import { placeLabels } from "../../pages/embeddings/browser/map_labels";

test("the number under the pointer is read, with its place in the matrix", () => {
  const tensors = { ids: [[3, 7]], rows: rows("0.1 0.2 0.3; -0.4 0.5 1.23456"), columns: [[0, 1, 255]], windows: [[0, 1, -1]] };
  const about = { side: "source", labels: ["a", "<b>"], entries: 8000, d_model: 256 };
  const shown = lookup.at(lookup.read(payload({ ...tensors, picked: [[1]] }, about), null, ""), view());
  const scene = lookup.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  assert.equal(lookup.reading(shown, null), "Row 7, «<b>», is multiplied by 1, every other row by 0.");
  const spot = underPoint(scene, placeOf(all, "1.235").x, placeOf(all, "7  <b>").y);
  assert.equal(lookup.reading(shown, spot), "Row 7, «<b>», dimension 256: 1.2346");
  assert.equal(lookup.values(shown).values, "−0.400, 0.500, …, 1.235");
});

test("the neighbour under the pointer is read", () => {
  const tensors = { which: [[0]], ids: [[0, 1, 2]], neighbours: [[2, 0, 1, -1]], cosines: rows("1 0.5 -0.25 NaN"), nearest: [[0]] };
  const about = { side: "source", tokens: ["a"], labels: ["x", "y", "z"] };
  const shown = neighboursFigure.at(neighboursFigure.read(payload(tensors, about), null, ""), view());
  const scene = neighboursFigure.scene(shown, ROOM, null);
  const spot = underPoint(scene, 300, placeOf(drawn(scene.marks), "y").y);
  assert.deepEqual([spot, neighboursFigure.reading(shown, spot)], [{ row: 2 }, "3. «y», token 1: its cosine with «a» is −0.2500"]);
  assert.equal(neighboursFigure.reading(shown, null), "1. «z», token 2: its cosine with «a» is 1.0000");
});

test("a click on a token of the sentence picks it, and another its next place", () => {
  const words = { tokens: ["a", "b", "a"], labels: ["a", "b", "near"], shares: ["60 %", "20 %"] };
  const tensors = { at: rows("0 0; 1 1; 0.5 0.8"), owner: [[0, 1, 1]], which: [[0, 1, 0]] };
  const map = wordMap.read(payload(tensors, { side: "source", ...words }), null, "");
  const picks = [0, 2, 1].map((token) => {
    const shown = wordMap.at(map, view({ token }));
    const { x = 0, y = 0 } = layoutMap(shown, ROOM).spots[0] ?? {};
    const spot = underPoint(wordMap.scene(shown, ROOM, null), x, y) ?? assert.fail();
    return wordMap.pick?.(shown, spot);
  });
  assert.deepEqual(picks, [{ token: 2 }, { token: 0 }, { token: 0 }]);
  const shown = wordMap.at(map, view());
  assert.deepEqual(
    [wordMap.pick?.(shown, { index: 2 }), wordMap.reading(shown, { index: 2 })],
    [null, "«near», one of the nearest neighbours of «b»"],
  );
});

test("labels never touch, and those of the sentence are always there", () => {
  let seed = 2;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const near = () => 20 * (random() + random() + random() - 1.5) * 2;
  const points = Array.from({ length: 24 }, () => ({ x: 400 + near(), y: 270 + near() }));
  points.push(...Array.from({ length: 40 }, () => ({ x: 800 * random() ** 2, y: 540 * random() ** 2 })));
  const own = 26;
  const labels = points.map((_, at) => ({
    w: 30 * (1 + (at % 3)) + 12,
    h: 26,
    rank: at < own ? ("own" as const) : ("other" as const),
  }));
  const placed = placeLabels(points, labels, { x: 0, y: 0, w: 800, h: 540 });
  assert.ok(points.every((_, at) => at >= own || placed.has(at)) && placed.size > own);
  const all = [...placed.values()];
  for (const [at, one] of all.entries())
    for (const other of all.slice(at + 1)) {
      const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
      const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
      assert.ok(wide <= 0 || high <= 0);
    }
});

test("words that could be the answer are nowhere until it is revealed", () => {
  for (const figure of [neighboursFigure, wordMap]) {
    const covered = [{}, { predict: "word" }, { predict: "word", revealed: true }].map((more) => figure.isCovered?.(view(more)));
    assert.deepEqual(covered, [false, true, false]);
  }
});

test("a shortened text ends with a whole word", () => {
  const texts = ["a short one", "Paul has dogs, and", "Paul has a cat and", "Donaudampfschiff", "三个字三个字三个字"];
  const cut = ["a short one", "Paul has dogs…", "Paul has a…", "Donaudampfsch…", "三个字三个字…"];
  assert.deepEqual(texts.map((text) => shortened(text, 14)), cut); // biome-ignore format: one line
});

test("labels at the ends keep their order and their distance", () => {
  const ends = [30, 12, 50, 13, 200, 14];
  assert.deepEqual(spread([9, 9, 9], 20, [10, 300]), [10, 30, 50]); // none is cut
  const px = spread(ends, 25);
  const order = [...px.keys()].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  const sorted = order.map((at) => px[at] ?? 0);
  for (const [at, one] of sorted.slice(1).entries()) assert.ok(one - (sorted[at] ?? 0) >= 25 - 1e-9);
  assert.equal(px[4], 200);
  assert.ok(Math.abs(sorted.slice(0, 5).reduce((sum, each) => sum + each, 0) - (30 + 12 + 50 + 13 + 14)) < 1e-9);
});

test("a strong colour marks the more similar half, and each line is read with its text as typed", () => {
  const others = [0.9, 0.8, 0.5, 0.2].map((end, at) => {
    return { text: `sentence <b>${at}</b>`, cosines: [1, 0.95, end], start: [], typed: at === 1 };
  });
  const texts = { input: "input", layer: "layer [[layer]]", average: "all", named: "[[name]]: [[value]]" };
  const token = { label: "fly", others, average: [0.1, 0.05, 0], start: [], near: [], missing: "" };
  const shown = contextAt(readContexts(payload({}, { tokens: [token], second: "", d_model: 4, texts })), view());
  assert.equal(shown.others.map(({ ink }) => ink).join(" "), "accent ink accent quiet");
  assert.equal(inContext.reading(shown, null), "layer 1    «sentence <b>0</b>»: 0.95");
  assert.equal(inContext.reading(shown, { place: 2, line: null }), "layer 2    all: 0.00");
});
