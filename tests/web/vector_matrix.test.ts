import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { vectorMatrix } from "../../viz_core/browser/vector_matrix/vector_matrix";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const LABELS = ["the", "<b>x</b>", "the", "⟨00⟩", "", ""];
const VALUES = LABELS.map((_, row) => Array.from({ length: 6 }, (_, column) => 10 * row + column - 0.125));
const TEXTS = {
  begins: "«[[label]]»: [[values]]",
  product: "«[[a]]» · «[[b]]» = [[value]]",
  cell: "[[dim]]: [[value]]",
  hidden: "?",
};
const ROOM = { w: 1000, h: 500, whole: false };
const view = (more: object) => ({ step: 0, token: 0, predict: "", revealed: false, ...more }) as Partial<View> as View;

function read(more: object = {}) {
  const ends = [-2, 2];
  const about = {
    labels: LABELS,
    walked: 4,
    side: "source",
    walks: "token",
    titles: { above: "", rows: "tokens", columns: "dims" },
  };
  return vectorMatrix.read(
    payload({ values: VALUES }, { ...about, ends, first: 0, column: null, texts: TEXTS, ...more }),
    null,
    "",
  );
}

function frameOf(shown: ReturnType<typeof vectorMatrix.at>) {
  const all = drawn(vectorMatrix.scene(shown, ROOM, null).marks);
  const box = all.find(({ kind, style }) => kind === "box" && style.stroke === "ink") ?? assert.fail();
  const [x = 0, y = 0, w = 0, h = 0] = box.at;
  return { x, y, w, h, said: texts(all) };
}

test("rows are tokens, and the frame follows the one that is looked at, never one without a token", () => {
  const at = (token: number) => frameOf(vectorMatrix.at(read(), view({ token })));
  const [one, other] = [at(1), at(3)];
  const named = one.said.filter((words) => LABELS.includes(words) && words);
  assert.deepEqual(named, ["the", "<b>x</b>", "the", "⟨00⟩"]);
  for (const words of ["tokens", "dims", "0", "5", "≤ −2", "≥ 2"]) assert.ok(one.said.includes(words), words);
  assert.ok(Math.abs(other.y - one.y - 2 * one.h) < 0.2 && other.w === one.w);
  assert.deepEqual(at(5), other);
  assert.equal(vectorMatrix.reading(vectorMatrix.at(read(), view({ token: 1 })), null), "«<b>x</b>»: 9.88, 10.88, 11.88, 12.88, …");
});

test("a click or a key looks at a row, and of products asks for another column", () => {
  const shown = vectorMatrix.at(read({ column: 2 }), view({ column: 2 }));
  assert.equal(vectorMatrix.reading(shown, null), "«the» · «the» = 1.88");
  const { across, down } = vectorMatrix.keys?.(shown) ?? assert.fail();
  assert.deepEqual(
    [across.to(3), down.to(1)],
    [
      { token: 0, column: 3 },
      { token: 1, column: 2 },
    ],
  );
  assert.deepEqual(vectorMatrix.asks?.({ column: 3 }), { other: "3" });
  const { x, y, w, h } = frameOf(shown);
  const spot = underPoint(vectorMatrix.scene(shown, ROOM, null), x + 1.5 * w, y + 2.5 * h) ?? assert.fail();
  assert.deepEqual(
    [spot, vectorMatrix.pick?.(shown, spot)],
    [
      { row: 2, column: 3 },
      { token: 2, column: 3 },
    ],
  );
  assert.equal(vectorMatrix.pick?.(shown, { row: 4, column: 0 }), null);
});

test("what is still to be guessed has no label", () => {
  const shown = vectorMatrix.at(read({ side: "target", walks: "step" }), view({ step: 1, predict: "word" }));
  const { said } = frameOf(shown);
  assert.deepEqual([said.filter((words) => words === "?").length, said.includes("⟨00⟩")], [2, false]);
});
