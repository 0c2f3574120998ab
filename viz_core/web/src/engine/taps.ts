// Taps, as in viz_core/taps.py: every named quantity of a pass goes through one, on the line that computes it.

import type { Tensor } from "./tensor";

/** Sees the value of a site, and returns what the pass goes on with. */
export type Tap = { (site: string, value: Tensor): Tensor; at(prefix: string | number): Tap };

/** By full site name, in the order of computation. */
export type Trace = Map<string, Tensor>;

export type Edit = (value: Tensor) => Tensor;
export type Edits = ReadonlyMap<string, Edit>;

function tapping(see: (name: string, value: Tensor) => Tensor, prefix = ""): Tap {
  const tap = (site: string, value: Tensor) => see(prefix + site, value);
  return Object.assign(tap, { at: (part: string | number) => tapping(see, `${prefix}${part}.`) });
}

/** The tap of a pass that is neither recorded nor edited. */
export const OFF = tapping((_, value) => value);

/** Keeps every value that passes. */
export const recorder = (trace: Trace) =>
  tapping((name, value) => {
    if (trace.has(name)) throw new Error(`site ${name} was written twice in one pass`);
    trace.set(name, value);
    return value;
  });

/** Replaces the values of some sites, and hands them on to the next tap. */
export const editor = (edits: Edits, then: Tap) => tapping((name, value) => then(name, edits.get(name)?.(value) ?? value));
