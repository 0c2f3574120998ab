// The next-token distributions, as `next_token_payload` in viz_core/browser/output_payload.py.

import { generatorWeight } from "../config";
import { row, size, type Tensor } from "../tensor";
import type { Model } from "../transformer";
import { visible } from "../tokenizer/text";
import { labelled, rankOf, stepsOf, topIds, written } from "./tokens";
import { floats, integers, pack, type Scene, siteOf } from "./view";

const MOST = 20; // labelled tokens of a step
const NAMED = 3; // products of a logit

export function nextToken({ model, explanation, target, words }: Scene) {
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
    ...termsOf(model, siteOf(explanation.trace, "decoder.states"), ids),
  };
  const about = {
    labels: labelled(target.tokenizer, ids.flat()),
    tokens: explanation.output.map(({ text }) => visible(text)),
    chosen: steps.map(({ chosen }) => visible(target.tokenizer.tokenText(chosen))),
    written: written(explanation),
    limits: limitsOf(logits.data),
    given_target: explanation.given,
    texts: words("browser.next_token"),
  };
  return pack(tensors, about);
}

/** The products that make up each candidate's logit: the largest, with their dimensions and both factors; all others; the bias. */
function termsOf({ config, weights }: Model, states: Tensor, ids: readonly (readonly number[])[]) {
  const output = weights.get(generatorWeight(config));
  const terms = ids.flatMap((candidates, step) => {
    const x = row(states, step);
    return candidates.map((id) => {
      const w = row(output, id);
      const products = Array.from(x, (value, dim) => value * (w[dim] as number));
      const dims = [...products.keys()]
        .sort((a, b) => Math.abs(products[b] as number) - Math.abs(products[a] as number))
        .slice(0, NAMED);
      const others = sumOf(products) - sumOf(dims.map((dim) => products[dim] as number));
      return { dims, others, states: dims.map((dim) => x[dim] as number), weights: dims.map((dim) => w[dim] as number), id };
    });
  });
  const shape = [ids.length, ids[0]?.length ?? 0];
  const inside = [...shape, Math.min(NAMED, size(states, -1))];
  const biases = config.output_bias ? weights.get("generator.bias").data : null;
  return {
    places: integers(
      inside,
      terms.flatMap(({ dims }) => dims),
    ),
    states: floats(
      inside,
      terms.flatMap(({ states }) => states),
    ),
    weights: floats(
      inside,
      terms.flatMap(({ weights }) => weights),
    ),
    others: floats(
      shape,
      terms.map(({ others }) => others),
    ),
    ...(biases && {
      biases: floats(
        shape,
        terms.map(({ id }) => biases[id] as number),
      ),
    }),
  };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** Whole numbers that enclose 0 and every logit. */
function limitsOf(logits: Float32Array) {
  const [low, high] = logits.reduce(([low, high], z) => [Math.min(low, z), Math.max(high, z)], [0, 0] as [number, number]);
  return [Math.floor(low), Math.ceil(high)];
}
