// The pattern of a head in this sentence, if most of its attention goes to one thing: the previous or next token, the token itself, an
// end of the sentence; in cross attention also the source token to which all heads together attend most. Means over rows; derived.

import { nth } from "../../web/src/payload";
import { type Attention, MEAN } from "./data";

const LEAST = 0.4; // share of a head's attention that makes a pattern

// The pattern of a head, or null.
export function patternOf(data: Attention, layer: number, head: number) {
  const { rows, columns } = data;
  const weights = data.raw(layer, head);
  const mean = (from: number, to: number, keyOf: (query: number) => number) => {
    let sum = 0;
    for (let query = from; query < to; query += 1) sum += nth(weights, query * columns + keyOf(query));
    return to > from ? sum / (to - from) : 0;
  };
  const shares =
    data.about.kind === "cross"
      ? { aligned: mean(0, rows, (query) => nth(strongest(data), query)), end: mean(0, rows, () => columns - 1) }
      : {
          previous: mean(1, rows, (query) => query - 1),
          itself: mean(1, rows, (query) => query),
          ...(data.about.kind === "self"
            ? { next: mean(0, rows - 1, (query) => query + 1), end: mean(0, rows - 1, () => columns - 1) }
            : { start: mean(2, rows, () => 0) }),
        };
  const ordered = Object.entries(shares).sort(([, one], [, other]) => other - one);
  const [name, share] = nth(ordered, 0);
  return share < LEAST ? null : { name, share };
}

const strongestKeys = new WeakMap<Attention, number[]>();

// For each query the key with the largest mean weight over all layers and heads.
function strongest(data: Attention) {
  const known = strongestKeys.get(data);
  if (known) return known;
  const { layers, rows, columns } = data;
  const sum = new Float64Array(rows * columns);
  for (let layer = 0; layer < layers; layer += 1)
    data.values(layer, MEAN, "softmax").forEach((value, at) => {
      sum[at] = nth(sum, at) + (value || 0); // NaN where masked
    });
  const best = Array.from({ length: rows }, (_, query) => {
    const row = sum.subarray(query * columns, (query + 1) * columns);
    return row.indexOf(Math.max(...row));
  });
  strongestKeys.set(data, best);
  return best;
}
