// Where queries, keys and values come from, as in pages/qkv/data.py: X·W + b of all heads, and W of one.

import { layersOf, type ModelConfig } from "../config";
import { row, stack as together, tensor, transposed } from "../tensor";
import { sidesOf } from "./attention";
import { labelsOf, BLOCK, type Kind, pack, type Scene, siteOf, stacked } from "./view";

type Role = "q" | "k" | "v";
const asOf = (asked: URLSearchParams) => [asked.get("kind") as Kind, asked.get("role") as Role] as const;

/** x (L, T, D), or (1, T, D) where all layers read the same; y (L, h, T, d_k); b (L, h, d_k); scores (L, h, Tq, Tk). */
export function qkv(scene: Scene, asked: URLSearchParams) {
  const { model, explanation } = scene;
  const [[kind, role], { config }] = [asOf(asked), model];
  const [stack, block] = BLOCK[kind];
  const layers = [...Array(layersOf(config, stack)).keys()];
  const sites = new Set(layers.map((layer) => entrance(config, kind, layer, role)));
  const biases = layers.map((layer) => model.weights.get(`${stack}.layers.${layer}.${block}.w_${role}.bias`));
  const tensors = {
    x: together(Array.from(sites, (site) => siteOf(explanation.trace, site))),
    y: stacked(scene, kind, role),
    b: tensor([layers.length, config.n_heads, config.d_model / config.n_heads], together(biases).data),
    scores: stacked(scene, kind, "scores"),
  };
  return pack(tensors, {
    kind,
    role,
    sides: sidesOf(explanation, kind).map(({ tokens }) => labelsOf(tokens)),
    norm: config.norm,
  });
}

/** W of one head, (D, d_k). */
export function projectionWeights({ model: { config, weights } }: Scene, asked: URLSearchParams) {
  const [kind, role] = asOf(asked);
  const [layer, head] = [Number(asked.get("layer")), Number(asked.get("head"))];
  const [[stack, block], width] = [BLOCK[kind], config.d_model / config.n_heads];
  const whole = weights.get(`${stack}.layers.${layer}.${block}.w_${role}.weight`); // its rows are the columns of W
  const own = tensor([1, width, config.d_model], row(tensor([config.n_heads, width * config.d_model], whole.data), head));
  return pack({ w: tensor([config.d_model, width], transposed(own).data) }, {});
}

/** The site that the projection reads: the sub-layer's input, or with pre-norm its LayerNorm. */
function entrance({ norm }: ModelConfig, kind: Kind, layer: number, role: Role) {
  const [stack, block] = BLOCK[kind];
  if (kind === "cross" && role !== "q") return "encoder.memory";
  if (norm === "pre") return `${stack}.${layer}.norm_${block}`;
  if (kind === "cross") return `${stack}.${layer}.norm_self_attn`;
  if (layer) return `${stack}.${layer - 1}.norm_ffn`;
  return stack === "encoder" ? "source.input" : "target.input";
}
