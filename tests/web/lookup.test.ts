import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload } from "./drawn";
import { lookup } from "../../pages/embeddings/browser/lookup";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const ROWS = [
  [0.1, 0.2, 0.3],
  [-0.4, 0.5, 1.23456],
];
const about = { side: "source", labels: ["a", "<b>"], entries: 8000, d_model: 256 };
const tensors = { ids: [[3, 7]], rows: ROWS, columns: [[0, 1, 255]], windows: [[0, 1, -1]], picked: [[1]] };
const TEXTS = {
  sum: "sum = row [[id]]",
  hint: "Row [[id]], «[[label]]»",
  cell: "«[[label]]», dimension [[dim]]: [[value]]",
};
const view = { step: 0, token: 0 } as Partial<View> as View;

test("rows left out leave a gap, the picked one is multiplied by 1 and stands again as the sum, and a cell is read", () => {
  const shown = lookup.at(lookup.read(payload(tensors, { ...about, texts: TEXTS }), null, ""), view);
  const scene = lookup.scene(shown, { w: 1000, h: 500, whole: false }, null);
  const all = drawn(scene.marks);
  const at = (words: string) => all.filter((each) => each.words === words).map(({ at: [, y = 0] }) => y);
  const [[first = 0], [picked = 0], [sum = 0]] = [at("3  a"), at("7  <b>"), at("sum = row 7")];
  assert.ok(first < picked && picked < sum && at("⋮").length === 2 && at("…").length === 3);
  assert.deepEqual([at("0"), at("1")[0], at("1.235")], [[first], picked, [picked, sum]]);
  assert.equal(lookup.reading(shown, null), "Row 7, «<b>»");
  const [x = 0] = all.find(({ words }) => words === "1.235")?.at ?? [];
  assert.equal(lookup.reading(shown, underPoint(scene, x, picked)), "«<b>», dimension 256: 1.2346");
  assert.equal(lookup.values(shown).values, "−0.400, 0.500, …, 1.235");
});
