// A sentence for each edit, as `describe` in viz_core/edits/table.py.

import { fill } from "../../payload";
import { BLOCK } from "../config";
import { type EditTable, entriesOf, PLACES } from "../edit_table";
import { PADDING } from "../edits";
import { visible } from "../tokenizer/text";
import type { Words } from "./view";
import { enumerated } from "./wording";

const ORDER = `heads only layers sublayers no_scale temperature no_causal_mask no_padding_mask uniform
  no_positions reversed_positions no_residual no_layer_norm force swap`.split(/\s+/);
const NAMED = ["kind", "stack", "block"];

/** Numbers from 1. Plain text that may contain typed words. */
export function describe(table: EditTable, words: Words): string[] {
  const own = words("edits");
  const inWords = (part: string, text: string): string => {
    if (NAMED.includes(part)) return own.part[text];
    if (!own.part[part]) return visible(text);
    const [one, many] = own.part[part];
    const number = enumerated(words, text.replaceAll("-", "–").split("_"));
    return fill(/^\d+$/.test(text) ? one : many, { number });
  };
  return ORDER.flatMap((name) =>
    entries(table, name).map((entry) => {
      const values = Object.entries(entry).map(([part, text]) => [part, inWords(part, text)]);
      return fill(own[name], { ...Object.fromEntries(values), padding: PADDING });
    }),
  );
}

/** The entries of one kind of edit, as in a link, by the names of their parts. */
function entries({ on, places, temperature, words }: EditTable, name: string): Record<string, string>[] {
  if (on.has(name)) return [{}];
  if (name === "temperature") return temperature === 1 ? [] : [{ value: String(temperature) }];
  if (name === "force" || name === "swap") {
    const typed = [...words[name]].sort(([a], [b]) => a - b);
    return typed.map(([index, text]) => ({ index: String(index + 1), text }));
  }
  const parts = PLACES[name] ?? [];
  const written = entriesOf(new Set((places[name] ?? []).map((place) => parts.map((part) => place[part]).join("."))));
  const sorted = name === "uniform" ? Object.keys(BLOCK).filter((kind) => written.includes(kind)) : written.sort();
  return sorted.map((entry) => Object.fromEntries(entry.split(".").map((text, at) => [parts[at], text])));
}
