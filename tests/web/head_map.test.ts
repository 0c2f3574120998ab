// Maps of heads: layers down, heads across, readable letters, and a head in words with its numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, THEME, drawn, payload, rows, view } from "./drawn";
import { inkOn } from "../../viz_core/browser/kit/svg_pen";
import { headAblation } from "../../pages/heads/browser/head_ablation";
import { HUES, headRoles, roleColour } from "../../pages/heads/browser/head_map";
import { described, headAt, readHeads } from "../../pages/heads/browser/heads";
import { underPoint } from "../../viz_core/web/src/figure";

const measure = (values: string, uniform = 1) => ({ values: rows(values), uniform });
const MEASURES = {
  ...{ previous: measure("0.1 0.6 0.2; 0.3 0.3 0.3", 0.2), near: measure("0.9 0.9 0.9; 0.9 0.9 0.9", 0.5) },
  ...{
    alignment: measure("0.1 0.1 0.1; 0.1 0.1 0.5", 0.1),
    entropy: measure("1 1 1; 3 2 1"),
    agreement: measure("0 0 0; 0 0 0.75"),
  },
};
const roles = [
  ["none", "previous", "near"],
  ["none", "none", "alignment"],
];
const ABOUT = { kind: "cross", measures: MEASURES, roles, out: [[0, 0]], whole: -1, count: 2, of: "sentence" };
const shown = headAt(readHeads(payload({ drops: rows("0 -2 0.0004; 1 0.5 2") }, ABOUT)), view({ layer: 1, head: 2 }));

test("a head is described by its role, or else by its most prominent measure but for neighbours", () => {
  const says = (layer: number, head: number, ...words: string[]) => {
    const said = described(shown, { layer, head });
    for (const each of [`head ${head + 1} of layer ${layer + 1}`, ...words]) assert.ok(said.toLowerCase().includes(each), said);
  };
  says(0, 1, "attends to the source token one position before the one being written: 60 % ", "3.0 times");
  says(1, 2, "attends to the source word on which the other heads agree: 50 % ", "for 75 % of the words");
  says(1, 0, "none of the roles", "being written: 30 % ", "uniform weights over 8.0 tokens");
  assert.ok(described({ ...shown, shares: [] }, { layer: 0, head: 0 }).startsWith("The sentences do not show"));
});

test("rows are layers, columns are heads; a share and what is lost are read, a removed head is said to be out", () => {
  const scene = headRoles.scene(shown, ROOM, null);
  const boxes = drawn(scene.marks).filter(({ kind }) => kind === "box");
  boxes.slice(0, 6).forEach(({ at: [x = 0, y = 0, w = 0, h = 0] }, index) => {
    assert.deepEqual(underPoint(scene, x + w / 2, y + h / 2), { layer: Math.floor(index / 3), head: index % 3 });
  });
  assert.equal(headRoles.reading(shown, null), "layer 2, head 3    alignment: 50 %");
  assert.equal(headAblation.reading(shown, { layer: 0, head: 1 }), "Without head 2 of layer 1: −2.00 nats");
  assert.equal(headAblation.reading(shown, { layer: 0, head: 0 }), "layer 1, head 1    out");
});

test("a larger share has a stronger colour, on which letters stand out", () => {
  const luminance = (colour: number) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, part, at) => {
      const share = ((colour >> (8 * at)) & 255) / 255;
      return sum + part * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0.05);
  const hues = ["#3F4E9D", "#987E02", "#DCC136", "#5FDFE6", "#8B2F51"];
  for (const surface of ["#FFFFFF", "#14161D"])
    HUES.forEach((role, index) => {
      const own = hues[index % hues.length] as string;
      const theme = { ...THEME, surface, panel: surface, head_roles: HUES.map(() => own) };
      const colours = [0, 0.25, 0.5, 0.75, 1].map((share) => roleColour(theme, role, share));
      assert.equal(new Set(colours).size, 4);
      for (const colour of colours) {
        const ink = inkOn(colour) === "#000000" ? 0.05 : 1.05;
        const [low, high] = [ink, luminance(colour)].sort((a, b) => a - b) as [number, number];
        assert.ok(high / low >= 4.5);
      }
    });
});
