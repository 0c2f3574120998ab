// The head on display in words: its role, a sentence that shows it, and the arithmetic of its ablation, from the numbers of the map.

import { below } from "../../../viz_core/browser/kit/below";
import { grouped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { type Heads, described, dropOf, headAt } from "./heads";

/** payload: from pages/heads/measured.py. note: that the numbers are those of the model as trained, or nothing. */
export const mountHeadWords = below<{ note: string }>(({ about: { note } }, view, { given }) => {
  const heads = given.heads as Heads | undefined;
  if (!heads) return null; // the numbers are on their way
  const { say, layer, head, measures, examples, tensors, of, whole, count } = headAt(heads, view);
  const place = { layer, head };
  const says = measures.length ? { name: "says", text: say("says", { head_says: escaped(described(heads, place)) }) } : null;
  if (!tensors.drops) {
    const [text, weight] = examples[layer]?.[head] ?? [];
    const words = text === undefined ? null : say("example", { text: escaped(text), share: percent(weight ?? 0) });
    return [says, words === null ? null : { name: "example", text: words }];
  }
  const drop = dropOf(heads, place);
  const text = say("text", {
    layer: layer + 1,
    head: head + 1,
    drop: number(drop),
    whole: of === "bleu" ? whole.toFixed(1) : number(whole),
    without: number(whole - drop),
    count: grouped(count),
    tokens: grouped(count),
  });
  return [says, note ? { name: "as_trained", text: note } : null, { name: "arithmetic", heading: say("heading"), text }];
});
