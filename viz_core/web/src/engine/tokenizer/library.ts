// Reads a tokenizer.json of any kind; vocabularies of the tokenizers library, as in viz_core/tokenizer/library.py (byte-level pairs as in
// BART, unigram as in mBART), and of whole words.

import { bytesOf } from "../../payload";
import type { ModelConfig } from "../config";
import { firstOwner, mergePairs, ownersOf, ranksOf, SPACE, type Token, Tokenizer, codesOf } from "./base";
import { Charsmap, type Sign, textOf, Unigram, type SentencePieceFile, SentencePieceTokenizer } from "./sentencepiece";
import { hex, isBlank, signsOf } from "./text";
import type { Word } from "./spacy";
import { type BpeFile, BpeTokenizer } from "./bpe";

type Step = { type: string } & Record<string, unknown>;
type Model = { type: string; vocab: never; merges: (string | [string, string])[]; unk_id: number };
export type LibraryFile = {
  type: "tokenizers";
  backend: { normalizer: Step | null; pre_tokenizer: Step; model: Model };
  vocab: string[];
};

/** The printable character for each byte in a byte-level vocabulary (Radford et al. 2019): its own, or one from U+0100 on. */
const isPrinted = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
const OTHERS = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !isPrinted(byte));
const SIGNS = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrinted(byte) ? byte : 256 + OTHERS.indexOf(byte)));
const BYTES = new Map(SIGNS.map((sign, byte) => [sign, byte]));
const UTF8 = new TextEncoder();
const UNKNOWN = " of this vocabulary is not known in the browser";
const WHITE = "\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"; // to the library, which is written in Rust
const BLANK = new RegExp(`[${WHITE}]`, "u");
const PARTS = new RegExp(
  `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${WHITE}\\p{L}\\p{N}]+|[${WHITE}]+(?![^${WHITE}])|[${WHITE}]+`,
  "gu",
);

export class LibraryTokenizer extends Tokenizer {
  private readonly split: (signs: Sign[]) => { id: number; start: number; end: number }[];
  private readonly normalizers: readonly ((signs: Sign[]) => Sign[])[];
  private readonly ofBytes: boolean;
  private readonly own: ReadonlySet<string>; // without added tokens and unused rows, which are not written in SIGNS

  constructor({ backend, vocab }: LibraryFile, config: ModelConfig) {
    super(vocab, config);
    this.ofBytes = backend.model.type === "BPE";
    this.own = new Set(this.ofBytes ? Object.keys(backend.model.vocab) : []);
    this.normalizers = stepsOf(backend.normalizer, "normalizers").map(normalizerOf);
    this.split = this.ofBytes ? byPairs(backend.model, backend.pre_tokenizer) : byPieces(backend.model, backend.pre_tokenizer);
  }

  protected encodeWords(text: string, words: readonly Word[]) {
    const signs = signsOf(text);
    const owners = ownersOf(words);
    let previous: number | null = null;
    return this.encoded(text).map(({ id, start: begin, end }): Token => {
      const blanks = signs.slice(begin, end).findIndex((sign) => !isBlank(sign));
      const start = blanks < 0 ? end : begin + blanks;
      const owner: number | null = firstOwner(owners, start, start + 1) ?? previous ?? (words.length ? 0 : null);
      const label = this.specials.has(id) ? signs.slice(start, end).join("") : this.tokenText(id); // an unknown one, as typed
      const first = owner !== previous;
      previous = owner;
      return { id, text: label || this.tokenText(id), word: owner, start, end, first };
    });
  }

  wordIds(word: string, spaced: boolean) {
    return this.encoded(spaced && this.ofBytes ? ` ${word}` : word).map(({ id }) => id);
  }

  override tokenText(id: number) {
    if (this.specials.has(id) || !this.ofBytes) return super.tokenText(id);
    const raw = this.spelt(id).subarray(Number(this.spelt(id)[0] === 32));
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw) || SPACE;
    } catch {
      return Array.from(raw, (byte) => `⟨${hex(byte)}⟩`).join("");
    }
  }

  override startsWord(id: number) {
    return this.ofBytes ? (this.vocab[id] ?? "").startsWith("Ġ") : super.startsWord(id);
  }

  override spelt(id: number) {
    const token = this.vocab[id] ?? "";
    if (this.specials.has(id) || !this.ofBytes) return super.spelt(id);
    return this.own.has(token) ? Uint8Array.from(signsOf(token).flatMap((sign) => BYTES.get(sign) ?? [])) : UTF8.encode(token);
  }

  private encoded(text: string) {
    const typed = signsOf(text).map((sign, at): Sign => ({ sign, start: at, end: at + 1 }));
    return this.split(this.normalizers.reduce((signs, normalize) => normalize(signs), typed));
  }
}

// The steps of a sequence, or the one step that there is.
function stepsOf(step: Step | null, name: string): Step[] {
  if (!step) return [];
  return step.type === "Sequence" ? (step[name] as Step[]).flatMap((each) => stepsOf(each, name)) : [step];
}

