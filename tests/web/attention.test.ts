// The attention view composed from made-up numbers: which rows and keys there are, what is read, what is hidden, where a tip stands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { THEME, drawn, payload, texts } from "./drawn";
import { readAttention } from "../../viz_core/browser/attention_view/data";
import { type Pointed, compose, draw, follow, stillThere, titleAt } from "../../viz_core/browser/attention_view/picture";
import { spokenOf, tipOf } from "../../viz_core/browser/attention_view/reading";
import { START, type View } from "../../viz_core/web/src/view";
import { clicked } from "../../viz_core/browser/attention_view/cell";

const SOURCE = ["The", "ot", "##ter", "</b>"];
const TARGET = ["<s>", "Der", "Otter", "malt", "."];
const WRITES = ["Der", "Otter", "malt", ".", "</s>"];
const ROOM = { x: 0, y: 0, w: 1000, h: 600 };
const [HEADS, DIMS] = [2, 3];

/** Made-up numbers of two heads of one layer, with a weight of its own in each cell. */
function read(kind: "masked" | "cross", more: object = {}) {
  const columns = kind === "cross" ? SOURCE : TARGET;
  const open = (row: number, column: number) => kind === "cross" || column <= row;
  const matrix = (value: (row: number, column: number, head: number) => number) =>
    Array.from({ length: HEADS }, (_, head) => TARGET.flatMap((_, row) => columns.map((_, column) => value(row, column, head))));
  const vectors = (tokens: readonly string[]) =>
    Array.from({ length: HEADS }, (_, head) => tokens.flatMap((_, at) => [at + 1, head + 1, -0.5]));
  const about = {
    ...{ kind, rows: TARGET, columns, row_notes: [], column_notes: ["", "of «🐱»"], writes: WRITES, out: [], edited: false },
    row_words: { labels: ["<s>", "Der", "Otter malt", "."], tokens: [[0], [1], [2, 3], [4]] },
    column_words: { labels: ["The", "otter", "</b>"], tokens: [[0], [1, 2], [3]] },
    ...{
      special_rows: [],
      special_columns: [],
      steps: true,
      grows: kind === "masked",
      hide_rows: false,
      ends: ["<s>", "</b>"],
      ...more,
    },
  };
  const tensors = {
    scores: matrix((row, column, head) => row - column + head),
    weights: matrix((row, column, head) => (open(row, column) ? (row + 2 * column + 3 * head + 1) / 100 : 0)),
    mask: TARGET.map((_, row) => columns.map((_, column) => Number(open(row, column)))),
    ...{ q: vectors(TARGET), k: vectors(columns), v: vectors(columns), mix: vectors(TARGET) },
  };
  const cells = [1, HEADS, TARGET.length, columns.length];
  const [queries, keys] = [TARGET, columns].map((tokens) => [1, HEADS, tokens.length, DIMS]) as [number[], number[]];
  const shapes = { scores: cells, weights: cells, q: queries, k: keys, v: keys, mix: queries };
  return readAttention(payload(tensors, about, shapes));
}

const frameOf = (data: ReturnType<typeof read>, view: Partial<View>, room = ROOM) =>
  compose(data, { ...START, stage: "softmax", show: "one", form: "matrix", layer: 0, head: 0, ...view }, THEME, room, false);
const said = (frame: ReturnType<typeof frameOf>) => texts(drawn([{ draw: (pen) => draw(pen, frame) }]));
const readOut = (frame: ReturnType<typeof frameOf>, hover: Pointed | null = null) => spokenOf(frame, hover, null).words;
const [CROSS, MASKED] = [read("cross"), read("masked")];

test("the cell under the pointer is read, else the strongest of the row; words and means are derived", () => {
  const cross = (view: Partial<View>) => frameOf(CROSS, { step: 4, ...view });
  for (const [view, hover, words] of [
    [{}, [2, 1], "«Otter → malt» gives 5.0 % of its attention to «ot», layer 1, head 1"],
    [{}, null, "«. → </s>» gives 11 % of its attention to «</b>», layer 1, head 1"],
    [{ cell: [1, 0], head: 1 }, null, "«Der → Otter» gives 5.0 % of its attention to «The», layer 1, head 2"],
    [
      { unit: "words", cell: [2, 1] },
      null,
      "«Otter malt» gives 13 % of its attention to «otter», layer 1, head 1 (words: derived)",
    ],
    [
      { show: "mean", cell: [2, 1] },
      null,
      "«Otter → malt» gives 6.5 % of its attention to «ot», layer 1, mean of 2 heads (derived)",
    ],
    [{}, [2, -1], "«Otter → malt» gives 9.0 % of its attention to «</b>», layer 1, head 1"],
    [{}, [-1, 1], "«. → </s>» gives 7.0 % of its attention to «ot», layer 1, head 1"],
  ] as const)
    assert.equal(readOut(cross(view as Partial<View>), hover as Pointed | null), words);
  const masked = frameOf(MASKED, { step: 2, stage: "mask", cell: [1, 2] });
  assert.equal(readOut(masked), "«Der → Otter» cannot attend to «Otter»: masked, layer 1, head 1");
});

test("a click locks a cell, a second one unlocks it, and on a head of many opens it", () => {
  assert.deepEqual(clicked(frameOf(CROSS, { step: 4 }), [2, 1]), { cell: [2, 1] });
  assert.deepEqual(clicked(frameOf(CROSS, { step: 4, cell: [2, 1] }), [2, 1]), { cell: null });
  const opened = { layer: 0, head: 1, show: "one" };
  assert.deepEqual(clicked(frameOf(CROSS, { step: 4, show: "layer" }), { index: 1, cell: null }), opened);
  assert.equal(clicked(frameOf(CROSS, { step: 3, predict: "source" }), [3, 1]), null, "it is to be guessed");
});

