// Typed answers of the data functions: named arrays, a description (`about`), texts; and values for every state of the view.

import { fill } from "../../browser/kit/numbers";

export { fill };

/** An array of numbers. exact: not rounded to float16 for transport. */
export type Tensor = { shape: readonly number[]; data: Float32Array | Float64Array | Int32Array | Uint8Array; exact: boolean };

export type Patch = Record<string, unknown>;

/** Looks up a text by its key, such as `stages.before`, and fills its [[places]]; "" if there is no such text. */
export type Say = (name: string, values?: Patch) => string;

export type Payload<About, Name extends string> = { about: About; tensors: Record<Name, Tensor>; say: Say };

const BYTES: Record<string, number> = { F64: 8, F32: 4, F16: 2, BF16: 2, I32: 4, U8: 1 };

type Entry = { dtype: string; shape: number[]; data_offsets: [number, number] };

/** An array of a safetensors file that is not decoded yet. halves: its bytes, if they are float16. */
export type Packed = { name: string; shape: readonly number[]; halves: Uint8Array | null; read(): Tensor };

/** The arrays of a safetensors file, and its description. */
export function entriesOf<About>(bytes: Uint8Array): { about: About; metadata: Record<string, string>; entries: Packed[] } {
  const start = bytes.byteOffset;
  const view = new DataView(bytes.buffer, start, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const { __metadata__: metadata = {}, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const entries = Object.entries<Entry>(header).map(([name, { dtype, shape, data_offsets: offsets }]) => {
    const [from, to] = offsets;
    const part = bytes.subarray(8 + length + from, 8 + length + to);
    const read = () => {
      if (!BYTES[dtype]) throw new Error(`${name}: ${dtype} is not a known type`);
      if (BYTES[dtype] === 2) return { shape, data: unpacked(part, dtype === "F16" ? halves() : null), exact: false };
      return { shape, data: decode(dtype, new Uint8Array(part).buffer), exact: true }; // copied, so that it is aligned
    };
    return { name, shape, halves: dtype === "F16" ? part : null, read };
  });
  return { about: JSON.parse(metadata.about ?? "{}"), metadata, entries };
}

export function readTensors<About, Name extends string>(bytes: Uint8Array) {
  const { about, entries } = entriesOf<About>(bytes);
  const tensors = Object.fromEntries(entries.map(({ name, read }) => [name, read()]));
  return { about, tensors: tensors as Record<Name, Tensor> };
}

function decode(dtype: string, buffer: ArrayBuffer) {
  if (dtype === "F64") return new Float64Array(buffer);
  if (dtype === "F32") return new Float32Array(buffer);
  if (dtype === "I32") return new Int32Array(buffer);
  return new Uint8Array(buffer);
}

// table: of float16; null for bfloat16.
function unpacked(part: Uint8Array, table: Float32Array | null) {
  const { buffer, byteOffset } = part.byteOffset % 2 ? part.slice() : part;
  const bits = new Uint16Array(buffer, byteOffset, part.length / 2);
  const numbers = new Float32Array(bits.length); // filled in a loop, ten times as fast as `from`
  const raw = new Uint32Array(numbers.buffer);
  for (let at = 0; at < bits.length; at += 1) {
    if (table) numbers[at] = table[bits[at] as number] as number;
    else raw[at] = (bits[at] as number) << 16; // BF16: the upper half of a float32
  }
  return numbers;
}

export const decodedHalves = (part: Uint8Array) => unpacked(part, halves());

let halfTable: Float32Array | null = null;

function halves() {
  if (halfTable) return halfTable;
  halfTable = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits += 1) {
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    const sign = bits & 0x8000 ? -1 : 1;
    if (exponent === 31) halfTable[bits] = fraction ? NaN : sign * Infinity;
    else halfTable[bits] = sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
  }
  return halfTable;
}

/** tables: its texts, besides those that it contains itself. */
export function readPayload<About, Name extends string>(bytes: Uint8Array, ...tables: object[]): Payload<About, Name> {
  const { about, tensors } = readTensors<About, Name>(bytes);
  return { about, tensors, say: speaker((about as { texts?: object }).texts ?? {}, ...tables) };
}

/** Looks up texts in the first of these tables that has them. */
export function speaker(...tables: object[]): Say {
  const inner = (from: unknown, name: string) => (from as Patch | undefined)?.[name];
  const textOf = (name: string) => {
    for (const table of tables) {
      const text = name.split(".").reduce(inner, table as unknown);
      if (text !== undefined) return text as string;
    }
    return "";
  };
  return (name, values) => (values ? fill(textOf(name), values) : textOf(name));
}

/** One column of a matrix. */
export function columnOf({ shape, data }: Tensor, column: number): number[] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) => data[row * columns + column] ?? Number.NaN);
}

/** The entry at an index; beyond the end, the last one. */
export function entryAt<Entry>(list: readonly Entry[], index: number): Entry {
  const entry = list[Math.max(0, Math.min(index, list.length - 1))];
  if (entry === undefined) throw new Error("the list is empty");
  return entry;
}

/** The entry at an index known to be in range. */
export const nth = <Entry>(list: ArrayLike<Entry>, at: number): Entry => list[at] as Entry;

// The slice of an array at its leading indices, without a copy: sliceOf(weights, layer, head) is (Tq, Tk).
export function sliceOf({ shape, data }: Tensor, ...at: number[]) {
  let size = 1;
  for (let axis = at.length; axis < shape.length; axis += 1) size *= shape[axis] as number;
  let index = 0;
  for (let axis = 0; axis < at.length; axis += 1) index = index * (shape[axis] as number) + (at[axis] as number);
  return data.subarray(index * size, (index + 1) * size);
}

// Index of the maximum, the first of equal ones; NaN never counts.
export function greatestOf(numbers: ArrayLike<number>) {
  return Array.from(numbers).reduce((best, value, at) => (value > (numbers[best] || 0) ? at : best), 0);
}

/** The same function, which makes its result once for the same arguments. */
export function memoized<Args extends (number | string)[], Made>(make: (...args: Args) => Made) {
  const results = new Map<string, { result: Made }>();
  return (...args: Args) => {
    const key = args.join();
    const known = results.get(key) ?? { result: make(...args) };
    results.set(key, known);
    return known.result;
  };
}

/** In a loop, which is many times as fast for typed arrays as `Array.from(…).reduce`. */
export function sum(numbers: ArrayLike<number>) {
  let total = 0;
  for (let at = 0; at < numbers.length; at += 1) total += nth(numbers, at);
  return total;
}

export function bytesOf(base64: string) {
  const signs = atob(base64);
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = signs.charCodeAt(at);
  return bytes;
}

/** Of gzip. A Blob would do as well, but WebKit can't read one in the worker of a file. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>) {
  const stream = new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The bytes that `_deinterleaved` in viz_core/app/html_file.py has sorted, in their own order. */
export function interleaved(bytes: Uint8Array) {
  const [content, half] = [new Uint8Array(bytes.length), Math.ceil(bytes.length / 2)];
  for (let at = 0; at < bytes.length; at += 1) content[at] = bytes[(at & 1 ? half : 0) + (at >> 1)] as number;
  return content;
}
