// Words of a text, by spaCy's rules (https://spacy.io/usage/linguistic-features#how-tokenizer-works).

import { BLANKS, isBlank, composed, isMark, signsOf } from "./text";

/** What viz_core/word_rules.py exports of a language. */
export type Rules = {
  language: string;
  prefix?: string;
  suffix?: string;
  infix?: string;
  token?: string | null; // matches what stays whole
  url?: string;
  special?: Record<string, string[]>;
};

const RUNS = new RegExp(`[${BLANKS}]+|[^${BLANKS}]+`, "gu");

/** Splits texts of one language; blanks other than single spaces are words, too. */
export class Splitter {
  private readonly prefix: RegExp;
  private readonly suffix: RegExp;
  private readonly infix: RegExp;
  private readonly whole: (text: string) => boolean;
  private readonly url: RegExp;
  private readonly special: Map<string, string[]>;
  private readonly sequences = new Map<string, string[][]>(); // by first part: special cases that the rules would split

  constructor({ prefix = "^(?!)", suffix = "(?!)", infix = "(?!)", url = "(?!)", token, special = {} }: Rules) {
    [this.prefix, this.suffix, this.url] = [new RegExp(prefix, "u"), new RegExp(suffix, "u"), new RegExp(url, "u")];
    this.infix = new RegExp(infix, "gu");
    const stays = token ? new RegExp(token, "iu") : null;
    this.whole = (text) => stays?.test(text) ?? false;
    this.special = new Map(Object.entries(special));
    for (const chunk of this.special.keys()) {
      const split = this.prefix.test(chunk) || this.suffix.test(chunk) || chunk.search(this.infix) >= 0;
      const parts = split ? this.affixes(chunk, false) : [];
      const [first] = parts;
      if (first !== undefined) this.sequences.set(first, [...(this.sequences.get(first) ?? []), parts]);
    }
  }

  /** The words with their places in UTF-16 units. */
  split(text: string) {
    const words: { text: string; start: number }[] = [];
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      let start = index;
      for (const part of isBlank(run) ? (run === " " ? [] : [run]) : this.affixes(run, true)) {
        words.push({ text: part, start });
        start += part.length;
      }
    }
    return this.merged(words, text);
  }

  /** A run without blanks in parts: prefixes, suffixes and infixes are split off until nothing changes or a special case is left. */
  private affixes(run: string, special: boolean): string[] {
    const known = (text: string) => (special ? this.special.get(text) : undefined);
    const before: string[] = [];
    const after: string[] = [];
    let [text, last] = [run, -1];
    while (text && text.length !== last && !this.whole(text) && !known(text)) {
      last = text.length;
      const pre = this.prefix.exec(text)?.[0].length ?? 0;
      if (pre && known(text.slice(pre))) {
        before.push(text.slice(0, pre));
        text = text.slice(pre);
        break;
      }
      const suf = this.suffix.exec(text.slice(pre))?.[0].length ?? 0;
      if (suf && known(text.slice(0, -suf))) {
        after.unshift(text.slice(-suf));
        text = text.slice(0, -suf);
        break;
      }
      const both = pre + suf <= text.length;
      if (pre) before.push(text.slice(0, pre));
      if (suf && (both || !pre)) after.unshift(text.slice(-suf));
      text = text.slice(pre, suf && (both || !pre) ? -suf : undefined);
    }
    const middle = text ? (known(text) ?? (this.whole(text) || this.url.test(text) ? [text] : this.infixes(text))) : [];
    return [...before, ...middle, ...after];
  }

  private infixes(text: string) {
    const parts: string[] = [];
    let start = 0;
    for (const { 0: infix, index } of text.matchAll(this.infix)) {
      if (index === 0) continue;
      parts.push(text.slice(start, index), infix);
      start = index + infix.length;
    }
    return [...parts, text.slice(start)].filter((part) => part !== "");
  }

  /** Special cases that the rules have split, such as a smiley after a word: the longest first, the first of equally long ones. */
  private merged(words: { text: string; start: number }[], text: string) {
    const found: [number, number][] = [];
    for (const [start, { text: first }] of words.entries())
      for (const parts of this.sequences.get(first) ?? [])
        if (parts.every((part, at) => words[start + at]?.text === part)) found.push([start, start + parts.length]);
    found.sort(([a, b], [c, d]) => d - c - (b - a) || a - c);
    const [taken, cases] = [new Set<number>(), new Map<number, [number, string[]]>()];
    for (const [start, end] of found) {
      const [first, last] = [words[start], words[end - 1]];
      if (first && last && !taken.has(start) && !taken.has(end - 1)) {
        const parts = this.special.get(text.slice(first.start, last.start + last.text.length));
        if (parts) cases.set(start, [end, parts]);
      }
      for (let at = start; at < end; at += 1) taken.add(at);
    }
    if (!cases.size) return words;
    const result: typeof words = [];
    for (let at = 0; at < words.length; ) {
      const [end, parts] = cases.get(at) ?? [at + 1, [words[at]?.text ?? ""]];
      let start = words[at]?.start ?? 0;
      for (const part of parts) {
        result.push({ text: part, start });
        start += part.length;
      }
      at = end;
    }
    return result;
  }
}

// Words of a text and where they stand, as in viz_core/words.py.

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
