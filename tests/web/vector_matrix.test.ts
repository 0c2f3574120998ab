import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, texts, view } from "./drawn";
import { vectorMatrix } from "../../viz_core/browser/vector_matrix/vector_matrix";
import { underPoint } from "../../viz_core/web/src/figure";

const LABELS = ["the", "<b>x</b>", "the", "⟨00⟩", "", ""];
const VALUES = LABELS.map((_, row) => Array.from({ length: 6 }, (_, column) => 10 * row + column - 0.125));
const ABOUT = {
  ...{ labels: LABELS, walked: 4, side: "source", ends: [-2, 2], file: "vectors" },
};
const shownOf = (more: object, seen: object) =>
  vectorMatrix.at(vectorMatrix.read(payload({ values: VALUES }, { ...ABOUT, ...more }), null, ""), view(seen));

function frameOf(shown: ReturnType<typeof shownOf>) {
  const all = drawn(vectorMatrix.scene(shown, ROOM, null).marks);
  const box = all.find(({ kind, style }) => kind === "box" && style.stroke === "ink") ?? assert.fail();
  const [x = 0, y = 0, w = 0, h = 0] = box.at;
  return { x, y, w, h, said: texts(all) };
}

test("rows are tokens, and the frame follows the one that is looked at, never one without a token", () => {
  const [one, other, beyond] = [1, 3, 5].map((token) => frameOf(shownOf({}, { token })));
  assert.ok(one && other && Math.abs(other.y - one.y - 2 * one.h) < 0.2 && other.w === one.w);
  assert.deepEqual(beyond, other);
  assert.equal(vectorMatrix.reading(shownOf({}, { token: 1 }), null), "«<b>x</b>»: 9.88, 10.88, 11.88, 12.88, …");
});

test("a click or a key looks at a row, and of products asks for another column", () => {
  const shown = shownOf({ column: 2 }, { column: 2 });
  assert.equal(vectorMatrix.reading(shown, null), "«the» · «the» = 1.88");
  const { across, down } = vectorMatrix.keys?.(shown) ?? assert.fail();
  const [to, below] = [across.to(3), down.to(1)];
  assert.deepEqual(
    [to, below, vectorMatrix.asks?.({ column: 3 })],
    [{ token: 0, column: 3 }, { token: 1, column: 2 }, { other: "3" }],
  );
  const { x, y, w, h } = frameOf(shown);
  const spot = underPoint(vectorMatrix.scene(shown, ROOM, null), x + 1.5 * w, y + 2.5 * h) ?? assert.fail();
  const picked = vectorMatrix.pick?.(shown, spot);
  assert.deepEqual(
    [spot, picked, vectorMatrix.pick?.(shown, { row: 4, column: 0 })],
    [{ row: 2, column: 3 }, { token: 2, column: 3 }, null],
  );
});

test("what is still to be guessed has no label", () => {
  const { said } = frameOf(shownOf({ side: "target" }, { step: 1, predict: "word" }));
  assert.deepEqual([said.filter((words) => words === "?").length, said.includes("⟨00⟩")], [2, false]);
});
