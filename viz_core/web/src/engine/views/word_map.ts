// A map of the sentence's tokens and their nearest neighbours, as `word_map` in pages/embeddings/data.py.

import { fill, percent } from "../../../../browser/kit/numbers";
import { dot, norm, row } from "../tensor";
import { nearestOf, sideOf } from "./embeddings";
import { labelsOf } from "./tokens";
import { floats, integers, pack, type Scene } from "./view";

const MOST = 44; // tokens on a map; more could not be told apart
const NEIGHBOURS = 5;
const SQUARINGS = 30;

/** at (n, 2), owner (n,) and which (T,), as in Python, except that each axis may point the other way. */
export function wordMap(scene: Scene, asked: URLSearchParams) {
  const of = sideOf(scene, asked);
  const ids = [...new Set(of.ids)].slice(0, MOST);
  const owner = [...ids.keys()];
  const count = Math.min(NEIGHBOURS, Math.floor(MOST / ids.length) - 1);
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
    at: floats([ids.length, 2], at),
    owner: integers([ids.length], owner),
    which: integers(
      [of.ids.length],
      of.ids.map((id) => ids.indexOf(id)),
    ),
  };
  const words = scene.words("embeddings").plane;
  const axis = (name: string, share = 0) => fill(words[name], { share: percent(share) });
  const axes = { first: axis("first", shares[0]), second: axis("second", shares[1]) };
  const texts = { ...words, ...axes, covered: scene.words("app.frame").covered };
  const about = { side: of.side, tokens: labelsOf(of.tokens), labels: ids.map(of.label) };
  return pack(tensors, { ...about, shares: shares.map(percent), texts });
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
