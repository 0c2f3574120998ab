// From tokens to words, as in viz_core/analysis/words.py.

import type { Tokenized } from "../tokenizer/base";
import { runsOf } from "./runs";

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

/** The words of two texts that match, in order, with the positions of their tokens; and the words that only one text has. */
export type WordAlignment = { matches: { texts: [string, string]; tokens: [number[], number[]] }[]; alone: [string[], string[]] };

/** Pairs the longest common runs of words, and stretches of equal length between them; special tokens count as words. */
export function alignWords(left: Tokenized, right: Tokenized): WordAlignment {
  const [a, b] = [groups(left), groups(right)];
  const result: WordAlignment = { matches: [], alone: [[], []] };
  for (const { a: of, b: other } of runsOf(a.labels, b.labels)) {
    const [words, others] = [a.labels.slice(...of), b.labels.slice(...other)];
    const [tokens, otherTokens] = [a.positions.slice(...of), b.positions.slice(...other)];
    if (words.length === others.length)
      for (const [at, word] of words.entries())
        result.matches.push({ texts: [word, others[at] as string], tokens: [tokens[at] as number[], otherTokens[at] as number[]] });
    else {
      result.alone[0].push(...words);
      result.alone[1].push(...others);
    }
  }
  return result;
}
