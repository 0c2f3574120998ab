// The arithmetic of one number of Q, K or V, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { number } from "../../../viz_core/browser/kit/numbers";
import { bracketed, escaped, sumOf } from "../../../viz_core/browser/kit/prose";
import type { Patch } from "../../../viz_core/web/src/payload";
import { type Qkv, headAt } from "./qkv";

const LISTED = 2; // products written out

/** about: from pages/qkv/page.py; shared: values that do not depend on what is picked. */
export const mountQkvArithmetic = below<{ of: string[]; shared: Patch }>(({ about, say }, view, { given }) => {
  const qkv = given.qkv as Qkv | undefined;
  if (!qkv || [qkv.kind, qkv.role].join() !== about.of.join()) return []; // the numbers are on their way
  const head = headAt(qkv, view);
  if (!head.isKnown) return [];
  return [{ name: "arithmetic", heading: say("heading"), text: say("text", { ...about.shared, ...valuesOf(head) }) }];
});

function valuesOf({ tokens, layer, head, x, w, y, bias, row, column }: ReturnType<typeof headAt>) {
  const at = (values: ArrayLike<number>, index: number) => values[index] ?? Number.NaN;
  const products = Array.from({ length: x.columns }, (_, m) => [
    at(x.values, row * x.columns + m),
    at(w.values, m * w.columns + column),
  ]);
  const write = (value: number) => bracketed(number(value));
  const written = products.map((pair) => pair.map(write).join(" \\cdot "));
  return {
    token: escaped(tokens[row] ?? ""),
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
