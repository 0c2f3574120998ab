// The answers of the page Embeddings, as in pages/embeddings/data.py: input of the first layer, neighbours, the map of words.

import { colourLimit, vectorMatrix, vectorTable } from "./positions";
import { dot, linear, norm, row, size, take } from "../tensor";
import { embeddingMatrix } from "../transformer";
import { visible } from "../tokenizer/text";
import { labelsOf, topIds, vocabularyLabel, floats, integers, pack, type Scene, siteOf } from "./view";
import { percent } from "../../../../browser/kit/numbers";

const SHOWN = 6; // dimensions that are written out, besides the last
const MOST = 5; // rows of the matrix around a token
const NEIGHBOURS = 10;
const ROUNDING = 1e-5; // of a cosine in float32, at most

/** The tokens of the side that an address asks for, its tokenizer, and its embedding matrix, (V, D). */
export function sideOf({ model, explanation, ...scene }: Scene, asked: URLSearchParams) {
  const side = asked.get("side") === "source" ? "source" : "target";
  const [{ tokens }, { tokenizer }] = [explanation[side], scene[side]];
  const label = (id: number) => visible(vocabularyLabel(tokenizer, id));
  return { side, tokens, ids: tokens.map(({ id }) => id), tokenizer, rows: embeddingMatrix(model, side), label };
}

/** The matrix's rows around each token; tensors as in Python. */
export function lookup(scene: Scene, asked: URLSearchParams) {
  const { side, tokens, ids, tokenizer, rows, label } = sideOf(scene, asked);
  const entries = tokenizer.vocab.length;
  const around = ids.map((id) => ascending([0, id - 1, id, id + 1, entries - 1].filter((each) => each >= 0 && each < entries)));
  const shown = ascending(around.flat());
  const width = size(rows, -1);
  const columns = [...Array(Math.min(SHOWN, width)).keys(), ...(width > SHOWN ? [width - 1] : [])];
  const windows = around.map((window) => Array.from({ length: MOST }, (_, at) => shown.indexOf(window[at] ?? -1)));
  const tensors = {
    ids: integers(shown),
    rows: floats(shown.map((id) => columns.map((dim) => row(rows, id)[dim] as number))),
    columns: integers(columns),
    windows: integers(windows),
    picked: integers(ids.map((id) => shown.indexOf(id))),
  };
  const names = { tokens: labelsOf(tokens), labels: shown.map(label) };
  return pack(tensors, { side, ...names, entries, d_model: width });
}

/** The neighbours of each token; tensors as in Python. */
export function neighbours(scene: Scene, asked: URLSearchParams) {
  const of = sideOf(scene, asked);
  const different = [...new Set(of.ids)];
  const nearest = nearestOf(of, different, NEIGHBOURS);
  const near = ascending(nearest.flat().map(({ id }) => id));
  const each = (value: (found: Near | undefined) => number) =>
    nearest.map((found) => Array.from({ length: NEIGHBOURS }, (_, at) => value(found[at])));
  const tensors = {
    which: integers(of.ids.map((id) => different.indexOf(id))),
    ids: integers(near),
    neighbours: integers(each((found) => near.indexOf(found?.id ?? -1))),
    cosines: floats(each((found) => found?.cosine ?? Number.NaN)),
  };
  const pairs = different.map((id, at) => [row(of.rows, id), row(of.rows, nearest[at]?.[0]?.id ?? id)] as const);
  const sizes = pairs.map(([one, other]) => [dot(one, other), norm(one), norm(other)]);
  const about = { side: of.side, tokens: labelsOf(of.tokens), labels: near.map(of.label) };
  return pack({ ...tensors, nearest: floats(sizes) }, about);
}

/** Each token's stored row, the same times √d_model, and the position that is added next. */
export function scaled(scene: Scene, asked: URLSearchParams) {
  const { side, tokens } = sideOf(scene, asked);
  const parts = ["lookup", "embedding", "positions"].map((site) => siteOf(scene.explanation.trace, `${side}.${site}`));
  return vectorTable(parts, {
    kind: "scaled",
    side,
    labels: labelsOf(tokens),
    names: ["lookup", bare(scene, "embedding"), "position"],
  });
}

/** The scaled embeddings of all tokens, a row each. */
export function embeddings(scene: Scene, asked: URLSearchParams) {
  const { side, tokens, ids } = sideOf(scene, asked);
  const matrix = siteOf(scene.explanation.trace, `${side}.embedding`);
  const limit = colourLimit([matrix.data], 0.99);
  return vectorMatrix(matrix, {
    side,
    labels: labelsOf(tokens),
    walked: tokens.length,
    ends: [-limit, limit],
    file: `${side}-embeddings`,
    lead: bare(scene, "embeddings"),
    ids,
  });
}

export type Near = { id: number; cosine: number };

