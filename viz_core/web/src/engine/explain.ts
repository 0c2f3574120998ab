// Text → explanation, as in viz_core/explain.py: translate a text greedily and record the pass, or give a target's probabilities; typed
// text as an edit.

import { commonRuns } from "./analysis/words";
import { SPACE, type Tokenizer, idsOf, type Token, type Tokenized, problem } from "./tokenizer/base";
import { signsOf, isUnseen, visible } from "./tokenizer/text";
import type { Word, Split } from "./tokenizer/spacy";
import { longestSource } from "./config";
import { finished, greedySteps } from "./decoding/reading";
import { type EditTable, fitted, isWhole, readEdits, PADDING, siteEdits } from "./edits";
import { editor, recorder, type Trace } from "./taps";
import { forward, type Model } from "./transformer";

// Typed text as an edit, as in viz_core/edits/table.py: a forced token of the vocabulary, or another word in a sentence.

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

/** One language of a checkpoint. */
export type Side = { tokenizer: Tokenizer; split: Split };
export type Translator = { model: Model; source: Side; target: Side };

/** What was cut or did not end; `code` names its text in viz_core/app/en.toml. */
export type Notice = { code: string; values: Record<string, string | number> };

/** source: what the encoder read. target: what the decoder read. output: the token after each of its positions. given: whether the
 * target was typed. edits: as in an address; table: those that the model can have, with forced tokens as they are written. */
export type Explanation = {
  source: Tokenized;
  target: Tokenized;
  output: Token[];
  text: string;
  trace: Trace;
  notices: Notice[];
  given: boolean;
  edits: string;
  table: EditTable;
};

export type Explaining = Generator<readonly number[], Explanation>;

const MAX_CHARACTERS = 10_000;

/** @param given a target; "" lets the model decide   @param link the edits as in an address */
export const explain = (translator: Translator, text: string, given = "", link = "") =>
  finished(explaining(translator, text, given, link));

/** The same step by step: yields the ids written so far. */
export function* explaining({ model, source, target }: Translator, text: string, given = "", link = ""): Explaining {
  const { config } = model;
  const [table, lacking] = fitted(readEdits(link), config);
  const [edits, notices]: [ReturnType<typeof siteEdits>, Notice[]] = [siteEdits(table, config), []];
  const changes = { edits, whole: isWhole(table) };
  const padding = table.on.has("no_padding_mask") ? PADDING : 0;
  const tell = (code: string, values: Notice["values"] = {}) => notices.push({ code, values });
  if (lacking) tell("edit_lacking", { edits: lacking });
  const read = sourceText();
  const tokenized = cut(source, read, longestSource(config) - padding, "source", notices);
  if (!tokenized.tokens.length || isUnseen(read)) throw new Error("There is no word in this text. Type a sentence to translate.");
  const encoderReads = framedTokens(source.tokenizer, tokenized, padding);
  const ids = idsOf(encoderReads);
  const isGiven = !isUnseen(given);
  const result = isGiven ? typed() : yield* written();
  if (link && result.trace.get("output.log_probs")?.data.some(Number.isNaN)) tell("not_finite");
  const spelled = target.tokenizer.read(result.ids, target.split);
  const start = target.tokenizer.special(config.bos_id, 0);
  const decoderReads = { ...spelled, tokens: [start, ...spelled.tokens.slice(0, -1)] };
  const { tokens: output, text: shownText } = spelled;
  return {
    source: encoderReads,
    target: decoderReads,
    output,
    text: shownText,
    trace: result.trace,
    notices,
    given: isGiven,
    edits: link,
    table,
  };

  function sourceText() {
    const [head, rest] = [signsOf(text).slice(0, MAX_CHARACTERS).join(""), signsOf(text).slice(MAX_CHARACTERS).join("")];
    const words = table.words.swap.size ? source.tokenizer.words(head, source.split) : [];
    const changed = swapped(head, table.words.swap, words) + rest;
    for (const [index, word] of table.words.swap) if (index >= words.length) tell("no_word", { index: index + 1, word });
    const wrong = problem(source.tokenizer.targetCodes, changed);
    if (wrong) tell(...wrong);
    return changed;
  }

  function pass(output: readonly number[]) {
    return tracedPass(model, ids, [config.bos_id, ...output.slice(0, -1)], table);
  }

  function typed() {
    const first = config.first_id === null ? [] : [config.first_id];
    const { tokens } = cut(target, given, config.max_len - 1 - first.length, "target", notices);
    const output = [...first, ...tokens.map(({ id }) => id), config.eos_id];
    if (table.words.force.size) tell("not_forced");
    return { ids: output, trace: pass(output) };
  }

  function* written() {
    const forced = new Map<number, number>();
    const shown = new Map<number, string>(); // what is written in the place of what was typed
    for (const [step, word] of table.words.force) {
      const { id, exact } = forcedToken(word, target.tokenizer);
      const label = target.tokenizer.tokenText(id);
      forced.set(step, id);
      shown.set(step, exact || label === visible(word) ? word : label); // a control character is shown as its byte is
      if (shown.get(step) !== word) tell("no_token", { index: step + 1, typed: word, shown: label });
    }
    table.words.force = shown;
    const result = yield* greedySteps(model, ids, { ...changes, forced });
    const [last, steps] = [result.ids.at(-1), result.ids.length];
    for (const [step, word] of shown) if (step >= steps) tell("unreached", { index: step + 1, typed: word });
    if (last === config.pad_id) tell("padding", { steps });
    else if (last !== config.eos_id) tell("unfinished", { steps });
    // Without the causal mask, each step saw less than the finished sentence, so a pass over all of it is shown.
    return changes.whole ? { ids: result.ids, trace: pass(result.ids) } : result;
  }
}

/** One teacher-forced pass with every site recorded. */
export function tracedPass(model: Model, source: readonly number[], target: readonly number[], table: EditTable): Trace {
  const trace: Trace = new Map();
  forward(model, source, target, editor(siteEdits(table, model.config), recorder(trace)));
  return trace;
}

// The special tokens around the sentence, and padding after it.
export function framedTokens(tokenizer: Tokenizer, text: Tokenized, padding: number): Tokenized {
  const { config } = tokenizer;
  const end = text.tokens.at(-1)?.end ?? 0;
  const before = config.source_start.map((id) => tokenizer.special(id, 0));
  const after = [config.eos_id, ...config.source_end, ...Array<number>(padding).fill(config.pad_id)];
  return { ...text, tokens: [...before, ...text.tokens, ...after.map((id) => tokenizer.special(id, end))] };
}

// The tokens of a text, at most so many, with a notice of what was cut.
function cut({ tokenizer, split }: Side, text: string, limit: number, side: string, notices: Notice[]): Tokenized {
  const signs = signsOf(text);
  const tokenized = tokenizer.encode(signs.slice(0, MAX_CHARACTERS).join(""), split);
  if (tokenized.tokens.length <= limit && signs.length <= MAX_CHARACTERS) return tokenized;
  const tokens = tokenized.tokens.slice(0, limit);
  const kept = tokens.at(-1)?.end ?? 0;
  notices.push({
    code: `${side}_cut`,
    values: { limit, characters: signs.length, kept, end: signs.slice(Math.max(kept - 40, 0), kept).join("") },
  });
  return { text: signs.slice(0, kept).join(""), words: tokenized.words.filter((word) => word.start < kept), tokens };
}
