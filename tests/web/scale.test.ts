import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "./drawn";
import { band, endAbove, linear, stacked, ticksTo } from "../../viz_core/web/src/marks/scale";

test("ticks are round and end within the axis", () => {
  const ticks = [70, 98, 0.03, 716.8].map((end) => ticksTo(end));
  assert.deepEqual(ticks, rows("0 20 40 60; 0 20 40 60 80; 0 0.01 0.02 0.03; 0 200 400 600"));
});

test("an axis has some length, whatever its numbers are", () => {
  assert.equal(endAbove([3, Number.NaN, Number.POSITIVE_INFINITY], 1.5), 4.5);
  assert.equal(endAbove([-2, 0], 1.5), 1.5);
});

test("a linear scale may grow upwards, and a band knows what is at a place", () => {
  assert.deepEqual([0, 5, 10].map(linear([0, 10], [200, 100])), [200, 150, 100]);
  const x = band(4, [20, 60]);
  assert.deepEqual([x(0), x.start(3), x.step], [25, 50, 10]);
  assert.deepEqual([19, 20, 59, 60].map(x.at), [-1, 0, 3, -1]);
});

test("stacked plots share a height without its gaps", () => {
  assert.deepEqual(stacked(10, 110, [0.7, 0.3], 10), rows("80 10; 120 90"));
});
