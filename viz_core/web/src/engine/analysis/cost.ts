// Cost of a Transformer: parameters, and multiply-adds of each part, from its configuration alone, as in viz_core/analysis/cost.py.

import { sum } from "../../payload";
import { hasFinalNorm, layersOf, type ModelConfig } from "../config";

/** The settings of a model that its cost depends on. */
export type Shape = Pick<
  ModelConfig,
  | ("source_vocab" | "target_vocab" | "d_model" | "n_heads" | "n_layers" | "d_ff" | "max_len" | "norm" | "tied_embeddings")
  | ("n_decoder_layers" | "positions" | "embedding_norm" | "final_norm" | "decoder_final_norm" | "tied_generator" | "output_bias")
>;

/** The cost of one part, over all layers. projected: multiply-adds with weights; paired: of positions with positions. */
export type PartCost = { name: string; parameters: number; projected: number; paired: number };

/** The cost of each part in one teacher-forced pass over `source` and `target` tokens. */
export function partCosts(c: Shape, source: number, target: number): PartCost[] {
  const { d_model: d, d_ff: f, target_vocab: v } = c;
  const [own, deep] = [layersOf(c, "encoder"), layersOf(c, "decoder")];
  const [projection, inner, norm] = [d * d + d, 2 * d * f + f + d, 2 * d];
  const normsOf = (stack: "encoder" | "decoder", count: number) => (count + Number(hasFinalNorm(c, stack))) * norm;
  const part = (name: string, parameters: number, projected = 0, paired = 0) => ({ name, parameters, projected, paired });
  return [
    ...embeddings(c),
    part("encoder.self_attn", own * 4 * projection, own * 4 * source * d * d, own * 2 * source * source * d),
    part("encoder.ffn", own * inner, own * 2 * source * d * f),
    part("encoder.norms", normsOf("encoder", own * 2)),
    part("decoder.self_attn", deep * 4 * projection, deep * 4 * target * d * d, deep * 2 * target * target * d),
    part("decoder.cross_attn", deep * 4 * projection, deep * 2 * (source + target) * d * d, deep * 2 * target * source * d),
    part("decoder.ffn", deep * inner, deep * 2 * target * d * f),
    part("decoder.norms", normsOf("decoder", deep * 3)),
    part("generator", (c.output_bias ? v : 0) + (isTied(c) ? 0 : v * d), target * d * v),
  ];
}

/** Whether the output matrix is one of the embeddings. */
export const isTied = ({ tied_generator, tied_embeddings }: Shape) => Boolean(tied_generator ?? tied_embeddings);

function embeddings({ d_model: d, source_vocab, target_vocab, ...c }: Shape): PartCost[] {
  const beside = (c.positions === "learned" ? c.max_len * d : 0) + (c.embedding_norm ? 2 * d : 0);
  const part = (name: string, count: number) => ({ name, parameters: count + beside, projected: 0, paired: 0 });
  if (c.tied_embeddings) return [part("embedding", source_vocab * d + beside)];
  return [part("embedding.source", source_vocab * d), part("embedding.target", target_vocab * d)];
}

export const total = (costs: readonly PartCost[], name: Exclude<keyof PartCost, "name">) => sum(costs.map((cost) => cost[name]));

/** Multiply-adds of the decoding step that reads the `position`th token, from 1, on a key/value cache. */
export function stepProducts(c: Shape, source: number, position: number) {
  const d = c.d_model;
  const [own, cross] = [4 * d * d + 2 * position * d, 2 * d * d + 2 * source * d];
  return layersOf(c, "decoder") * (own + cross + 2 * d * c.d_ff) + d * c.target_vocab;
}

/** Attention weights of one pass, in all heads. */
export function weightsOf(c: Shape, source: number, target: number) {
  return c.n_heads * (layersOf(c, "encoder") * source * source + layersOf(c, "decoder") * (target * target + target * source));
}

/** The length, the same on both sides, from which attention between positions costs more than all products with weights. */
export function crossing(c: Shape) {
  const costs = partCosts(c, 1, 1); // at length n: n · projected, n² · paired
  return total(costs, "projected") / total(costs, "paired");
}
