// Decoding with a pointer-generator (See et al. 2017), as in viz_core/model/pointer.py and viz_core/decoding/copying.py.

import { softmax } from "../blocks";
import { endsOf, Weights } from "../config";
import { entriesOf } from "../../payload";
import type { Trace } from "../taps";
import { argmax, dot, row, size, type Tensor } from "../tensor";
import { logSoftmax, type Model } from "../transformer";
import { allowed, type Changes, Reader } from "./reading";

const LEAST = 1e-9; // attention below which there is nothing to copy from: only an edited model has as little

/** Where a token would be copied from, (S,), and the heads' attention before `follow`; the summands of the gate, and their sum. */
export type Pointing = { a: Float64Array; mix: Float64Array; terms: number[]; gate: number };

/** One step: the token written, ln P_vocab of the model alone and ln P of the mixture, (V,). */
export type CopyStep = Pointing & { id: number; logVocab: Float32Array; logProbs: Float32Array };

/** The gate in a file, unless it belongs to other weights than those with this digest. */
export function readGate(content: Uint8Array, digest: string | undefined) {
  const { metadata, entries } = entriesOf(content);
  const read = () => Object.fromEntries(entries.map(({ name, read }) => [name, read() as Tensor]));
  return metadata.sha256 === digest ? new Weights(read()) : null;
}

/** The attention a ∝ Σ_h m_h a_h, times e^follow where the source token follows the one just written, and the gate
 * p_gen = σ(w_h · h* + w_s · s + w_x · x + b) with the context h* = Σ_i aᵢ hᵢ  (eq. 8), at the newest position. */
function pointing(gate: Weights, trace: Trace, memory: Tensor, source: readonly number[], read: number): Pointing {
  const numbers = (name: string) => gate.get(name).data;
  const newest = (x: Tensor) => row(x, size(x, -2) - 1); // (D,)
  const crosses = [...trace].flatMap(([site, weights]) => (site.endsWith("cross_attn.weights") ? [weights] : []));
  const shares = softmax(numbers("heads"));
  const mix = new Float64Array(source.length);
  for (const [layer, weights] of crosses.entries()) {
    const [heads, rows] = [size(weights, 0), size(weights, 1)];
    for (let head = 0; head < heads; head += 1) {
      const share = shares[layer * heads + head] as number;
      for (const [i, weight] of row(weights, (head + 1) * rows - 1).entries()) mix[i] = (mix[i] as number) + share * weight;
    }
  }
  const follow = Math.exp(numbers("follow")[0] as number);
  const raised = mix.map((weight, i) => weight * (i > 0 && source[i - 1] === read ? follow : 1));
  const whole = raised.reduce((sum, weight) => sum + weight, 0);
  const a = raised.map((weight) => weight / Math.max(whole, LEAST));
  const context = numbers("w_context").map((_, d) => a.reduce((sum, weight, i) => sum + weight * (row(memory, i)[d] as number), 0));
  const terms = [
    dot(context, numbers("w_context")),
    dot(newest(trace.get("decoder.states") as Tensor), numbers("w_state")),
    dot(newest(trace.get("target.input") as Tensor), numbers("w_input")),
    numbers("bias")[0] as number,
  ];
  return { a, mix, terms, gate: whole > LEAST ? terms.reduce((sum, term) => sum + term, 0) : Number.POSITIVE_INFINITY };
}

/** ln P(w), with P(w) = p_gen P_vocab(w) + (1 − p_gen) Σ_{i: wᵢ = w} aᵢ  (eq. 9), (V,). */
function logMixture({ a, gate }: Pointing, logVocab: Float32Array, source: readonly number[]) {
  const copied = new Map<number, number>();
  for (const [i, id] of source.entries()) copied.set(id, (copied.get(id) ?? 0) + (a[i] as number));
  const [generate, copy] = [logSigmoid(gate), logSigmoid(-gate)];
  return logVocab.map((log, id) => logAddExp(generate + log, copy + Math.log(copied.get(id) ?? 0)));
}

const logSigmoid = (x: number) => Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)));

function logAddExp(a: number, b: number) {
  const most = Math.max(a, b);
  return Number.isFinite(most) ? most + Math.log(Math.exp(a - most) + Math.exp(b - most)) : most;
}

/** Greedy decoding: at every step the most probable token of the mixture. */
export function copySteps(model: Model, gate: Weights, source: readonly number[], changes: Changes): CopyStep[] {
  const reader = new Reader(model, source, changes);
  const memory = reader.source.get("encoder.memory") as Tensor;
  const { config } = model;
  const steps: CopyStep[] = [];
  let [id, prefix] = [config.bos_id, reader.start];
  while (steps.length < reader.room && !(steps.length && endsOf(config).includes(id))) {
    const [logits, next] = reader.read(id, prefix);
    const logVocab = Float32Array.from(logSoftmax(logits));
    const pointed = pointing(gate, next.steps.at(-1) as Trace, memory, source, id);
    const logProbs = logMixture(pointed, logVocab, source);
    id = reader.only(steps.length) ?? argmax(allowed(logProbs, config));
    steps.push({ ...pointed, id, logVocab, logProbs });
    prefix = next;
  }
  return steps;
}
