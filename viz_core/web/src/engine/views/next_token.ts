// The next-token distributions, as `next_token_payload` in viz_core/browser/output_payload.py.

import { visible } from "../tokenizer/text";
import { labelled, rankOf, stepsOf, topIds, written } from "./tokens";
import { floats, integers, pack, type Scene, siteOf } from "./view";

const MOST = 20; // labelled tokens of a step

export function nextToken({ explanation, target, words }: Scene) {
  const [logits, steps] = [siteOf(explanation.trace, "output.logits"), stepsOf(explanation)];
  const ids = steps.map(({ logProbs, expected }) => [...topIds(logProbs, MOST), expected.id]);
  const shape = [ids.length, ids[0]?.length ?? 0];
  const at = (step: number) => (ids[step] ?? []).map((id) => steps[step]?.logProbs[id] ?? Number.NaN);
  const before = (step: number) => (ids[step] ?? []).map((id) => steps[step - 1]?.logProbs[id] ?? Number.NaN);
  const each = (of: (step: number) => number[]) => steps.flatMap((_, step) => of(step));
  const tensors = {
    logits,
    ids: integers(shape, ids.flat()),
    log_probs: floats(shape, each(at)),
    before: floats(shape, each(before)),
    ranks: integers(
      [ids.length],
      steps.map(({ logProbs, expected }) => rankOf(logProbs, expected.id)),
    ),
  };
  const about = {
    labels: labelled(target.tokenizer, ids.flat()),
    tokens: explanation.output.map(({ text }) => visible(text)),
    written: written(explanation),
    limits: limitsOf(logits.data),
    given_target: explanation.given,
    texts: words("browser.next_token"),
  };
  return pack(tensors, about);
}

/** Whole numbers that enclose 0 and every logit. */
function limitsOf(logits: Float32Array) {
  const [low, high] = logits.reduce(([low, high], z) => [Math.min(low, z), Math.max(high, z)], [0, 0] as [number, number]);
  return [Math.floor(low), Math.ceil(high)];
}
