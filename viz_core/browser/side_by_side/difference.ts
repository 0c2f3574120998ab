// The difference of two attentions: how much more the right one gives than the left one, word by word, shown as one
// attention. Rows and columns are the words that both sides have; positions count the left side's tokens, so
// that a step means the same as on the left.

import { memoized, nth } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { View } from "../../web/src/ui/store";
import { runsOf } from "../../web/src/engine/analysis/words";
import type { Attention, Entry, Words } from "../attention_view/data";
import { share } from "../attention_view/selection";
import { fill } from "../kit/numbers";

const texts = textsIn("browser.side_by_side");

type Tokens = Entry["tokens"];
type Match = [label: string, left: Tokens, right: Tokens];

interface Side {
  matches: Match[];
  alone: [left: string[], right: string[]]; // words that only one side has
}

export type Difference = { rows: Side; columns: Side };

/** Pairs the longest common runs of words, and stretches of equal length between them; special tokens count as words. */
function aligned(left: Words, right: Words): Side {
  const side: Side = { matches: [], alone: [[], []] };
  for (const { a, b } of runsOf(left.labels, right.labels)) {
    const [words, others] = [left.labels.slice(...a), right.labels.slice(...b)];
    const [tokens, otherTokens] = [left.tokens.slice(...a), right.tokens.slice(...b)];
    if (words.length === others.length)
      words.forEach((word, at) => {
        const label = [...new Set([word, nth(others, at)])].join(" | ");
        side.matches.push([label, nth(tokens, at), nth(otherTokens, at)]);
      });
    else {
      side.alone[0].push(...words);
      side.alone[1].push(...others);
    }
  }
  return side;
}

export const alignedSides = ({ about: left }: Attention, { about: right }: Attention): Difference => ({
  rows: aligned(left.row_words, right.row_words),
  columns: aligned(left.column_words, right.column_words),
});

const ENDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1]; // possible ends of the colour scale

// Its rows and columns are the words that both sides have.
export function differenceOf(left: Attention, right: Attention, { rows, columns }: Difference): Attention {
  const both = (layer: number, head: number, [, ours, theirs]: Match, [, our, their]: Match): [number, number] => [
    share(left.values(layer, head, "softmax"), left.columns, ours, our),
    share(right.values(layer, head, "softmax"), right.columns, theirs, their),
  ];

  // Stores a word's value at its first key token, for each query token, so that summing and averaging by words gives it back.
  const values = memoized((layer: number, head: number) => {
    const all = new Float32Array(left.rows * left.columns);
    for (const row of rows.matches)
      for (const column of columns.matches) {
        const [before, after] = both(layer, head, row, column);
        for (const query of row[1])
          for (const key of column[1])
            all[query * left.columns + key] = key === column[1][0] || Number.isNaN(after - before) ? after - before : 0;
      }
    return all;
  });

  const limit = memoized((layer: number, head: number) => {
    const largest = values(layer, head).reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
    return ENDS.find((end) => end >= largest) ?? 1;
  });

  // The shares of both sides at a row and a column of the picture.
  const matchOf = ({ matches }: Side, { tokens: [token] }: Entry) => matches.find(([, [first]]) => first === token) as Match;
  const words = ({ matches }: Side) => ({
    labels: matches.map(([label]) => label),
    tokens: matches.map(([, [...tokens]]) => tokens),
  });
  return {
    ...left,
    values,
    limit,
    sides: (layer, head, row, column) => both(layer, head, matchOf(rows, row), matchOf(columns, column)),
    signed: true,
    out: () => false,
    exact: left.exact && right.exact,
    layers: Math.min(left.layers, right.layers),
    heads: Math.min(left.heads, right.heads),
    about: {
      ...left.about,
      row_words: words(rows),
      column_words: words(columns),
      texts: { ...left.about.texts, softmax: texts.difference, long_softmax: texts.long_difference },
    },
  };
}

// The view whose difference is shown: weights, by words.
export function ofWeights(view: View): View {
  return {
    ...view,
    stage: "softmax",
    unit: "words",
    scale: "linear",
    order: "sentence",
    form: view.form === "lines" ? "lines" : "matrix",
  };
}

// The words that only one side has; they have no row and no column.
export function leftOut({ rows, columns }: Difference): string {
  return [texts.alone_left, texts.alone_right]
    .map((text, side) => {
      const words = [...new Set([...nth(rows.alone, side), ...nth(columns.alone, side)])];
      return words.length ? fill(text, { words: words.map((word) => `«${word}»`).join(" ") }) : "";
    })
    .filter(Boolean)
    .join(" ");
}
