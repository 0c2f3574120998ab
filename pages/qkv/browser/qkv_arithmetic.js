// The arithmetic of one number of Q, K or V, with the numbers of the figure above it.

import { mountBelow } from "../../../viz_core/browser/kit/below.js";
import { fill, number } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";
import { escaped } from "../../../viz_core/browser/kit/prose.js";
import { headAt } from "./qkv";

const LISTED = 2; // products that are written out

// payload: of pages/qkv/page.py, the texts and what stands in their places, whatever is picked.
export function mountQkvArithmetic(root, payload, store) {
  let { about } = readTensors(payload);
  const below = mountBelow(root, store, (view) => {
    const { qkv } = store.given;
    if (!qkv || [qkv.kind, qkv.role].join() !== about.of.join()) return []; // the numbers are on their way
    const head = headAt(qkv, view);
    const { heading, text } = about.texts;
    return head.isKnown ? [{ name: "arithmetic", heading, text: fill(text, valuesOf(head, about.shared)) }] : [];
  });
  return {
    update(next) {
      ({ about } = readTensors(next));
      below.repaint();
    },
    destroy: below.destroy,
  };
}

function valuesOf(one, shared) {
  const { tokens, layer, head, x, w, y, bias, row, column } = one;
  const products = Array.from({ length: x.columns }, (_, m) => [
    x.values[row * x.columns + m],
    w.values[m * w.columns + column],
  ]);
  const terms = products.slice(0, LISTED).map((pair) => pair.map(factor).join(" \\cdot "));
  return {
    ...shared,
    token: escaped(tokens[row]),
    c: column + 1,
    i: row + 1,
    layer: layer + 1,
    head: head + 1,
    terms: [...terms, ...(products.length > LISTED ? ["\\cdots"] : [])].join(" + "),
    sum: number(products.reduce((sum, [a, b]) => sum + a * b, 0)),
    bias: factor(bias[column]),
    value: number(y.values[row * y.columns + column]),
  };
}

// In a formula a number with a sign stands in brackets.
function factor(value) {
  return value < 0 ? `(${number(value)})` : number(value);
}
