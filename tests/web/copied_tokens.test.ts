import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { around, brief, copiedAt, copiedTokens, readCopied } from "../../pages/decoding/browser/copied_tokens";
import { underPoint } from "../../viz_core/web/src/figure";

const ABOUT = {
  ...{ lost: ["<so>"], written: ["Wo", "Zo"], source: ["where", "Zo", "Wo"], text: "WoZo", steps: 1, follow: 2 },
  ...{ tokens: ["Wo ", "Zo So"].map((pair) => pair.split(" ")), sources: [[2], [0, 1]] },
  texts: {
    ...{ stage_title: "“[[text]]” [[title]]", row_axis_click: "[[axis]]", row_axis: "written" },
    ...{ copy_title: "[[token]] [[came]] of [[p]]", nothing: "Nothing", nothing_title: ": [[most]] at most" },
  },
};
const payloadOf = (gates: string) =>
  payload(
    {
      ...{ probabilities: rows(gates), terms: rows("0.25 1 -2 0.5; 0 0 0 1") },
      ...{ a: rows("0 0 0.5; 0 0.7777777 0.2222222"), mix: rows("0 0 0.5; 0 1 0") },
    },
    ABOUT,
  );
const data = readCopied(payloadOf("0.5 0.4 0.9 0.4; 0.7777777 0.1 0.1 0.8"));

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
  assert.equal(copiedTokens.spoken?.(shown), "Zo 70.0 of 77.8 %. Zo: 70 %");
  assert.deepEqual(underPoint(scene, most.x, most.y), { row: 1, column: 1 });
});

test("a click picks the step, and behind the last step the cell", () => {
  const shown = copiedAt(data, view({ cell: [1, 2] }));
  assert.equal(shown.row, 1);
  assert.deepEqual(copiedTokens.pick?.(shown, { row: 0, column: 2 }), { step: 0, cell: null });
  assert.deepEqual(copiedTokens.pick?.(shown, { row: 1, column: 2 }), { cell: [1, 2] });
  assert.equal(copiedTokens.values(copiedAt(data, view({ lecture: true }))).title, "“WoZo” Wo 5.0 of 50.0 %");
});

test("a long sentence is shown around the token, and a share is never rounded to all or nothing", () => {
  assert.deepEqual(around(3, 7), { first: 0, count: 7 });
  const begins = [0, 40, 89].map((at) => around(at, 90).first);
  assert.deepEqual(begins, [0, 28, 66]);
  assert.deepEqual([0, 0.001, 0.333, 0.9999999, 1].map(brief), ["0 %", "0.10 %", "33 %", ">99 %", "100 %"]);
});

test("the arithmetic adds the weights of all places of a token, and says what the model alone would write", () => {
  const texts = (name: string, values = {}) => `${name} ${Object.values(values)}`.trim();
  const values = (step: number) => copiedTokens.below?.(copiedAt(data, view({ step })), texts);
  const { alone, places, sum, terms, strongest, share, exact, gone } = values(1) ?? {};
  assert.deepEqual(
    [alone, places, sum, terms, strongest, share, exact, gone],
    [
      "alone_other So,80 %",
      "places_many 2",
      "(0.000 + 0.778)",
      "0.000 + 0.000 + 0.000 + 1.000",
      "strongest Zo,100 %,78 %",
      "0.9000",
      "0.900000",
      "gone &#60;so&#62;",
    ],
  );
  assert.deepEqual([values(0)?.alone, values(0)?.places, values(0)?.sum], ["alone_same", "places_one 1", "0.500"]);
  assert.equal(values(0)?.terms, "0.250 + 1.000 - 2.000 + 0.500");
});

test("a sentence of which nothing is copied says so", () => {
  const { title, nothing } = copiedTokens.values(copiedAt(readCopied(payloadOf("1 1 0.9999 1; 1 1 0.9995 1")), view({})));
  assert.deepEqual([nothing, title], ["Nothing", ": 0.050 % at most"]);
});
