// Greedy decoding, as in viz_core/decoding/greedy.py: at every step the most probable token.

import { endsOf } from "../config";
import type { Trace } from "../taps";
import { argmax } from "../tensor";
import type { Model } from "../transformer";
import { allowed, type Changes, Reader } from "./reading";

/** The tokens written, ⟨/s⟩ at the end unless the positions are, and all that was computed on the way: there is no second pass. */
export function greedy(model: Model, source: readonly number[], changes: Changes = {}): { ids: number[]; trace: Trace } {
  const reader = new Reader(model, source, changes);
  const [ids, ends]: [number[], number[]] = [[], endsOf(model.config)];
  let prefix = reader.start;
  for (let id = model.config.bos_id; ids.length < reader.room && !ends.includes(ids.at(-1) ?? -1); ids.push(id)) {
    const [logits, next] = reader.read(id, prefix);
    id = reader.only(ids.length) ?? argmax(allowed(logits, model.config));
    prefix = next;
  }
  return { ids, trace: reader.trace(prefix) };
}
