// Unigram models (Kudo 2018): the best split of a text has the greatest sum of its pieces' scores, their log-probabilities.

import { signsOf } from "./text";

const UNKNOWN_PENALTY = 10; // of the tokenizers library and of SentencePiece

/** Splits normalized texts. A run of characters without a piece is one piece, which the vocabulary lacks. */
export class Unigram {
  private readonly scores: ReadonlyMap<string, number>;
  private readonly unknown: number;
  private readonly longest: number;

  constructor(pieces: readonly (readonly [string, number])[]) {
    this.scores = new Map(pieces);
    this.unknown = pieces.reduce((least, [, score]) => Math.min(least, score), 0) - UNKNOWN_PENALTY;
    this.longest = pieces.reduce((most, [piece]) => Math.max(most, signsOf(piece).length), 1);
  }

  split(text: string) {
    const signs = signsOf(text);
    const best = Array.from({ length: signs.length + 1 }, () => ({ score: 0, start: -1, known: true }));
    for (let start = 0; start < signs.length; start += 1) {
      const before = best[start]?.score ?? 0;
      const offer = (end: number, score: number, known: boolean) => {
        const target = best[end];
        if (target && (target.start < 0 || score > target.score)) best[end] = { score, start, known };
      };
      let piece = "";
      for (let end = start + 1; end <= Math.min(start + this.longest, signs.length); end += 1) {
        piece += signs[end - 1];
        const score = this.scores.get(piece);
        if (score !== undefined) offer(end, before + score, true);
        else if (end === start + 1) offer(end, before + this.unknown, false);
      }
    }
    const pieces: { text: string; known: boolean }[] = [];
    for (let end = signs.length; end > 0; ) {
      const { start, known } = best[end] ?? { start: end - 1, known: false };
      const [text, next] = [signs.slice(start, end).join(""), pieces[0]];
      if (next && !known && !next.known) next.text = text + next.text;
      else pieces.unshift({ text, known });
      end = start;
    }
    return pieces.map(({ text }) => text);
  }
}
