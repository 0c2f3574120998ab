import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { textsOf } from "../../pages/decoding/browser/decodings";
import { passes, passesAt, readPasses } from "../../pages/decoding/browser/passes";
import { rivals, rivalsAt } from "../../pages/decoding/browser/rivals";
import { underPoint } from "../../viz_core/web/src/figure";

const ABOUT = {
  words: ["die die Frau", "die junge Frau"].map((line) => line.split(" ")),
  pairs: [
    { token: 7, ids: [7, 9], series: [[0.5, 0.1], [0.4, 0.2], [0.01, 0.9]] }, // biome-ignore format: a series each
    { token: 8, ids: [8], series: [[0.2], [0.1], [0.05]] },
  ],
  ...{ likely: 0, labels: { 7: "die", 8: "Frau", 9: "<b>" }, vocabulary: 10, text: "die junge Frau", steps: 3 },
  settings: { name: "filler", masked: true, most: 3 },
};
const read = (about = {}) =>
  readPasses(
    payload(
      { ids: rows("7 7 8; 7 9 8"), probabilities: rows("0.5 0.4 0.9; 0.5 0.8 0.9"), hidden: rows("1 1 1; 0 1 0") },
      { ...ABOUT, ...about },
    ),
  );

test("a pass marks what was masked before it, what it changed, and neighbours with the same token", () => {
  const marksOf = (row: number) =>
    read().rows[row]?.map((cell) => (["hidden", "other", "twin"] as const).filter((name) => cell[name]).join());
  assert.deepEqual(marksOf(0), ["hidden,twin", "hidden,twin", "hidden"]);
  assert.deepEqual(marksOf(1), ["", "hidden,other", ""]);
  const scene = passes.scene(passesAt(read(), view({ step: 9 })), ROOM, null);
  const all = texts(drawn(scene.marks));
  for (const words of ["pass 2", "3 of 3", "1 of 3", "junge", "80 %", "masked before this pass, predicted by it"])
    assert.ok(all.includes(words), words);
});

test("the step is the pass, beyond the last one the last; a click picks the pass and the pair of positions", () => {
  const [first, last] = [0, 9].map((step) => passesAt(read(), view({ step }))) as [
    ReturnType<typeof passesAt>,
    ReturnType<typeof passesAt>,
  ];
  assert.deepEqual([first.row, last.row], [0, 1]);
  const scene = passes.scene(first, ROOM, null);
  const { x, y } = placeOf(drawn(scene.marks), "junge");
  assert.deepEqual(underPoint(scene, x, y), { row: 1, column: 1 });
  assert.deepEqual(passes.pick?.(first, { row: 1, column: 2 }), { place: 1, step: 1 });
  assert.equal(passes.spoken?.(last), "pass 2, 1 of 3: “die junge Frau”");
});

test("without masks, a pass says how many tokens are greedy's", () => {
  const shown = passesAt(read({ settings: { name: "m", masked: false, most: 3 } }), view({ step: 1 }));
  assert.equal(passes.spoken?.(shown), "pass 2, 2 of 3 equal greedy's: “die junge Frau”");
  assert.ok(/never trained/.test(shown.say("lead")));
  assert.equal(passes.values(shown).passes, "2 passes");
});

test("neighbours are compared where the reader looks, beyond the last pair at the last, and the rest is all other tokens'", () => {
  const shown = rivalsAt(read(), view({ place: null }));
  assert.deepEqual(
    [shown.names, shown.words],
    [
      ["position 1, pass 1", "position 2, pass 1", "position 2, all others known"],
      ["die", "<b>", "the other 8"],
    ],
  );
  assert.deepEqual(shown.series.map((shares) => shares.at(-1)?.toFixed(2)), ["0.40", "0.40", "0.09"]); // biome-ignore format: one line
  const { i, token, both, informed, counts } = rivals.below?.(shown, () => "") ?? {};
  assert.deepEqual([i, token, both, informed, counts], [1, "die", "0.200", "0.0100", "3, 1, 0"]);
  assert.equal(rivals.values(rivalsAt(read(), view({ place: 40 }))).left, 2);
  assert.deepEqual(rivals.keys?.(shown).across.to(1), { place: 1 });
  assert.equal(
    rivals.below?.(rivalsAt(read({ pairs: [] }), view({})), () => ""),
    null,
  );
});

test("beside decoding token by token: whether its sentence is reached, how long both take, and which lengths were tried", () => {
  const beside = { name: "other", text: "<die>", steps: 3, alike: false };
  const settings = { name: "m", masked: false, most: 3, whole: false, ignored: true };
  const compared = { settings, beside, tried: [[3, "die"]] as [number, string][], text: "die Frau", seconds: [0.25, 0.1] };
  const of = (more: object, same: number[], chances = [0.5]) =>
    Object.values(textsOf({ ...compared, ...more }, { same, tokens: 3, chances, means: [-1.5] })).join("\n");
  for (const [same, said] of [[[1, 3], "after 2 passes, in place of 3 steps"], [[1, 2], "the first 2 of 3 are"]] as const) // biome-ignore format: a pair
    assert.ok(of({}, [...same]).includes(said) && /&#60;die&#62;.*\| 3 steps/.test(of({}, [...same])));
  assert.ok(of({ settings: { ...settings, whole: true } }, [3]).includes("need not arrive"));
  const masked = { settings: { ...settings, masked: true } };
  for (const said of ["| one pass | 250.0 ms |", "**2.50 times**", "of another shape", "| 3 | 50 % | −1.500 | die |"])
    assert.ok(of(masked, [1]).includes(said), said);
  assert.ok(/\*\*given\*\*: 3/.test(of({ ...masked, seconds: [] }, [1], [Number.NaN])));
});
