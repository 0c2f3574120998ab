import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { around, brief, copiedAt, copiedTokens, readCopied } from "../../pages/decoding/browser/copied_tokens";
import { underPoint } from "../../viz_core/web/src/figure";

const ABOUT = {
  ...{ written: ["Wo", "Zo"], source: ["where", "Zo", "?"], titles: ["first", "second"], hovers: ["«Wo»", "«Zo»"] },
  ...{ same: [[], [1]], text: "WoZo", steps: 1 },
  texts: { bar: "[[token]]: [[share]]", stage_title: "“[[text]]” [[title]]", row_axis_click: "[[axis]]", row_axis: "written" },
};
const data = readCopied(payload({ shares: rows("0.1; 0.9"), contributions: rows("0 0 0.1; 0 0.7 0.2") }, ABOUT));

test("rows are written tokens and columns those of the source", () => {
  const shown = copiedAt(data, view({ step: 1 }));
  const scene = copiedTokens.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const [written, most] = [placeOf(all, "Zo"), placeOf(all, "70")];
  assert.ok(Math.abs(written.y - most.y) < 2 && placeOf(all, "Wo").y < written.y && most.x < placeOf(all, "20").x);
  assert.equal(
    texts(all)
      .filter((words) => / %$/.test(words))
      .join(", "),
    "10 %, 90 %, 0 %, 100 %",
  );
  assert.equal(copiedTokens.spoken?.(shown), "second. Zo: 70 %");
  assert.deepEqual(underPoint(scene, most.x, most.y), { row: 1, column: 1 });
});

test("a click picks the step, and behind the last step the cell", () => {
  const shown = copiedAt(data, view({ cell: [1, 2] }));
  assert.equal(shown.row, 1);
  assert.deepEqual(copiedTokens.pick?.(shown, { row: 0, column: 2 }), { step: 0, cell: null });
  assert.deepEqual(copiedTokens.pick?.(shown, { row: 1, column: 2 }), { cell: [1, 2] });
  assert.equal(copiedTokens.values(copiedAt(data, view({ lecture: true }))).title, "“WoZo” first");
});

test("a long sentence is shown around the token, and a share is never rounded to all or nothing", () => {
  assert.deepEqual(around(3, 7), { first: 0, count: 7 });
  const begins = [0, 40, 89].map((at) => around(at, 90).first);
  assert.deepEqual(begins, [0, 28, 66]);
  assert.deepEqual([0, 0.001, 0.333, 0.9999999, 1].map(brief), ["0 %", "0.10 %", "33 %", ">99 %", "100 %"]);
});
