// X Wᵀ for the weights of a model in WebAssembly: one row of W after another, as they lie in memory, four numbers at a time; several
// times as fast as in tensor.ts. As in PyTorch, sums are in float32, sixteen of them beside each other, so that little is lost by rounding.
//
// The matrices lie in the module's memory, one after another, and those of a file in float16 stay float16: each row is decoded when it is
// multiplied, which takes no longer than reading twice as much. Rows of x are copied there, and their products back. Without WebAssembly,
// or where a page's policy forbids it, there is no such memory, and tensor.ts does the same in JavaScript.

import { decodedHalves } from "../payload";
import type { Tensor } from "./tensor";

const ROWS = 16; // of x at a time
const PAGE = 65536;

/** A tensor in a file. halves: its bytes, if they are float16. */
type Entry = { name: string; shape: readonly number[]; halves: Uint8Array | null; read(): Float32Array };

export const countOf = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

const isMatrix = ({ shape }: Entry) => shape.length === 2 && (shape[1] as number) % 16 === 0;
const bytesOf = ({ shape, halves }: Entry) => 16 * Math.ceil((countOf(shape) * (halves ? 2 : 4)) / 16);

/** The tensors of a file; its matrices in the memory of such a module. */
export function kept(entries: readonly Entry[]): Readonly<Record<string, Tensor>> {
  const matrices = entries.filter(isMatrix);
  const [height, width] = [0, 1].map((axis) => Math.max(0, ...matrices.map(({ shape }) => shape[axis] as number)));
  const places = [scratchOf(width as number).out + 16 * Math.ceil((ROWS * (height as number)) / 4)];
  for (const entry of matrices) places.push((places.at(-1) as number) + bytesOf(entry));
  const made = moduleWith(places.at(-1) as number, width as number);
  const tensorOf = (entry: Entry) => {
    const place = places[matrices.indexOf(entry)];
    return made && place !== undefined ? matrixIn(made, place, entry) : { shape: entry.shape, data: entry.read() };
  };
  return Object.fromEntries(entries.map((entry) => [entry.name, tensorOf(entry)]));
}

/** Rows of x come first in the memory; then, at `row`, one of W that was decoded; then, at `out`, their products. */
const scratchOf = (width: number) => ({ row: 4 * ROWS * width, out: 4 * (ROWS + 1) * width });

type Made = ReturnType<typeof scratchOf> & { memory: ArrayBuffer; rows: Rows };

/** A matrix of a file at this place in the memory. */
function matrixIn({ memory, rows, row, out }: Made, place: number, { shape, halves, read }: Entry): Tensor {
  const [m, d] = shape as [number, number];
  const times = (x: Float32Array, into: Float32Array) => {
    for (let from = 0; from < x.length; from += ROWS * d) {
      const some = x.subarray(from, from + ROWS * d);
      const n = some.length / d;
      new Float32Array(memory, 0, some.length).set(some);
      rows(0, n, place, out, (halves ? 2 : 4) * d, m, halves && n > 1 ? row : 0, Number(halves && n === 1));
      into.set(new Float32Array(memory, out, n * m), (from / d) * m);
    }
  };
  if (!halves) {
    const data = new Float32Array(memory, place, m * d);
    data.set(read());
    return { shape, data, times };
  }
  const bytes = new Uint8Array(memory, place, halves.length);
  bytes.set(halves);
  const rowAt = (at: number) => decodedHalves(bytes.subarray(2 * d * at, 2 * d * (at + 1)));
  return Object.defineProperty({ shape, times, rowAt } as Tensor, "data", { get: () => decodedHalves(bytes) });
}

/** Places are those of bytes in the memory; x has n rows, w has m. w of float16 is decoded row by row at `decoded`, or, if x has but one
 * row, while it is multiplied: halves is 1. */
type Rows = (x: number, n: number, w: number, out: number, bytesOfRow: number, m: number, decoded: number, halves: number) => void;

// A new module and its memory; null without WebAssembly.
function moduleWith(bytes: number, width: number): Made | null {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(CODE), { env: { memory } });
    return { memory: memory.buffer, rows: exports.rows as Rows, ...scratchOf(width) };
  } catch {
    return null;
  }
}

