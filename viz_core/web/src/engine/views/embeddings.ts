// The input of the first layer and the embedding matrix, as in pages/embeddings/data.py.

import { colourLimit } from "../analysis/colour_limit";
import { dot, linear, norm, row, size, take } from "../tensor";
import { embeddingMatrix } from "../transformer";
import { visible } from "../tokenizer/text";
import { labelsOf, topIds, vocabularyLabel } from "./tokens";
import { vectorMatrix, vectorTable } from "./vectors";
import { floats, integers, pack, type Scene, siteOf } from "./view";

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
  const windows = around.flatMap((window) => Array.from({ length: MOST }, (_, at) => shown.indexOf(window[at] ?? -1)));
  const tensors = {
    ids: integers([shown.length], shown),
    rows: floats(
      [shown.length, columns.length],
      shown.flatMap((id) => columns.map((dim) => row(rows, id)[dim] as number)),
    ),
    columns: integers([columns.length], columns),
    windows: integers([ids.length, MOST], windows),
    picked: integers(
      [ids.length],
      ids.map((id) => shown.indexOf(id)),
    ),
  };
  const names = { tokens: labelsOf(tokens), labels: shown.map(label) };
  return pack(tensors, { side, ...names, entries, d_model: width, texts: scene.words("embeddings").figure });
}

/** The neighbours of each token; tensors as in Python. */
export function neighbours(scene: Scene, asked: URLSearchParams) {
  const of = sideOf(scene, asked);
  const different = [...new Set(of.ids)];
  const nearest = nearestOf(of, different, NEIGHBOURS);
  const near = ascending(nearest.flat().map(({ id }) => id));
  const each = (value: (found: Near | undefined) => number) =>
    nearest.flatMap((found) => Array.from({ length: NEIGHBOURS }, (_, at) => value(found[at])));
  const shape = [different.length, NEIGHBOURS];
  const tensors = {
    which: integers(
      [of.ids.length],
      of.ids.map((id) => different.indexOf(id)),
    ),
    ids: integers([near.length], near),
    neighbours: integers(
      shape,
      each((found) => near.indexOf(found?.id ?? -1)),
    ),
    cosines: floats(
      shape,
      each((found) => found?.cosine ?? Number.NaN),
    ),
  };
  const pairs = different.map((id, at) => [row(of.rows, id), row(of.rows, nearest[at]?.[0]?.id ?? id)] as const);
  const sizes = pairs.flatMap(([one, other]) => [dot(one, other), norm(one), norm(other)]);
  const said = scene.words("embeddings");
  const texts = { ...said.bars, cosine: said.cosine, covered: scene.words("app.frame").covered };
  const about = { side: of.side, tokens: labelsOf(of.tokens), labels: near.map(of.label), texts };
  return pack({ ...tensors, nearest: floats([different.length, 3], sizes) }, about);
}

/** Each token's stored row, the same times √d_model, and the position that is added next. */
export function scaled(scene: Scene, asked: URLSearchParams) {
  const [{ side, tokens }, said] = [sideOf(scene, asked), scene.words("embeddings")];
  const parts = ["lookup", "embedding", "positions"].map((site) => siteOf(scene.explanation.trace, `${side}.${site}`));
  return vectorTable(scene, parts, {
    side,
    labels: labelsOf(tokens),
    names: ["lookup", bare(scene, "embedding"), "position"].map((name) => said.rows[name]),
    axis: said.dimension,
    length: said.length,
    scale: 1,
    file: `${side}-scaled`,
  });
}

/** The scaled embeddings of all tokens, a row each. */
export function embeddings(scene: Scene, asked: URLSearchParams) {
  const [{ side, tokens, ids }, said] = [sideOf(scene, asked), scene.words("embeddings")];
  const matrix = siteOf(scene.explanation.trace, `${side}.embedding`);
  const limit = colourLimit([matrix.data], 0.99);
  return vectorMatrix(scene, matrix, {
    side,
    labels: labelsOf(tokens),
    walked: tokens.length,
    titles: { above: said[bare(scene, "matrix_title")], rows: said[side], columns: said.dimension },
    ends: [-limit, limit],
    ids,
    file: `${side}-embeddings`,
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
