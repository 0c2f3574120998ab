// The overview while no block is open, as `overview_payload` in viz_core/browser/overview_payload.py.

import { colourLimit } from "../analysis/colour_limit";
import { BLOCK, BLOCKS, hasFinalNorm, type ModelConfig, type Stack } from "../config";
import { norm, row, size, type Tensor } from "../tensor";
import { visible } from "../tokenizer/text";
import { attentionAbout, attentionTensors, maskOf } from "./attention";
import { ACTIVATIONS } from "./feed_forward";
import { hiddenUnits, layerOutputs, VECTORS } from "./inside";
import { labelsOf, restOf, type Step, stepsOf, topIds, vocabularyLabel } from "./tokens";
import { floats, integers, type Kind, pack, type Scene, type Sent, siteOf } from "./view";
import { worded } from "./wording";

const TOP = 5; // bars of a step; one more if a typed target has another token
const [CELLS, LINES] = [16, 4]; // how many of a vector's first numbers are drawn in a line, and lines of hidden units
const UNITS = 0.99; // the share of the hidden units, which are mostly 0, within the ends of the colour scale
const STACKS = Object.keys(BLOCKS) as Stack[];

export function overview(scene: Scene) {
  const { explanation, model } = scene;
  const [{ trace }, { config }] = [explanation, model];
  const tensors: Record<string, Sent> = {};
  for (const kind of Object.keys(BLOCK) as Kind[]) {
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
    tensors[`firing_${stack}`] = integers(hidden.shape.slice(0, -1), rowsOf(hidden).map(above0));
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
    vocabulary: config.target_vocab,
    dims: config.d_model,
    units: config.d_ff,
    norm: config.norm,
    final_norm: Object.fromEntries(STACKS.map((stack) => [stack, hasFinalNorm(config, stack)])),
    activation: ACTIVATIONS[config.activation],
    scaled: config.scaled_embeddings,
    bias: config.output_bias,
    matrix: matrixOf(config),
    limits,
    steps: steps.map((step, index) => barsOf(scene, step, steps[index - 1], index)),
    texts: worded(scene, "browser.overview"),
    ...attentionsOf(scene),
  });
}

/** The texts that all three attentions share, and the description of each with its other texts. */
function attentionsOf(scene: Scene) {
  const all = (Object.keys(BLOCK) as Kind[]).map((kind) => attentionAbout(scene, kind));
  const isShared = ([name, text]: [string, string]) => all.every(({ texts }) => texts[name] === text);
  const parted = (about: (typeof all)[number], shared: boolean) =>
    Object.fromEntries(Object.entries(about.texts).filter((entry) => isShared(entry) === shared));
  const attentions = all.map((about) => [about.kind, { ...about, texts: parted(about, false) }]);
  return { attentions: Object.fromEntries(attentions), attention_texts: parted(all[0] as (typeof all)[number], true) };
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

const matrixOf = ({ tied_embeddings: tied, tied_generator: own }: ModelConfig) =>
  (own ?? tied) ? (tied || own !== "source" ? "tied" : "source") : "own";

const rowsOf = (x: Tensor) => Array.from({ length: x.data.length / size(x, -1) }, (_, at) => row(x, at));
const lengths = (x: Tensor) => floats(x.shape.slice(0, -1), rowsOf(x).map(norm));
const above0 = (numbers: Float32Array) => numbers.reduce((count, value) => count + Number(value > 0), 0);

/** The first numbers of each vector. */
function first(x: Tensor, most: number) {
  const count = Math.min(most, size(x, -1));
  return floats(
    [...x.shape.slice(0, -1), count],
    rowsOf(x).flatMap((numbers) => [...numbers.subarray(0, count)]),
  );
}
