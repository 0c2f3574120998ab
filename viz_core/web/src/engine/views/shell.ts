// What surrounds a page's figures: the chips of the top bar, limits for the keys, Predict's question, and the head to open on; as in
// viz_core/app/player.py, top_bar.py, browser/prediction.py and analysis/attention.py.

import { fill, sum } from "../../payload";
import { BLOCK } from "../config";
import { type EditTable, entriesOf, PLACES, PADDING, readEdits } from "../edits";
import { visible } from "../tokenizer/text";
import {
  type Words,
  enumerated,
  type Scene,
  labelsOf,
  stepsOf,
  topIds,
  vocabularyLabel,
  written,
  type Kind,
  pack,
  stacked,
} from "./view";
import type { Explanation } from "../explain";
import { argmax, size } from "../tensor";
import type { Token, Tokenized } from "../tokenizer/base";
import { byteNotes } from "./attention";
import { rivals } from "./logits";
import { mostMerges } from "./spelling";

// A sentence for each edit, as `describe` in viz_core/edits/table.py.

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

// The switchboard of the page What if, as `board` in pages/what_if/switchboard.py: what depends on the sentence and the edits.

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

const CHOICES = 5; // tokens to choose from in Predict

/** asked: `question` is "source" where Predict asks for the source token looked at most; `draft` has edits that another side shows;
 * `against`, where words are compared with another, has that one. */
export function shell(scene: Scene, asked: URLSearchParams) {
  const { explanation, words } = scene;
  const note = words("browser.byte_token").note;
  const start = explanation.target.tokens[0] as Token;
  const { options = [], notices = [] } = asked.has("against") ? rivals(scene, asked.get("against") ?? "") : {};
  const read = { ...explanation.target, tokens: [start, ...explanation.output] };
  return pack(
    {},
    {
      source: chips(explanation.source, note),
      target: chips(read, note),
      text: explanation.text,
      limits: {
        text: JSON.stringify([asked.get("model"), asked.get("text"), asked.get("target"), asked.get("edits")]),
        source: visible(explanation.source.text),
        written: written(explanation),
        edited: explanation.edits && [words("edits").banner, ...describe(explanation.table, words)].join(" "),
        steps: explanation.output.length,
        tokens: explanation.source.tokens.length,
      },
      question: asked.get("question") === "source" ? whereItLooks(scene) : nextTokens(scene),
      opening: Object.fromEntries((["self", "masked", "cross"] as const).map((kind) => [kind, clearestHead(scene, kind)])),
      notices: [...explanation.notices, ...notices, ...noticesOfRight(scene)],
      rivals: options,
      signs: signsOf(scene),
      merges: { source: mostMerges(scene, "source"), target: mostMerges(scene, "target") },
      board: board(scene, readEdits(asked.get("draft") ?? "")),
    },
  );
}

/** The notices about the right side alone, as in `compared` of viz_core/app/comparison.py. */
function noticesOfRight({ explanation, right }: Scene) {
  const known = new Set(explanation.notices.map((notice) => JSON.stringify(notice)));
  const own = right?.explanation.notices.filter((notice) => !known.has(JSON.stringify(notice))) ?? [];
  return own.map((notice) => ({ ...notice, isRight: true }));
}

/** Signs of a bad translation, as in `doubt` of viz_core/analysis/next_token.py: the share of source tokens that are bytes or unknown,
 * and the geometric mean of the output's probabilities. null for a typed target or an edited model. */
function signsOf({ explanation, source: { tokenizer } }: Scene) {
  if (explanation.given || explanation.edits) return null;
  const typed = explanation.source.tokens.filter(({ word }) => word !== null);
  const logs = stepsOf(explanation).map(({ logProbs, expected }) => logProbs[expected.id] ?? Number.NaN);
  return {
    spelt: typed.filter(({ id }) => !tokenizer.isText(id)).length / Math.max(typed.length, 1),
    mean: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length),
  };
}

