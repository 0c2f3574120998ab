// The weights of one attention: stage by stage, as heat maps, without its mask, or through the layers of rollout.

import { fill } from "../../payload";
import { groups } from "../analysis/words";
import { attentionAt } from "../config";
import { type EditTable, headsOut } from "../edits";
import type { Explanation } from "../explain";
import { size, type Tensor, tensor } from "../tensor";
import type { Token, Tokenized } from "../tokenizer/base";
import { signsOf, visible } from "../tokenizer/text";
import { labelsOf, type Kind, pack, type Scene, type Sent, siteOf, stacked, allKnown, doubles } from "./view";
import { meanAttention } from "../analysis/rollout";

const PRINTED = ["scores", "weights", "q", "k"];
const EDITED = ["scaled", "masked"];
const DRAWN = ["v", "mix"];

/** All layers and heads. whole: masked attention shows the whole target; first: with the first dimension of v and mix alone. */
export function attentionPayload(scene: Scene, kind: Kind, { whole = false, first = false } = {}) {
  const firsts = first ? DRAWN.map((site) => [`${site}_first`, firstOf(stacked(scene, kind, site))]) : [];
  const tensors = { ...attentionTensors(scene, kind, sitesOf(scene.explanation.table)), ...Object.fromEntries(firsts) };
  return pack({ ...tensors, mask: maskOf(scene, kind) }, attentionAbout(scene, kind, whole));
}

/** The sites that the browser cannot derive. */
export const sitesOf = (table: EditTable) => [...PRINTED, ...DRAWN, ...(isSoftmaxEdited(table) ? EDITED : [])];

export const attentionTensors = (scene: Scene, kind: Kind, sites: readonly string[]): Record<string, Sent> =>
  Object.fromEntries(sites.map((site) => [site, stacked(scene, kind, site)]));

/** The keys that each query may attend to, (Tq, Tk). */
export function maskOf({ explanation: { trace } }: Scene, kind: Kind): Sent {
  const [{ data: mask }, weights] = ["mask", "weights"].map((site) => siteOf(trace, `${attentionAt(kind, 0)}.${site}`)) as [
    Tensor,
    Tensor,
  ];
  const [rows, keys] = [size(weights, 1), size(weights, 2)];
  return { shape: [rows, keys], data: Uint8Array.from({ length: rows * keys }, (_, at) => mask[at % mask.length] as number) };
}

/** Labels. */
export function attentionAbout({ explanation, words, model: { config } }: Scene, kind: Kind, whole = false) {
  const { source, target, table, output } = explanation;
  const [queries, keys] = sidesOf(explanation, kind);
  return {
    kind,
    rows: labelsOf(queries.tokens),
    columns: labelsOf(keys.tokens),
    row_notes: byteNotes(queries, words("browser.byte_token").note),
    column_notes: byteNotes(keys, words("browser.byte_token").note),
    writes: kind === "self" ? null : labelsOf(output),
    row_words: wordsOf(queries),
    column_words: wordsOf(keys),
    special_rows: specialsOf(queries),
    special_columns: specialsOf(keys),
    steps: kind !== "self",
    grows: kind === "masked" && !whole && !table.on.has("no_causal_mask"),
    out: headsOut(table, config, kind),
    hide_rows: kind !== "cross",
    edited: isSoftmaxEdited(table),
    ends: [labelsOf(target.tokens)[0], labelsOf(source.tokens).at(-1)],
  };
}

/** The tokens of an attention's queries (rows) and keys (columns). */
export const sidesOf = ({ source, target }: Explanation, kind: Kind) =>
  [kind === "self" ? source : target, kind === "masked" ? target : source] as const;

/** For each byte token a note with the byte in hexadecimal and its character; "" for all others. */
export function byteNotes({ text, tokens }: Tokenized, note: string) {
  const signs = signsOf(text);
  return tokens.map((token) =>
    isBytes(token) ? fill(note, { byte: bytesIn(token), character: visible(signs.slice(token.start, token.end).join("")) }) : "",
  );
}

const isBytes = ({ word, text }: Token) => word !== null && /^(?:⟨[0-9A-F]{2}⟩)+$/.test(text);
const bytesIn = ({ text }: Token) => text.slice(1, -1).replaceAll("⟩⟨", " ");

function wordsOf(tokenized: Tokenized) {
  const { labels, positions } = groups(tokenized);
  return { labels: labels.map(visible), tokens: positions };
}

const specialsOf = ({ tokens }: Tokenized) => tokens.flatMap(({ word }, at) => (word === null ? [at] : []));

/** Whether the softmax takes something else than score ÷ √d_k. */
const isSoftmaxEdited = ({ on, temperature, places }: EditTable) =>
  on.has("no_scale") || temperature !== 1 || (places.uniform ?? []).length > 0;

/** The first number of each vector: (…, d) → (…). */
function firstOf(x: Tensor) {
  const result = tensor(x.shape.slice(0, -1));
  for (let at = 0; at < result.data.length; at += 1) result.data[at] = x.data[at * size(x, -1)] as number;
  return result;
}

// One attention, stage by stage, as `attention_view` in viz_core/app/data_views.py.

export const attentionView = (scene: Scene, asked: URLSearchParams) =>
  attentionPayload(scene, asked.get("kind") as Kind, { first: true });

// The weights that attention rollout multiplies, as `attention_rollout` in pages/why/rollout.py.

const KINDS: readonly Kind[] = ["self", "masked", "cross"];

export function attentionRollout({ model: { config }, explanation, words }: Scene) {
  const { trace, source, target, output } = explanation;
  const { labels, positions } = groups(source);
  const texts = words("why");
  const weights = KINDS.map((kind) => [kind, doubles(meanAttention(trace, kind, config))] as const);
  allKnown(texts, ...weights.map(([, { data }]) => data));
  return pack(Object.fromEntries(weights), {
    words: labels.map(visible),
    owners: positions.flatMap((tokens, word) => tokens.map(() => word)),
    target: labelsOf(target.tokens),
    written: labelsOf(output),
  });
}

// Heat maps of queries × keys, as `token_maps_payload` in viz_core/app/token_maps.py.

/** Numbers of all layers, or of all heads of all layers: one leading axis for each name in `by`. */
export type Numbers = Record<string, { by: readonly string[]; values: Sent }>;

export function tokenMaps({ explanation }: Scene, kind: Kind, numbers: Numbers, about: object) {
  const [each, [queries, keys]] = [Object.entries(numbers), sidesOf(explanation, kind)];
  return pack(Object.fromEntries(each.map(([name, { values }]) => [name, values])), {
    kind,
    queries: labelsOf(queries.tokens),
    keys: labelsOf(keys.tokens),
    writes: kind === "self" ? null : labelsOf(explanation.output),
    by: Object.fromEntries(each.map(([name, { by }]) => [name, by])),
    ...about,
  });
}
