import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, payload, texts } from "./drawn";
import { readMaps, tokenMaps } from "../../viz_core/browser/token_maps/token_maps";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const [QUERIES, KEYS] = [
  ["das", "alte", "<b>Haus</b>"],
  ["the", "house"],
];
const ROWS = [
  [0.9, 0.1],
  [0.4, 0.6],
  [0.004, Number.NaN],
];
const MAPS = [
  {
    numbers: "weights",
    name: "weight",
    hover: "[[query]] → [[key]]: [[value]]",
    masked: "[[key]]: masked",
    written: "percent",
  },
  { numbers: "norms", name: "norm", hover: "[[value]]", masked: "masked", written: "brief" },
];
const about = (more: object = {}) => ({
  maps: MAPS.map((map) => ({ ...map, limit: map.numbers === "weights" ? 1 : null, end: "100", times: 1 })),
  queries: QUERIES,
  keys: KEYS,
  by: { weights: [], norms: [] },
  titles: [["title"]],
  axes: ["rows", "columns"],
  of_step: true,
  greatest: "weights",
  border: "",
  cell: null,
  texts: {},
  ...more,
});
const norms = ROWS.map((row) => row.map((value) => 20 * value));
const read = (more?: object) => readMaps(payload({ weights: ROWS, norms }, about(more)));
const view = (more: object) => ({ step: 1, layer: 0, head: 0, cell: null, predict: "", ...more }) as Partial<View> as View;
const ROOM = { w: 900, h: 400, whole: false };

test("rows are queries, columns are keys, and the greatest number of the step's row is framed in both maps", () => {
  const shown = tokenMaps.at(read(), view({}));
  const scene = tokenMaps.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  const places = new Map(all.map(({ words, at: [x = 0, y = 0] }) => [words, { x, y }] as const).reverse());
  const [first, last] = [places.get("das"), places.get("<b>Haus</b>")];
  assert.ok(first && last && first.y < last.y && (places.get("the")?.x ?? 0) < (places.get("house")?.x ?? 0));
  assert.deepEqual([shown.row, shown.column], [1, 1]);
  const framed = all.filter(({ kind, style }) => kind === "box" && style.stroke && !style.fill).map(({ at }) => at);
  const of = (from: number) => framed.slice(from).find(([, , w = 0]) => w < 200);
  assert.equal(places.get("60")?.y, (of(0)?.[1] ?? 0) + (of(0)?.[3] ?? 0) / 2 - 1);
  assert.equal(tokenMaps.reading(shown, null), "alte → house: 60 %    12.00");
  assert.equal(tokenMaps.reading(shown, { row: 2, column: 1 }), "house: masked    masked");
  const spot = underPoint(scene, (places.get("90")?.x ?? 0) + 1, places.get("90")?.y ?? 0);
  assert.deepEqual([spot, spot && tokenMaps.pick?.(shown, spot)], [{ row: 0, column: 0 }, { cell: [0, 0] }]);
  const { across, down } = tokenMaps.keys?.(shown) ?? assert.fail();
  assert.deepEqual([across.to(0), down.to(2)], [{ cell: [1, 0] }, { cell: [2, 1] }]);
});

test("each map has its own scale and digits, and says nothing where it would read 0", () => {
  const words = texts(drawn(tokenMaps.scene(tokenMaps.at(read(), view({ cell: [0, 1] })), ROOM, null).marks));
  assert.deepEqual(
    words.filter((each) => /^[\d.]+$/.test(each)),
    ["0", "100", "90", "10", "40", "60", "0", "18.0", "18.0", "2.0", "8.0", "12.0", "0.1"],
  );
});

test("a line parts the numbers below one half from the others", () => {
  const lines = drawn(tokenMaps.scene(tokenMaps.at(read({ border: "weights" }), view({})), ROOM, null).marks);
  const dashed = lines.filter(({ kind, style }) => kind === "lines" && style.stroke === "output_text");
  assert.equal(dashed.length, 5); // two upright ones in the first rows, two level ones between them, one above the last row
});

test("an array of all layers gives that of the layer, the last one beyond its end", () => {
  const maps = readMaps(payload({ weights: [[1, 2, 3, 4, 5, 6]], norms }, about({ by: { weights: ["layer"] } })));
  assert.deepEqual([...maps.at("weights", view({ layer: 7 })).data], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([maps.has("weights"), maps.has("other")], [true, false]);
});

test("signed numbers have a scale with 0 in its middle, and the cell of a figure may be fixed", () => {
  const slopes = {
    numbers: "norms",
    name: "slope",
    hover: "up",
    below: "down [[value]]",
    zero: "none",
    masked: "no",
    written: "whole",
  };
  const fixed = readMaps(
    payload(
      {
        norms: [
          [-0.02, 0],
          [0.011, Number.NaN],
          [0.0001, 0.02],
        ],
      },
      about({ maps: [{ ...slopes, limit: 0.02, end: "20", times: 1000 }], cell: [0, 0] }),
    ),
  );
  const shown = tokenMaps.at(fixed, view({ cell: [1, 1] }));
  const words = texts(drawn(tokenMaps.scene(shown, ROOM, null).marks));
  assert.deepEqual(
    words.filter((each) => /^[−+\d]+$/.test(each)),
    ["−20", "20", "−20", "+11", "+20"],
  );
  assert.deepEqual([shown.row, shown.column, tokenMaps.pick?.(shown, { row: 1, column: 0 })], [0, 0, null]);
  const said = [0, 1].map((column) => tokenMaps.reading(shown, { row: 0, column }));
  assert.deepEqual([...said, tokenMaps.reading(shown, { row: 1, column: 0 })], ["down -0.0200", "none", "up"]);
});
