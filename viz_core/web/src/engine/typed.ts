// Typed text as an edit, as in viz_core/edits/typed.py: a forced token of the vocabulary, or another word in a sentence.

import { commonRuns } from "./analysis/runs";
import { SPACE, type Tokenizer } from "./tokenizer/base";
import { signsOf } from "./tokenizer/text";
import type { Word } from "./tokenizer/words";

const UNSPACED = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/u; // kana and Chinese characters
const ALIKE = 0.8; // from here on, a word counts as misspelt

/** The token that a typed text stands for: as shown, such as «Katze», «·chen» or «⟨/s⟩»; else, not exact, one of a similar spelling. */
export function forcedToken(given: string, tokenizer: Tokenizer): { id: number; exact: boolean } {
  const typed = tokenizer.normalized(given);
  const labelled = [...tokenizer.vocab.keys()].filter((id) => !tokenizer.isText(id) && id !== tokenizer.config.pad_id);
  const named = labelled.findLast((id) => tokenizer.tokenText(id) === typed);
  if (named !== undefined) return { id: named, exact: true };
  const word = typed.trim().split(/\s+/u)[0] ?? "";
  const inside = word.startsWith("·") && word.length > 1;
  const bare = inside ? word.slice(1) : word.replace(new RegExp(`^${SPACE}`), "");
  const spaced = !inside && ((/^[\p{L}\p{N}]/u.test(bare) && !UNSPACED.test(bare)) || word.startsWith(SPACE));
  const ids = new Map<string, number>();
  for (const [id, token] of tokenizer.vocab.entries()) if (tokenizer.isText(id)) ids.set(token, id);
  const [first = bare, second] = spaced ? [SPACE + bare, bare] : inside ? [bare] : [bare, SPACE + bare];
  const exact = ids.get(first) ?? ids.get(second ?? first);
  if (exact !== undefined) return { id: exact, exact: word === typed };
  const like = [...ids.keys()].filter((token) => token.startsWith(SPACE) === spaced);
  const alike = ids.get(closest(first, like) ?? "");
  const id = alike ?? tokenizer.wordIds(bare, spaced).find((each) => tokenizer.vocab[each] !== SPACE) ?? 0;
  return { id, exact: false };
}

/** The text with these words replaced, by index. */
export function swapped(text: string, words: ReadonlyMap<number, string>, places: readonly Word[]) {
  const signs = signsOf(text);
  for (const [index, word] of [...words].sort(([a], [b]) => b - a)) {
    const place = places[index];
    if (place) signs.splice(place.start, place.end - place.start, word);
  }
  return signs.join("");
}

// The most similar text, as Python's difflib.get_close_matches finds it (Ratcliff & Metzener 1988).
function closest(word: string, texts: readonly string[]) {
  const b = signsOf(word);
  let [best, most]: [string | null, number] = [null, ALIKE];
  for (const text of texts) {
    const a = signsOf(text);
    if ((2 * Math.min(a.length, b.length)) / (a.length + b.length) < most) continue;
    const common = commonRuns(a, b).reduce((sum, [, , length]) => sum + length, 0);
    const ratio = (2 * common) / (a.length + b.length);
    if (ratio > most || (ratio === most && (best === null || text > best))) [best, most] = [text, ratio];
  }
  return best;
}
