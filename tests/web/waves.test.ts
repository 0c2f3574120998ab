import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { waves } from "../../pages/positions/browser/waves";
import { productAt } from "../../viz_core/browser/vectors_arithmetic/vectors_arithmetic";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const POINTS = [
  [0, 0.8, 0.9, 0.1],
  [1, 0.5, -0.4, -1],
];
const TEXTS = { lane: "dim [[dim]]", axis: "position", cell: "«[[label]]», [[lane]]: [[value]]", hidden: "?" };
const ROOM = { w: 900, h: 500, whole: false };
const view = (more: object) => ({ step: 0, token: 0, predict: "", ...more }) as Partial<View> as View;

function read(side: string) {
  const about = {
    side,
    limit: 1,
    tokens: ["The", "cat", "sat", ""],
    waves: [1, 6].map((dim) => ({ dim, name: "sin" })),
    texts: TEXTS,
  };
  return waves.read(payload({ points: POINTS, fine: [[0, 1, 2, 3]], curves: POINTS }, about), null, "");
}

const dotsOf = (all: ReturnType<typeof drawn>) =>
  all.filter(({ kind }) => kind === "path").map(({ at: [left = 0, y = 0, r = 0], style }) => ({ x: left + r, y, r, style }));

test("each dimension has a lane, the first on top, with the picked values beside them", () => {
  const all = drawn(waves.scene(waves.at(read("source"), view({ token: 2 })), ROOM, null).marks);
  assert.deepEqual(texts(all), ["dim 1", "0.90", "dim 6", "−0.40", "0 The", "1 cat", "2 sat", "3", "position"]);
  const heights = all.filter(({ words }) => words?.startsWith("dim")).map(({ at }) => at[1] ?? 0);
  assert.ok((heights[0] ?? 0) < (heights[1] ?? 0));
});

test("dots go up with their value and to the right with their position, and the picked one is larger", () => {
  const all = dotsOf(drawn(waves.scene(waves.at(read("source"), view({ token: 2 })), ROOM, null).marks));
  const [first, picked] = [all.slice(0, 4), all[4]];
  const byValue = first.toSorted((one, other) => other.y - one.y).map((dot) => first.indexOf(dot));
  assert.deepEqual(byValue, [0, 3, 1, 2]);
  assert.ok(first.every(({ x }, at) => !at || x > (first[at - 1]?.x ?? 0)));
  assert.ok(picked && picked.y === first[2]?.y && picked.r > first[2].r && picked.style.stroke !== first[2].style.stroke);
});

test("the pointer reads a value, a click picks its position if a token is there", () => {
  const shown = waves.at(read("target"), view({}));
  const scene = waves.scene(shown, ROOM, null);
  const dot = dotsOf(drawn(scene.marks))[5 + 1] ?? assert.fail();
  const spot = underPoint(scene, dot.x, dot.y) ?? assert.fail();
  assert.deepEqual([spot, waves.reading(shown, spot)], [{ at: 1, lane: 1 }, "«1 cat», dim 6: 0.5000"]);
  assert.deepEqual([waves.pick?.(shown, spot), waves.pick?.(shown, { at: 3, lane: 0 })], [{ step: 1 }, null]);
});

test("target tokens that are to be guessed are not named", () => {
  const labels = (more: object) => waves.at(read("target"), view({ predict: "word", step: 1, ...more })).labels;
  assert.deepEqual(labels({ revealed: false }), ["0 The", "1 cat", "2 ?", "3 ?"]);
  assert.deepEqual(labels({ revealed: true }), ["0 The", "1 cat", "2 sat", "3 ?"]);
});

test("the product of two positions depends on their distance alone", () => {
  const size = 32;
  const angles = (at: number) => Array.from({ length: size / 2 }, (_, pair) => at / 10000 ** ((2 * pair) / size));
  const encoded = (at: number) => angles(at).flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
  const product = (a: number, b: number) => encoded(a).reduce((sum, value, dim) => sum + value * (encoded(b)[dim] ?? 0), 0);
  for (const [a, b] of [
    [0, 0],
    [3, 7],
    [40, 12],
  ] as const)
    assert.ok(Math.abs(product(a, b) - productAt(a - b, size)) < 1e-9);
});