function normalizerOf(step: Step): (signs: Sign[]) => Sign[] {
  if (step.type === "Replace" && JSON.stringify(step.pattern) === '{"Regex":" {2,}"}' && step.content === " ")
    return (signs) => signs.filter(({ sign }, at) => sign !== " " || signs[at + 1]?.sign !== " "); // the last of several
  if (step.type !== "Precompiled") throw new Error(`the normalization ${step.type}${UNKNOWN}`);
  const charsmap = new Charsmap(bytesOf(step.precompiled_charsmap as string));
  return (signs) => mapped(signs, charsmap);
}

// The shortest rule for each short cluster of characters, else for each character. Places are those that the library gives: one new
// character takes the place of one old one, more share that of the last, and a removed one is passed over by the one before it.
function mapped(signs: Sign[], charsmap: Charsmap) {
  const changes: { sign: string; change: number }[] = [];
  const replace = (old: string) => {
    const rule = charsmap.longest(UTF8.encode(old), 0, true);
    if (!rule) return false;
    const made = signsOf(rule.replacement);
    const more = made.length - signsOf(old).length;
    changes.push(...made.map((sign, at) => ({ sign, change: more > 0 && at >= made.length - more ? 1 : 0 })));
    const last = changes.at(-1);
    if (more < 0 && last) last.change += more;
    return true;
  };
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(textOf(signs))) {
    if (UTF8.encode(segment).length < 6 && replace(segment)) continue;
    for (const sign of signsOf(segment)) if (!replace(sign)) changes.push({ sign, change: 0 });
  }
  let [next, previous] = [0, { start: 0, end: 0 }];
  return changes.map(({ sign, change }): Sign => {
    if (change <= 0) {
      previous = signs[next] ?? previous;
      next += 1 - change;
    }
    return { sign, start: previous.start, end: previous.end };
  });
}

function byPairs({ vocab, merges }: Model, step: Step) {
  const [ids, ranks] = [new Map(Object.entries<number>(vocab)), ranksOf(merges)];
  if (step.type !== "ByteLevel" || step.use_regex === false) throw new Error(`the pre-tokenizer ${step.type}${UNKNOWN}`);
  const bytesOfSign = (each: Sign) => Array.from(UTF8.encode(each.sign), (byte) => ({ ...each, sign: SIGNS[byte] as string }));
  return (typed: Sign[]) => {
    const [first] = typed;
    const signs = step.add_prefix_space && first && first.sign !== " " ? [{ ...first, sign: " " }, ...typed] : typed;
    let end = 0;
    return Array.from(textOf(signs).matchAll(PARTS), ([part]) => {
      const start = end;
      end += signsOf(part).length;
      const letters = signs.slice(start, end).flatMap(bytesOfSign);
      const known = letters.filter(({ sign }) => ids.has(sign));
      return tokensOf(known, mergePairs(signsOf(textOf(known)), ranks), (token) => ids.get(token) as number);
    }).flat();
  };
}

function byPieces({ vocab, unk_id: unknown }: Model, step: Step) {
  const pieces: [string, number][] = vocab;
  const unigram = new Unigram(pieces);
  const ids = new Map(pieces.map(([piece], id) => [piece, id]));
  const steps = stepsOf(step, "pretokenizers");
  const metaspace = steps.at(-1);
  const bySpace = steps.length === 2 && steps[0]?.type === "WhitespaceSplit";
  if (metaspace?.type !== "Metaspace" || !(bySpace || steps.length === 1))
    throw new Error(`the pre-tokenizer ${step.type}${UNKNOWN}`);
  return (signs: Sign[]) => {
    const words = bySpace ? parts(signs, (sign) => BLANK.test(sign), false) : [signs];
    const marked = words.map((word) => spaced(word, metaspace.prepend_scheme as string));
    const split = metaspace.split === false ? marked : marked.flatMap((word) => parts(word, (sign) => sign === SPACE, true));
    const idOf = (token: string) => ids.get(token) ?? unknown;
    return split.flatMap((part) => tokensOf(part, unigram.split(textOf(part)), idOf));
  };
}

// ▁ for each space, and before a word.
function spaced(word: readonly Sign[], scheme: string) {
  const signs = word.map((each) => (each.sign === " " ? { ...each, sign: SPACE } : each));
  const [first] = signs;
  const before = scheme === "always" || (scheme === "first" && first?.start === 0);
  return first && before && first.sign !== SPACE ? [{ ...first, sign: SPACE }, ...signs] : signs;
}

// The text cut before each of some signs, or at it, which then is left out.
function parts(signs: readonly Sign[], cut: (sign: string) => boolean, kept: boolean) {
  const found: Sign[][] = [[]];
  for (const each of signs) {
    if (cut(each.sign)) found.push(kept ? [each] : []);
    else found.at(-1)?.push(each);
  }
  return found.filter((part) => part.length);
}

// Tokens that together spell these signs, with their places.
function tokensOf(signs: readonly Sign[], tokens: readonly string[], idOf: (token: string) => number) {
  let at = 0;
  return tokens.map((token) => {
    const [first, last] = [signs[at], signs[at + signsOf(token).length - 1]];
    at += signsOf(token).length;
    return { id: idOf(token), start: first?.start ?? 0, end: last?.end ?? 0 };
  });
}

// Vocabularies of whole words, as in viz_core/tokenizer/library.py.

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

// A vocabulary of any kind, from what viz_core writes as tokenizer.json.

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
