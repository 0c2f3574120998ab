// The decoder step by step, as in viz_core/decoding/hypothesis.py: the newest token in, the logits of the next one out; greedy decoding.

import { scaledDotProductAttention } from "../blocks";
import { attentionAt, type ModelConfig, maxSteps, endsOf } from "../config";
import { axesOf, type Edits, editor, recorder, type SiteName, type Tap, type Trace } from "../taps";
import { concatenated, row, size, type Tensor, argmax } from "../tensor";
import { begin, type Cache, decode, decoderMask, type Encoded, encode, generate, type Model } from "../transformer";

export type Forced = ReadonlyMap<number, number>; // step, from 0 → the token written there

/** How a decoding is changed. whole: no cache, as edits require that let later tokens change earlier rows. most: steps. */
export type Changes = { edits?: Edits; whole?: boolean; forced?: Forced; most?: number };

/** A sentence that is being written: it never changes, so that hypotheses can go on from the same one. */
export type Prefix = { readonly cache: Cache; readonly steps: readonly Trace[] };

/** Reads a source sentence once, and then target tokens after any prefix. */
export class Reader {
  readonly room: number;
  readonly source: Trace = new Map();
  private readonly encoded: Encoded;
  private readonly forced: Forced;

  constructor(
    private readonly model: Model,
    source: readonly number[],
    private readonly changes: Changes = {},
  ) {
    const { config } = model;
    this.encoded = encode(model, source, this.tap(recorder(this.source)));
    const read = source.filter((id) => id !== config.pad_id).length;
    this.room = Math.min(maxSteps(config, read), changes.most ?? config.max_len);
    this.forced = new Map([...(config.first_id === null ? [] : [[0, config.first_id] as const]), ...(changes.forced ?? [])]);
  }

  get start(): Prefix {
    return { cache: begin(this.model, this.encoded), steps: [] };
  }

  /** The logits of what follows, (V,), and the prefix with this token. */
  read(id: number, { cache, steps }: Prefix): [Float32Array, Prefix] {
    const { whole } = this.changes;
    const trace: Trace = new Map();
    const ids = whole ? [...cache.ids, id] : [id];
    const [states, after] = decode(this.model, ids, this.encoded, whole ? this.start.cache : cache, this.tap(recorder(trace)));
    generate(this.model, states, this.tap(recorder(trace)).at("output"));
    const logits = trace.get("output.logits") as Tensor;
    return [row(logits, size(logits, 0) - 1), { cache: after, steps: [...steps, trace] }];
  }

  /** The token that has to be written at a step, if any. */
  only(step: number) {
    return this.forced.get(step);
  }

  /** All that was computed for a prefix: without the cache what the last step computed, with it a row of each step. */
  trace({ cache, steps }: Prefix): Trace {
    const last = steps.at(-1);
    const mask = decoderMask(cache.ids, 0, this.model.config);
    const target = this.changes.whole && last ? last : rowsJoined(steps, mask, (trace) => this.tap(recorder(trace)));
    return new Map([...this.source, ...target]);
  }

  private tap(then: Tap) {
    return this.changes.edits ? editor(this.changes.edits, then) : then;
  }
}

const OWN_PAIRS = /^decoder\.(\d+)\.self_attn\.(scores|scaled|mask|masked|weights|mix)$/;

/** The traces of single positions joined into one: row t of each site is what step t computed.
 *
 * No step has computed the scores of masked positions, so these follow here, from the same queries and keys. */
function rowsJoined(steps: readonly Trace[], mask: Tensor, tapInto: (trace: Trace) => Tap): Trace {
  const joined: Trace = new Map();
  const get = (name: SiteName) => joined.get(name) as Tensor;
  for (const name of steps[0]?.keys() ?? []) {
    const [, layer, pair] = OWN_PAIRS.exec(name) ?? [];
    const axis = axesOf(name).findIndex((each) => each === "T" || each === "Tq");
    const parts = steps.map((step) => step.get(name) as Tensor);
    if (!pair)
      joined.set(name, axis < 0 ? (parts.at(-1) as Tensor) : concatenated(parts, axis)); // keys of all are the last step's
    else if (pair === "scores") {
      const block = attentionAt("masked", Number(layer));
      const own = { k: get(`${block}.k`), v: get(`${block}.v`) };
      const tap = tapInto(joined).at("decoder").at(Number(layer)).at("self_attn");
      scaledDotProductAttention(get(`${block}.q`), own, mask, tap);
    }
  }
  return joined;
}

/** Logits with −∞ at the tokens that are never chosen. */
export function allowed(logits: Float32Array, { never_ids: never }: ModelConfig) {
  if (!never.length) return logits;
  const among = logits.slice();
  for (const id of never) among[id] = Number.NEGATIVE_INFINITY;
  return among;
}

/** Logits with NaN, which an edited model may give, replaced by −∞, and +∞ by the largest finite number. */
export const comparable = (logits: Float32Array) =>
  logits.map((logit) => (Number.isNaN(logit) ? Number.NEGATIVE_INFINITY : Math.min(logit, 3.4028234663852886e38)));

// Greedy decoding, as in viz_core/decoding/greedy.py: at every step the most probable token.

export type Written = { ids: number[]; trace: Trace };

/** The tokens written, ⟨/s⟩ last unless the positions ran out, and all that was computed on the way: there is no second pass. */
export const greedy = (model: Model, source: readonly number[], changes: Changes = {}) =>
  finished(greedySteps(model, source, changes));

/** The same step by step: yields the ids so far. */
export function* greedySteps(
  model: Model,
  source: readonly number[],
  changes: Changes = {},
): Generator<readonly number[], Written> {
  const reader = new Reader(model, source, changes);
  const [ids, ends]: [number[], number[]] = [[], endsOf(model.config)];
  let prefix = reader.start;
  for (let id = model.config.bos_id; ids.length < reader.room && !ends.includes(ids.at(-1) ?? -1); ids.push(id)) {
    yield ids;
    const [logits, next] = reader.read(id, prefix);
    id = reader.only(ids.length) ?? argmax(allowed(logits, model.config));
    prefix = next;
  }
  return { ids, trace: reader.trace(prefix) };
}

/** What a computation in steps returns. */
export function finished<Result>(steps: Generator<unknown, Result>): Result {
  while (true) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
