// X Wᵀ for the weights of a model in WebAssembly: one row of W after another, as they lie in memory, four numbers at a time; several
// times as fast as in tensor.ts. As in PyTorch, sums are in float32, sixteen of them beside each other, so that little is lost by rounding.
//
// The weights lie in the module's memory, one after another; rows of x are copied there, and their products back. Without
// WebAssembly, or where a page's policy forbids it, there is no such memory, and tensor.ts does the same in JavaScript.

import type { Tensor } from "./tensor";

type Product = (x: Float32Array, w: Float32Array, out: Float32Array, d: number) => void;
type Made = { product: Product; width: number; height: number };

const ROWS = 16; // of x at a time
const PAGE = 65536;
const products = new WeakMap<ArrayBufferLike, Made>();

/** The product by a matrix that `kept` has moved, of a fitting size. */
export function productBy(w: Float32Array, d: number) {
  const [m, made] = [w.length / d, products.get(w.buffer)];
  return made && d % 16 === 0 && d <= made.width && m <= made.height ? made.product : undefined;
}

/** A tensor in a file. */
type Entry = { name: string; shape: readonly number[]; read(into?: Float32Array): Float32Array };

export const countOf = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

/** The tensors of a file, decoded one after another into the memory of such a module. */
export function kept(entries: readonly Entry[]): Readonly<Record<string, Tensor>> {
  const width = Math.max(0, ...entries.map(({ shape }) => shape.at(-1) ?? 1));
  const height = Math.max(0, ...entries.map(({ shape }) => countOf(shape) / (shape.at(-1) ?? 1)));
  const scratch = 4 * ROWS * (width + height);
  const bytes = entries.reduce((sum, { shape }) => sum + 16 * Math.ceil(countOf(shape) / 4), scratch);
  const memory = memoryOf(bytes, width, height);
  let end = scratch;
  const tensors = entries.map(({ name, shape, read }) => {
    if (!memory) return [name, { shape, data: read() }];
    const data = new Float32Array(memory, end, countOf(shape));
    const decoded = read(data);
    if (decoded !== data) data.set(decoded);
    end += 16 * Math.ceil(data.length / 4);
    return [name, { shape, data }];
  });
  return Object.fromEntries(tensors);
}

// The memory of a new module, in which weights can be multiplied by; null without WebAssembly.
function memoryOf(bytes: number, width: number, height: number) {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(CODE), { env: { memory } });
    const product = productIn(memory.buffer, exports.product as Rows, 4 * ROWS * width);
    products.set(memory.buffer, { product, width, height });
    return memory.buffer;
  } catch {
    return null;
  }
}

/** Places are those of bytes in the memory; x has n rows, w has m. */
type Rows = (x: number, n: number, w: number, out: number, bytesOfW: number, m: number) => void;

function productIn(memory: ArrayBuffer, rows: Rows, out: number): Product {
  return (x, w, into, d) => {
    const m = w.length / d;
    for (let from = 0; from < x.length; from += ROWS * d) {
      const some = x.subarray(from, from + ROWS * d);
      const n = some.length / d;
      new Float32Array(memory, 0, some.length).set(some);
      rows(0, n, w.byteOffset, out, 4 * d, m);
      into.set(new Float32Array(memory, out, n * m), (from / d) * m);
    }
  };
}

// The module, assembled here. Operators take their arguments in the order of the text.
const [I32, V128, EMPTY] = [0x7f, 0x7b, 0x40];
const [X, N, W, OUT, STRIDE, M, K, ROW, AT, LEFT, END, ROWS_LEFT, V, SUM] = Array.from(
  { length: 14 },
  (_, index) => index,
) as number[];
type Code = number[];
const leb = (value: number): Code => (value < 64 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
const get = (local = 0): Code => [0x20, local];
const put = (local = 0, ...value: Code[]): Code => [...value.flat(), 0x21, local];
const constant = (value: number): Code => [0x41, ...leb(value)];
const plus = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const times = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
const step = (local = 0, by: Code): Code => put(local, plus(get(local), by));
const whileTrue = (body: Code[], condition: Code): Code => [0x03, EMPTY, ...body.flat(), ...condition, 0x0d, 0, 0x0b];
const down = (local = 0): Code => [...put(local, plus(get(local), [0x41, 0x7f])), ...get(local)]; // by 1
const zero: Code = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
const floats = (place: Code, at: number): Code => [...place, 0xfd, 0x00, 2, 16 * at];
const product = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xe6, 0x01];
const sum = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xe4, 0x01];
const number = (index: number): Code => [...get(V), 0xfd, 0x1f, index];
const joined: Code = [...number(0), ...number(1), 0x92, ...number(2), ...number(3), 0x92, 0x92];
const FOUR = [0, 1, 2, 3];
const sums = (at: number) => (SUM as number) + at;
const [first, second, third, last] = FOUR.map((at) => get(sums(at))) as [Code, Code, Code, Code];

const BODY = [
  put(ROWS_LEFT, get(M)),
  whileTrue(
    [
      put(ROW, get(X)),
      put(AT, get(OUT)),
      put(LEFT, get(N)),
      put(END, plus(get(W), get(STRIDE))),
      whileTrue(
        [
          ...FOUR.map((at) => put(sums(at), zero)),
          put(K, get(W)),
          whileTrue(
            [
              ...FOUR.map((at) => put(sums(at), sum(get(sums(at)), product(floats(get(ROW), at), floats(get(K), at))))),
              step(ROW, constant(64)),
              step(K, constant(64)),
            ],
            [...get(K), ...get(END), 0x49], // K < END
          ),
          put(V, sum(sum(first, second), sum(third, last))),
          [...get(AT), ...joined, 0x38, 2, 0],
          step(AT, times(get(M), constant(4))),
        ],
        down(LEFT),
      ),
      put(W, get(END)),
      step(OUT, constant(4)),
    ],
    down(ROWS_LEFT),
  ),
].flat();

const section = (id: number, content: Code): Code => [id, ...leb(content.length), ...content];
const text = (name: string): Code => [name.length, ...new TextEncoder().encode(name)];
const FUNCTION = [2, 6, I32, 5, V128, ...BODY, 0x0b]; // its locals, after six parameters
const CODE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 6, ...Array<number>(6).fill(I32), 0]),
  ...section(2, [1, ...text("env"), ...text("memory"), 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("product"), 0, 0]),
  ...section(10, [1, ...leb(FUNCTION.length), ...FUNCTION]),
]);
