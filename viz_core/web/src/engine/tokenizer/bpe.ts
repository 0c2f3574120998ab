// Our own vocabularies, as in viz_core/tokenizer/bpe.py: byte-pair encoding of words, with bytes for what it lacks.

import type { ModelConfig } from "../config";
import { mergePairs, type Pair, ranksOf, SPACE, type Token, Tokenizer } from "./base";
import { composed, hex, signsOf } from "./text";
import { followsBlank, type Word } from "./spacy";

export type BpeFile = { model: { type: "BPE"; vocab: Record<string, number>; merges: (string | [string, string])[] } };

const FIRST_BYTE_ID = 4;
const UTF8 = new TextEncoder();

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
