// The reading: one cell in a sentence, and what the picture shows as a whole, for screen readers.

import { fill, minus, percent, points, threeDigits } from "../kit/numbers.js";
import { MEAN } from "./data.js";
import { focusRow, formOf } from "./selection.js";

// A value as it is read: a share where weights are shown; rounded ones of long sentences with ≈.
export function spoken(value, weights, exact = true) {
  return `${exact ? "" : "≈ "}${weights ? percent(value) : minus(value)}`;
}

// A number that may have travelled rounded: then the digits that are left of it.
export function numeral(value, exact) {
  return exact ? minus(value) : `≈ ${threeDigits(value).replace("-", "−")}`;
}

function placeWords(texts, data, layer, head) {
  return head === MEAN
    ? fill(texts.place_mean, { layer: layer + 1, heads: data.heads })
    : fill(texts.place, { layer: layer + 1, head: head + 1 });
}

// «Katze» looks 62 % at «cat», layer 3, head 5.
export function reading(texts, data, selection, [row, column], value, layer, head) {
  const query = selection.rows[row].label;
  const key = selection.columns[column].label;
  const known = {
    query,
    key,
    value: Number.isNaN(value) ? "" : spoken(value, selection.weights, data.exact),
    root: data.width,
  };
  const name = Number.isNaN(value)
    ? "reads_masked"
    : selection.weights
      ? "reads_weight"
      : selection.stage === "scores"
        ? "reads_score"
        : "reads_scaled";
  const out = data.out(layer, head) ? texts.reads_out : "";
  const derived = selection.words && head !== MEAN ? texts.derived_words : "";
  return `${fill(texts[name], known)}, ${placeWords(texts, data, layer, head)}${out}${derived}`;
}

// With as many digits as the difference.
function tenths(share) {
  return `${(100 * share).toFixed(1)} %`;
}

// «it» looks at «street»: left 12.1 %, right 18.1 %, so +6.0 points.
export function readingOfDifference(texts, data, selection, [row, column], layer, head) {
  const [query, key] = [selection.rows[row], selection.columns[column]];
  const [before, after] = data.sides(layer, head, query, key);
  const known = {
    query: query.label,
    key: key.label,
    left: tenths(before),
    right: tenths(after),
    points: points(after - before, 1),
  };
  const name = Number.isNaN(after - before) ? "reads_masked" : "reads_difference";
  return `${fill(texts[name], known)}, ${placeWords(texts, data, layer, head)}`;
}

// One dimension of a query and a key, of «it» and «cat».
export function readingOfDimension(texts, data, selection, { layer, head }, [row, column], dim) {
  const {
    label: query,
    tokens: [at],
  } = selection.rows[row];
  const {
    label: key,
    tokens: [other],
  } = selection.columns[column];
  const q = data.vector("q", layer, head, at)[dim];
  const k = data.vector("k", layer, head, other)[dim];
  const [first, second, product] = [q, k, q * k].map((value) => numeral(value, data.exactVectors));
  return fill(texts.reads_dimension, { query, key, dimension: dim + 1, q: first, k: second, product });
}

// The whole picture, for those who hear it.
export function description(texts, data, selection, view, message) {
  const shown =
    view.show === "one" || view.show === "mean"
      ? placeWords(texts, data, view.layer, view.show === "mean" ? MEAN : view.head)
      : fill(texts[`place_${view.show}`], { layer: view.layer + 1, layers: data.layers, heads: data.heads });
  const query = selection.rows[Math.max(0, focusRow(selection, view))].label;
  const neurons = formOf(view) === "neurons";
  return fill(texts[neurons ? "description_neurons" : "description"], {
    kind: texts.kind,
    stage: texts[view.stage],
    shown,
    query,
    d_k: data.width,
    queries: selection.there,
    keys: selection.thereColumns,
    message,
  });
}
