// What each output token loses without each source word, as `prediction_difference` in viz_core/analysis/alignment.py (Li et al. 2019).

import { siteEdits } from "../edits";
import type { Explanation } from "../explain";
import { type Edit, editor, OFF } from "../taps";
import { map, row, size } from "../tensor";
import { idsOf } from "../tokenizer/base";
import { begin, decode, encode, logSoftmax, logitsOf, type Model } from "../transformer";
import { siteOf } from "../views/view";
import { groups } from "./words";

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
