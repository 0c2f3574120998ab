// Taps, as in viz_core/taps.py: every named quantity of a pass goes through one, on the line that computes it.

import axes, { type Site } from "viz:sites";
import type { Stack } from "./config";
import type { Tensor } from "./tensor";

/** A full name; each that the decoder has is allowed in the encoder, too. */
export type SiteName<Name = Site> = Name extends `decoder.${infer Rest}` ? `${Stack}.${Rest}` : Name;

/** What stands before the first dot of a name, or a later one; what stands behind them, or the name. */
type Part<Name> = Name extends `${infer First}.${infer Rest}` ? First | Part<Rest> : never;
type End<Name> = Name | (Name extends `${string}.${infer Rest}` ? End<Rest> : never);

/** Sees the value of a site, and returns what the pass goes on with. */
export type Tap = { (site: End<SiteName>, value: Tensor): Tensor; at(prefix: Part<SiteName> | number): Tap };

/** The letter of each dimension, without the batch. */
export const axesOf = (name: SiteName) => axes[name.replace(/\d+/, "LAYER")] ?? [];

/** By full site name, in the order of computation. */
export type Trace = Map<SiteName, Tensor>;

export type Edit = (value: Tensor) => Tensor;
export type Edits = ReadonlyMap<SiteName, Edit>;

function tapping(see: (name: SiteName, value: Tensor) => Tensor, prefix = ""): Tap {
  const tap = (site: End<SiteName>, value: Tensor) => see((prefix + site) as SiteName, value);
  return Object.assign(tap, { at: (part: Part<SiteName> | number) => tapping(see, `${prefix}${part}.`) });
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
