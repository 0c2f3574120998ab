import { concatenated, row, size, type Tensor, tensor, productOfRows } from "../tensor";
import { visible } from "../tokenizer/text";
import { pack, type Scene, labelsOf, floats, siteOf } from "./view";
import type { ModelConfig } from "../config";
import { positionVectors as vectorsOf } from "../transformer";

// The ends of colour scales, as `colour_limit` in viz_core/analysis/embeddings.py.

/** The end of a scale that holds this share of all numbers in some arrays, rounded up to two significant digits. */
export function colourLimit(arrays: readonly Float32Array[], inside = 1) {
  const sizes = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const array of arrays) {
    sizes.set(array.map(Math.abs), end);
    end += array.length;
  }
  const edge = Math.max(quantile(sizes.sort(), inside), 1e-6);
  const unit = 10 ** (Math.floor(Math.log10(edge)) - 1);
  return Math.ceil(edge / unit) * unit;
}

/** Between two numbers it is interpolated. The place is rounded to float32, as in NumPy. */
function quantile(sorted: Float32Array, share: number) {
  const place = Math.fround(Math.fround(share) * (sorted.length - 1));
  const at = Math.min(Math.floor(place), sorted.length - 1);
  const [low, high] = [sorted[at] as number, sorted[Math.min(at + 1, sorted.length - 1)] as number];
  return low + (high - low) * (place - at);
}

// Vectors as coloured cells, as in viz_core/browser/vectors_payload.py: many, one a row; or a few of each token.

type Shown = { side: string | null; labels: readonly string[]; file: string };

/** A number in each cell of a matrix, (n, C), with one focused row; the arguments as in Python. */
export function vectorMatrix(
  rows: Tensor,
  {
    side,
    labels,
    file,
    titles,
    ends,
    walked,
    first = 1,
    column = null,
    ids = [],
  }: Shown & {
    titles: Record<string, string>;
    ends: readonly [number, number];
    walked: number;
    first?: number;
    column?: number | null;
    ids?: readonly number[];
  },
) {
  const walks = side === "source" ? "token" : "step";
  const texts = { lead: titles.above ?? "", file };
  const named = { above: "", ...titles };
  const about = { labels: labels.map(visible), walked, side, walks, titles: named, ends, first, column, ids, texts };
  return pack({ values: rows }, about);
}

/** A few vectors of each token, each with its length. parts: (T, D) each; scale: the one that sets the ends of a token's colours. */
export function vectorTable(
  parts: readonly Tensor[],
  { side, labels, file, length, ...about }: Shown & { names: string[]; axis: string; length: string; scale: number },
) {
  const walks = side === "source" ? "token" : "step";
  const texts = { length, file };
  const vectors = tensor([labels.length, parts.length, size(parts[0] as Tensor, -1)], concatenated(parts, 1).data);
  return pack({ vectors }, { ...about, labels: labels.map(visible), side, walks, texts });
}

/** What an address asks for: the vectors of the sentence's positions, or of all that the model has, with the tokens there, if any. */
function positions({ model: { config, weights }, explanation }: Scene, asked: URLSearchParams) {
  const side = asked.get("side") === "source" ? "source" : "target";
  const tokens = labelsOf(explanation[side].tokens);
  const every = () => vectorsOf([...Array(config.max_len).keys()], weights.at(`${side}_embedding`), config);
  const rows = asked.get("reach") === "all" ? every() : siteOf(explanation.trace, `${side}.positions`);
  const labels = Array.from({ length: size(rows, 0) }, (_, at) => `${at} ${tokens[at] ?? ""}`);
  return { side, tokens, rows, labels, every };
}

