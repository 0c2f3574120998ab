// The vectors and the steps of each attention for an open block of the overview, as viz_core/browser/inside_payload.py.

import { colourLimit } from "../analysis/colour_limit";
import { layerOutput } from "../analysis/stream";
import { BLOCK, BLOCKS, layersOf, type ModelConfig, type Stack } from "../config";
import type { Trace } from "../taps";
import { stack as stacked, type Tensor } from "../tensor";
import { attentionTensors, sitesOf } from "./attention";
import { type Kind, pack, type Scene, type Sent, siteOf } from "./view";

export const VECTORS = 0.95; // the share of a vector's numbers within the ends of the colour scale
const STACKS = Object.keys(BLOCKS) as Stack[];

export function inside(scene: Scene) {
  const { model: { config }, explanation: { trace, table }, words } = scene; // biome-ignore format: one line
  const tensors: Record<string, Sent> = { ...entering(trace, config), ...sublayerTensors(trace, config) };
  tensors.memory = siteOf(trace, "encoder.memory");
  tensors.states = siteOf(trace, "decoder.states");
  for (const stack of STACKS) tensors[`${stack}_ffn_hidden`] = hiddenUnits(trace, config, stack);
  const sites = sitesOf(table).filter((site) => site !== "weights");
  for (const kind of Object.keys(BLOCK) as Kind[])
    for (const [site, sent] of Object.entries(attentionTensors(scene, kind, sites))) tensors[`${kind}_${site}`] = sent;
  const streams = STACKS.map((stack) => layerOutputs(trace, config, stack).data);
  return pack(tensors, { limits: { stream: colourLimit(streams, VECTORS) }, code: words("code") });
}

/** The hidden units of a stack's feed-forward in all layers, (L, S or T, F). */
export const hiddenUnits = (trace: Trace, config: ModelConfig, stack: Stack) =>
  ofLayers(trace, config, stack, (layer) => `${stack}.${layer}.ffn.hidden`);

/** The stream after each layer, (L, S or T, D). */
export const layerOutputs = (trace: Trace, config: ModelConfig, stack: Stack) =>
  ofLayers(trace, config, stack, (layer) => layerOutput(config, stack, layer));

/** The steps that lead to each stack's input vectors. */
function entering(trace: Trace, config: ModelConfig) {
  const parts = ["lookup", "embedding", "positions", "input", ...(config.embedding_norm ? ["summed"] : [])];
  const sites = ["source", "target"].flatMap((side) => parts.map((part) => [side, part]));
  return Object.fromEntries(sites.map(([side, part]) => [`${side}_${part}`, siteOf(trace, `${side}.${part}`)]));
}

/** What each sub-layer adds, its LayerNorm, and, if an edit changed it, the sum, (L, T, D) each. */
function sublayerTensors(trace: Trace, config: ModelConfig) {
  const tensors: Record<string, Tensor> = {};
  for (const stack of STACKS)
    for (const [index, block] of BLOCKS[stack].entries()) {
      const of = (site: string) => ofLayers(trace, config, stack, (layer) => `${stack}.${layer}.${site}`);
      const before = `${config.norm === "pre" ? "resid" : "norm"}_${BLOCKS[stack].at(index - 1)}`;
      const x = ofLayers(trace, config, stack, (layer) =>
        index + layer ? `${stack}.${layer - Number(!index)}.${before}` : `${stack === "encoder" ? "source" : "target"}.input`,
      );
      const [out, sum] = [of(`${block}.out`), of(`resid_${block}`)];
      tensors[`${stack}_${block}_out`] = out;
      tensors[`${stack}_${block}_norm`] = of(`norm_${block}`);
      const isSum = sum.data.every((value, at) => value === Math.fround((x.data[at] as number) + (out.data[at] as number)));
      if (!isSum) tensors[`${stack}_${block}_sum`] = sum;
    }
  return tensors;
}

const ofLayers = (trace: Trace, config: ModelConfig, stack: Stack, site: (layer: number) => string) =>
  stacked(Array.from({ length: layersOf(config, stack) }, (_, layer) => siteOf(trace, site(layer))));