test("what is not written yet is not there", () => {
  const masked = frameOf(MASKED, { step: 2 });
  assert.deepEqual([masked.selection.there, masked.selection.thereColumns], [3, 3]);
  assert.deepEqual([stillThere(masked, [2, 1]), stillThere(masked, [3, 0])], [[2, 1], null]);
  assert.ok(readOut(frameOf(MASKED, { step: 2, cell: [1, 4] })).startsWith("«Der → Otter» gives"), "nor is a cell that is locked");
  assert.ok(said(masked).includes("Otter → malt") && !said(masked).some((words) => words.includes("malt → .")));
  const stage = said(frameOf(CROSS, { step: 1, lecture: true }));
  assert.ok(stage.includes("Der → Otter") && !stage.some((words) => words.startsWith("Otter")));
  assert.ok(said(frameOf(CROSS, { step: 1 })).includes("Otter → malt"));
});

test("a row of a later step says so, and a label its note", () => {
  const { layout } = frameOf(CROSS, { step: 4 }) as unknown as { layout: Record<"x" | "y" | "cw" | "ch", number> };
  const title = (step: number, row: number) =>
    titleAt(frameOf(CROSS, { step }), layout.x + 1.5 * layout.cw, layout.y + row * layout.ch);
  assert.deepEqual(
    [title(3, 3.5), title(1, 3.5), title(0, -0.1)],
    [null, "A later step, which the decoder has not reached yet: press → to go on.", "of «🐱»"],
  );
});

test("no word, number or tip gives away what is to be guessed", () => {
  const guessed = { step: 3, predict: "source" };
  assert.equal(readOut(frameOf(CROSS, guessed)), "Where does «malt» attend? Make a guess, then continue.");
  assert.ok(readOut(frameOf(CROSS, { ...guessed, revealed: true })).startsWith("«malt → .» gives"));
  const tips = (view: Partial<View>) =>
    [0, 2, 3].map((row) => tipOf(frameOf(CROSS, { show: "layer", ...view }), { index: 1, cell: [row, 1] }));
  assert.deepEqual(tips(guessed), ["«<s>» → «ot» 6.0 %", "«Otter» → «ot» 8.0 %", ""]);
  assert.equal(tips({ ...guessed, revealed: true })[2], "«malt» → «ot» 9.0 %");
  const covered = (revealed: boolean) => {
    const frame = frameOf(CROSS, { ...guessed, revealed });
    const { y, ch } = frame.layout as unknown as Record<"y" | "ch", number>;
    const boxes = drawn([{ draw: (pen) => draw(pen, frame) }]).filter(
      ({ kind, style }) => kind === "box" && style.fill === THEME.panel,
    );
    return boxes.map(({ at }) => [(at[1] ?? 0) - y, at[3] ?? 0].map((px) => Math.round(px / ch)));
  };
  assert.deepEqual([covered(false), covered(true)], [[[3, 2]], [[4, 1]]], "one answer gives no later one away");
  const ordered = (revealed: boolean) => frameOf(CROSS, { ...guessed, order: "weight", revealed }).selection.columns;
  for (const [revealed, keys] of [
    [false, SOURCE],
    [true, SOURCE.toReversed()],
  ] as const)
    assert.deepEqual(
      ordered(revealed).map(({ label }) => label),
      keys,
    );
  const whole = frameOf(read("masked", { grows: false, column_notes: ["", "", "of «🐱»"] }), { step: 1, predict: "word" });
  assert.equal(whole.selection.columns.map(({ label, note }) => `${label}${note ?? ""}`).join(" "), "<s> Der ? ? ?");
  const neurons = said(frameOf(CROSS, { ...guessed, form: "neurons" }));
  assert.ok(neurons.includes("?") && !neurons.some((words) => words.includes("%")));
});

test("neurons: columns come with the stages, a dimension says its numbers, and many heads have none", () => {
  const neurons = (stage: string, more: Partial<View> = {}) => frameOf(MASKED, { step: 4, form: "neurons", stage, ...more });
  const columns = ["scores", "scaled", "mask", "softmax", "mix"].map((stage) =>
    said(neurons(stage))
      .filter((words) => ["Σ = score", "÷ √3", "mask", "weight"].includes(words))
      .join(" "),
  );
  assert.deepEqual(columns, [
    "Σ = score",
    "Σ = score ÷ √3",
    "Σ = score ÷ √3 mask",
    "Σ = score ÷ √3 weight",
    "Σ = score ÷ √3 weight",
  ]);
  assert.equal(readOut(neurons("scores"), [4, 2, 2]), "dimension 3: q = −0.500, k = −0.500, q × k = 0.250, «. → </s>» · «Otter»");
  for (const [stage, word] of Object.entries({ mask: "−∞", softmax: "masked" }))
    assert.equal(said(neurons(stage, { cell: [1, 1] })).filter((words) => words === word).length, 3);
  assert.deepEqual([neurons("scores", { show: "mean" }).form, neurons("scores", { show: "model" }).form], ["matrix", "grid"]);
});

test("a picture without room scrolls to the step", () => {
  const frame = frameOf(CROSS, { step: 4 }, { ...ROOM, h: 100 });
  const [, down] = frame.layout.axes;
  assert.ok(down.over > 0);
  assert.ok(follow(frame, [0, 0], [4, 0])[1] > 0 && follow(frame, [0, 0], [0, 0])[1] === 0);
});
