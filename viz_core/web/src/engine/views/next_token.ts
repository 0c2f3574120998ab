// The next-token distributions, as in viz_core/browser/output_payload.py.

import { generatorWeight } from "../config";
import { sum } from "../../payload";
import { row, type Tensor } from "../tensor";
import type { Model } from "../transformer";
import { visible } from "../tokenizer/text";
import { labelled, stepsOf, topIds, written, floats, integers, pack, type Scene, siteOf } from "./view";

const MOST = 20; // labelled tokens of a step
const NAMED = 3; // products of a logit

export function nextToken({ model, explanation, target }: Scene) {
  const [logits, steps] = [siteOf(explanation.trace, "output.logits"), stepsOf(explanation)];
  const ids = steps.map(({ logProbs, expected }) => [...topIds(logProbs, MOST), expected.id]);
  const tensors = {
    logits,
    ids: integers(ids),
    log_probs: floats(steps.map(({ logProbs }, step) => ids[step]?.map((id) => logProbs[id] as number) ?? [])),
    ...termsOf(model, siteOf(explanation.trace, "decoder.states"), ids),
  };
  const about = {
    labels: labelled(target.tokenizer, ids.flat()),
    tokens: explanation.output.map(({ text }) => visible(text)),
    chosen: steps.map(({ chosen }) => visible(target.tokenizer.tokenText(chosen))),
    written: written(explanation),
    given_target: explanation.given,
  };
  return pack(tensors, about);
}

/** The products that make up each candidate's logit: the largest, with their dimensions and both factors; all others; the bias. */
function termsOf({ config, weights }: Model, states: Tensor, ids: readonly (readonly number[])[]) {
  const output = weights.get(generatorWeight(config));
  const biases = config.output_bias ? weights.get("generator.bias").data : null;
  const terms = ids.map((candidates, step) => {
    const x = row(states, step);
    return candidates.map((id) => {
      const w = row(output, id);
      const products = Array.from(x, (value, dim) => value * (w[dim] as number));
      const dims = [...products.keys()]
        .sort((a, b) => Math.abs(products[b] as number) - Math.abs(products[a] as number))
        .slice(0, NAMED);
      const others = sum(products) - sum(dims.map((dim) => products[dim] as number));
      const factors = { states: dims.map((dim) => x[dim] as number), weights: dims.map((dim) => w[dim] as number) };
      return { dims, others, ...factors, bias: biases?.[id] ?? 0 };
    });
  });
  return {
    places: integers(terms.map((step) => step.map(({ dims }) => dims))),
    states: floats(terms.map((step) => step.map(({ states }) => states))),
    weights: floats(terms.map((step) => step.map(({ weights }) => weights))),
    others: floats(terms.map((step) => step.map(({ others }) => others))),
    ...(biases && { biases: floats(terms.map((step) => step.map(({ bias }) => bias))) }),
  };
}
