// The weights, and beside them the lengths of the vectors that they weight, as pages/heads/norm_weighted.py.

import { fill } from "../../payload";
import { normWeighted } from "../analysis/norms";
import { size, stack, type Tensor, tensor } from "../tensor";
import { maskOf } from "./attention";
import { type Numbers, tokenMaps } from "./token_maps";
import { type Kind, type Scene, stacked } from "./view";

const MOST_HEADS = 4; // terms of the sum over all heads that are written out

/** Weights on the left, ‖α f(x)‖ on the right. which: this_head or all_heads. */
export function normWeightedMaps(scene: Scene, asked: URLSearchParams) {
  const [kind, which] = [asked.get("kind") as Kind, asked.get("which") as string];
  const words = scene.words("heads");
  const numbers = numbersOf(scene, kind, which);
  const [layers = 0, ...heads] = numbers.weights?.values.shape.slice(0, -2) ?? [];
  const title = (layer: number, head: number) =>
    fill(words.norm_titles[which], { attention: words.attention_names[kind], layer: layer + 1, head: head + 1 });
  const [weight, norm, masked] = [words.weight_labels[which], words.norm_labels[which], words.hover_masked];
  const maps = [
    { numbers: "weights", name: weight, hover: words.hover_weight, masked, limit: 1, end: "100" },
    { numbers: "norms", name: norm, hover: words.hover_norm, masked, written: "brief" },
  ];
  return tokenMaps(scene, kind, maps, numbers, {
    titles: Array.from({ length: layers }, (_, layer) => Array.from({ length: heads[0] ?? 1 }, (_, head) => title(layer, head))),
    axes: [words.query_axes[kind], words.key_axes[kind]],
    file: `norms-${kind}`,
  });
}

/** The maps, NaN where the mask forbids; with all heads, also the longest of their parts, and their sum. */
function numbersOf(scene: Scene, kind: Kind, which: string): Numbers {
  const weights = stacked(scene, kind, "weights");
  const layers = Array.from({ length: size(weights, 0) }, (_, layer) =>
    normWeighted(scene.model, scene.explanation.trace, kind, layer),
  );
  const norms = stack(layers.map(({ norms }) => norms));
  const mask = maskOf(scene, kind).data;
  const seen = ({ shape, data }: Tensor) => ({
    shape,
    data: data.map((value, at) => (mask[at % mask.length] ? value : Number.NaN)),
  });
  if (which === "this_head") {
    const by = ["layer", "head"];
    return { weights: { by, values: seen(weights) }, norms: { by, values: seen(norms) } };
  }
  const heads = size(weights, 1);
  const most = Math.min(MOST_HEADS + 1, heads); // one more than is written, if there is one
  const sum = (each: number[]) => each.reduce((a, b) => a + b, 0);
  const shape = [layers.length, ...weights.shape.slice(2)];
  const by = ["layer"];
  return {
    weights: { by, values: seen({ shape, data: overHeads(weights, 1, (each) => [sum(each) / heads]).data }) },
    norms: { by, values: seen(stack(layers.map(({ together }) => together))) },
    each: { by, values: overHeads(norms, most, (each) => each.sort((a, b) => b - a).slice(0, most)) },
    sum: { by, values: { shape, data: overHeads(norms, 1, (each) => [sum(each)]).data } },
  };
}

/** So many numbers for the heads of each cell: (L, h, Tq, Tk) → (L, count, Tq, Tk). */
function overHeads(x: Tensor, count: number, of: (heads: number[]) => number[]) {
  const [layers, heads, queries, keys] = x.shape as [number, number, number, number];
  const [cells, result] = [queries * keys, tensor([layers, count, queries, keys])];
  for (let layer = 0; layer < layers; layer += 1)
    for (let cell = 0; cell < cells; cell += 1) {
      const values = of(Array.from({ length: heads }, (_, head) => x.data[(layer * heads + head) * cells + cell] as number));
      for (const [at, value] of values.entries()) result.data[(layer * count + at) * cells + cell] = value;
    }
  return result;
}
