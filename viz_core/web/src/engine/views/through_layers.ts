// Attention through all layers, as `through_layers` in pages/heads/attention_flow.py.

import { fill } from "../../payload";
import { attentionFlow } from "../analysis/flow";
import { decoderRollout, encoderRollout, type Matrix, meanAttention, withResidual } from "../analysis/rollout";
import { type Numbers, tokenMaps } from "./token_maps";
import { floats, type Scene, stacked } from "./view";

type Through = "cross" | "self"; // through the decoder to the source, and within the encoder
type By = "rollout" | "max_flow" | "raw";

const MOST_TOKENS = 24; // up to this many tokens, attention flow takes less than a second
const HUNDREDTHS = { written: "hundredths", limit: 1, end: "1" };

export function throughLayers(scene: Scene, asked: URLSearchParams) {
  const [kind, by] = [asked.get("kind") as Through, asked.get("by") as By];
  const isFlow = by === "max_flow";
  const words = scene.words("heads");
  if (isFlow && (kind === "cross" || scene.explanation.source.tokens.length > MOST_TOKENS))
    throw new Error(fill(scene.words("app.answers").lacking, { view: "through_layers" }));
  const numbers = numbersOf(scene, kind, by);
  const map = { numbers: "values", name: words.flow_units[by], hover: words[`hover_${by}`], ...(isFlow && HUNDREDTHS) };
  const layers = numbers.values?.values.shape[0] ?? 0;
  return tokenMaps(scene, kind, [map], numbers, {
    titles: Array.from({ length: layers }, (_, at) => [fill(words[`title_${by}_${kind}`], { layer: at + 1 })]),
    axes: [words.query_axes[kind], words.key_axes[kind]],
    file: `${by.replace("_", "-")}-${kind}`,
  });
}

/** The values of the maps, and the terms of the arithmetic of a cell. */
function numbersOf(scene: Scene, kind: Through, by: By): Numbers {
  const { explanation: { trace }, model: { config } } = scene; // biome-ignore format: one line
  const inside = withResidual(meanAttention(trace, "self", config));
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

const ofLayers = (layers: readonly Matrix[]) => ({
  by: ["layer"],
  values: floats([layers.length, layers[0]?.length ?? 0, layers[0]?.[0]?.length ?? 0], layers.flat(2)),
});
const alone = (matrix: Matrix = []) => ({ by: [], values: floats([matrix.length, matrix[0]?.length ?? 0], matrix.flat()) });
