// Vocabularies of SentencePiece, as in viz_core/tokenizer/sentencepiece.py.

import { bytesOf } from "../../payload";
import type { ModelConfig } from "../config";
import { SPACE, type Token, Tokenizer } from "./base";
import { Charsmap, type Sign, textOf } from "./charsmap";
import { codeOf, codesOf } from "./target_codes";
import { signsOf } from "./text";
import { Unigram } from "./unigram";
import type { Word } from "./words";

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
