// Vocabularies of whole words, as in viz_core/tokenizer/word_level.py.

import type { ModelConfig } from "../config";
import { type Token, Tokenizer } from "./base";
import { codesOf } from "./target_codes";
import type { Word } from "./words";

export type WordFile = { type: "words"; lowercase: boolean; vocab: string[] };

export class WordTokenizer extends Tokenizer {
  override readonly targetCodes: readonly string[];

  constructor(
    private readonly file: WordFile,
    config: ModelConfig,
  ) {
    super(file.vocab, config);
    this.targetCodes = codesOf(this.ids.keys());
  }

  protected encodeWords(_: string, words: readonly Word[]) {
    return words.flatMap(({ text, start, end }, word) =>
      this.wordIds(text).map((id): Token => ({ id, text: this.tokenText(id), word, start, end, first: true })),
    );
  }

  wordIds(word: string) {
    const lowercase = this.file.lowercase && !this.targetCodes.includes(word);
    return [this.idOf(lowercase ? word.toLowerCase() : word)];
  }

  override startsWord(id: number) {
    return !this.specials.has(id);
  }

  override spelt(id: number) {
    return new TextEncoder().encode(this.specials.has(id) ? "" : ` ${this.vocab[id]}`);
  }
}
