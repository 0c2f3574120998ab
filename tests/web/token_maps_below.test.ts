// What stands below heat maps: of the picked cell, of its row, and of the whole map.

import assert from "node:assert/strict";
import { test } from "node:test";
import { payload, rows, view } from "./drawn";
import { normWeighted } from "../../pages/heads/browser/norm_weighted_maps";
import { throughLayers } from "../../pages/heads/browser/through_layers";
import { guided } from "../../pages/training/browser/guided";
import type { Figure } from "../../viz_core/web/src/figure";
import type { Say } from "../../viz_core/web/src/payload";

const LABELS = { queries: ["das", "Haus"], keys: ["the", "house"], writes: ["Haus", "."] };

/** numbers: arrays in order, the first of which is drawn. */
function below<Data, Shown extends { say: Say }, Datum extends object>(
  of: Figure<Data, Shown, Datum>,
  numbers: Record<string, string>,
  more: { by?: object; shapes?: Record<string, number[]>; [own: string]: unknown },
  place: object,
): Record<string, unknown> {
  const tensors = Object.fromEntries(Object.entries(numbers).map(([name, written]) => [name, rows(written)]));
  const { shapes, ...own } = { by: {}, kind: "self", ...more };
  const data = of.read(payload(tensors, { ...LABELS, ...own }, shapes), null, "");
  return { ...of.below?.(of.at(data, view(place)), (name: string) => name) };
}

const NORMS = { weights: "0.9 0.1; 1 0", norms: "2 5; 3 0" };

test("beside a weight stands the norm, and where the two disagree; a special token has its share of both", () => {
  const of = { of_all: false, special: 1, out: [[0, 1]] };
  const { weight, moved, long, most, ...rest } = below(normWeighted, NORMS, of, { head: 1 });
  assert.deepEqual([weight, moved, long, most], ["0.900", "2.000", "2.222", "other_key"]);
  assert.deepEqual([rest.weight_share, rest.norm_share, rest.taken_out], ["5.0 %", "50 %", "taken_out"]);
  assert.equal(below(normWeighted, NORMS, of, { cell: [1, 1] }).of, "of_norms_nothing");
  const all = { ...NORMS, each: "2 1 0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1 0 0", sum: "6 5; 4 0" };
  const together = below(normWeighted, all, { ...of, of_all: true, shapes: { each: [5, 2, 2] } }, {});
  assert.equal(together.parts, "2.000 + 1.000 + 1.000 + 1.000 + \\cdots");
  assert.deepEqual([together.of, together.sum, together.taken_out], ["of_norms_layer", "6.000", "taken_out"]);
});

test("a share through the layers is worked out from what leads to it", () => {
  const rolled = { values: "0.75 0.25; 0 1", inside: "0.5 0.5; 0 1", below: "1 0; 0.5 0.5" };
  const { parts, diagonal, before } = below(throughLayers, rolled, { kind: "self", measure: "rollout" }, {});
  assert.deepEqual([parts, diagonal, before], ["0.500 \\cdot 1.000 + 0.500 \\cdot 0.500", "88 %", 0]);
  const flow = { values: "0.5 0.9; 0 0.9", first: "0.5 0.5; 0 0.4", second: "0.25 0.75; 0 1" };
  const most = below(throughLayers, flow, { kind: "self", measure: "max_flow" }, { layer: 1, cell: [0, 1] });
  assert.deepEqual([most.of, most.parts], ["of_max_flow_two", "\\min(0.750, 0.400) + \\min(0.250, 0.500)"]);
  assert.deepEqual([most.entering, most.let_in, most.bound, most.cells], ["0.900", "0.900", 3, 4]);
  const mean = { values: "0.5 0.5; 0 1", each: "0.25 0.75 0 1 0.75 0.25 0 1" };
  const one = below(throughLayers, mean, { kind: "cross", measure: "raw", shapes: { each: [2, 2, 2] } }, {});
  assert.deepEqual([one.heads, one.parts, one.sum], [2, "0.250 + 0.750", "100 %"]);
});

test("a head pays for each row, and is compared with all heads", () => {
  const numbers = { paid: "0 0.1 0.4 0 0 0 0 0", weights: "0.8 0.2 0.9 0.1 1 0 0 1", cost: "0 0.5; 0.5 0" };
  const shapes = { paid: [1, 2, 2, 2], weights: [1, 2, 2, 2] };
  const by = { paid: ["layer", "head"], weights: ["layer", "head"] };
  const said = below(guided, numbers, { by, shapes, width: 20 }, { step: 1 });
  assert.deepEqual(
    [said.most_query, said.most_key, said.most_paid, said.most_share],
    ["Haus &#8594; &#46;", "the", "0.400", "90 %"],
  );
  assert.deepEqual([said.low_head, said.low, said.high_head, said.high, said.equal], [2, "0.000", 1, "0.250", "0.250"]);
  assert.deepEqual([said.here, said.row, said.head, said.t, said.s], ["0.400", "0.400", "0.250", 2, 1]);
});
