// Attention through all layers, as in viz_core/analysis/rollout.py (Abnar & Zuidema 2020, §3).

import { attentionAt, BLOCK, type Kind, layersOf, type ModelConfig } from "../config";
import type { Trace } from "../taps";
import { row, size, type Tensor } from "../tensor";
import { slice } from "./logits";

export type Matrix = number[][];

/** The weights of every layer, averaged over its heads, (L, Tq, Tk). */
export function meanAttention(trace: Trace, kind: Kind, config: ModelConfig): Matrix[] {
  return Array.from({ length: layersOf(config, BLOCK[kind][0]) }, (_, layer) => {
    const weights = trace.get(`${attentionAt(kind, layer)}.weights`) as Tensor;
    const heads = Array.from({ length: size(weights, 0) }, (_, head) => slice(weights, head));
    return Array.from({ length: size(weights, 1) }, (_, query) =>
      Array.from(
        { length: size(weights, 2) },
        (_, key) => heads.reduce((sum, head) => sum + (row(head, query)[key] as number), 0) / heads.length,
      ),
    );
  });
}

/** A = ½ W + ½ I, the half from the residual connection. */
export const withResidual = (layers: readonly Matrix[]) =>
  layers.map((weights) => weights.map((queries, i) => queries.map((weight, j) => (weight + Number(i === j)) / 2)));

/** Ã(l) = A(l) Ã(l − 1) (eq. 1): after each encoder layer, the share of each position from each source token, (L, S, S). */
export function encoderRollout(trace: Trace, config: ModelConfig): Matrix[] {
  const rolled: Matrix[] = [];
  for (const layer of withResidual(meanAttention(trace, "self", config))) {
    const before = rolled.at(-1);
    rolled.push(before ? product(layer, before) : layer);
  }
  return rolled;
}

/** S̃(l) = ½ B(l) S̃(l − 1) + ½ C(l) M: after each decoder layer, the share of each position from each source token, (L, T, S). */
export function decoderRollout(trace: Trace, config: ModelConfig): Matrix[] {
  const [cross, memory] = [meanAttention(trace, "cross", config), encoderRollout(trace, config).at(-1) ?? []];
  const rolled: Matrix[] = [];
  for (const [layer, back] of withResidual(meanAttention(trace, "masked", config)).entries()) {
    const before = rolled.at(-1);
    const stayed = before && product(back, before);
    const looked = product(cross[layer] ?? [], memory);
    rolled.push(looked.map((shares, i) => shares.map((share, j) => ((stayed?.[i]?.[j] ?? 0) + share) / 2)));
  }
  return rolled;
}

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => (b[0] ?? []).map((_, j) => row.reduce((sum, value, k) => sum + value * (b[k]?.[j] as number), 0)));
