import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { readTruncation, truncation, truncationAt } from "../../pages/decoding/browser/truncation";
import { underPoint } from "../../viz_core/web/src/figure";

const WORDS = ["1. <b>one</b>", "4. four", "the rest"];
const ABOUT = {
  ...{ ranks: [1, 2, 3, 4, 5], total: 5, titles: ["Step 1", "Step 2", "Draw 1 ends"], labels: [WORDS, WORDS, []] },
  notes: [
    ["2 kept", "3 cut off\nby top-k 2"],
    ["", ""],
    ["", ""],
  ], // of the first two steps, and of the end
  texts: { bar: "[[token]]: [[share]]", with_temperature: "at T = 2", of_model: "the model's" },
};
const data = readTruncation(
  payload(
    {
      model: rows("0.5 0.25 0.15 0.08 0.02; 0.5 0.25 0.15 0.08 0.02; 0 0 0 0 0"),
      tempered: rows("0.4 0.25 0.18 0.12 0.05; 0.4 0.25 0.18 0.12 0.05; 0 0 0 0 0"),
      before: rows("0.4 0.12 0.48; 0.4 0.12 0.48; 0 0 0"),
      after: rows("0.62 0 0.38; 0.4 0.12 0.48; 0 0 0"),
      cut: rows("2 1; 5 -1; 0 0"),
    },
    ABOUT,
  ),
);
const at = (step: number) => truncationAt(data, view({ step }));
const marks = (step: number) => truncation.scene(at(step), ROOM, null);

test("the bars are those of the ranks and of all others, the most probable at the top; what is cut off has its notes", () => {
  const all = drawn(marks(0).marks);
  const shares = all.filter(({ words }) => words?.includes("→"));
  assert.equal(texts(shares).join(", "), "40 % → 62 %, 12 % → 0 %, 48 % → 38 %");
  assert.ok(placeOf(all, "40 % → 62 %").y < placeOf(all, "12 % → 0 %").y);
  assert.deepEqual(
    all.flatMap(({ words = "", style }) => (style.bold && WORDS.includes(words) ? words : [])),
    ["4. four"],
  );
  const cut = (step: number) => drawn(marks(step).marks).filter(({ kind, style }) => kind === "lines" && style.stroke === "ink");
  assert.deepEqual([cut(0).length, cut(1).length], [1, 0]);
  assert.ok(texts(all).includes("by top-k 2"));
});

test("a point of the curve and a bar are read; behind the end of a draw the title stands alone", () => {
  const [shown, ended] = [at(0), at(9)];
  const [row, point] = [underPoint(marks(0), 900, 60), underPoint(marks(0), 445, 200)];
  assert.deepEqual([row, truncation.reading(shown, row)], [{ row: 0 }, "1. <b>one</b>: 40 % → 62 %"]);
  assert.deepEqual([point, truncation.reading(shown, point)], [{ point: 4 }, "5. 2.0 %"]);
  assert.equal(truncation.reading(shown, null), "4. four: 12 % → 0 %");
  assert.deepEqual([marks(9).marks, truncation.values(ended).title, truncation.reading(ended, null)], [[], "Draw 1 ends", ""]);
});
