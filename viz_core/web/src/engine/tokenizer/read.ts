// A vocabulary of any kind, from what viz_core writes as tokenizer.json.

import type { ModelConfig } from "../config";
import type { Tokenizer } from "./base";
import { type BpeFile, BpeTokenizer } from "./bpe";
import { type LibraryFile, LibraryTokenizer } from "./library";
import { type SentencePieceFile, SentencePieceTokenizer } from "./sentencepiece";
import { type WordFile, WordTokenizer } from "./word_level";

const KINDS: Record<string, (file: unknown, config: ModelConfig) => Tokenizer> = {
  BPE: (file, config) => new BpeTokenizer(file as BpeFile, config),
  sentencepiece: (file, config) => new SentencePieceTokenizer(file as SentencePieceFile, config),
  tokenizers: (file, config) => new LibraryTokenizer(file as LibraryFile, config),
  words: (file, config) => new WordTokenizer(file as WordFile, config),
};

export function readTokenizer(json: string, config: ModelConfig): Tokenizer {
  const file: { type?: string; model?: { type: string } } = JSON.parse(json);
  const kind = file.type ?? file.model?.type ?? "";
  const make = KINDS[kind];
  if (!make) throw new Error(`a vocabulary of kind ${kind}, expected ${Object.keys(KINDS).join(" or ")}`);
  return make(file, config);
}
