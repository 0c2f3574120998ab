// Attention through all layers: rollout and flow, as in viz_core/analysis/rollout.py (Abnar & Zuidema 2020, §3).

import { sum } from "../../payload";
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

/** Upper bound of the flow to each source token: the sum of the first layer's edges into it, at most 1. */
export const flowBound = (first: Matrix = []) =>
  first.map((_, key) => Math.min(1, sum(first.map((weights) => weights[key] as number))));

// Attention flow, as `encoder_flow` in viz_core/analysis/rollout.py (Abnar & Zuidema 2020, §3).

const EPSILON = 1e-9; // less residual capacity counts as none: capacities are sums of rounded numbers

/** The greatest flow from each position above these layers (row) to each token, (S, S). Weights are capacities. */
export function attentionFlow(layers: readonly Matrix[]): Matrix {
  const width = layers[0]?.length ?? 0;
  const network = new Network((layers.length + 1) * width);
  for (const [layer, weights] of layers.entries())
    for (const [query, row] of weights.entries())
      for (const [key, capacity] of row.entries())
        if (capacity) network.add((layer + 1) * width + query, layer * width + key, capacity);
  const tokens = Array.from({ length: width }, (_, token) => token);
  return tokens.map((top) => tokens.map((token) => network.greatestFlow(layers.length * width + top, token)));
}

/** Nodes 0 … n − 1 and directed edges between them; edge i and its way back are i and i ^ 1. */
class Network {
  private readonly out: number[][];
  private readonly to: number[] = [];
  private readonly room: number[] = [];

  constructor(nodes: number) {
    this.out = Array.from({ length: nodes }, () => []);
  }

  add(start: number, end: number, capacity: number) {
    this.out[start]?.push(this.to.push(end) - 1);
    this.out[end]?.push(this.to.push(start) - 1);
    this.room.push(capacity, 0);
  }

  /** Maximum flow by Dinic's algorithm (1970), off by less than EPSILON for each edge. */
  greatestFlow(source: number, sink: number) {
    const room = Float64Array.from(this.room);
    let total = 0;
    while (true) {
      const distance = this.distances(sink, room);
      if ((distance[source] as number) < 0) return total;
      const tried = new Int32Array(this.out.length); // edges of each node that lead nowhere any more
      for (
        let path = this.path(source, sink, distance, tried, room);
        path.length;
        path = this.path(source, sink, distance, tried, room)
      ) {
        const amount = Math.min(...path.map((edge) => room[edge] as number));
        for (const edge of path) {
          room[edge] = (room[edge] as number) - amount;
          room[edge ^ 1] = (room[edge ^ 1] as number) + amount;
        }
        total += amount;
      }
    }
  }

  /** Edges from each node to the sink, −1 where it cannot be reached. */
  private distances(sink: number, room: Float64Array) {
    const distance = new Int32Array(this.out.length).fill(-1);
    distance[sink] = 0;
    const queue = [sink];
    for (const node of queue)
      for (const edge of this.out[node] as number[]) {
        const from = this.to[edge] as number;
        if ((distance[from] as number) >= 0 || (room[edge ^ 1] as number) <= EPSILON) continue;
        distance[from] = (distance[node] as number) + 1;
        queue.push(from);
      }
    return distance;
  }

  /** Edges of one shortest path with residual capacity, or none. */
  private path(source: number, sink: number, distance: Int32Array, tried: Int32Array, room: Float64Array) {
    const path: number[] = [];
    let node = source;
    while (node !== sink) {
      const edge = this.out[node]?.[tried[node] as number];
      const next = edge === undefined ? node : (this.to[edge] as number);
      if (edge !== undefined && (room[edge] as number) > EPSILON && distance[next] === (distance[node] as number) - 1) {
        path.push(edge);
        node = next;
        continue;
      }
      if (edge === undefined) {
        const last = path.pop();
        if (last === undefined) return [];
        node = this.to[last ^ 1] as number;
      }
      tried[node] = (tried[node] as number) + 1;
    }
    return path;
  }
}
