// What a view is: a function of a model, a sentence and an address, as in viz_core/app/answers.py. Its answer is the same bytes.

import { attentionAt, BLOCK, type Kind, layersOf } from "../config";
import { finished } from "../decoding/greedy";
import type { Explanation, Translator } from "../explain";
import { stack, type Tensor } from "../tensor";
import type { Trace } from "../taps";
import type { StoredHeads } from "./heads";

export { BLOCK, type Kind, layersOf };

/** A table of the app's texts by name, such as `browser.next_token`, in the reader's language. */
// biome-ignore lint/suspicious/noExplicitAny: texts and tables of texts
export type Words = (name: string) => Record<string, any>;

/** name: of the model; languages: the codes of source and target, such as en and de; right: a second model or sentence;
 * heads: what was measured of the model's heads. */
export type Scene = Translator & {
  name: string;
  explanation: Explanation;
  languages: readonly [string, string];
  words: Words;
  right?: Scene;
  heads?: StoredHeads | null;
};

/** asked: the parameters of the address. A view that takes long yields in between. */
export type View = (scene: Scene, asked: URLSearchParams) => Uint8Array | Generator<unknown, Uint8Array>;

export function answerOf(view: View, scene: Scene, asked: URLSearchParams) {
  const made = view(scene, asked);
  return made instanceof Uint8Array ? made : finished(made);
}

/** An array as it is sent: float64, float32, int32 or uint8. */
export type Sent = { shape: readonly number[]; data: Float64Array | Float32Array | Int32Array | Uint8Array };

const DTYPES = { Float64Array: "F64", Float32Array: "F32", Int32Array: "I32", Uint8Array: "U8" };

/** Arrays with a description as safetensors, as `pack` in viz_core/browser/pack.py; every number is sent as it is. */
export function pack(tensors: Readonly<Record<string, Sent>>, about: object) {
  let end = 0;
  const header: Record<string, object> = { __metadata__: { about: JSON.stringify(about) } };
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const dtype = DTYPES[data.constructor.name as keyof typeof DTYPES];
    header[name] = { dtype, shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  let at = 8 + json.length;
  for (const { data } of Object.values(tensors)) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/** One site of an attention in all layers, (L, …). */
export function stacked({ model: { config }, explanation: { trace } }: Scene, kind: Kind, site: string) {
  const all = Array.from({ length: layersOf(config, BLOCK[kind][0]) }, (_, layer) => `${attentionAt(kind, layer)}.${site}`);
  return stack(all.map((each) => siteOf(trace, each)));
}

/** The numbers of a site. */
export function siteOf(trace: Trace, site: string): Tensor {
  const found = trace.get(site);
  if (!found) throw new Error(`the pass has no site ${site}`);
  return found;
}

export const integers = (shape: readonly number[], numbers: Iterable<number>): Sent => ({ shape, data: Int32Array.from(numbers) });
export const floats = (shape: readonly number[], numbers: Iterable<number>): Sent => ({ shape, data: Float32Array.from(numbers) });
export const doubles = (shape: readonly number[], numbers: Iterable<number>): Sent => ({ shape, data: Float64Array.from(numbers) });

/** Raises the page's sentence about numbers that overflow, as an edited model's may. */
export function allKnown({ unknown }: ReturnType<Words>, ...numbers: readonly ArrayLike<number>[]) {
  if (!numbers.every((each) => Array.from(each).every(Number.isFinite))) throw new Error(unknown);
}
