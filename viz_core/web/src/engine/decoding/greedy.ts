// Greedy decoding, as in viz_core/decoding/greedy.py: at every step the most probable token.

import { endsOf } from "../config";
import type { Trace } from "../taps";
import { argmax } from "../tensor";
import type { Model } from "../transformer";
import { allowed, type Changes, Reader } from "./reading";

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