/** Some dimensions along the positions: points (W, T); fine (M,), a finer grid; curves (W, M), the formula there. */
export function waves(scene: Scene, asked: URLSearchParams) {
  const [{ side, tokens, rows }, { config }] = [positions(scene, asked), scene.model];
  const dims = (asked.get("dims") ?? "").split("-").map(Number);
  const [count, isLearned] = [size(rows, 0), config.positions === "learned"];
  const points = floats(dims.map((dim) => Array.from({ length: count }, (_, at) => row(rows, at)[dim] as number)));
  const shown = dims.map((dim) => wave(dim, config));
  const fine = Float32Array.from(isLearned ? Array(count).keys() : grid(count));
  const curves = shown.map(({ at }) => Array.from(fine, at));
  const named = shown.map(({ at, length, ...wave }, index) => ({
    ...wave,
    dim: (dims[index] as number) + 1,
    length: threeDigits(length),
  }));
  return pack(
    { points, fine: floats(fine), curves: isLearned ? points : floats(curves) },
    {
      side,
      limit: Math.max(isLearned ? 1e-9 : 1, ...points.data.map(Math.abs)),
      waves: isLearned ? named.map(({ dim }) => ({ dim, name: "", length: "", even: 0, divisor: 1 })) : named,
      tokens: Array.from({ length: count }, (_, at) => tokens[at] ?? ""),
    },
  );
}

/** Every dimension of each position. */
export function positionVectors(scene: Scene, asked: URLSearchParams) {
  const [{ side, tokens, rows, labels }, said] = [positions(scene, asked), scene.words("positions")];
  const limit = scene.model.config.positions === "learned" ? colourLimit([rows.data]) : 1;
  const titles = { rows: said.position, columns: said.dimension };
  return vectorMatrix(rows, {
    side,
    labels,
    walked: tokens.length,
    titles,
    ends: [-limit, limit],
    file: "position-vectors",
  });
}

/** The dot product of each pair of positions. other: the position to compare with the focused one. */
export function positionProducts(scene: Scene, asked: URLSearchParams) {
  const [{ side, tokens, rows, labels, every }, said] = [positions(scene, asked), scene.words("positions")];
  const all = products(every()).data;
  return vectorMatrix(products(rows), {
    side,
    labels,
    walked: tokens.length,
    titles: { rows: said.position, columns: said.position },
    ends: [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))],
    first: 0,
    column: Number(asked.get("other")),
    file: "position-products",
  });
}

/** Embedding + position = input, at each position. */
export function positionSum(scene: Scene, asked: URLSearchParams) {
  const [{ side, labels }, said] = [positions(scene, asked), scene.words("positions")];
  const end = scene.model.config.embedding_norm ? "summed" : "input";
  const parts = ["embedding", "positions", end].map((site) => siteOf(scene.explanation.trace, `${side}.${site}`));
  return vectorTable(parts, {
    side,
    labels,
    names: ["embedding", "position", end].map((name) => said.rows[name]),
    axis: said.dimension,
    length: said.length,
    scale: 2,
    file: `${side}-sum`,
  });
}

/** PE(a) · PE(b) for all pairs of positions, (T, D) → (T, T). */
function products(rows: Tensor) {
  const whole = tensor([1, ...rows.shape], rows.data);
  return tensor([size(rows, 0), size(rows, 0)], productOfRows(whole, whole).data);
}

/** One dimension of the positional encoding (§3.5): its function, its wavelength, and its value at a position. */
function wave(dim: number, { d_model: d, positions }: ModelConfig) {
  const [pair, isCosine] = positions === "halves" ? [dim % (d / 2), dim >= d / 2] : [dim >> 1, dim % 2 === 1];
  const divisor = 10000 ** ((2 * pair) / d);
  const at = (position: number) => (isCosine ? Math.cos(position / divisor) : Math.sin(position / divisor));
  return { name: isCosine ? "cos" : "sin", even: 2 * pair, divisor, length: 2 * Math.PI * divisor, at };
}

/** Points from the first to the last position, close enough for the fastest wave to look smooth. */
function grid(count: number) {
  const [end, points] = [Math.max(count - 1, 1), Math.min(16 * count, 900)];
  return Array.from({ length: points }, (_, at) => (at * end) / (points - 1));
}

/** As Python's `.3g`: 6.28, 628, 6.28e+03. */
const threeDigits = (value: number) => {
  const digits = value.toPrecision(3);
  return digits.includes("e") ? digits.replace(/\.?0*e\+/, "e+0") : String(Number(digits));
};
