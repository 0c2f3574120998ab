import { concatenated, row, size, type Tensor, tensor, productOfRows } from "../tensor";
import { visible } from "../tokenizer/text";
import { pack, type Scene, labelsOf, floats, siteOf } from "./view";
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

/** Vectors as coloured cells, one a row, or a few of each token: shown by the figures of these names, which explain `about`. */
export const vectorMatrix = (values: Tensor, about: { labels: readonly string[]; [more: string]: unknown }) =>
  pack({ values }, { ...about, labels: about.labels.map(visible) });

export function vectorTable(parts: readonly Tensor[], about: { labels: readonly string[]; [more: string]: unknown }) {
  const labels = about.labels.map(visible);
  const vectors = tensor([labels.length, parts.length, size(parts[0] as Tensor, -1)], concatenated(parts, 1).data);
  return pack({ vectors }, { ...about, labels });
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

/** Some dimensions along the positions: points (W, T). */
export function waves(scene: Scene, asked: URLSearchParams) {
  const [{ side, tokens, rows }, { config }] = [positions(scene, asked), scene.model];
  const dims = (asked.get("dims") ?? "").split("-").map(Number);
  const places = [...Array(size(rows, 0)).keys()];
  return pack(
    { points: floats(dims.map((dim) => places.map((at) => row(rows, at)[dim] as number))) },
    { side, dims, tokens: places.map((at) => tokens[at] ?? ""), positions: config.positions, d_model: config.d_model },
  );
}

/** Every dimension of each position. */
export function positionVectors(scene: Scene, asked: URLSearchParams) {
  const { side, tokens, rows, labels } = positions(scene, asked);
  const limit = scene.model.config.positions === "learned" ? colourLimit([rows.data]) : 1;
  return vectorMatrix(rows, { side, labels, walked: tokens.length, ends: [-limit, limit], file: "position-vectors" });
}

/** The dot product of each pair of positions. other: the position to compare with the focused one. */
export function positionProducts(scene: Scene, asked: URLSearchParams) {
  const { side, tokens, rows, labels, every } = positions(scene, asked);
  const all = products(every()).data;
  return vectorMatrix(products(rows), {
    side,
    labels,
    walked: tokens.length,
    ends: [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))],
    column: Number(asked.get("other")),
    file: "position-products",
  });
}

/** Embedding + position = input, at each position. */
export function positionSum(scene: Scene, asked: URLSearchParams) {
  const { side, labels } = positions(scene, asked);
  const end = scene.model.config.embedding_norm ? "summed" : "input";
  const parts = ["embedding", "positions", end].map((site) => siteOf(scene.explanation.trace, `${side}.${site}`));
  return vectorTable(parts, { kind: "sum", side, labels, names: ["embedding", "position", end] });
}

/** PE(a) · PE(b) for all pairs of positions, (T, D) → (T, T). */
function products(rows: Tensor) {
  const whole = tensor([1, ...rows.shape], rows.data);
  return tensor([size(rows, 0), size(rows, 0)], productOfRows(whole, whole).data);
}
