// The overview, as in viz_core/browser/overview_payload.py, and its open blocks, as in inside_payload.py.

import { colourLimit } from "./positions";
import { layerOutput } from "../analysis/logits";
import { BLOCK, BLOCKS, layersOf, type ModelConfig, type Stack } from "../config";
import type { Trace } from "../taps";
import { stack as stacked, type Tensor, norm, row, size } from "../tensor";
import { attentionTensors, sitesOf, attentionAbout, maskOf } from "./attention";
import {
  type Kind,
  pack,
  type Scene,
  type Sent,
  siteOf,
  labelsOf,
  restOf,
  type Step,
  stepsOf,
  topIds,
  vocabularyLabel,
  floats,
  integers,
} from "./view";
import { visible } from "../tokenizer/text";

// The vectors and the steps of each attention for an open block of the overview, as viz_core/browser/inside_payload.py.

export const VECTORS = 0.95; // the share of a vector's numbers within the ends of the colour scale
const STACKS = Object.keys(BLOCKS) as Stack[];
const KINDS = Object.keys(BLOCK) as Kind[];

export function inside(scene: Scene) {
  const { model: { config }, explanation: { trace, table }, words } = scene; // biome-ignore format: one line
  const tensors: Record<string, Sent> = { ...entering(trace, config), ...sublayerTensors(trace, config) };
  tensors.memory = siteOf(trace, "encoder.memory");
  tensors.states = siteOf(trace, "decoder.states");
  for (const stack of STACKS) tensors[`${stack}_ffn_hidden`] = hiddenUnits(trace, config, stack);
  const sites = sitesOf(table).filter((site) => site !== "weights");
  for (const kind of KINDS)
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

const TOP = 5; // bars of a step; one more if a typed target has another token
const [CELLS, LINES] = [16, 4]; // how many of a vector's first numbers are drawn in a line, and lines of hidden units
const UNITS = 0.99;

export function overview(scene: Scene) {
  const { explanation, model } = scene;
  const [{ trace }, { config }] = [explanation, model];
  const tensors: Record<string, Sent> = {};
  for (const kind of KINDS) {
    tensors[`${kind}_weights`] = attentionTensors(scene, kind, ["weights"]).weights as Sent;
    tensors[`${kind}_mask`] = maskOf(scene, kind);
  }
  const vectors: Record<string, Tensor> = { memory: siteOf(trace, "encoder.memory") };
  for (const side of ["source", "target"])
    for (const part of ["embedding", "positions", "input"]) vectors[`${side}_${part}`] = siteOf(trace, `${side}.${part}`);
  for (const [name, x] of Object.entries(vectors)) tensors[`${name}_print`] = first(x, CELLS);
  const [memory, ...inputs] = ["memory", "source_input", "target_input"].map((name) => {
    tensors[`${name}_length`] = lengths(vectors[name] as Tensor);
    return vectors[name] as Tensor;
  }) as [Tensor, Tensor, Tensor];
  const limits: Record<string, number> = {
    memory: colourLimit([memory.data], VECTORS),
    input: colourLimit(
      inputs.map(({ data }) => data),
      VECTORS,
    ),
  };
  for (const stack of STACKS) {
    const [hidden, name] = [hiddenUnits(trace, config, stack), `${stack}_ffn_hidden`];
    tensors[`${name}_print`] = first(hidden, LINES * CELLS);
    tensors[`firing_${stack}`] = integers(rowsOf(hidden).map(above0), hidden.shape.slice(0, -1));
    tensors[`${stack}_stream_length`] = lengths(layerOutputs(trace, config, stack));
    limits[name] = colourLimit([hidden.data], UNITS);
  }
  const steps = stepsOf(explanation);
  return pack(tensors, {
    inside: "inside",
    source: labelsOf(explanation.source.tokens),
    target: labelsOf(explanation.target.tokens),
    output: labelsOf(explanation.output),
    given_target: explanation.given,
    config,
    limits,
    steps: steps.map((step, index) => barsOf(scene, step, steps[index - 1], index)),
    attentions: Object.fromEntries(KINDS.map((kind) => [kind, attentionAbout(scene, kind)])),
  });
}

/** The most probable tokens, then the written one unless it is among them; bars: label, probability, that of one step before, logit. */
function barsOf({ explanation: { trace }, target }: Scene, { logProbs, expected }: Step, before: Step | undefined, index: number) {
  const top = topIds(logProbs, TOP);
  const ids = top.includes(expected.id) ? top : [...top, expected.id];
  const logits = row(siteOf(trace, "output.logits"), index);
  const most = logits.reduce((a, b) => Math.max(a, b));
  const probability = (id: number, of = logProbs) => Math.exp(of[id] as number);
  const label = (id: number) => visible(vocabularyLabel(target.tokenizer, id));
  return {
    bars: ids.map((id) => [label(id), probability(id), before ? probability(id, before.logProbs) : null, logits[id]]),
    others: [logProbs.length - ids.length, restOf(logProbs, ids)],
    written: ids.indexOf(expected.id),
    log_sum: most + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0)),
  };
}

const rowsOf = (x: Tensor) => Array.from({ length: x.data.length / size(x, -1) }, (_, at) => row(x, at));
const lengths = (x: Tensor) => floats(rowsOf(x).map(norm), x.shape.slice(0, -1));
const above0 = (numbers: Float32Array) => numbers.reduce((count, value) => count + Number(value > 0), 0);

/** The first numbers of each vector. */
function first(x: Tensor, most: number) {
  const count = Math.min(most, size(x, -1));
  const numbers = rowsOf(x).map((each) => each.subarray(0, count));
  return floats(numbers, [...x.shape.slice(0, -1), count]);
}
