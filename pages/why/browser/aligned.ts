// Word alignment: the source word of each output word, by erasure or by attention, and how many words a head aligns as erasure does.

import type { View } from "../../../viz_core/web/src/figure";
import { range } from "../../../viz_core/web/src/marks/scale";
import { type Tensor, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";

const LISTED = 3; // heads that are named as the best

/** tokens: the steps that write each output word; least: nats, below which a word has no counterpart. */
type About = { by: "erasure_by" | "head_by" | "mean_by"; source: string[]; output: string[]; tokens: number[][]; least: number };

export type Link = { source: number; output: number; strength: number };
export type Aligned = ReturnType<typeof readAlignment>;

/** payload: from pages/why/alignment.py. below: the values of the text below. */
export function readAlignment(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "losses" | "attention">(payload);
  const { source, output, least } = about;
  const [layers = 0, heads = 0, words = 0, sources = 0] = tensors.attention.shape;
  const ofHead = (layer: number, head: number) => sliceOf(tensors.attention, layer, head);
  const mean = (layer: number) =>
    Float64Array.from(
      { length: words * sources },
      (_, at) => range(heads).reduce((sum, head) => sum + nth(ofHead(layer, head), at), 0) / heads,
    );

  /** Each output word with the source word of the greatest strength, unless that is a special token or the strength too small. */
  function links({ layer, head }: View): Link[] {
    const { by } = about;
    const data = by === "erasure_by" ? tensors.losses.data : by === "head_by" ? ofHead(layer, head) : mean(layer);
    return bestOf(data)
      .map((best, word) => ({ source: best, output: word, strength: nth(data, word * sources + best) }))
      .filter((link) => link.source < source.length && link.strength > (by === "erasure_by" ? least : 0));
  }
  /** The column of the greatest number in each row, of the first columns only. */
  const bestOf = (data: ArrayLike<number>, columns = sources) =>
    range(words).map((word) => {
      const row = Array.from(data).slice(word * sources, word * sources + columns);
      return row.indexOf(Math.max(...row));
    });

  const erased = bestOf(tensors.losses.data, source.length);
  const counts = erased.map((best, word) => nth(tensors.losses.data, word * sources + best) >= least);
  const agreement = (data: Tensor["data"]) => bestOf(data).filter((best, word) => counts[word] && best === erased[word]).length;
  const agreed = Float64Array.from(range(layers).flatMap((layer) => range(heads).map((head) => agreement(ofHead(layer, head)))));
  const counted = counts.filter(Boolean).length;

  function below() {
    const most = Math.max(...agreed);
    const best = range(agreed.length).filter((at) => agreed[at] === most);
    const named = best.slice(0, LISTED).map((at) => say("head_of", { layer: Math.floor(at / heads) + 1, head: (at % heads) + 1 }));
    const means = range(layers).map((layer) => say("mean_of", { layer: layer + 1, agreed: agreement(mean(layer)) }));
    return {
      best: best.length <= LISTED ? "best_head" : "best_heads",
      heads: named.join(say("between")),
      agreed: most,
      counted,
      means: means.join(say("between")),
      more: best.length - LISTED,
    };
  }
  return { ...about, say, output, layers, heads, links, agreed, counted, below };
}