/** For each token its text, its word, and a note. */
function chips(text: Tokenized, note: string) {
  const notes = byteNotes(text, note);
  return text.tokens.map((token, at) => [visible(token.text), token.word, notes[at] ?? ""]);
}

const readsOf = ({ target }: Explanation) => labelsOf(target.tokens);

/** The source token with the largest weight, for each layer, head and step. */
function whereItLooks(scene: Scene) {
  const weights = stacked(scene, "cross", "weights");
  const [layers, heads, steps, keys] = [0, 1, 2, 3].map((axis) => size(weights, axis)) as [number, number, number, number];
  const row = (at: number) => weights.data.subarray(at * keys, (at + 1) * keys);
  const strongest = range(layers).map((layer) =>
    range(heads).map((head) => range(steps).map((step) => argmax(row((layer * heads + head) * steps + step)))),
  );
  return { asked: "source", reads: readsOf(scene.explanation), tokens: labelsOf(scene.explanation.source.tokens), strongest };
}

/** The most probable tokens of each step in alphabetical order, the next one, and the source token with the largest mean weight. */
function nextTokens(scene: Scene) {
  const { explanation, target } = scene;
  const label = (id: number) => visible(vocabularyLabel(target.tokenizer, id));
  const weights = stacked(scene, "cross", "weights");
  const [rows, keys] = [size(weights, 2), size(weights, 3)];
  const heads = size(weights, 0) * size(weights, 1);
  const sources = labelsOf(explanation.source.tokens);
  const steps = stepsOf(explanation).map(({ logProbs, expected: { id: next } }, step) => {
    const share = (id: number) => finite(Math.exp(logProbs[id] ?? Number.NaN));
    const choices = topIds(logProbs, CHOICES)
      .map((id) => ({ id, label: label(id) }))
      .sort((one, other) => compared(one.label.toLowerCase(), other.label.toLowerCase()) || compared(one.label, other.label));
    const place = choices.findIndex(({ id }) => id === next);
    const weight = (head: number, key: number) => weights.data[(head * rows + step) * keys + key] as number;
    const mean = range(keys).map((key) => sum(range(heads).map((head) => weight(head, key))) / heads);
    const looked = argmax(mean);
    return {
      choices: choices.map(({ id, label }) => [label, share(id)]),
      written: [label(next), share(next)],
      right: place < 0 ? choices.length : place,
      looks: [sources[looked], finite(mean[looked] ?? Number.NaN)],
    };
  });
  return { asked: "word", reads: readsOf(explanation), steps, heads };
}

/** How clearly each head shows the pattern of its attention, by layer: its mean weight on the previous token, in cross attention on the one
 * that all attend to most. */
export function patternShares(scene: Scene, kind: Kind) {
  const weights = stacked(scene, kind, "weights");
  const [heads, rows, keys] = [size(weights, 1), size(weights, 2), size(weights, 3)];
  const all = size(weights, 0) * heads;
  const weight = (head: number, query: number, key: number) => weights.data[(head * rows + query) * keys + key] as number;
  const most = (query: number) => argmax(range(keys).map((key) => sum(range(all).map((head) => weight(head, query, key)))));
  const looked = range(rows).map((query) => (kind === "cross" ? most(query) : query - 1));
  const queries = kind === "cross" || rows < 2 ? range(rows) : range(rows).slice(1);
  const share = (head: number) => sum(queries.map((query) => weight(head, query, Math.max(looked[query] ?? 0, 0))));
  return range(all / heads).map((layer) => range(heads).map((head) => share(layer * heads + head) / queries.length));
}

/** Layer and head with the clearest pattern. */
function clearestHead(scene: Scene, kind: Kind) {
  const shares = patternShares(scene, kind);
  const heads = shares[0]?.length ?? 1;
  const clearest = argmax(shares.flat());
  return [Math.floor(clearest / heads), clearest % heads];
}

const range = (length: number) => Array.from({ length }, (_, at) => at);
const compared = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const finite = (share: number) => (Number.isFinite(share) ? share : null);
