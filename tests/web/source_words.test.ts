import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { sourceWords } from "../../pages/why/browser/source_words";
import { underPoint } from "../../viz_core/web/src/figure";

const TENSORS = {
  losses: rows("1 -0.5 3; 0 -1 0.001; 0.25 2 0"),
  gradients: rows("0.5 0.25 0; -1 0 2; NaN NaN NaN"),
  keys: rows("2 0 0; 0 -1 5; 0.5 1.5 0"),
  numbers: rows("9 -2 -3 0.5; 8 -1 -1 -1; 7 NaN NaN NaN"),
};
const TEXTS = {
  ...{ lead: "«[[word]]» at [[step]]", score: "[[method]] «[[word]]» [[value]]", between: "; " },
  ...{ erasure: "erasure", gradients: "gradients", keys: "keys", awaited: "wait", absent: "only in the app" },
  ...{ names: "[[word]] ([[way]])", names_none: "none ([[way]])" },
};
const ABOUT = { words: ["cat", "<b>", "</s>"], count: 2, written: ["Katze", "·n", "</s>"], texts: TEXTS };
const read = (gradients: number) => sourceWords.read(payload(TENSORS, { ...ABOUT, gradients }), null, "");

test("each method names its best word, never a special token", () => {
  const data = read(0);
  const shown = sourceWords.at(data, view());
  assert.equal(shown.scores.map(({ best }) => best).join(" "), "0 0 0");
  const { told, best, loss, value, distance, error } = data.below(view()) as Record<string, string>;
  assert.deepEqual([told, best, loss, value, distance, error], ["agree", "cat", "1.000", "-2.000", "1.000", "0.250"]);
  const none = data.below(view({ step: 1 })) as Record<string, string>;
  assert.deepEqual([none.told, none.names], ["agree_on_none", "none (erasure); none (gradients); none (keys)"]);
  assert.equal(sourceWords.reading(shown, null), "erasure «cat» 1.00    gradients «cat» 0.50    keys «cat» 2.00");
  const scene = sourceWords.scene(shown, ROOM, null);
  const spot = underPoint(scene, 900, placeOf(drawn(scene.marks), "cat").y);
  assert.deepEqual([spot, sourceWords.reading(shown, spot)], [{ column: 2, row: 0 }, "keys «cat» 2.00"]);
});

test("scores that are still to come have no bars and no numbers; those that cannot come say so", () => {
  for (const [gradients, words, told] of [[1, "wait", "computing"] as const, [3, "only in the app", "absent"] as const]) {
    const data = read(gradients);
    const shown = sourceWords.at(data, view({ step: 2 }));
    const all = texts(drawn(sourceWords.scene(shown, ROOM, null).marks));
    assert.equal(all.filter((each) => each === words).length, 1);
    assert.ok(!all.includes("NaN"));
    assert.equal(sourceWords.reading(shown, { column: 1, row: 0 }), "gradients «cat» …");
    assert.deepEqual(data.below(view({ step: 2 })), { told, computed: "" });
  }
});
