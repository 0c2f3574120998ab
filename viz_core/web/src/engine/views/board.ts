// The switchboard of the page What if, as `board` in pages/what_if/switchboard.py: what depends on the sentence and the edits.

import { type EditTable, PLACES } from "../edit_table";
import { visible } from "../tokenizer/text";
import { describe } from "./edit_words";
import type { Scene } from "./view";

export function board({ explanation, words }: Scene, table: EditTable) {
  const sentences = describe(table, words);
  const places = Object.entries(PLACES).map(([name, parts]) => [
    name,
    (table.places[name] ?? []).map((place) => (parts.length === 1 ? place[parts[0] as string] : parts.map((part) => place[part]))),
  ]);
  return {
    words: explanation.source.words.map(({ text }) => visible(text)),
    state: {
      ...Object.fromEntries([...table.on].map((name) => [name, true])),
      ...Object.fromEntries(places),
      temperature: table.temperature,
      force: [...table.words.force],
      swap: [...table.words.swap],
    },
    edits: sentences.length ? sentences : [words("app.sides").nothing],
  };
}
