// Attention rollout of one step between words (Abnar & Zuidema 2020), as in viz_core/analysis/rollout.py; and its strongest edges.

import { type Tensor, nth, sliceOf, sum } from "../../../viz_core/web/src/payload";
import { range } from "../../../viz_core/web/src/marks/scale";

const MOST = 80; // edges that may be drawn
export const LEGS = ["cross", "masked", "encoder"] as const;

export type Leg = (typeof LEGS)[number];

/** From a position above a layer to one below it, for `cross` in the memory. share: of the whole flow, which is 1 at the top. */
export type Edge = { leg: Leg; layer: number; start: number; end: number; share: number };

/** Weights averaged over the heads, (L, from, to). owners: the word of each source token. */
export type Weights = Record<"self" | "masked" | "cross", Tensor> & { owners: readonly number[] };

type Flow = { shares: Float64Array; from: number; to: number };
type Flows = Record<Leg, Flow> & { layers: number; depth: number };

/** The share of each edge in each layer, (L, from, to), and of each source word. As `rollout` in Python: ½ stays, ½ goes to
 * the memory; half of the rest goes through masked attention. */
export function rollout({ self, masked, cross, owners }: Weights, step: number) {
  const [[layers = 0, length = 0], [depth = 0, sources = 0]] = [masked.shape, self.shape];
  const words = Math.max(...owners) + 1;
  const flow = (count: number, from: number, to: number): Flow => ({ shares: new Float64Array(count * from * to), from, to });
  const flows = { cross: flow(layers, length, words), masked: flow(layers, length, length), encoder: flow(depth, words, words) };
  const add = ({ shares, from, to }: Flow, layer: number, start: number, end: number, share: number) => {
    const at = (layer * from + start) * to + end;
    shares[at] = nth(shares, at) + share;
  };
  const wordOf = (token: number) => nth(owners, token);
  const memory = new Float64Array(sources);
  let positions = Float64Array.from(range(length), (at) => Number(at === step));
  for (const layer of range(layers).reverse()) {
    const below = new Float64Array(length);
    send(positions, sliceOf(cross, layer), memory, 0.5, 0, (i, j, share) => add(flows.cross, layer, i, wordOf(j), share));
    send(positions, sliceOf(masked, layer), below, 0.25, 1, (i, j, share) => add(flows.masked, layer, i, j, share));
    positions = below;
  }
  let tokens = memory;
  for (const layer of range(depth).reverse()) {
    const below = new Float64Array(sources);
    send(tokens, sliceOf(self, layer), below, 0.5, 1, (i, j, share) => add(flows.encoder, layer, wordOf(i), wordOf(j), share));
    tokens = below;
  }
  const source = new Array<number>(words).fill(0);
  for (const [token, share] of tokens.entries()) source[wordOf(token)] = nth(source, wordOf(token)) + share;
  return { ...flows, source, layers, depth };
}

/** Sends a share of each position through the weights and, for a residual connection, the same share straight down. */
function send(
  from: Float64Array,
  weights: Tensor["data"],
  to: Float64Array,
  part: number,
  kept: 0 | 1,
  pass: (start: number, end: number, share: number) => void,
) {
  for (const [start, amount] of from.entries()) {
    if (!amount) continue;
    for (let end = 0; end < to.length; end += 1) {
      const share = part * amount * (nth(weights, start * to.length + end) + (start === end ? kept : 0));
      to[end] = nth(to, end) + share;
      pass(start, end, share);
    }
  }
}

/** The strongest edges that are connected with the step's position at the top, from the top down. count: edges with a share above 0;
 * least: the share of the weakest candidate; left: the part of the summed shares that is not drawn. */
export function strongest(flows: Flows, step: number, most = MOST) {
  const all = Float64Array.from(LEGS.flatMap((leg) => Array.from(flows[leg].shares))).sort();
  const above = all.filter((share) => share > 0);
  const least = above[Math.max(above.length - most, 0)] ?? 0;
  const candidates = LEGS.flatMap((leg) => {
    const { shares, from, to } = flows[leg];
    const edges: Edge[] = [];
    for (const [at, share] of shares.entries())
      if (share > 0 && share >= least)
        edges.push({ leg, layer: Math.floor(at / (from * to)), start: Math.floor(at / to) % from, end: at % to, share });
    return edges;
  });
  const edges = connected(candidates.sort((a, b) => b.share - a.share).slice(0, most), step, flows.layers, flows.depth);
  return { edges, least, count: above.length, left: 1 - sum(edges.map(({ share }) => share)) / sum(all) };
}

/** Those that form a connected flow from the step's position above the last decoder layer. */
export function connected(edges: readonly Edge[], step: number, layers: number, depth: number): Edge[] {
  const isLower = ({ leg }: Edge) => Number(leg === "encoder");
  const place = (isEncoder: boolean, layer: number, at: number) => [isEncoder, layer, at].join();
  const reached = new Set([place(false, layers, step)]);
  const order = edges.toSorted((a, b) => isLower(a) - isLower(b) || b.layer - a.layer);
  return order.filter(({ leg, layer, start, end }) => {
    const isEncoder = leg === "encoder";
    if (!reached.has(place(isEncoder, layer + 1, start))) return false;
    reached.add(leg === "cross" ? place(true, depth, end) : place(isEncoder, layer, end));
    return true;
  });
}
