import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, rows, view } from "./drawn";
import { waves } from "../../pages/positions/browser/waves";
import { productAt } from "../../viz_core/browser/vectors_arithmetic/vectors_arithmetic";
import { underPoint } from "../../viz_core/web/src/figure";

const POINTS = rows("0 0.8 0.9 0.1; 1 0.5 -0.4 -1");
const ABOUT = { side: "target", tokens: ["The", "cat", "sat", ""], dims: [0, 5], positions: "halves", d_model: 12 };
const PAYLOAD = payload({ points: POINTS }, ABOUT);
const at = (more: object = {}) => waves.at(waves.read(PAYLOAD, null, ""), view(more));

test("the pointer reads a value, a click picks its position if a token is there", () => {
  const shown = at();
  const scene = waves.scene(shown, ROOM, null);
  const dots = drawn(scene.marks).filter(({ kind }) => kind === "path");
  const [left = 0, y = 0, radius = 0] = dots[5 + 1]?.at ?? assert.fail();
  const spot = underPoint(scene, left + radius, y) ?? assert.fail();
  assert.deepEqual([spot, waves.reading(shown, spot)], [{ at: 1, lane: 1 }, "«1 cat», dim 6 · sin · λ = 1.35e+04: 0.5000"]);
  assert.deepEqual([waves.pick?.(shown, spot), waves.pick?.(shown, { at: 3, lane: 0 })], [{ step: 1 }, null]);
});

test("target tokens that are to be guessed are not named", () => {
  const labels = (revealed: boolean) => at({ predict: "word", step: 1, revealed }).labels.join(", ");
  assert.deepEqual([labels(false), labels(true)], ["0 The, 1 cat, 2 ?, 3 ?", "0 The, 1 cat, 2 sat, 3 ?"]);
});

test("the product of two positions depends on their distance alone", () => {
  const size = 32;
  const angles = (at: number) => Array.from({ length: size / 2 }, (_, pair) => at / 10000 ** ((2 * pair) / size));
  const encoded = (at: number) => angles(at).flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
  const product = (a: number, b: number) => encoded(a).reduce((sum, value, dim) => sum + value * (encoded(b)[dim] ?? 0), 0);
  for (const [a = 0, b = 0] of rows("0 0; 3 7; 40 12")) assert.ok(Math.abs(product(a, b) - productAt(a - b, size)) < 1e-9);
});
