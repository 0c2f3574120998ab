// A page's texts for one model, as in viz_core/wording.py: tables `for_model` are laid over them, special tokens have their names.

import { fill } from "../../payload";
import type { ModelConfig } from "../config";
import type { Tokenizer } from "../tokenizer/base";
import type { Scene, Words } from "./view";

/** Differences from the paper's model that would make words of a page false. */
const TRAITS: Record<string, (config: ModelConfig) => boolean> = {
  apart: ({ tied_embeddings: tied }) => !tied,
  bare: ({ scaled_embeddings: scaled }) => !scaled,
  learned: ({ positions }) => positions === "learned",
  smooth: ({ activation }) => activation !== "relu",
};

// biome-ignore lint/suspicious/noExplicitAny: texts and tables of texts
type Texts = any;

/** tokenizer: of the target, with the special tokens that the texts name. */
export function worded({ model: { config }, words }: Scene, name: string, tokenizer?: Tokenizer) {
  let texts: Texts = words(name);
  for (const [trait, holds] of Object.entries(TRAITS)) if (holds(config)) texts = laidOver(texts, texts.for_model?.[trait] ?? {});
  const { for_model: _, ...own } = texts;
  return tokenizer ? renamed(own, namesOf(config, tokenizer)) : own;
}

/** Words joined by the list separator of the reader's language. */
export const enumerated = (words: Words, parts: readonly string[]) => parts.join(words("joined").list);

/** A name and its value, as in «name: value». */
export const named = (words: Words, name: string, value: string) => fill(words("joined").named, { name, value });

function laidOver(first: Texts, other: Texts): Texts {
  if (isTable(first) && isTable(other))
    return { ...first, ...Object.fromEntries(Object.entries(other).map(([key, value]) => [key, laidOver(first[key], value)])) };
  if ([first, other].every((list) => Array.isArray(list) && list.length && list.every(isTable)))
    return [
      ...other.slice(0, first.length).map((table: Texts, at: number) => laidOver(first[at], table)),
      ...first.slice(other.length),
    ];
  return other;
}

const isTable = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

// Our special tokens → this model's; a name that would need escaping in Markdown and formulas is left out.
function namesOf({ bos_id, eos_id, pad_id, unk_id }: ModelConfig, tokenizer: Tokenizer) {
  const ids = { "⟨s⟩": bos_id, "⟨/s⟩": eos_id, "⟨pad⟩": pad_id, "⟨unk⟩": unk_id };
  const names = Object.entries(ids).flatMap(([ours, id]) => (id === null ? [] : [[ours, tokenizer.tokenText(id)] as const]));
  return new Map(names.filter(([, name]) => /^[\p{L}\p{N}⟨⟩/ -]*$/u.test(name)));
}

function renamed(value: Texts, names: ReadonlyMap<string, string>): Texts {
  if (Array.isArray(value)) return value.map((text) => renamed(text, names));
  if (typeof value === "string") return value.replace(/⟨(?:s|\/s|pad|unk)⟩/g, (name) => names.get(name) ?? name);
  const inner = ([key, text]: [string, Texts]) => [key, key === "try" ? text : renamed(text, names)]; // “try this” shows our models
  return isTable(value) ? Object.fromEntries(Object.entries(value).map(inner)) : value;
}
