// Below Q, K, V: two scores of the head that a single vector could not give, and one number of Q, K or V as a sum of products.

import { number } from "../../../viz_core/browser/kit/numbers";
import { bracketed, escaped, sumOf } from "../../../viz_core/browser/kit/prose";
import { greatestOf, nth, sliceOf } from "../../../viz_core/web/src/payload";
import type { Shown } from "./qkv";

const LISTED = 2; // products written out

export function arithmetic(shown: Shown) {
  const { layer, head, x, w, y, bias, row, column, isKnown } = shown;
  if (!isKnown) return why(shown);
  const at = (values: ArrayLike<number>, index: number) => values[index] ?? Number.NaN;
  const products = Array.from({ length: x.columns }, (_, m) => [
    at(x.values, row * x.columns + m),
    at(w.values, m * w.columns + column),
  ]);
  const write = (value: number) => bracketed(number(value));
  const written = products.map((pair) => pair.map(write).join(" \\cdot "));
  return {
    ...why(shown),
    computed: "arithmetic",
    token: escaped(shown.tokens[row] ?? ""),
    c: column + 1,
    i: row + 1,
    layer: layer + 1,
    head: head + 1,
    terms: sumOf(written, LISTED),
    sum: number(products.reduce((sum, [a = 0, b = 0]) => sum + a * b, 0)),
    bias: write(at(bias, column)),
    value: number(at(y.values, row * y.columns + column)),
  };
}

function why({ sides, kind, tensors, layer, head, query: at }: Shown) {
  const [queries, keys] = sides;
  const query = escaped(nth(queries, at));
  if (kind === "masked" ? at === 0 : kind === "self" && queries.length === 1) return { why: "alone", query };
  const scores = sliceOf(tensors.scores, layer, head);
  const there = Array.from(scores.subarray(at * keys.length, (at + 1) * keys.length));
  const back = there.map((_, key) => (kind === "cross" ? 0 : nth(scores, key * keys.length + at)));
  const other = kind === "cross" ? greatestOf(there) : rivalOf(there, back, at, kind === "masked");
  return { why: "why", query, other: escaped(nth(keys, other)), there: number(nth(there, other)), back: number(nth(back, other)) };
}

/** Of the other keys that the query may attend to, the one whose scores in both directions differ most. */
export const rivalOf = (there: readonly number[], back: readonly number[], at: number, isMasked: boolean) =>
  greatestOf(there.map((score, key) => (key === at || (isMasked && key > at) ? -1 : Math.abs(score - nth(back, key)))));
