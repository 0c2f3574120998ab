// The difference of two attentions: what the right one gives more than the left one, word by word, shown as one
// attention. Rows and columns are the words that both sides have; positions are those of the left side's tokens, so
// that a step means what it means there.

import { share } from "../attention_view/data";
import { fill } from "../kit/numbers.js";

const ENDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1]; // that the colours can have

// left, right: of readAttention; about: of the payload, whose difference has rows and columns, { matches: [[label, tokens
// on the left, tokens on the right], …] }.
export function differenceOf(left, right, { difference: { rows, columns }, texts }) {
  const cache = new Map();
  const once = (key, make) => {
    if (!cache.has(key)) cache.set(key, make());
    return cache.get(key);
  };
  const both = (layer, head, [, ours, theirs], [, our, their]) => [
    share(left.values(layer, head, "softmax"), left.columns, ours, our),
    share(right.values(layer, head, "softmax"), right.columns, theirs, their),
  ];

  // A word's value stands at its first key token, for each of its query tokens: as words, summed and averaged, it comes
  // out again.
  const values = (layer, head) =>
    once(`${layer} ${head}`, () => {
      const found = new Float32Array(left.rows * left.columns);
      for (const row of rows.matches) {
        for (const column of columns.matches) {
          const [before, after] = both(layer, head, row, column);
          for (const query of row[1])
            for (const key of column[1])
              found[query * left.columns + key] =
                key === column[1][0] || Number.isNaN(after - before) ? after - before : 0;
        }
      }
      return found;
    });

  const limit = (layer, head) =>
    once(`limit ${layer} ${head}`, () => {
      const largest = values(layer, head).reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
      return ENDS.find((end) => end >= largest) ?? 1;
    });

  // The shares of both sides at a row and a column of the picture.
  const sides = (layer, head, row, column) =>
    both(
      layer,
      head,
      rows.matches.find(([, [first]]) => first === row.tokens[0]),
      columns.matches.find(([, [first]]) => first === column.tokens[0]),
    );

  const words = ({ matches }) => ({
    labels: matches.map(([label]) => label),
    tokens: matches.map(([, tokens]) => [...tokens]),
  });
  return {
    ...left,
    values,
    limit,
    sides,
    signed: true,
    out: () => false,
    exact: left.exact && right.exact,
    layers: Math.min(left.layers, right.layers),
    heads: Math.min(left.heads, right.heads),
    about: {
      ...left.about,
      row_words: words(rows),
      column_words: words(columns),
      texts: {
        ...left.about.texts,
        reads_difference: texts.reads_difference,
        points: texts.points,
        softmax: texts.difference,
        long_softmax: texts.long_difference,
      },
    },
  };
}

// The view of which it is the difference: weights, by words.
export function ofWeights(view) {
  return {
    ...view,
    stage: "softmax",
    unit: "words",
    scale: "linear",
    order: "sentence",
    form: view.form === "lines" ? "lines" : "matrix",
  };
}

// Words that only one side has stand in no row and no column.
export function leftOut({ texts, difference: { rows, columns } }) {
  return ["left", "right"]
    .map((side, at) => {
      const words = [...new Set([...rows.alone[at], ...columns.alone[at]])];
      return words.length ? fill(texts[`alone_${side}`], { words: words.map((word) => `«${word}»`).join(" ") }) : "";
    })
    .filter(Boolean)
    .join(" ");
}
