// Vocabularies of SentencePiece, as in viz_core/tokenizer/sentencepiece.py: normalization, unigram models, pairs.

import { signsOf } from "./text";
import { bytesOf } from "../../payload";
import type { ModelConfig } from "../config";
import { SPACE, type Token, Tokenizer, codeOf, codesOf } from "./base";
import type { Word } from "./spacy";

// Normalization of text as in SentencePiece (Kudo & Richardson 2018, §3.2), as in viz_core/tokenizer/charsmap.py.

const [LEAF, LABEL, VALUE] = [1 << 8, 0x800000ff, 0x7fffffff]; // bits of one unit of the double array
const UTF8 = new TextEncoder();

/** A character of the normalized text, and its place in the original. */
export type Sign = { sign: string; start: number; end: number };

export const textOf = (signs: readonly Sign[]) => signs.map(({ sign }) => sign).join("");

/** Rules of one vocabulary, compiled: a trie of the replaced texts as a double array, and the replacements. */
export class Charsmap {
  private readonly units: Uint32Array;
  private readonly replacements: Uint8Array;

  constructor(compiled: Uint8Array) {
    const bytes = new Uint8Array(compiled);
    const size = bytes.length > 4 ? new DataView(bytes.buffer).getUint32(0, true) : 0;
    this.units = new Uint32Array(bytes.slice(4, 4 + size).buffer);
    this.replacements = bytes.slice(4 + size);
  }

  /** The text by character, replaced where a rule applies: of several, the longest. */
  replaced(text: string): Sign[] {
    const signs = signsOf(text);
    const raw = UTF8.encode(text);
    const result: Sign[] = [];
    for (let [byte, at] = [0, 0]; at < signs.length; ) {
      const sign = signs[at] as string;
      const { length, replacement } = this.longest(raw, byte) ?? { length: UTF8.encode(sign).length, replacement: sign };
      const count = signsOf(decoded(raw.subarray(byte, byte + length))).length;
      for (const each of signsOf(replacement)) result.push({ sign: each, start: at, end: at + count });
      byte += length;
      at += count;
    }
    return result;
  }

  /** The first or the longest rule that applies to these bytes from `start`. */
  longest(raw: Uint8Array, start: number, first = false) {
    const { units } = this;
    if (!units.length) return null;
    let rule: { length: number; at: number } | null = null;
    let node = offset(units[0] as number);
    for (let index = start; index < raw.length && !(first && rule); index += 1) {
      const byte = raw[index] as number;
      node ^= byte;
      const unit = units[node];
      if (unit === undefined || (unit & LABEL) >>> 0 !== byte) break;
      node ^= offset(unit);
      if (unit & LEAF && node < units.length) rule = { length: index + 1 - start, at: (units[node] as number) & VALUE };
    }
    if (!rule) return null;
    const end = this.replacements.indexOf(0, rule.at);
    return { length: rule.length, replacement: decoded(this.replacements.subarray(rule.at, end)) };
  }
}

const decoded = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const offset = (unit: number) => (unit >>> 10) << ((unit & (1 << 9)) >> 6);

// Unigram models (Kudo 2018): the best split of a text has the greatest sum of its pieces' scores, their log-probabilities.

const UNKNOWN_PENALTY = 10; // of the tokenizers library and of SentencePiece

/** Splits normalized texts. A run of characters without a piece is one piece, which the vocabulary lacks. */
export class Unigram {
  readonly scores: ReadonlyMap<string, number>;
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

export type SentencePieceFile = {
  type: "sentencepiece";
  vocab: string[];
  pieces: [string, number][];
  charsmap: string;
  dummy_prefix: boolean;
  one_blank: boolean;
};

export class SentencePieceTokenizer extends Tokenizer {
  override readonly targetCodes: readonly string[];
  private readonly unigram: Unigram;
  private readonly charsmap: Charsmap;

  constructor(
    private readonly file: SentencePieceFile,
    config: ModelConfig,
  ) {
    super(file.vocab, config);
    this.targetCodes = codesOf(this.ids.keys());
    this.unigram = new Unigram(file.pieces);
    this.charsmap = new Charsmap(bytesOf(file.charsmap));
  }

  /** The logarithm of a piece's probability; null for what is no piece. */
  score(id: number) {
    return this.unigram.scores.get(this.vocab[id] ?? "") ?? null;
  }

  /** Whatever the vocabulary, as in transformers. */
  protected override code(text: string) {
    return codeOf(text);
  }

  protected encodeWords(text: string, words: readonly Word[]) {
    const code = this.code(text);
    const after = signsOf(code).length;
    const spelled: [string, number, number][] = code ? [[code, 0, after]] : [];
    const rest = text.slice(code.length);
    const signs = this.signs(rest, this.file.dummy_prefix);
    let done = 0;
    for (const piece of this.unigram.split(textOf(signs))) {
      const end = done + signsOf(piece).length;
      const [from, to] = placeOf(signs, done, end, signsOf(rest).length);
      spelled.push([piece, after + from, after + to]);
      done = end;
    }
    let previous: number | null = null;
    return spelled.map(([piece, start, end]): Token => {
      const owner = words.length ? Math.max(words.filter((word) => word.start <= start).length - 1, 0) : null;
      const first = owner !== previous;
      previous = owner;
      const id = this.idOf(piece);
      return { id, text: this.tokenText(id), word: owner, start, end, first };
    });
  }

  wordIds(word: string, spaced: boolean) {
    return this.unigram.split(textOf(this.signs(word, spaced))).map((piece) => this.idOf(piece));
  }

  override normalized(text: string) {
    return textOf(this.charsmap.replaced(text));
  }

  /** With SPACE for spaces. dummyPrefix: a space is added at the start, so that a first word equals one after a space. */
  private signs(text: string, dummyPrefix: boolean): Sign[] {
    let signs = this.charsmap.replaced(text);
    if (this.file.one_blank) {
      signs = signs.filter(({ sign }, i) => sign !== " " || (i > 0 && signs[i - 1]?.sign !== " "));
      while (signs.at(-1)?.sign === " ") signs.pop();
    }
    const [first] = signs;
    if (dummyPrefix && first) signs = [{ sign: " ", start: first.start, end: first.start }, ...signs];
    return signs.map((each) => (each.sign === " " ? { ...each, sign: SPACE } : each));
  }
}

// The place of these characters in the original text, without a leading space.
function placeOf(signs: readonly Sign[], from: number, end: number, length: number) {
  let start = from;
  while (start < end && signs[start]?.sign === SPACE) start += 1;
  const next = signs[start]?.start ?? length;
  return start === end ? [next, next] : ([next, signs[end - 1]?.end ?? length] as const);
}
