import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { sourceWords } from "../../pages/why/browser/source_words";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const NAN = Number.NaN;
const ROOM = { w: 1000, h: 400, whole: false };
const view = (step: number) => ({ step }) as Partial<View> as View;
const read = (gradients: number) =>
  sourceWords.read(
    payload(
      {
        losses: [
          [1, -0.5, 3],
          [0, -1, 0.001],
          [0.25, 2, 0],
        ],
        gradients: [
          [0.5, 0.25, 0],
          [-1, 0, 2],
          [NAN, NAN, NAN],
        ],
        keys: [
          [2, 0, 0],
          [0, -1, 5],
          [0.5, 1.5, 0],
        ],
        numbers: [
          [9, -2, -3, 0.5],
          [8, -1, -1, -1],
          [7, NAN, NAN, NAN],
        ],
      },
      {
        words: ["cat", "<b>", "</s>"],
        count: 2,
        written: ["Katze", "·n", "</s>"],
        gradients,
        texts: {
          lead: "«[[word]]» at [[step]]",
          score: "[[method]] «[[word]]» [[value]]",
          erasure: "erasure",
          gradients: "gradients",
          keys: "keys",
          awaited: "wait",
          absent: "only in the app",
          names: "[[word]] ([[way]])",
          names_none: "none ([[way]])",
          between: "; ",
        },
      },
    ),
    null,
    "",
  );

test("each method names its best word, never a special token", () => {
  const data = read(0);
  const shown = sourceWords.at(data, view(0));
  assert.deepEqual(
    shown.scores.map(({ best }) => best),
    [0, 0, 0],
  );
  const { told, best, loss, value, distance, error } = data.below(view(0)) as Record<string, string>;
  assert.deepEqual([told, best, loss], ["agree", "cat", "1.000"]);
  assert.deepEqual([value, distance, error], ["-2.000", "1.000", "0.250"]);
  const none = data.below(view(1)) as Record<string, string>;
  assert.deepEqual([none.told, none.names], ["agree_on_none", "none (erasure); none (gradients); none (keys)"]);
  assert.equal(sourceWords.reading(shown, null), "erasure «cat» 1.00    gradients «cat» 0.50    keys «cat» 2.00");
});

test("words go down, negative scores to the left; a bar is read", () => {
  const shown = sourceWords.at(read(0), view(0));
  const scene = sourceWords.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const label = (words: string) => all.find((each) => each.words === words);
  assert.ok((label("cat")?.at[1] ?? 0) < (label("<b>")?.at[1] ?? 0));
  const [loss, gain] = [all.find(({ words }) => words === "−0.50"), all.find(({ words }) => words === "3.00")];
  assert.ok((loss?.at[0] ?? 0) < (gain?.at[0] ?? 0));
  const spot = underPoint(scene, 900, label("cat")?.at[1] ?? 0);
  assert.deepEqual([spot, sourceWords.reading(shown, spot)], [{ column: 2, row: 0 }, "keys «cat» 2.00"]);
});

test("scores that are still to come have no bars and no numbers; those that cannot come say so", () => {
  for (const [gradients, words, told] of [
    [1, "wait", "computing"],
    [3, "only in the app", "absent"],
    [0, "only in the app", "absent"],
  ] as const) {
    const data = read(gradients);
    const shown = sourceWords.at(data, view(2));
    const all = drawn(sourceWords.scene(shown, ROOM, null).marks);
    assert.equal(texts(all).filter((each) => each === words).length, 1);
    assert.ok(!texts(all).includes("NaN"));
    assert.equal(sourceWords.reading(shown, { column: 1, row: 0 }), "gradients «cat» …");
    assert.deepEqual(data.below(view(2)), { told, computed: "" });
  }
});
