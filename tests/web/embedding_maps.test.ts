import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { placeLabels } from "../../pages/embeddings/browser/map_labels";
import { neighboursFigure } from "../../pages/embeddings/browser/neighbours";
import { layoutMap, wordMap } from "../../pages/embeddings/browser/word_map";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const ROOM = { w: 1000, h: 500, whole: false };
const view = (more: object) => ({ step: 0, token: 0, predict: "", revealed: false, ...more }) as Partial<View> as View;

test("a negative cosine goes to the left of 0, a full one has its number inside, and the row under the pointer is read", () => {
  const tensors = {
    which: [[0]],
    ids: [[0, 1, 2]],
    neighbours: [[2, 0, 1, -1]],
    cosines: [[1, 0.5, -0.25, Number.NaN]],
    nearest: [[0]],
  };
  const said = { title: "of [[token]]", cosine: "cosine", reading: "[[rank]]. [[label]], token [[id]]: [[cosine]]" };
  const about = { side: "source", tokens: ["a"], labels: ["x", "y", "z"], texts: said };
  const shown = neighboursFigure.at(neighboursFigure.read(payload(tensors, about), null, ""), view({}));
  const scene = neighboursFigure.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const at = (words: string) => all.find((each) => each.words === words)?.at ?? assert.fail(words);
  const x = (words: string) => at(words)[0] ?? 0;
  assert.deepEqual(
    texts(all).filter((words) => "xyz".includes(words)),
    ["z", "x", "y"],
  );
  const bars = all
    .filter(({ kind, style }) => kind === "box" && style.fill === "accent")
    .map(({ at: [left = 0, , w = 0] }) => [left, w]);
  const lefts = [x("0"), x("0"), x("0") - (x("1") - x("0")) / 4];
  assert.ok(bars.every(([left = 0], row) => Math.abs(left - (lefts[row] ?? 0)) < 0.2) && bars.length === 3);
  assert.ok(x("1.00") < x("1") && x("0.50") > (bars[1]?.[0] ?? 0) + (bars[1]?.[1] ?? 0));
  const spot = underPoint(scene, 300, at("y")[1] ?? 0);
  assert.deepEqual([spot, neighboursFigure.reading(shown, spot)], [{ row: 2 }, "3. y, token 1: −0.2500"]);
  assert.equal(neighboursFigure.reading(shown, null), "1. z, token 2: 1.0000");
});

test("a click on a token of the sentence picks it, and another its next place", () => {
  const corners = [
    [0, 0],
    [1, 1],
    [0.5, 0.8],
  ];
  const about = {
    side: "source",
    tokens: ["a", "b", "a"],
    labels: ["a", "b", "near"],
    texts: { neighbour: "[[label]] of [[owner]]" },
  };
  const map = wordMap.read(payload({ at: corners, owner: [[0, 1, 1]], which: [[0, 1, 0]] }, about), null, "");
  const picks = [0, 2, 1].map((token) => {
    const shown = wordMap.at(map, view({ token }));
    const { x = 0, y = 0 } = layoutMap(shown, ROOM).spots[0] ?? {};
    const spot = underPoint(wordMap.scene(shown, ROOM, null), x, y) ?? assert.fail();
    return wordMap.pick?.(shown, spot);
  });
  assert.deepEqual(picks, [{ token: 2 }, { token: 0 }, { token: 0 }]);
  const shown = wordMap.at(map, view({}));
  assert.deepEqual([wordMap.pick?.(shown, { index: 2 }), wordMap.reading(shown, { index: 2 })], [null, "near of b"]);
});

test("labels never touch, and those of the sentence are always there", () => {
  let seed = 2;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const spots = (count: number, place: () => number[]) => Array.from({ length: count }, place).map(([x = 0, y = 0]) => ({ x, y }));
  const scattered = spots(40, () => [800 * random() ** 2, 540 * random() ** 2]);
  const near = () => 20 * (random() + random() + random() - 1.5) * 2;
  const crowded = [...spots(24, () => [400 + near(), 270 + near()]), { x: 20, y: 20 }, { x: 780, y: 520 }];
  for (const [points, own] of [
    [scattered, 12],
    [crowded, 26],
  ] as const) {
    const labels = points.map((_, at) => ({
      w: 30 * (1 + (at % 3)) + 12,
      h: 26,
      rank: at < own ? ("own" as const) : ("other" as const),
    }));
    const placed = placeLabels(points, labels, { x: 0, y: 0, w: 800, h: 540 });
    assert.ok(points.every((_, at) => at >= own || placed.has(at)) && placed.size > 15);
    const all = [...placed.values()];
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1)) {
        const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
        const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
        assert.ok(wide <= 0 || high <= 0);
      }
  }
});

test("words that could be the answer are nowhere until it is revealed", () => {
  for (const figure of [neighboursFigure, wordMap]) {
    const covered = [{}, { predict: "word" }, { predict: "word", revealed: true }].map((more) => figure.isCovered?.(view(more)));
    assert.deepEqual(covered, [false, true, false]);
  }
});
