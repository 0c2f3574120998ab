// Importance of heads by ablation, as in viz_core/analysis/roles/importance.py (Voita et al. 2019, §4; Michel et al. 2019, §3.2).

import { attentionAt, BLOCK, type Kind, layersOf } from "../config";
import { withoutHeads } from "../edits";
import { type Edit, editor, OFF } from "../taps";
import { row } from "../tensor";
import { begin, decode, encode, logSoftmax, logitsOf, type Model } from "../transformer";

/** The sentence, what the decoder read, and the token after each of its positions. */
export type Written = { source: readonly number[]; target: readonly number[]; output: readonly number[] };

/** log_probs: ln p of each token with all heads, (T,). without: the same without one head, for each attention (layers, heads, T). */
export type Importance = { log_probs: number[]; without: Record<Kind, number[][][]> };

/** @param done called after each pass, with how many of how many are done */
export function importance(
  model: Model,
  { source, target, output }: Written,
  edits = new Map<string, Edit>(),
  done = (_: number, __: number) => {},
): Importance {
  const { config } = model;
  const whole = encode(model, source, editor(edits, OFF));
  const kinds = Object.keys(BLOCK) as Kind[];
  const layers = (kind: Kind) => layersOf(config, BLOCK[kind][0]);
  const all = kinds.reduce((sum, kind) => sum + layers(kind) * config.n_heads, 0);
  let count = 0;
  const logProbs = (removed: { kind: Kind; layer: number; head: number } | null) => {
    const off = new Map(removed ? [[`${attentionAt(removed.kind, removed.layer)}.mix`, withoutHeads([removed.head])]] : []);
    const tap = editor(edits, editor(off, OFF));
    const encoded = removed?.kind === "self" ? encode(model, source, tap) : whole; // the encoder is the same for the decoder's heads
    const [states] = decode(model, target, encoded, begin(model, encoded), tap);
    const logits = logitsOf(model, states);
    count += 1;
    done(count, all + 1);
    return output.map((token, step) => logSoftmax(row(logits, step))[token] as number);
  };
  const without = (kind: Kind) =>
    Array.from({ length: layers(kind) }, (_, layer) =>
      Array.from({ length: config.n_heads }, (_, head) => logProbs({ kind, layer, head })),
    );
  return { log_probs: logProbs(null), without: { self: without("self"), masked: without("masked"), cross: without("cross") } };
}
