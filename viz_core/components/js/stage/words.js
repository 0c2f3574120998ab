// What is read aloud: one cell in a sentence, and what the picture shows as a whole.

import { fill, number, percent } from "../shared/numbers.js";
import { MEAN } from "./data.js";

export function minus(value) {
  return number(value).replace("-", "−");
}

// A value as it is read: a share where weights are shown; rounded ones of long sentences with ≈.
export function spoken(value, weights, exact = true) {
  return `${exact ? "" : "≈ "}${weights ? percent(value) : minus(value)}`;
}

function placeWords(texts, data, layer, head) {
  return head === MEAN
    ? fill(texts.place_mean, { layer: layer + 1, heads: data.heads })
    : fill(texts.place, { layer: layer + 1, head: head + 1 });
}

// «Katze» looks 62 % at «cat», layer 3, head 5.
export function reading(texts, data, selection, [row, column], value, layer, head) {
  const query = selection.rows[row].label, key = selection.columns[column].label;
  const known = { query, key, value: Number.isNaN(value) ? "" : spoken(value, selection.weights, data.exact), root: data.width };
  const name = Number.isNaN(value) ? "reads_masked" : selection.weights ? "reads_weight" : selection.stage === "scores" ? "reads_score" : "reads_scaled";
  return `${fill(texts[name], known)}, ${placeWords(texts, data, layer, head)}${selection.words && head !== MEAN ? texts.derived_words : ""}`;
}

// The whole picture, for those who hear it.
export function description(texts, data, selection, view, told) {
  const shown = view.show === "one" || view.show === "mean" ? placeWords(texts, data, view.layer, view.show === "mean" ? MEAN : view.head)
    : fill(texts[`place_${view.show}`], { layer: view.layer + 1, layers: data.layers, heads: data.heads });
  return fill(texts.description, { kind: texts.kind, stage: texts[view.stage], shown, queries: selection.there, keys: selection.thereColumns, told });
}
