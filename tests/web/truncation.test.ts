import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { readTruncation, truncation, truncationAt } from "../../pages/decoding/browser/truncation";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const ROOM = { w: 1000, h: 500, whole: false };
const view = (step: number) => ({ step }) as Partial<View> as View;
const about = {
  ranks: [1, 2, 3, 4, 5],
  total: 5,
  titles: ["Step 1", "Step 2", "Draw 1 ends"],
  notes: [
    ["2 kept", "3 cut off\nby top-k 2"],
    ["", ""],
    ["", ""],
  ],
  labels: [["1. <b>one</b>", "4. four", "the rest"], ["1. one", "4. four", "the rest"], []],
  texts: { bar: "[[token]]: [[share]]", with_temperature: "at T = 2", of_model: "the model's" },
};
const data = readTruncation(
  payload(
    {
      model: [[0.5, 0.25, 0.15, 0.08, 0.02], [0.5, 0.25, 0.15, 0.08, 0.02], Array(5).fill(0)],
      tempered: [[0.4, 0.25, 0.18, 0.12, 0.05], [0.4, 0.25, 0.18, 0.12, 0.05], Array(5).fill(0)],
      before: [[0.4, 0.12, 0.48], [0.4, 0.12, 0.48], Array(3).fill(0)],
      after: [[0.62, 0, 0.38], [0.4, 0.12, 0.48], Array(3).fill(0)],
      cut: [
        [2, 1],
        [5, -1],
        [0, 0],
      ],
    },
    about,
  ),
);
const marks = (step: number) => truncation.scene(truncationAt(data, view(step)), ROOM, null);

test("the bars are those of the ranks and of all others, the most probable at the top", () => {
  const all = drawn(marks(0).marks);
  const shares = all.filter(({ words }) => words?.includes("→"));
  assert.deepEqual(texts(shares), ["40 % → 62 %", "12 % → 0 %", "48 % → 38 %"]);
  assert.deepEqual(
    shares.map(({ at }) => at[1]).toSorted((a = 0, b = 0) => a - b),
    shares.map(({ at }) => at[1]),
  );
  const four = all.find(({ words }) => words === "4. four");
  assert.ok(four?.style.bold && !all.find(({ words }) => words === "1. <b>one</b>")?.style.bold);
});

test("what is cut off has its notes beside the cut, and none where all is kept", () => {
  const cut = (step: number) => drawn(marks(step).marks).filter(({ kind, style }) => kind === "lines" && style.stroke === "ink");
  assert.deepEqual([cut(0).length, cut(1).length], [1, 0]);
  assert.ok(texts(drawn(marks(0).marks)).includes("by top-k 2"));
});

test("a point of the curve and a bar are read; behind the end of a draw the title stands alone", () => {
  const shown = truncationAt(data, view(0));
  const scene = marks(0);
  const row = underPoint(scene, 900, 60);
  assert.deepEqual([row, truncation.reading(shown, row)], [{ row: 0 }, "1. <b>one</b>: 40 % → 62 %"]);
  const point = underPoint(scene, 445, 200);
  assert.deepEqual([point, truncation.reading(shown, point)], [{ point: 4 }, "5. 2.0 %"]);
  assert.equal(truncation.reading(shown, null), "4. four: 12 % → 0 %");
  const ended = truncationAt(data, view(9));
  assert.deepEqual([marks(9).marks, truncation.values(ended).title, truncation.reading(ended, null)], [[], "Draw 1 ends", ""]);
});
