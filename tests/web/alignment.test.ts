import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload } from "./drawn";
import { agreement } from "../../pages/why/browser/agreement";
import { readAlignment } from "../../pages/why/browser/aligned";
import { alignment } from "../../pages/why/browser/alignment";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const ROOM = { w: 600, h: 400, whole: false };
const view = (more: object) => ({ step: 0, layer: 0, head: 0, ...more }) as Partial<View> as View;
const LOSSES = [
  [0.25, 3, 9],
  [2, 0, 1],
  [0.1, 0.2, 5],
]; // the last column is a special token's
const HEADS = [
  [
    [0, 0.9, 0.1],
    [0.8, 0.1, 0.1],
    [0.2, 0.7, 0.1],
  ],
  [
    [0, 0.6, 0.4],
    [0.1, 0.2, 0.7],
    [1, 0, 0],
  ],
];
const read = (by: string) =>
  readAlignment(
    payload(
      { losses: LOSSES, attention: HEADS.flat() },
      {
        by,
        source: ["the", "<b>"],
        output: ["<b>", "die", "er"],
        tokens: [[0, 1], [2], [4]],
        least: 0.5,
        texts: {
          lines: {
            hover_erasure_by: "[[output]] [[strength]] [[source]]",
            hover_head_by: "[[output]] [[strength]] [[source]]",
            title_head_by: "[[head]] of [[layer]]",
          },
          agreement: { lead: "of [[counted]]", hover: "[[head]] of [[layer]]: [[agreed]] of [[counted]]" },
          head_of: "h[[head]] l[[layer]]",
          mean_of: "l[[layer]] [[agreed]]",
          between: "; ",
        },
      },
      { attention: [1, 2, 3, 3] },
    ),
  );
const right = (all: ReturnType<typeof drawn>, words: string) => all.filter((each) => each.words === words).at(-1)?.at ?? [];

test("a line leads from each output word to its strongest source word, unless that is special or the strength too small", () => {
  assert.deepEqual(
    read("erasure_by")
      .links(view({}))
      .map(({ source, output }) => [source, output]),
    [[0, 1]], // the first word's greatest loss is that of the special token; the last one loses too little
  );
  const pairs = (head: number) =>
    read("head_by")
      .links(view({ head }))
      .map(({ source, output }) => [source, output]);
  assert.deepEqual(
    [pairs(0), pairs(1)],
    [
      [
        [1, 0],
        [0, 1],
        [1, 2],
      ],
      [
        [1, 0],
        [0, 2],
      ],
    ],
  );
});

test("source words are on the left, the held word is bold at both ends, and a click on a line or a word sets its step", () => {
  const shown = alignment.at(read("head_by"), view({ step: 2 }));
  const scene = alignment.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const [source, output] = [right(all, "the"), right(all, "die")];
  assert.ok((source[0] ?? 0) < (output[0] ?? 0));
  assert.deepEqual(
    all.filter(({ style }) => style.bold).map(({ words }) => words),
    ["the", "die"],
  );
  assert.equal(alignment.reading(shown, null), "die 80 % the");
  const word = underPoint(scene, (output[0] ?? 0) + 5, right(all, "er")[1] ?? 0);
  assert.deepEqual([word, word && alignment.pick?.(shown, word)], [{ word: 2 }, { step: 4 }]);
  const line = underPoint(scene, ((source[0] ?? 0) + (output[0] ?? 0)) / 2, ((source[1] ?? 0) + (output[1] ?? 0)) / 2);
  assert.ok(line !== null);
  assert.ok(alignment.spoken?.(shown).startsWith("1 of 1. die 80 % the. "));
});

test("a head agrees where its best word is that of erasure, of the words that depend on one", () => {
  const data = read("head_by");
  assert.deepEqual([Array.from(data.agreed), data.counted], [[2, 1], 2]);
  assert.deepEqual(data.below(), { best: "best_head", heads: "h1 l1", agreed: 2, counted: 2, means: "l1 2", more: -2 });
  const shown = agreement.at(data, view({ head: 1 }));
  const scene = agreement.scene(shown, ROOM, null);
  assert.equal(agreement.reading(shown, null), "2 of 1: 1 of 2");
  const first = underPoint(scene, 100, 90);
  assert.deepEqual(
    [first, first && agreement.pick?.(shown, first)],
    [
      { layer: 0, head: 0 },
      { layer: 0, head: 0 },
    ],
  );
});
