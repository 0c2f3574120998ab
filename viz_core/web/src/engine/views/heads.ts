// The answers of the page Heads, as in pages/heads/: roles, what is lost without each head, weights beside norms, all layers at once.

import { sum } from "../../payload";
import { type Ablated, ablating } from "../analysis/importance";
import { headsOut, siteEdits } from "../edits";
import { idsOf } from "../tokenizer/base";
import { doubles, type Kind, lacking, pack, type Scene, stacked, floats } from "./view";
import { normWeighted } from "../analysis/norms";
import { size, stack, type Tensor, tensor } from "../tensor";
import { maskOf, type Numbers, tokenMaps } from "./attention";
import {
  attentionFlow,
  decoderRollout,
  encoderRollout,
  flowBound,
  type Matrix,
  meanAttention,
  withResidual,
} from "../analysis/rollout";

type Of = "sentence" | "many" | "bleu";
type ByHead = readonly (readonly number[])[]; // of each layer and head
type Drops = Record<Kind, ByHead>;
/** The file heads.json beside a model. sha256: of the weights. */
export type StoredHeads = {
  sha256: string;
  sentences: number;
  attention: Record<Kind, object>; // as the figures read them
  importance: { log_prob: Drops; count: number; bleu: { whole: number; drops: Drops; count: number } | null } | null;
};

export function headRoles(scene: Scene, asked: URLSearchParams) {
  const [kind, count] = [asked.get("kind") as Kind, Number(asked.get("count"))];
  if (scene.heads?.sentences !== count) throw lacking(scene, "head_roles");
  return pack({}, { ...scene.heads.attention[kind], count, kind });
}

export function* headAblation(scene: Scene, asked: URLSearchParams): Generator<unknown, Uint8Array> {
  const [kind, of, { heads }] = [asked.get("kind") as Kind, asked.get("of") as Of, scene];
  const numbers = of === "sentence" ? yield* ofSentence(scene, kind) : stored(scene, kind, of);
  const known = heads?.sentences === Number(asked.get("count")) ? heads.attention[kind] : null;
  const out = of === "sentence" ? headsOut(scene.explanation.table, scene.model.config, kind) : [];
  const { drops, ...lost } = numbers;
  return pack({ drops: doubles(drops) }, { ...known, ...lost, of, out, kind });
}

function* ofSentence({ model, explanation }: Scene, kind: Kind) {
  const { source, target, output, table } = explanation;
  const written = { source: idsOf(source), target: idsOf(target), output: output.map(({ id }) => id) };
  const ablated: Ablated = yield* ablating(model, written, siteEdits(table, model.config), [kind]);
  const whole = sum(ablated.log_probs);
  return { drops: ablated.without[kind]?.map((row) => row.map((each) => whole - sum(each))) ?? [], whole, count: output.length };
}

function stored(scene: Scene, kind: Kind, of: "many" | "bleu") {
  const saved = scene.heads?.importance;
  if (saved && of === "many") return { drops: saved.log_prob[kind], whole: 0, count: saved.count };
  if (!saved?.bleu) throw lacking(scene, "head_ablation");
  return { drops: saved.bleu.drops[kind], whole: saved.bleu.whole, count: saved.bleu.count };
}

// The weights, and beside them the lengths of the vectors that they weight, as pages/heads/norm_weighted.py.

const MOST_HEADS = 4; // terms of the sum over all heads that are written out

/** Weights on the left, ‖α f(x)‖ on the right. which: this_head or all_heads. */
export function normWeightedMaps(scene: Scene, asked: URLSearchParams) {
  const [kind, which] = [asked.get("kind") as Kind, asked.get("which") as string];
  return tokenMaps(scene, kind, normsOf(scene, kind, which), {
    of_all: which === "all_heads",
    special: kind === "masked" ? 0 : idsOf(scene.explanation.source).indexOf(scene.model.config.eos_id),
    out: headsOut(scene.explanation.table, scene.model.config, kind),
  });
}

/** The maps, NaN where the mask forbids; with all heads, also the longest of their parts, and their sum. */
function normsOf(scene: Scene, kind: Kind, which: string): Numbers {
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

// Attention through all layers, as `through_layers` in pages/heads/attention_flow.py.

type Through = "cross" | "self"; // through the decoder to the source, and within the encoder
type By = "rollout" | "max_flow" | "raw";

const MOST_TOKENS = 24; // up to this many tokens, attention flow takes less than a second

export function throughLayers(scene: Scene, asked: URLSearchParams) {
  const [kind, by] = [asked.get("kind") as Through, asked.get("by") as By];
  if (by === "max_flow" && kind === "self" && scene.explanation.source.tokens.length > MOST_TOKENS)
    throw lacking(scene, "through_layers");
  return tokenMaps(scene, kind, numbersOf(scene, kind, by), { measure: by });
}

/** The values of the maps, and the terms of the arithmetic of a cell. */
function numbersOf(scene: Scene, kind: Through, by: By): Numbers {
  const { explanation: { trace, output }, model: { config } } = scene; // biome-ignore format: one line
  const inside = withResidual(meanAttention(trace, "self", config));
  if (by === "max_flow" && kind === "cross") return { values: ofLayers([output.map(() => flowBound(inside[0]))]) };
  if (by === "max_flow") {
    const values = inside.map((_, layer) => attentionFlow(inside.slice(0, layer + 1)));
    return { values: ofLayers(values), first: alone(inside[0]), second: alone(inside[Math.min(1, inside.length - 1)]) };
  }
  if (by === "raw")
    return {
      values: ofLayers(meanAttention(trace, kind, config)),
      each: { by: ["layer"], values: stacked(scene, kind, "weights") },
    };
  const encoder = encoderRollout(trace, config);
  if (kind === "self") {
    const identity = inside.slice(0, 1).map((weights) => weights.map((row, i) => row.map((_, j) => Number(i === j))));
    return { values: ofLayers(encoder), below: ofLayers([...identity, ...encoder.slice(0, -1)]), inside: ofLayers(inside) };
  }
  const rolled = decoderRollout(trace, config);
  const nothing = rolled.slice(0, 1).map((shares) => shares.map((row) => row.map(() => 0)));
  return {
    values: ofLayers(rolled),
    below: ofLayers([...nothing, ...rolled.slice(0, -1)]),
    back: ofLayers(withResidual(meanAttention(trace, "masked", config))),
    look: ofLayers(meanAttention(trace, "cross", config)),
    memory: alone(encoder.at(-1)),
  };
}

const ofLayers = (layers: readonly Matrix[]) => ({ by: ["layer"], values: floats(layers) });
const alone = (matrix: Matrix = []) => ({ by: [], values: floats(matrix) });
