// A step's logit, or its lead over another word's, as a sum over the components of the decoder.

import { number } from "../../../viz_core/browser/kit/numbers";
import { escaped, latex } from "../../../viz_core/browser/kit/prose";
import type { View } from "../../../viz_core/web/src/figure";
import { range } from "../../../viz_core/web/src/marks/scale";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";

const WRITERS = ["masked", "cross", "ffn"] as const;
const SMALL = 1e-3; // of the value: a greater remainder is not due to rounding

type About = { written: string[]; rivals: string[]; same: boolean[] };
/** One term: its name, its value, and its layer if it has one. */
export type Term = { name: string; value: number; layer: number | null };
export type Summed = ReturnType<typeof readSummed>;

/** payload: from pages/why/logit_attribution.py. below: the values of the texts below. */
export function readSummed(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "terms" | "value" | "heads">(payload);
  const [, layers = 1, heads = 1] = tensors.heads.shape;
  const count = about.written.length;
  const name = (component: string) => say(`terms.${component}`);
  const logitOf = (step: number) => nth(tensors.value.data, step);
  const remainderOf = (step: number) => logitOf(step) - sum(sliceOf(tensors.terms, step));
  const isExact = (step: number) => Math.abs(remainderOf(step)) <= SMALL * Math.max(Math.abs(logitOf(step)), 1);
  const remains = !range(count).every(isExact); // one step's is a row at all of them, so that they have the same rows

  function at(view: View) {
    const step = Math.min(view.step, count - 1);
    const own = Array.from(sliceOf(tensors.terms, step));
    const components = ["embedding", "positions", ...range(layers).flatMap(() => WRITERS), "constant"];
    const terms = components.map((component, row): Term => {
      const layer = WRITERS.some((writer) => writer === component) ? Math.floor((row - 2) / WRITERS.length) : null;
      const writer = name(component);
      return { name: layer === null ? writer : say("terms.part", { layer: layer + 1, writer }), value: nth(own, row), layer };
    });
    if (remains) terms.push({ name: name("remainder"), value: remainderOf(step), layer: null });
    return {
      say,
      step,
      count,
      word: entryAt(about.written, step),
      rival: about.rivals[step] ?? "",
      terms,
      value: logitOf(step),
      heads: { values: sliceOf(tensors.heads, step), rows: layers, columns: heads },
      held: { layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) },
    };
  }

  function below(view: View) {
    const { step, word, rival, value } = at(view);
    const own = Array.from(sliceOf(tensors.terms, step));
    const ofWriter = (writer: number) => sum(range(layers).map((layer) => nth(own, 2 + WRITERS.length * layer + writer)));
    const sums = {
      embedding: nth(own, 0),
      positions: nth(own, 1),
      ...Object.fromEntries(WRITERS.map((writer, at) => [writer, ofWriter(at)])),
      constant: nth(own, own.length - 1),
      ...(!isExact(step) && { remainder: remainderOf(step) }),
    };
    const written = Object.entries(sums).map(
      ([component, term]) => `\\underbrace{(${number(term)})}_{\\text{${latex(name(component))}}}`,
    );
    const symbol = (token: string) => `z_{\\text{${latex(token)}}}`;
    return {
      left: rival ? `${symbol(word)} - ${symbol(rival)}` : symbol(word),
      terms: written.join(" + "),
      remainder: number(remainderOf(step)),
      value: number(value),
      word: escaped(word),
      rival: escaped(rival),
      told: isExact(step) ? "exact" : "no_sum",
      same: about.same[step] ? "same_rival" : "",
    };
  }

  return { at, below };
}

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);
