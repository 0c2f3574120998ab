// From tokens to words, as in viz_core/analysis/words.py, and what two texts have in common.

import type { Tokenized } from "../tokenizer/base";
import { signsOf, visible } from "../tokenizer/text";

// Longest common runs of two sequences, as Python's difflib finds them (Ratcliff & Metzener 1988).

/** Places in the two, [start, end) each. same: they hold the same; else nothing there is in common. */
export type Run = { same: boolean; a: readonly [number, number]; b: readonly [number, number] };

/** Both sequences cut into runs that match and what stands between them, which may be empty on one side. */
export function runsOf(a: readonly string[], b: readonly string[]): Run[] {
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  for (const [atA, atB, length] of [...commonRuns(a, b), [a.length, b.length, 0] as const]) {
    if (i < atA || j < atB) runs.push({ same: false, a: [i, atA], b: [j, atB] });
    [i, j] = [atA + length, atB + length];
    if (length) runs.push({ same: true, a: [atA, i], b: [atB, j] });
  }
  return runs;
}

/** Whether each part of one of the two is in a run that differs. */
export const differing = (runs: readonly Run[], side: "a" | "b") =>
  runs.flatMap(({ same, [side]: [start, end] }) => Array<boolean>(end - start).fill(!same));

/** A text cut into words and the characters between them, each with whether it differs from the other text's words, `before`. */
export function marked(before: Tokenized, { text, words }: Tokenized): [string, boolean][] {
  const signs = signsOf(text);
  const other = differing(
    runsOf(
      before.words.map((word) => word.text),
      words.map((word) => word.text),
    ),
    "b",
  );
  const piece = (start: number, end?: number) => visible(signs.slice(start, end).join(""));
  const pieces = words.flatMap(({ start, end }, at): [string, boolean][] => [
    [piece(words[at - 1]?.end ?? 0, start), false],
    [piece(start, end), other[at] as boolean],
  ]);
  return [...pieces, [piece(words.at(-1)?.end ?? 0), false]];
}

/** [place in a, place in b, length] of the longest common run, and, in the same way, of those on its left and on its right. */
export function commonRuns(a: readonly string[], b: readonly string[]): [number, number, number][] {
  let [i, j, length] = [0, 0, 0];
  let lengths = new Map<number, number>();
  for (const [atA, sign] of a.entries()) {
    const next = new Map<number, number>();
    for (const [atB, other] of b.entries()) {
      if (sign !== other) continue;
      const run = (lengths.get(atB - 1) ?? 0) + 1;
      next.set(atB, run);
      if (run > length) [i, j, length] = [atA - run + 1, atB - run + 1, run];
    }
    lengths = next;
  }
  if (!length) return [];
  const right = commonRuns(a.slice(i + length), b.slice(j + length));
  return [
    ...commonRuns(a.slice(0, i), b.slice(0, j)),
    [i, j, length],
    ...right.map(([atA, atB, run]): [number, number, number] => [i + length + atA, j + length + atB, run]),
  ];
}

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
