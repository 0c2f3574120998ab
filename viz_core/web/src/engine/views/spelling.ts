// A text in four rows, and how its words are built, as `spelling` and `merges` in pages/tokens/data.py.

import type { Pair, Token, Tokenized, Tokenizer } from "../tokenizer/base";
import { SentencePieceTokenizer } from "../tokenizer/sentencepiece";
import { BpeTokenizer } from "../tokenizer/bpe";
import { isBlank, isMark, signsOf, visible } from "../tokenizer/text";
import { pack, type Scene } from "./view";

const BLANK = "␣"; // the space before a word
const PAIRS = 4; // that are written out

/** Each block with its letters, word and tokens, as [text, start, width]; a token also has its id. */
export function spelling(scene: Scene, asked: URLSearchParams) {
  const side = asked.get("side");
  const { text, tokenizer, blocks } = read(scene, side);
  const entry = ({ text, start, width }: Span) => [visible(text), start, width];
  return pack(
    {},
    {
      side,
      characters: signsOf(text).length,
      blocks: blocks.map(({ letters, word, tokens }) => ({
        letters: letters.map(entry),
        word: word && entry(word),
        tokens: tokens.map((token) => [...entry(token), token.id]),
      })),
      scores:
        tokenizer instanceof SentencePieceTokenizer
          ? blocks.map(({ tokens }) => tokens.map(({ id }) => tokenizer.score(id)))
          : null,
    },
  );
}

/** The most merges of a word; 0 in a vocabulary without merges. */
export function mostMerges(scene: Scene, side: string) {
  const { tokenizer, blocks } = read(scene, side);
  if (!(tokenizer instanceof BpeTokenizer)) return 0;
  return Math.max(
    0,
    ...blocks.map(({ word, letters }) => (word ? tokenizer.built(word.text, letters[0]?.text === BLANK).merges.length : 0)),
  );
}

/** Each word with its characters, its merges, and its tokens with their ids. A merge: the index of the left one, the rank from 1, the
 * merged token, and the neighbours that could be merged, the first by rank. */
export function merges(scene: Scene, asked: URLSearchParams) {
  const side = asked.get("side");
  const { tokenizer, blocks } = read(scene, side);
  if (!(tokenizer instanceof BpeTokenizer)) throw new Error("This vocabulary was not built by merges.");
  const shown = (token: string) => visible(entryText(token));
  const built = ({ word, letters, tokens }: Block) => {
    if (!word) return null;
    const made = tokenizer.built(word.text, letters[0]?.text === BLANK);
    const named = (pairs: readonly Pair[]) =>
      pairs.slice(0, PAIRS).map(({ left, right, rank }) => [shown(left), shown(right), rank + 1]);
    const joins = made.merges.map(({ at, joined, pairs }) => [at, (pairs[0]?.rank ?? 0) + 1, shown(joined), named(pairs)]);
    const ids = tokens.map(({ text, id }) => [visible(text), id]);
    return { word: visible(word.text), letters: made.letters.map(shown), merges: joins, tokens: ids };
  };
  return pack(
    {},
    {
      side,
      done: Number(asked.get("done")),
      counts: blocks.map(({ tokens }) => tokens.length),
      words: blocks.map(built),
      kinds: countKinds(scene),
    },
  );
}

/** How many tokens of source and target there are of each kind. */
function countKinds(scene: Scene) {
  const { pad_id: pad, bos_id: bos, eos_id: eos, unk_id: unk } = scene.model.config;
  const specials = Object.entries({ pad, bos, eos, unk });
  const counts = { pad: 0, bos: 0, eos: 0, unk: 0, bytes: 0, text: 0 };
  for (const { tokens, tokenizer } of ["source", "target"].map((side) => read(scene, side)))
    for (const { id } of tokens) {
      const special = specials.find(([, its]) => its === id)?.[0] as keyof typeof counts | undefined;
      counts[special ?? (tokenizer.isText(id) ? "text" : "bytes")] += 1;
    }
  return counts;
}

/** A text and its tokenizer; the target's text is all that the decoder wrote. */
function read({ explanation: { source, target, output }, ...scene }: Scene, side: string | null) {
  const tokenizer = side === "source" ? scene.source.tokenizer : scene.target.tokenizer;
  const tokenized = side === "source" ? source : { ...target, tokens: [...target.tokens.slice(0, 1), ...output] };
  const blocks = groups(tokenized.tokens).map((group) => blockOf(tokenized, group, tokenizer));
  return { ...tokenized, tokenizer, blocks };
}

type Span = { text: string; start: number; width: number };

/** One word with the space before it, or one special token. A column is a character, or one byte of a character. */
type Block = { word: Span | null; letters: Span[]; tokens: (Span & { id: number })[] };

/** The tokens of each word; a special token is alone. */
function groups(tokens: readonly Token[]) {
  const found: Token[][] = [];
  for (const [at, token] of tokens.entries())
    if (token.word !== null && token.word === tokens[at - 1]?.word) found.at(-1)?.push(token);
    else found.push([token]);
  return found;
}

function blockOf({ text, words }: Tokenized, group: readonly Token[], tokenizer: Tokenizer): Block {
  const [signs, letters, tokens]: [string[], Span[], Block["tokens"]] = [signsOf(text), [], []];
  let [column, last] = [0, -1]; // the next free column; the last character that has one
  for (const { id, start: from, end } of group) {
    const start = column;
    const before = letters.at(-1);
    if (tokenizer.startsWord(id) && (from === 0 || isBlank(signs[from - 1] ?? "")))
      letters.push({ text: BLANK, start: column++, width: 1 });
    if (from < end && end <= last + 1 && before) {
      before.width += 1; // another byte of the same character
      column += 1;
    }
    for (let at = Math.max(from, last + 1); at < end; at += 1) {
      const [sign, letter] = [signs[at] as string, letters.at(-1)];
      const wider = letter && isMark(sign) ? Number(column === start) : 1;
      if (letter && isMark(sign)) {
        letter.text += sign; // drawn on its letter
        letter.width += wider;
      } else letters.push({ text: sign, start: column, width: 1 });
      [column, last] = [column + wider, at];
    }
    column = Math.max(column, start + 1); // a special token has no characters but needs room
    const label = tokenizer.specials.get(id) ?? entryText(tokenizer.vocab[id] as string);
    tokens.push({ text: label, start, width: column - start, id });
  }
  const whole = words[group[0]?.word ?? -1];
  const own = letters.filter(({ text }) => text !== BLANK);
  const [first, final] = [own[0], own.at(-1)];
  if (!whole || !first || !final) return { word: null, letters, tokens };
  const end = Math.max(whole.end, group.at(-1)?.end ?? 0); // the last token may reach into the next word
  const word = { text: signs.slice(whole.start, end).join(""), start: first.start, width: final.start + final.width - first.start };
  return { word, letters, tokens };
}

/** An entry of the vocabulary: a byte as ⟨E4⟩, anything else unchanged, with its leading ▁. */
const entryText = (entry: string) => entry.replace(/^<0x([0-9A-F]{2})>$/, "⟨$1⟩");
