// What each part of a model costs, as in pages/code/cost.py, for any configuration on the dials.

import { partCosts, type Shape, stepProducts } from "../analysis/cost";
import { doubles, pack, type Scene } from "./view";

export function cost({ explanation: { source, target } }: Scene, asked: URLSearchParams) {
  const shape = dialled(asked);
  const [read, written] = [Number(asked.get("source_length")), Number(asked.get("target_length"))];
  const lengths = [read || source.tokens.length, written || target.tokens.length] as const;
  const costs = partCosts(shape, ...lengths);
  const about = {
    by: asked.get("by"),
    shape,
    lengths,
    names: costs.map(({ name }) => name),
    step: stepProducts(shape, ...lengths),
  };
  return pack({ costs: doubles(costs.map(({ parameters, projected, paired }) => [parameters, projected, paired])) }, about);
}

function dialled(asked: URLSearchParams): Shape {
  const start: Shape = JSON.parse(asked.get("start") ?? "");
  const dial = (name: string) => Number(asked.get(name));
  const [vocabulary, isShared] = [dial("vocabulary"), asked.get("shared") === "yes"];
  const isUntouched = vocabulary === start.target_vocab && !isShared && start.source_vocab !== start.target_vocab;
  const sizes = { d_model: dial("d_model"), n_heads: dial("heads"), d_ff: dial("d_ff"), n_layers: dial("layers") };
  return {
    ...{ ...start, ...sizes, target_vocab: vocabulary, tied_embeddings: isShared },
    source_vocab: isUntouched ? start.source_vocab : vocabulary,
    norm: asked.get("norm") === "post" ? "post" : "pre",
  };
}
