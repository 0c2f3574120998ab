// Words of a text and where they stand, as in viz_core/words.py.

import { type Rules, Splitter } from "./spacy";
import { BLANKS, composed, isBlank, isMark, signsOf } from "./text";

export type Word = { readonly text: string; readonly start: number; readonly end: number };
export type Split = (text: string) => Word[];

const LONG_RUN = new RegExp(`[^${BLANKS}]{200}`, "gu");
const FOREIGN = /[0-9A-Za-zÀ-ɏ]{1,200}(?:[.,][0-9]{1,20})?/uy; // Latin letters and numbers, as in «我有3.5公斤»

/** The words of a text, without blanks, of at most 200 characters each; in Chinese, each character is a word. */
export function splitterOf(rules: Rules): Split {
  const chinese = rules.language === "zh";
  const splitter = new Splitter(rules);
  const split = chinese ? eachSign : (text: string) => splitter.split(text);
  return (typed) => {
    const { text, place } = composed(typed);
    const pieces: Piece[] = [];
    let start = 0;
    for (const end of [...Array.from(text.matchAll(LONG_RUN), ({ 0: run, index }) => index + run.length), text.length]) {
      for (const piece of split(text.slice(start, end))) pieces.push({ text: piece.text, start: start + piece.start });
      start = end;
    }
    const visible = pieces.filter((piece) => !isBlank(piece.text));
    const original = signsOf(typed);
    const count = counter(text);
    return withMarks(chinese ? wholeForeign(text, visible) : visible).map((piece) => {
      const [from, to] = place(count(piece.start), count(piece.start + piece.text.length));
      return { text: original.slice(from, to).join(""), start: from, end: to };
    });
  };
}

type Piece = { text: string; start: number }; // in UTF-16 units

function eachSign(text: string) {
  let start = 0;
  return signsOf(text).map((sign) => {
    start += sign.length;
    return { text: sign, start: start - sign.length };
  });
}

// UTF-16 units → characters before them.
function counter(text: string) {
  const counts: number[] = [];
  for (const [index, sign] of signsOf(text).entries()) counts.push(...Array<number>(sign.length).fill(index));
  const total = (counts.at(-1) ?? -1) + 1;
  return (unit: number) => counts[unit] ?? total;
}

// Joins a word that begins with a combining mark to the word before it.
function withMarks(pieces: readonly Piece[]) {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    if (before && before.start + before.text.length === piece.start && isMark(piece.text)) before.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

// Joins Latin letters and digits, which the rules for Chinese split one by one.
function wholeForeign(text: string, pieces: readonly Piece[]) {
  const words: Piece[] = [];
  let done = 0;
  for (const { text: sign, start } of pieces) {
    if (start < done) continue;
    FOREIGN.lastIndex = start;
    const word = FOREIGN.exec(text)?.[0] ?? sign;
    words.push({ text: word, start });
    done = start + word.length;
  }
  return words;
}

/** Whether a blank or the start of the text comes before this word. */
export const followsBlank = (signs: readonly string[], { start }: Word) => start === 0 || isBlank(signs[start - 1] ?? "");
