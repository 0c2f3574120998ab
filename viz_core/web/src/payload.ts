// What a figure's data function answers, typed: arrays by their names, a description, texts.

import { fill } from "../../browser/kit/numbers";
import { readTensors } from "../../browser/kit/payload";

export { fill };
export { slice as partOf } from "../../browser/kit/payload";

/** An array of numbers; exact: not rounded to float16 on the way. */
export interface Tensor {
  shape: readonly number[];
  data: Float32Array | Float64Array | Int32Array | Uint8Array;
  exact: boolean;
}

export type Patch = Record<string, unknown>;

/** A text of the payload by its name, such as `stages.before`, with values in its [[places]], if any; "" where there is no such text. */
export type Say = (name: string, values?: Patch) => string;

export interface Payload<About, Name extends string> {
  about: About;
  tensors: Record<Name, Tensor>;
  say: Say;
}

export function readPayload<About, Name extends string>(bytes: Uint8Array): Payload<About, Name> {
  const { about, tensors } = readTensors<About, Name>(bytes);
  const { texts } = about as { texts?: unknown };
  const inner = (from: unknown, name: string) => (from as Patch | undefined)?.[name];
  const textOf = (name: string) => (name.split(".").reduce(inner, texts) ?? "") as string;
  return {
    about,
    tensors,
    say: (name, values) => (values ? fill(textOf(name), values) : textOf(name)),
  };
}

/** One column of a matrix. */
export function columnOf({ shape, data }: Tensor, column: number): number[] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) => data[row * columns + column] ?? Number.NaN);
}

/** The entry of a list at an index, or the last one where that is beyond the end. */
export function entryAt<Entry>(list: readonly Entry[], index: number): Entry {
  const entry = list[Math.max(0, Math.min(index, list.length - 1))];
  if (entry === undefined) throw new Error("nothing to choose from");
  return entry;
}

/** The entry at an index that there is. */
export const nth = <Entry>(list: ArrayLike<Entry>, at: number): Entry => list[at] as Entry;
