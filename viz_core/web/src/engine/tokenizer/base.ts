// Text → words → tokens → ids, and back, as in viz_core/tokenizer/base.py; codes of target languages.

import { signsOf, stripped, hex, type Place } from "./text";
import { type ModelConfig, specialIds } from "../config";
import type { Split, Word } from "./spacy";

// Codes such as >>fra<< at the start of a text, which name the target language, as in viz_core/tokenizer/base.py.

const COMMON = ["eng", "fra", "deu", "spa", "ita", "por", "rus", "cmn_Hans", "zho", "jpn", "ara"].map((code) => `>>${code}<<`);
const NAMED = 8; // how many a message lists

/** The code at the start of a text; empty if there is none. */
export const codeOf = (text: string) => /^>>.*?<</su.exec(text)?.[0] ?? "";

/** The codes in a vocabulary, those of widely spoken languages first, the rest sorted. */
export function codesOf(vocab: Iterable<string>) {
  const rank = (code: string) => (COMMON.includes(code) ? COMMON.indexOf(code) : COMMON.length);
  return Array.from(vocab)
    .filter((entry) => /^>>[^<>\s]+<<$/u.test(entry))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The notice on a text without a code that the model knows. codes: of the model; empty if it has one target language. */
export function problem(codes: readonly string[], text: string): [string, Record<string, string>] | null {
  const [code, typed] = [codeOf(text), stripped(text)];
  if (!codes.length || !typed || codes.includes(code)) return null;
  const some = codes.slice(0, NAMED).join(", ") + (codes.length > NAMED ? ` … (${codes.length})` : "");
  const begun = (text: string) => signsOf(text).slice(0, 40).join("");
  return code
    ? ["code_unknown", { code: begun(code), codes: some }]
    : ["code_wanted", { codes: some, example: `${codes[0]} ${begun(typed)}` }];
}

export const SPACE = "▁"; // leads a token that follows a space

/** One unit of the vocabulary. word: index of its word, null for a special token. first: whether it starts its word. */
export type Token = { id: number; text: string; word: number | null; start: number; end: number; first: boolean };

export type Tokenized = { text: string; words: Word[]; tokens: Token[] };

export const idsOf = ({ tokens }: Tokenized) => tokens.map(({ id }) => id);

const UTF8 = new TextEncoder();
const decoder = () => new TextDecoder("utf-8", { ignoreBOM: true });

export abstract class Tokenizer {
  readonly specials: ReadonlyMap<number, string>; // id → label of a token that stands for no text
  readonly firstByte: number | null = null; // the id of byte 0, where bytes are tokens
  readonly targetCodes: readonly string[] = []; // entries that begin a text and name its target language; mostly none

  /** Entry → id; what is typed is never a special token. */
  protected readonly ids: ReadonlyMap<string, number>;

  constructor(
    readonly vocab: readonly string[],
    readonly config: ModelConfig,
  ) {
    this.specials = new Map(specialIds(config).map((id) => [id, (vocab[id] ?? "").replaceAll("<", "⟨").replaceAll(">", "⟩")]));
    const entries = vocab.map((entry, id): [string, number] => [entry, id]);
    this.ids = new Map(entries.filter(([, id]) => !this.specials.has(id)));
  }

  protected abstract encodeWords(text: string, words: readonly Word[]): Token[];

  /** The ids of one word; spaced: whether it follows a space. */
  abstract wordIds(word: string, spaced: boolean): number[];

  /** The tokens of a text, without special ones. */
  encode(text: string, split: Split): Tokenized {
    if (!text.isWellFormed()) throw new Error("the text holds half of a pair of surrogates, which cannot be written");
    const words = this.words(text, split);
    return { text, words, tokens: this.encodeWords(text, words) };
  }

  /** The words of a typed text; a code of the target language is one. */
  words(text: string, split: Split): Word[] {
    const code = this.code(text);
    const end = signsOf(code).length;
    const rest = split(text.slice(code.length)).map((word) => ({ ...word, start: word.start + end, end: word.end + end }));
    return code ? [{ text: code, start: 0, end }, ...rest] : rest;
  }

  /** The code of the target language at the start of a text; empty if there is none. */
  protected code(text: string) {
    return this.targetCodes.length ? codeOf(text) : "";
  }

  /** The text in the normalized form of the vocabulary's entries. */
  normalized(text: string) {
    return text;
  }

  /** Whether this entry follows a space. */
  startsWord(id: number) {
    return (this.vocab[id] ?? "").startsWith(SPACE);
  }

  /** Whether this entry is neither a special token nor a byte. */
  isText(id: number) {
    return !this.specials.has(id) && this.byte(id) === null;
  }

  /** The id of an entry, or that of the unknown token. */
  protected idOf(entry: string) {
    const id = this.ids.get(entry) ?? this.config.unk_id;
    if (id === null) throw new Error(`the vocabulary lacks ${entry}, and the model has no unknown token`);
    return id;
  }

  /** The text that these ids spell, with words and tokens; special tokens spell nothing. */
  read(ids: readonly number[], split: Split): Tokenized {
    const text = this.decode(ids);
    const words = split(text);
    const wordAt = ownersOf(words);
    let previous: number | null = null;
    const tokens = this.places(ids).map(([start, end], index): Token => {
      const id = ids[index] as number;
      if (this.specials.has(id)) return this.special(id, start);
      const before = previous;
      previous = firstOwner(wordAt, start, Math.max(end, start + 1)) ?? previous; // without characters: the space before a word
      return { id, text: this.tokenText(id), word: previous, start, end, first: previous !== before };
    });
    return { text, words, tokens };
  }

  /** A special token at this place of a text. */
  special(id: number, at: number): Token {
    return { id, text: this.specials.get(id) ?? "", word: null, start: at, end: at, first: true };
  }

  /** The text that these ids spell. Bytes that form no character become �. */
  decode(ids: readonly number[]) {
    return decoder().decode(this.bytes(ids)).replace(/^ /, "");
  }

  /** Start and end of each id's characters in what `decode` makes of them all; the bytes of one character share its place. */
  places(ids: readonly number[]): Place[] {
    const stream = decoder();
    const sofar: number[] = [];
    let [length, begun, atStart] = [0, false, true]; // a character is begun while it waits for more bytes
    return ids.map((id) => {
      let raw = this.spelt(id);
      if (atStart && raw.length) {
        raw = raw[0] === 32 ? raw.subarray(1) : raw;
        atStart = false;
      }
      sofar.push(...raw);
      const [added, wasBegun] = [signsOf(stream.decode(raw, { stream: true })).length, begun];
      begun = signsOf(decoder().decode(Uint8Array.from(sofar))).length > length + added;
      // If the bytes before were no character after all, they are the � that comes first now.
      const start = length + Number(wasBegun && added + Number(begun) > 1) + Number(raw[0] === 32);
      length += added;
      return [start, length + Number(begun && raw.length > 0)];
    });
  }

  /** The label of an entry: without the space before it, and a byte as ⟨E4⟩. */
  tokenText(id: number) {
    const byte = this.byte(id);
    if (byte !== null) return `⟨${hex(byte)}⟩`;
    return this.specials.get(id) ?? (withoutSpace(this.vocab[id] ?? "") || SPACE);
  }

  /** The UTF-8 bytes that this id adds to a text. */
  spelt(id: number) {
    if (this.specials.has(id)) return new Uint8Array();
    const byte = this.byte(id);
    return byte === null ? UTF8.encode((this.vocab[id] ?? "").replaceAll(SPACE, " ")) : Uint8Array.of(byte);
  }

  private bytes(ids: readonly number[]) {
    return Uint8Array.from(ids.flatMap((id) => [...this.spelt(id)]));
  }

  private byte(id: number) {
    return this.firstByte !== null && id >= this.firstByte && id < this.firstByte + 256 ? id - this.firstByte : null;
  }
}

export const withoutSpace = (token: string) => (token.startsWith(SPACE) ? token.slice(1) : token);

/** Place in the text → index of the word there. */
export function ownersOf(words: readonly Word[]) {
  const owners = new Map<number, number>();
  for (const [index, { start, end }] of words.entries()) for (let at = start; at < end; at += 1) owners.set(at, index);
  return owners;
}

export function firstOwner(owners: ReadonlyMap<number, number>, start: number, end: number) {
  for (let at = start; at < end; at += 1) if (owners.has(at)) return owners.get(at) as number;
  return null;
}

/** Neighbours that were merged when the vocabulary was learned. */
export type Pair = { at: number; left: string; right: string; rank: number };

/** Byte-pair encoding (Sennrich et al. 2016): of all neighbouring pairs, the one learned first is joined, until none was learned.
 * @param done called with each merge: the index of the left one, what it made, and the learned pairs among all neighbours, each with the
 * index of its left one and its rank from 0 */
export function mergePairs(
  letters: readonly string[],
  ranks: ReadonlyMap<string, number>,
  done = (_at: number, _joined: string, _pairs: readonly Pair[]) => {},
) {
  const parts = [...letters];
  while (true) {
    const pairs: Pair[] = [];
    for (let at = 0; at + 1 < parts.length; at += 1) {
      const [left, right] = parts.slice(at, at + 2) as [string, string];
      const rank = ranks.get(pairKey(left, right));
      if (rank !== undefined) pairs.push({ at, left, right, rank });
    }
    const [first] = pairs.sort((a, b) => a.rank - b.rank); // stable: of equal ones the first
    if (!first) return parts;
    parts.splice(first.at, 2, first.left + first.right);
    done(first.at, first.left + first.right, pairs);
  }
}

export function ranksOf(merges: readonly (string | [string, string])[]) {
  const pairs = merges.map((pair) => (typeof pair === "string" ? (pair.split(" ") as [string, string]) : pair));
  return new Map(pairs.map(([left, right], rank) => [pairKey(left, right), rank]));
}

const pairKey = (left: string, right: string) => `${left.length} ${left}${right}`;
