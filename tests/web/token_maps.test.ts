import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { type Look, readMaps, type TokenMap, tokenMaps } from "../../viz_core/browser/token_maps/token_maps";
import { underPoint } from "../../viz_core/web/src/figure";

const MAPS: TokenMap[] = [
  { numbers: "weights", name: "weight", hover: "[[query]]: [[key]] [[value]]", masked: "[[key]]: masked", limit: 1, end: "100" },
  { numbers: "norms", name: "norm", hover: "[[value]]", masked: "masked", written: "brief" },
];
const LOOK: Look = { maps: MAPS, title: () => "title", axes: ["rows", "columns"], file: "maps" };
const QUERIES = { queries: ["das", "alte", "<b>Haus</b>"], writes: ["alte", "<b>Haus</b>", "."] };
const ABOUT = { ...QUERIES, keys: ["the", "house"], by: { weights: [], norms: [] } };
const TENSORS = { weights: rows("0.9 0.1; 0.4 0.6; 0.004 NaN"), norms: rows("18 2; 8 12; 0.08 NaN") };
const read = (more: object = {}, tensors: Record<string, number[][]> = TENSORS, look: Partial<Look> = {}) =>
  readMaps(payload(tensors, { ...ABOUT, ...more }), () => ({ ...LOOK, ...look }));
const at = (more: object = {}) => view({ step: 1, ...more });
const said = (shown: ReturnType<typeof tokenMaps.at>, pattern: RegExp) =>
  texts(drawn(tokenMaps.scene(shown, ROOM, null).marks))
    .filter((each) => pattern.test(each))
    .join(" ");

test("rows are queries, columns are keys, and the greatest number of the step's row is looked at in both maps", () => {
  const shown = tokenMaps.at(read(), at());
  const scene = tokenMaps.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  assert.ok(placeOf(all, "das → alte").y < placeOf(all, "<b>Haus</b> → .").y && placeOf(all, "the").x < placeOf(all, "house").x);
  assert.deepEqual([shown.row, shown.column], [1, 1]);
  assert.equal(tokenMaps.reading(shown, null), "alte → <b>Haus</b>: house 60 %    12.00");
  assert.equal(tokenMaps.reading(shown, { row: 2, column: 1 }), "house: masked    masked");
  const { x, y } = placeOf(all, "90");
  const spot = underPoint(scene, x + 1, y);
  assert.deepEqual([spot, spot && tokenMaps.pick?.(shown, spot)], [{ row: 0, column: 0 }, { cell: [0, 0] }]);
  const { across, down } = tokenMaps.keys?.(shown) ?? assert.fail();
  assert.deepEqual([across.to(0), down.to(2)], [{ cell: [1, 0] }, { cell: [2, 1] }]);
});

test("each map has its own scale and digits, and says nothing where it would read 0", () => {
  assert.equal(said(tokenMaps.at(read(), at({ cell: [0, 1] })), /^[\d.]+$/), "0 100 90 10 40 60 0 18.0 18.0 2.0 8.0 12.0 0.1");
});

test("a line parts the numbers below one half from the others", () => {
  const lines = drawn(tokenMaps.scene(tokenMaps.at(read({}, TENSORS, { border: "weights" }), at()), ROOM, null).marks);
  const dashed = lines.filter(({ kind, style }) => kind === "lines" && style.stroke === "output_text");
  assert.equal(dashed.length, 5); // two upright ones in the first rows, two level ones between them, one above the last row
});

test("an array of all layers gives that of the layer, the last one beyond its end", () => {
  const maps = read({ by: { weights: ["layer"] } }, { ...TENSORS, weights: rows("1 2 3 4 5 6") });
  assert.deepEqual([...maps.at("weights", at({ layer: 7 })).data], [1, 2, 3, 4, 5, 6]);
});

test("signed numbers have a scale with 0 in its middle, and the cell of a figure may be fixed", () => {
  const slopes = { numbers: "norms", name: "slope", hover: "up", below: "down [[value]]", zero: "none", masked: "no" };
  const maps: TokenMap[] = [{ ...slopes, written: "whole", limit: 0.02, end: "20", times: 1000 }];
  const fixed = read({ cell: [0, 0] }, { norms: rows("-0.02 0; 0.011 NaN; 0.0001 0.02") }, { maps });
  const shown = tokenMaps.at(fixed, at({ cell: [1, 1] }));
  assert.equal(said(shown, /^[−+\d]+$/), "−20 20 −20 +11 +20");
  assert.deepEqual([shown.row, shown.column, tokenMaps.pick?.(shown, { row: 1, column: 0 })], [0, 0, null]);
  const read_out = [[0, 0] as const, [0, 1] as const, [1, 0] as const].map(([row, column]) =>
    tokenMaps.reading(shown, { row, column }),
  );
  assert.deepEqual(read_out, ["down -0.0200", "none", "up"]);
});
