// From tokens to words, as in viz_core/analysis/words.py.

import type { Tokenized } from "../tokenizer/base";

/** The words of a text, special tokens as words of their own, and the positions of each word's tokens. */
export function groups({ tokens, words }: Tokenized) {
  const [labels, positions]: [string[], number[][]] = [[], []];
  let previous: number | null = null;
  for (const [at, { text, word }] of tokens.entries()) {
    if (word !== null && word === previous) positions.at(-1)?.push(at);
    else {
      labels.push(word === null ? text : (words[word]?.text ?? ""));
      positions.push([at]);
    }
    previous = word;
  }
  return { labels, positions };
}
