import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { around, brief, copiedAt, copiedTokens, readCopied } from "../../pages/decoding/browser/copied_tokens";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const ROOM = { w: 1000, h: 600, whole: false };
const view = (more: object) => ({ step: 0, cell: null, lecture: false, ...more }) as Partial<View> as View;
const data = readCopied(
  payload(
    {
      shares: [[0.1], [0.9]],
      contributions: [
        [0, 0, 0.1],
        [0, 0.7, 0.2],
      ],
    },
    {
      written: ["Wo", "Zo"],
      source: ["where", "Zo", "?"],
      titles: ["first", "second"],
      hovers: ["«Wo»", "«Zo»"],
      same: [[], [1]],
      text: "WoZo",
      steps: 1,
      texts: {
        bar: "[[token]]: [[share]]",
        stage_title: "“[[text]]” [[title]]",
        row_axis_click: "[[axis]]: click",
        row_axis: "written",
      },
    },
  ),
);

test("rows are written tokens and columns those of the source", () => {
  const shown = copiedAt(data, view({ step: 1 }));
  const scene = copiedTokens.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const at = (words: string) => all.find((each) => each.words === words)?.at ?? [];
  assert.ok(Math.abs((at("Zo")[1] ?? 0) - (at("70")[1] ?? 0)) < 2);
  assert.ok((at("Wo")[1] ?? 0) < (at("Zo")[1] ?? 0) && (at("70")[0] ?? 0) < (at("20")[0] ?? 0));
  assert.deepEqual(
    texts(all).filter((words) => / %$/.test(words)),
    ["10 %", "90 %", "0 %", "100 %"],
  );
  const frames = all.filter(({ kind, style }) => kind === "box" && style.stroke);
  assert.deepEqual(
    frames.map(({ style }) => style.stroke),
    ["ink", "accent"],
  );
  assert.equal(copiedTokens.spoken?.(shown), "second. Zo: 70 %");
  assert.deepEqual(underPoint(scene, at("70")[0] ?? 0, at("70")[1] ?? 0), { row: 1, column: 1 });
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
  assert.deepEqual(
    [0, 40, 89].map((at) => around(at, 90).first),
    [0, 28, 66],
  );
  assert.deepEqual([0, 0.001, 0.333, 0.9999999, 1].map(brief), ["0 %", "0.10 %", "33 %", ">99 %", "100 %"]);
});