// The module, assembled here. Operators take their arguments in the order of the text.
const [I32, V128, EMPTY] = [0x7f, 0x7b, 0x40];
const [X, N, W, OUT, STRIDE, M, DECODED, HALVES, K, ROW, AT, LEFT, FIRST, END, NEXT, ROWS_LEFT, V, SUM] = Array.from(
  { length: 18 },
  (_, index) => index,
) as number[];
type Code = number[];
const FOUR = [0, 1, 2, 3];
const leb = (value: number): Code => (value < 64 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
const get = (local = 0): Code => [0x20, local];
const put = (local = 0, ...value: Code[]): Code => [...value.flat(), 0x21, local];
const constant = (value: number): Code => [0x41, ...leb(value)];
const plus = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const times = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
const step = (local = 0, by: Code): Code => put(local, plus(get(local), by));
const whileTrue = (body: Code[], condition: Code): Code => [0x03, EMPTY, ...body.flat(), ...condition, 0x0d, 0, 0x0b];
const choice = (condition: Code, yes: Code[], no: Code[] = []): Code => [
  ...[...condition, 0x04, EMPTY, ...yes.flat(), 0x05, ...no.flat(), 0x0b],
];
const isLess = (a: Code, b: Code): Code => [...a, ...b, 0x49];
const down = (local = 0): Code => [...put(local, plus(get(local), [0x41, 0x7f])), ...get(local)]; // by 1
const fours = (...bytes: Code): Code => [0xfd, 0x0c, ...FOUR.flatMap(() => bytes)];
const zero = fours(0, 0, 0, 0);
const floats = (place: Code, at: number): Code => [...place, 0xfd, 0x00, 2, 16 * at];
const product = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xe6, 0x01];
const sum = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xe4, 0x01];
const number = (index: number): Code => [...get(V), 0xfd, 0x1f, index];
const joined: Code = [...number(0), ...number(1), 0x92, ...number(2), ...number(3), 0x92, 0x92];
// Four float16: sign, exponent and mantissa go to their places in float32; the exponent is then too small by 112.
const shifted = (place: Code, at: number): Code => [...place, 0xfd, 0x03, 3, 8 * at, ...constant(13), 0xfd, 0xab, 0x01];
const decoded = (place: Code, at: number) =>
  product([...shifted(place, at), ...fours(0xff, 0xff, 0xff, 0x8f), 0xfd, 0x4e], fours(0, 0, 0x80, 0x77)); // 2 ** 112
const sums = (at: number) => (SUM as number) + at;
const [first, second, third, last] = FOUR.map((at) => get(sums(at))) as [Code, Code, Code, Code];
// Sixteen products at a time of a row of x and one of W. numbers: four of W.
const dot = (numbers: typeof floats, bytes: number) =>
  whileTrue(
    [
      ...FOUR.map((at) => put(sums(at), sum(get(sums(at)), product(floats(get(ROW), at), numbers(get(K), at))))),
      step(ROW, constant(64)),
      step(K, constant(bytes)),
    ],
    isLess(get(K), get(END)),
  );

const BODY = [
  put(ROWS_LEFT, get(M)),
  whileTrue(
    [
      put(ROW, get(X)),
      put(AT, get(OUT)),
      put(LEFT, get(N)),
      put(FIRST, get(W)),
      put(NEXT, plus(get(W), get(STRIDE))),
      put(END, get(NEXT)),
      choice(get(DECODED), [
        put(FIRST, get(DECODED)),
        put(END, get(DECODED)),
        whileTrue(
          [
            ...FOUR.map((at) => [...get(END), ...decoded(get(W), at), 0xfd, 0x0b, 4, 16 * at]),
            step(END, constant(64)),
            step(W, constant(32)),
          ],
          isLess(get(W), get(NEXT)),
        ),
      ]),
      whileTrue(
        [
          ...FOUR.map((at) => put(sums(at), zero)),
          put(K, get(FIRST)),
          choice(get(HALVES), [dot(decoded, 32)], [dot(floats, 64)]),
          put(V, sum(sum(first, second), sum(third, last))),
          [...get(AT), ...joined, 0x38, 2, 0],
          step(AT, times(get(M), constant(4))),
        ],
        down(LEFT),
      ),
      put(W, get(NEXT)),
      step(OUT, constant(4)),
    ],
    down(ROWS_LEFT),
  ),
].flat();

const section = (id: number, content: Code): Code => [id, ...leb(content.length), ...content];
const text = (name: string): Code => [name.length, ...new TextEncoder().encode(name)];
const FUNCTION = [2, 8, I32, 5, V128, ...BODY, 0x0b]; // its locals, after eight parameters
const CODE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 8, ...Array<number>(8).fill(I32), 0]),
  ...section(2, [1, ...text("env"), ...text("memory"), 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("rows"), 0, 0]),
  ...section(10, [1, ...leb(FUNCTION.length), ...FUNCTION]),
]);
