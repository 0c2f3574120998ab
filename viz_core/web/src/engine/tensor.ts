// Arrays with a shape, and the few operations on them that a Transformer needs. Numbers are kept in float32, sums in float64.

/** Numbers of one sentence, row after row. Shapes are those of viz_core/model without the batch: (T, D), (h, Tq, Tk) …
 * times: the product of the rows of x by a matrix of weights W, x Wᵀ; rowAt: a row of weights in float16, whose `data` are decoded anew at
 * each access. */
export type Tensor = {
  readonly shape: readonly number[];
  readonly data: Float32Array;
  times?(x: Float32Array, out: Float32Array): void;
  rowAt?(index: number): Float32Array;
};

export function tensor(shape: readonly number[], data?: Float32Array): Tensor {
  return { shape, data: data ?? new Float32Array(shape.reduce((a, b) => a * b, 1)) };
}

export type Floats = Float32Array | Float64Array;

/** A dimension, counted from the end if negative. */
export const size = ({ shape }: Tensor, axis: number) => shape.at(axis) ?? 1;

const at = (data: ArrayLike<number>, index: number) => data[index] as number;

/** Replaces each number. */
export function map({ shape, data }: Tensor, f: (value: number, index: number) => number) {
  const result = tensor(shape);
  for (let i = 0; i < data.length; i += 1) result.data[i] = f(data[i] as number, i);
  return result;
}

/** x + y. The shape of y is that of x, or of its last dimensions. A loop of its own leaves less garbage than `map`. */
export function add({ shape, data }: Tensor, y: Tensor) {
  const [result, n] = [tensor(shape), y.data.length];
  for (let i = 0; i < data.length; i += 1) result.data[i] = at(data, i) + at(y.data, i % n);
  return result;
}

/** x ÷ a number. */
export function divided({ shape, data }: Tensor, by: number) {
  const result = tensor(shape);
  for (let i = 0; i < data.length; i += 1) result.data[i] = at(data, i) / by;
  return result;
}

/** Replaces each row, along the last dimension, by what f writes. */
export function mapRows(x: Tensor, f: (row: Float32Array, into: Float32Array) => unknown) {
  const result = tensor(x.shape);
  const width = size(x, -1);
  for (let start = 0; start < x.data.length; start += width)
    f(x.data.subarray(start, start + width), result.data.subarray(start, start + width));
  return result;
}

/** One row, (D,). */
export const row = (x: Tensor, index: number) =>
  x.rowAt?.(index) ?? x.data.subarray(index * size(x, -1), (index + 1) * size(x, -1));

/** Chosen rows of a matrix, (n, D). */
export function take(x: Tensor, rows: readonly number[]) {
  const result = tensor([rows.length, size(x, -1)]);
  for (const [index, from] of rows.entries()) row(result, index).set(row(x, from));
  return result;
}

/** x Wᵀ + b: x (…, n, d), W (m, d), b (m,) → (…, n, m). */
export function linear(x: Tensor, weight: Tensor, bias?: Tensor) {
  const [m, d] = [size(weight, -2), size(weight, -1)];
  const result = tensor([...x.shape.slice(0, -1), m]);
  if (weight.times) weight.times(x.data, result.data);
  else multiply(x.data, weight.data, result.data, x.data.length / d, m, d);
  if (bias) for (let i = 0; i < result.data.length; i += 1) result.data[i] = at(result.data, i) + at(bias.data, i % m);
  return result;
}

/** X Yᵀ for each head: (h, n, d) and (h, m, d) → (h, n, m). */
export function productOfRows(x: Tensor, y: Tensor) {
  const [h, n, m, d] = [size(x, 0), size(x, 1), size(y, 1), size(x, 2)];
  const result = tensor([h, n, m]);
  for (let head = 0; head < h; head += 1) multiply(x.data, y.data, result.data, n, m, d, head);
  return result;
}

/** X Y for each head: (h, n, m) and (h, m, d) → (h, n, d). */
export function product(x: Tensor, y: Tensor) {
  const [h, n, m, d] = [size(x, 0), size(x, 1), size(x, 2), size(y, 2)];
  const [result, sums] = [tensor([h, n, d]), new Float64Array(d)];
  for (let i = 0; i < h * n; i += 1) {
    sums.fill(0);
    for (let j = 0; j < m; j += 1) {
      const share = at(x.data, i * m + j);
      const from = (Math.floor(i / n) * m + j) * d;
      for (let k = 0; k < d; k += 1) sums[k] = at(sums, k) + share * at(y.data, from + k);
    }
    result.data.set(sums, i * d);
  }
  return result;
}

/** Swaps the last two dimensions: (h, n, m) → (h, m, n). */
export function transposed(x: Tensor) {
  const [h, n, m] = [size(x, 0), size(x, 1), size(x, 2)];
  const result = tensor([h, m, n]);
  for (let head = 0; head < h; head += 1)
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < m; j += 1) result.data[(head * m + j) * n + i] = at(x.data, (head * n + i) * m + j);
  return result;
}

/** Cuts the last dimension into heads: (T, D) → (h, T, d_k). */
export function split(x: Tensor, heads: number) {
  const [length, width] = [size(x, 0), size(x, 1) / heads];
  return swapped(tensor([length, heads, width], x.data));
}

/** The inverse of split: (h, T, d_k) → (T, D). */
export const joined = (x: Tensor) => tensor([size(x, 1), size(x, 0) * size(x, 2)], swapped(x).data);

/** Swaps the first two dimensions: (n, m, d) → (m, n, d). */
function swapped(x: Tensor) {
  const [n, m, d] = [size(x, 0), size(x, 1), size(x, 2)];
  if (n === 1 || m === 1) return tensor([m, n, d], x.data);
  const result = tensor([m, n, d]);
  for (let i = 0; i < n; i += 1)
    for (let j = 0; j < m; j += 1) result.data.set(x.data.subarray((i * m + j) * d, (i * m + j + 1) * d), (j * n + i) * d);
  return result;
}

