// Vocabularies of SentencePiece, as in viz_core/tokenizer/sentencepiece.py.

import { signsOf, composed, hex } from "./text";
import { bytesOf } from "../../payload";
import type { ModelConfig } from "../config";
import { SPACE, type Token, Tokenizer, codeOf, codesOf, mergePairs, type Pair, ranksOf } from "./base";
import { type Word, followsBlank } from "./spacy";

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

// Our own vocabularies, as in viz_core/tokenizer/bpe.py: byte-pair encoding of words, with bytes for what it lacks.

export type BpeFile = { model: { type: "BPE"; vocab: Record<string, number>; merges: (string | [string, string])[] } };

const FIRST_BYTE_ID = 4;

export class BpeTokenizer extends Tokenizer {
  override readonly firstByte = FIRST_BYTE_ID;
  private readonly ranks: ReadonlyMap<string, number>;

  constructor({ model }: BpeFile, config: ModelConfig) {
    const entries = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
    super(
      entries.map(([token]) => token),
      config,
    );
    this.ranks = ranksOf(model.merges);
  }

  protected encodeWords(text: string, words: readonly Word[]) {
    const signs = signsOf(text);
    return words.flatMap((word, index) => {
      const { place } = composed(word.text);
      const ids = this.wordIds(word.text, followsBlank(signs, word));
      return this.places(ids).map(([from, to], n): Token => {
        const [start, end] = place(from, to);
        const id = ids[n] as number;
        return { id, text: this.tokenText(id), word: index, start: word.start + start, end: word.start + end, first: n === 0 };
      });
    });
  }

  override normalized(text: string) {
    return composed(text).text;
  }

  /** A typed SPACE is spelt in bytes, so that it comes back as typed and not as a space. */
  wordIds(word: string, spaced: boolean) {
    const parts = composed(word).text.split(SPACE);
    const ids = parts.map((part, index) => this.merged(index === 0 && spaced ? SPACE + part : part));
    const typed = [...UTF8.encode(SPACE)].map((byte) => FIRST_BYTE_ID + byte);
    return ids.flatMap((some, index) => (index === 0 ? some : [...typed, ...some]));
  }

  /** Each character of the word, or its bytes if the vocabulary lacks it, led by SPACE; and the merges that make tokens of them. */
  built(word: string, spaced: boolean) {
    const known = (sign: string) => sign !== SPACE && this.ids.has(sign);
    const spelt = composed(word).signs.flatMap((sign) => (known(sign) ? [sign] : [...UTF8.encode(sign)].map(byteToken)));
    const [letters, merges]: [string[], { at: number; joined: string; pairs: readonly Pair[] }[]] = [
      spaced ? [SPACE, ...spelt] : spelt,
      [],
    ];
    mergePairs(letters, this.ranks, (at, joined, pairs) => merges.push({ at, joined, pairs }));
    return { letters, merges };
  }

  private merged(text: string) {
    const letters = signsOf(text).flatMap((sign) => (this.ids.has(sign) ? [sign] : [...UTF8.encode(sign)].map(byteToken)));
    return mergePairs(letters, this.ranks).map((token) => this.ids.get(token) as number);
  }
}

const byteToken = (byte: number) => `<0x${hex(byte)}>`;
