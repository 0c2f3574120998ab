// Why there are queries, keys and values: two scores of the head that a single vector could not give.

import { below } from "../../../viz_core/browser/kit/below";
import { number } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { greatestOf, nth, sliceOf } from "../../../viz_core/web/src/payload";
import type { Qkv } from "./qkv";

/** payload: from pages/qkv/page.py, only texts. */
export const mountQkvWhyArithmetic = below<{ kind: string }>(({ about, say }, view, { given }) => {
  const qkv = given.qkv as Qkv | undefined;
  if (qkv?.kind !== about.kind) return null; // the numbers are on their way
  const { sides, kind, tensors } = qkv;
  const [queries, keys] = sides;
  const at = Math.min(kind === "self" ? view.token : view.step, queries.length - 1);
  const token = escaped(nth(queries, at));
  if (kind === "masked" ? at === 0 : kind === "self" && queries.length === 1)
    return [{ name: "why", text: say("alone", { token }) }];
  const [layers = 1, heads = 1] = tensors.scores.shape;
  const scores = sliceOf(tensors.scores, Math.min(view.layer, layers - 1), Math.min(view.head, heads - 1));
  const there = Array.from(scores.subarray(at * keys.length, (at + 1) * keys.length));
  const back = there.map((_, key) => (kind === "cross" ? 0 : nth(scores, key * keys.length + at)));
  const other = kind === "cross" ? greatestOf(there) : rivalOf(there, back, at, kind === "masked");
  const values = { token, other: escaped(nth(keys, other)), there: number(nth(there, other)), back: number(nth(back, other)) };
  return [{ name: "why", text: say("why", values) }];
});

/** Of the other keys that the query may attend to, the one whose scores in both directions differ most. */
export const rivalOf = (there: readonly number[], back: readonly number[], at: number, isMasked: boolean) =>
  greatestOf(there.map((score, key) => (key === at || (isMasked && key > at) ? -1 : Math.abs(score - nth(back, key)))));
