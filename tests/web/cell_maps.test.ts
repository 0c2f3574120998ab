import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { batchMasks, readBatch } from "../../pages/masked_attention/browser/batch_masks";
import { cellMaps } from "../../pages/training/browser/cell_maps";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const HOVERS = [0, 1, 2, 3].map((map) => [0, 1].map((row) => [0, 1].map((column) => `${map}: ${row}, ${column}`)));
const ABOUT = {
  ...{ title: "Maps", queries: ["read", "<b>write</b>"], keys: ["a", "b"], axes: ["rows", "columns"], names: [], lines: [] },
  ...{ hovers: HOVERS, framed: [[0, 1]], held: 1, first: 3, texts: {} },
};
const GRID = rows("0.1 0.9; 0.5 0.4");
const shownOf = (about: object, [down, across]: [number, number], own: object = {}) => {
  const values = Array<number[][]>(down * across)
    .fill(GRID)
    .flat();
  const maps = cellMaps.read(payload({ values }, { ...ABOUT, ...about }, { values: [down, across, 2, 2] }), null, "");
  return cellMaps.at(maps, view({ ...cellMaps.own?.(maps), ...own }) as View);
};

test("one map has its lines in its cells, a frame where asked, and a cell that keys and clicks move", () => {
  const shown = shownOf(
    {
      lines: [
        [
          ["10", ""],
          ["90", "(x)"],
        ],
        [["50"], ["40"]],
      ],
    },
    [1, 1],
  );
  const scene = cellMaps.scene(shown, ROOM, null);
  const all = drawn(scene.marks);
  assert.deepEqual(
    texts(all).filter((words) => /\d|x/.test(words)),
    ["10", "90", "(x)", "50", "40"],
  );
  assert.equal(all.filter(({ kind, style }) => kind === "box" && style.stroke === "output").length, 1);
  assert.equal(cellMaps.reading(shown, null), "0: 1, 0");
  const { x, y } = placeOf(all, "90");
  const spot = underPoint(scene, x, y);
  assert.deepEqual(spot && cellMaps.pick?.(shown, spot), { spot: { map: 0, row: 0, column: 1 } });
  const { across, down } = cellMaps.keys?.(shown) ?? assert.fail();
  assert.deepEqual([across.to(1), down.to(0)], [{ spot: { map: 0, row: 1, column: 1 } }, { spot: { map: 0, row: 0, column: 0 } }]);
  assert.equal(cellMaps.asks?.({ spot }), null);
});

test("of small maps a click asks for the head, and keys go from one to the next", () => {
  const names = [
    ["L1H1", "L1H2"],
    ["L2H1", "L2H2"],
  ];
  const shown = shownOf({ names }, [2, 2], { spot: { map: 2, row: 0, column: 0 } });
  const scene = cellMaps.scene(shown, ROOM, null);
  const { x, y } = placeOf(drawn(scene.marks), "L1H2");
  const spot = underPoint(scene, x + 20, y + 30) ?? assert.fail();
  assert.deepEqual([cellMaps.reading(shown, spot), cellMaps.pick?.(shown, spot)], ["1: 0, 0", { part: 4 }]);
  assert.deepEqual(cellMaps.asks?.({ part: 4 }), { part: "4" });
  assert.equal(cellMaps.reading(shown, null), "L2H1");
  const { across, down } = cellMaps.keys?.(shown) ?? assert.fail();
  assert.deepEqual([across.at, down.at], [0, 1]);
  assert.deepEqual([across.to(1), down.to(0)], [{ spot: { map: 3, row: 0, column: 0 } }, { spot: { map: 0, row: 0, column: 0 } }]);
});

test("the masks of a batch say why each cell is closed", () => {
  const about = {
    sentences: [
      ["⟨s⟩", "das", "⟨pad⟩"],
      ["⟨s⟩", "das", "Haus"],
    ],
    lengths: [2, 3],
    row: 0,
    which: "both",
  };
  const data = readBatch(payload({ open: rows("1 0 0; 1 1 0; 1 1 0"), changes: rows("0 0; 0.5 0") }, about));
  const shown = batchMasks.at(data, view({ layer: 1 }));
  assert.equal(data.closed.map((reasons) => reasons.length).join(""), "012002001");
  assert.ok(/^«⟨s⟩» → «⟨pad⟩»: .*causal mask.*, .*padding mask/.test(batchMasks.reading(shown, { row: 0, column: 2 })));
  const words = texts(drawn(batchMasks.scene(shown, ROOM, null).marks));
  for (const word of ["✓", "later", "later pad", "query (token read)", "key (target token)"]) assert.ok(words.includes(word), word);
  assert.deepEqual([batchMasks.below?.(shown, String)?.difference, batchMasks.below?.(shown, String)?.on_padding], ["0.500", "0"]);
});