/** Tensors one after another along an axis. */
export function concatenated(parts: readonly Tensor[], axis: number) {
  const [first = tensor([0])] = parts;
  const [before, after] = [first.shape.slice(0, axis), first.shape.slice(axis + 1)];
  const block = after.reduce((a, b) => a * b, 1);
  const result = tensor([...before, parts.reduce((sum, part) => sum + size(part, axis), 0), ...after]);
  let end = 0;
  for (let outer = 0; outer < before.reduce((a, b) => a * b, 1); outer += 1) {
    for (const part of parts) {
      const length = size(part, axis) * block;
      result.data.set(part.data.subarray(outer * length, (outer + 1) * length), end);
      end += length;
    }
  }
  return result;
}

/** a · b. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += at(a, i) * at(b, i);
  return sum;
}

/** The length of a vector. */
export const norm = (x: ArrayLike<number>) => Math.sqrt(dot(x, x));

/** Tensors of one shape along a new first axis. */
export const stack = (parts: readonly Tensor[]) => tensor([parts.length, ...(parts[0]?.shape ?? [])], concatenated(parts, 0).data);

/** The greatest number; NaN if any is. A loop is ten times as fast as `reduce`. */
export function greatest(numbers: Float32Array) {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < numbers.length; i += 1) most = Math.max(most, numbers[i] as number);
  return most;
}

/** The index of the greatest number, the first of equal ones; as in torch, NaN is the greatest. */
export function argmax(numbers: ArrayLike<number>) {
  let best = 0;
  for (let index = 1; index < numbers.length; index += 1) {
    const value = numbers[index] as number;
    const most = numbers[best] as number;
    if (value > most || (Number.isNaN(value) && !Number.isNaN(most))) best = index;
  }
  return best;
}

/** The places of the greatest numbers, greatest first, equal ones in their order, NaN last. */
export function topIds(numbers: ArrayLike<number>, count: number) {
  const best: number[] = [];
  const isBefore = (one: number, other: number) =>
    at(numbers, one) > at(numbers, other) || (Number.isNaN(at(numbers, other)) && !Number.isNaN(at(numbers, one)));
  for (let id = 0; id < numbers.length; id += 1) {
    if (best.length === count && !isBefore(id, best[count - 1] as number)) continue;
    let place = best.length;
    while (place > 0 && isBefore(id, best[place - 1] as number)) place -= 1;
    best.splice(place, 0, id);
    best.length = Math.min(best.length, count);
  }
  return best;
}

// Four rows of x at a time go through two rows of w, which is large and is then read a quarter as often. Sums are in float64.
function multiply(x: Float32Array, w: Float32Array, out: Float32Array, n: number, m: number, d: number, head = 0) {
  const [end, from] = [(head + 1) * n, head * m]; // rows of x, and the first of w
  const whole = end - (n % 4);
  for (let i = end - n; i < whole; i += 4) for (let j = 0; j < m; j += 2) tile(x, w, out, d, m, i, j, from);
  for (let i = whole; i < end; i += 1) for (let j = 0; j < m; j += 4) strip(x, w, out, d, m, i, j, from);
}

function tile(x: Float32Array, w: Float32Array, out: Float32Array, d: number, m: number, i: number, j: number, from: number) {
  const j2 = Math.min(j + 1, m - 1);
  const x0 = i * d;
  const w0 = (from + j) * d;
  const w1 = (from + j2) * d;
  let a0 = 0;
  let a1 = 0;
  let a2 = 0;
  let a3 = 0;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let b3 = 0;
  for (let k = 0; k < d; k += 1) {
    const a = w[w0 + k] as number;
    const b = w[w1 + k] as number;
    const y0 = x[x0 + k] as number;
    const y1 = x[x0 + d + k] as number;
    const y2 = x[x0 + 2 * d + k] as number;
    const y3 = x[x0 + 3 * d + k] as number;
    a0 += y0 * a;
    a1 += y1 * a;
    a2 += y2 * a;
    a3 += y3 * a;
    b0 += y0 * b;
    b1 += y1 * b;
    b2 += y2 * b;
    b3 += y3 * b;
  }
  const at = i * m;
  out[at + j] = a0;
  out[at + m + j] = a1;
  out[at + 2 * m + j] = a2;
  out[at + 3 * m + j] = a3;
  out[at + j2] = b0;
  out[at + m + j2] = b1;
  out[at + 2 * m + j2] = b2;
  out[at + 3 * m + j2] = b3;
}

// One row of x through four rows of w.
function strip(x: Float32Array, w: Float32Array, out: Float32Array, d: number, m: number, i: number, j: number, from: number) {
  const last = (from + m - 1) * d;
  const x0 = i * d;
  const w0 = (from + j) * d;
  const w1 = Math.min(w0 + d, last);
  const w2 = Math.min(w0 + 2 * d, last);
  const w3 = Math.min(w0 + 3 * d, last);
  let a = 0;
  let b = 0;
  let c = 0;
  let e = 0;
  for (let k = 0; k < d; k += 1) {
    const y = x[x0 + k] as number;
    a += y * (w[w0 + k] as number);
    b += y * (w[w1 + k] as number);
    c += y * (w[w2 + k] as number);
    e += y * (w[w3 + k] as number);
  }
  const at = i * m + j;
  out[at] = a;
  if (j + 1 < m) out[at + 1] = b;
  if (j + 2 < m) out[at + 2] = c;
  if (j + 3 < m) out[at + 3] = e;
}
