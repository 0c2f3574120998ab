import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, view } from "./drawn";
import { agreement, readAlignment, alignment } from "../../pages/why/browser/alignment";
import { underPoint } from "../../viz_core/web/src/figure";

// In the source, the last column is a special token's.
const TENSORS = {
  losses: rows("0.25 3 9; 2 0 1; 0.1 0.2 5"),
  attention: rows("0 0.9 0.1; 0.8 0.1 0.1; 0.2 0.7 0.1; 0 0.6 0.4; 0.1 0.2 0.7; 1 0 0"),
};
const WORDS = { source: ["the", "<b>"], output: ["<b>", "die", "er"], tokens: [[0, 1], [2], [4]] };
const read = (by: string) => readAlignment(payload(TENSORS, { by, ...WORDS, least: 0.5 }, { attention: [1, 2, 3, 3] }));

test("a line leads from each output word to its strongest source word, unless that is special or the strength too small", () => {
  const pairs = (by: string, head = 0) =>
    read(by)
      .links(view({ head }))
      .map(({ source, output }) => `${source}–${output}`)
      .join(" ");
  assert.equal(pairs("erasure_by"), "0–1"); // the first word's greatest loss is that of the special token; the last one loses too little
  assert.deepEqual([pairs("head_by"), pairs("head_by", 1)], ["1–0 0–1 1–2", "1–0 0–2"]);
});

test("the held word is read, and a click on a line or a word sets its step", () => {
  const shown = alignment.at(read("head_by"), view({ step: 2 }));
  const scene = alignment.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  assert.equal(alignment.reading(shown, null), "«die» gives 80 % of its attention to «the»");
  const [source, output] = [placeOf(all, "the"), placeOf(all, "die")];
  const word = underPoint(scene, output.x + 5, placeOf(all, "er").y);
  assert.deepEqual([word, word && alignment.pick?.(shown, word)], [{ word: 2 }, { step: 4 }]);
  assert.ok(underPoint(scene, (source.x + output.x) / 2, (source.y + output.y) / 2) !== null);
  assert.ok(
    alignment.spoken?.(shown).startsWith("Head 1 of layer 1: strongest word. «die» gives 80 % of its attention to «the». "),
  );
});

test("a head agrees where its best word is that of erasure, of the words that depend on one", () => {
  const data = read("head_by");
  assert.deepEqual([Array.from(data.agreed), data.counted], [[2, 1], 2]);
  assert.deepEqual(data.below(), {
    best: "best_head",
    heads: "head 1 of layer 1",
    agreed: 2,
    counted: 2,
    means: "layer 1: 2",
    more: -2,
  });
  const shown = agreement.at(data, view({ head: 1 }));
  assert.equal(agreement.reading(shown, null), "Head 2 of layer 1: 1 of 2 words");
  assert.deepEqual(underPoint(agreement.scene(shown, ROOM, null), 100, 90), { layer: 0, head: 0 });
});