/** The nearest neighbours of some tokens by cosine, without special tokens and bytes. */
export function nearestOf(
  { rows, tokenizer }: Pick<ReturnType<typeof sideOf>, "rows" | "tokenizer">,
  ids: readonly number[],
  count: number,
) {
  const lengths = Float64Array.from({ length: size(rows, 0) }, (_, id) => Math.max(norm(row(rows, id)), 1e-12));
  const length = (id: number) => lengths[id] as number;
  const products = linear(take(rows, ids), rows);
  return ids.map((id, at) => {
    const isOther = (other: number) => other !== id && tokenizer.isText(other);
    const rounded = row(products, at).map((product, other) => (isOther(other) ? product / length(id) / length(other) : -Infinity));
    const least = (rounded[topIds(rounded, count).at(-1) ?? -1] ?? Infinity) - ROUNDING;
    const good = [...tokenizer.vocab.keys()].filter((other) => (rounded[other] as number) >= least && isOther(other));
    const cosines = good.map((other) => dot(row(rows, other), row(rows, id)) / length(id) / length(other));
    return topIds(cosines, count).map((best): Near => ({ id: good[best] as number, cosine: cosines[best] as number }));
  });
}

const ascending = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);

/** The key of a text; models that do not multiply by √d_model have another. */
const bare = ({ model }: Scene, key: string) => (model.config.scaled_embeddings ? key : `${key}_bare`);

// A map of the sentence's tokens and their nearest neighbours, as `word_map` in pages/embeddings/data.py.

const MAPPED = 44; // tokens on a map; more could not be told apart
const AROUND = 5;
const SQUARINGS = 30;

/** at (n, 2), owner (n,) and which (T,), as in Python, except that each axis may point the other way. */
export function wordMap(scene: Scene, asked: URLSearchParams) {
  const of = sideOf(scene, asked);
  const ids = [...new Set(of.ids)].slice(0, MAPPED);
  const owner = [...ids.keys()];
  const count = Math.min(AROUND, Math.floor(MAPPED / ids.length) - 1);
  const learned = owner.filter((at) => of.tokenizer.isText(ids[at] as number));
  const nearest = nearestOf(
    of,
    learned.map((at) => ids[at] as number),
    count,
  );
  for (const [at, found] of nearest.entries())
    for (const { id } of found)
      if (!ids.includes(id)) {
        ids.push(id);
        owner.push(learned[at] as number);
      }
  const { at, shares } = principalPlane(ids.map((id) => unit(row(of.rows, id))));
  const tensors = {
    at: floats(at, [ids.length, 2]),
    owner: integers(owner),
    which: integers(of.ids.map((id) => ids.indexOf(id))),
  };
  const about = { side: of.side, tokens: labelsOf(of.tokens), labels: ids.map(of.label) };
  return pack(tensors, { ...about, shares: shares.map(percent) });
}

const unit = (vector: Float32Array) => Float64Array.from(vector, (value) => value / Math.max(norm(vector), 1e-12));

/** Places of n points along their first two principal components (Pearson 1901), point after point, and each one's share of the
 * variance. The components are the leading eigenvectors of the centred points' products, (n, n). */
function principalPlane(points: readonly Float64Array[]) {
  const mean = points[0]?.map((_, dim) => points.reduce((sum, point) => sum + (point[dim] as number), 0) / points.length);
  const centred = points.map((point) => point.map((value, dim) => value - (mean?.[dim] ?? 0)));
  let products = centred.map((one) => centred.map((other) => dot(one, other)));
  const total = products.reduce((sum, line, at) => sum + (line[at] as number), 0);
  const axes = [0, 1].map(() => {
    const vector = leading(products);
    const value = Math.max(
      dot(
        vector,
        products.map((line) => dot(line, vector)),
      ),
      0,
    );
    products = products.map((line, i) => line.map((each, j) => each - value * (vector[i] as number) * (vector[j] as number)));
    return { places: vector.map((each) => each * Math.sqrt(value)), share: value / Math.max(total, 1e-12) };
  });
  return { at: points.flatMap((_, i) => axes.map(({ places }) => places[i] as number)), shares: axes.map(({ share }) => share) };
}

/** The eigenvector of a symmetric matrix's greatest eigenvalue: all columns of a high power point along it. */
function leading(matrix: readonly number[][]) {
  let power = matrix;
  for (let done = 0; done < SQUARINGS; done += 1) {
    const largest = Math.max(...power.map((line) => norm(line)), Number.MIN_VALUE);
    const scaled = power.map((line) => line.map((value) => value / largest));
    power = scaled.map((line) => scaled.map((column) => dot(line, column)));
  }
  const vector = power.reduce((best, line) => (norm(line) > norm(best) ? line : best), power[0] ?? []);
  const sign = Math.sign(vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0)) || 1;
  return vector.map((value) => (sign * value) / (norm(vector) || 1));
}
