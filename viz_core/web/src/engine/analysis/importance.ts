// What a translation loses without a head (viz_core/analysis/roles/importance.py; Voita et al. 2019, §4; Michel et al. 2019, §3.2) or
// without a source word.

import { attentionAt, BLOCK, type Kind, layersOf } from "../config";
import { withoutHeads, siteEdits } from "../edits";
import { type Edit, editor, OFF, type SiteName } from "../taps";
import { row, map, size } from "../tensor";
import { begin, decode, encode, logSoftmax, logitsOf, type Model } from "../transformer";
import type { Explanation } from "../explain";
import { idsOf } from "../tokenizer/base";
import { siteOf } from "../views/view";
import { groups } from "./words";

/** The sentence, what the decoder read, and the token after each of its positions. */
export type Written = { source: readonly number[]; target: readonly number[]; output: readonly number[] };

/** log_probs: ln p of each token with all heads, (T,). without: the same without one head, for some attentions (layers, heads, T). */
export type Ablated = { log_probs: number[]; without: Partial<Record<Kind, number[][][]>> };

/** Yields after each pass. */
export function* ablating(
  model: Model,
  { source, target, output }: Written,
  edits = new Map<SiteName, Edit>(),
  kinds = Object.keys(BLOCK) as Kind[],
): Generator<unknown, Ablated> {
  const { config } = model;
  const whole = encode(model, source, editor(edits, OFF));
  const logProbs = (removed: { kind: Kind; layer: number; head: number } | null) => {
    const off = new Map<SiteName, Edit>(
      removed ? [[`${attentionAt(removed.kind, removed.layer)}.mix`, withoutHeads([removed.head])]] : [],
    );
    const tap = editor(edits, editor(off, OFF));
    const encoded = removed?.kind === "self" ? encode(model, source, tap) : whole; // the encoder is the same for the decoder's heads
    const [states] = decode(model, target, encoded, begin(model, encoded), tap);
    const logits = logitsOf(model, states);
    return output.map((token, step) => logSoftmax(row(logits, step))[token] as number);
  };
  const without: Ablated["without"] = {};
  for (const kind of kinds) {
    const layers: number[][][] = [];
    for (let layer = 0; layer < layersOf(config, BLOCK[kind][0]); layer += 1) {
      const heads: number[][] = [];
      for (let head = 0; head < config.n_heads; head += 1) {
        heads.push(logProbs({ kind, layer, head }));
        yield;
      }
      layers.push(heads);
    }
    without[kind] = layers;
  }
  return { log_probs: logProbs(null), without };
}

// What each output token loses without each source word, as `prediction_difference` in viz_core/analysis/alignment.py (Li et al. 2019).

/** Drop in ln p, (T, words): the embeddings of a word's tokens are 0, its position stays. Edits apply. */
export function predictionDifference(model: Model, { source, target, output, trace, table }: Explanation) {
  const without = groups(source).positions.map((tokens) => {
    const erased: Edit = (x) => map(x, (value, at) => (tokens.includes(Math.floor(at / size(x, -1))) ? 0 : value));
    const tap = editor(new Map([["source.embedding", erased]]), editor(siteEdits(table, model.config), OFF));
    const encoded = encode(model, idsOf(source), tap);
    const [states] = decode(model, idsOf(target), encoded, begin(model, encoded), tap);
    const logits = logitsOf(model, states);
    return output.map(({ id }, step) => logSoftmax(row(logits, step))[id] as number);
  });
  const whole = siteOf(trace, "output.log_probs");
  return output.map(({ id }, step) => without.map((each) => (row(whole, step)[id] as number) - (each[step] as number)));
}
