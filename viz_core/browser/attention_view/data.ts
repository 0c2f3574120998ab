// The attention payload: all layers and heads of one attention of one sentence; head −1 is their mean.

import { type Tensor, memoized, nth, readTensors, sliceOf } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { ExactCell, View } from "../../web/src/ui/store";

export const MEAN = -1;
const ROUND_ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20]; // 20 in case floating point puts a power of ten just above 10

const own = textsIn("browser.attention_view");
const stages = textsIn("app.player.stages");
const ofTwo = textsIn("browser.side_by_side");
const AXES = {
  self: textsIn("self_attention.axes"),
  masked: textsIn("masked_attention.axes"),
  cross: textsIn("cross_attention.axes"),
};

export type Texts = ReturnType<typeof textsOf>;

// The texts of one attention, with the model's own names for ⟨s⟩ and ⟨/s⟩.
function textsOf({ kind, edited, ends: [start, end] }: Sent) {
  const { kinds, ...words } = own;
  const { blocks: _, ...operations } = stages;
  const all = { absent: "", ...words, ...operations, ...ofTwo, ...AXES[kind], kind: kinds[kind] };
  const { line_scaled_edited: line_scaled, scaled_column_edited: scaled_column, reads_scaled_edited: reads_scaled } = words;
  if (edited) Object.assign(all, { line_scaled, scaled_column, reads_scaled });
  const named = (text: string) => text.replace(/⟨(\/?)s⟩/g, (_, ends) => (ends ? end : start));
  return Object.fromEntries(Object.entries(all).map(([name, text]) => [name, named(text)])) as typeof all & Record<string, string>;
}

// See viz_core/browser/attention_payload.py.
export type Sent = Record<"rows" | "columns" | "row_notes" | "column_notes", string[]> &
  Record<"row_words" | "column_words", Words> &
  Record<"special_rows" | "special_columns", number[]> &
  Record<"steps" | "grows" | "hide_rows" | "edited", boolean> & {
    kind: keyof typeof AXES;
    writes: string[] | null;
    out: Head[];
    ends: [start: string, end: string]; // the model's ⟨s⟩ and ⟨/s⟩
  };
export type About = Sent & { texts: Texts };
export type Words = { labels: string[]; tokens: Tokens[] };
export type Tokens = [first: number, ...others: number[]];
type Site = "q" | "k" | "v" | "mix";
type Name = Site | "scores" | "weights" | "mask" | "v_first" | "mix_first" | "scaled" | "masked";
export type Head = [layer: number, head: number];
/** A row and a column of a picture, −1 for a label; in the neuron view also a dimension. */
export type Place = [row: number, column: number, dim?: number];
export type CellAt = Record<"layer" | "head" | "query" | "key", number>;

/** An attention, or the difference of two. */
export interface Attention extends ReturnType<typeof attentionOf> {
  signed?: boolean;
  widest?(view: View): number;
  sides?(layer: number, head: number, row: Entry, column: Entry): [number, number];
}

/** A row or column: its label and note, its position in the sentence from 1, the token positions that it covers; a decoder row also has
 * the token it reads. */
export type Entry = { label: string; note?: string | undefined; place: number; tokens: Tokens; reads?: string };

// Whether a stage shows weights rather than signed scores.
export const isWeights = (stage: string) => stage === "softmax" || stage === "mix";

export const readAttention = (payload: Uint8Array): Attention => attentionOf(readTensors<Sent, Name>(payload));

export function attentionOf({ about: sent, tensors }: { about: Sent; tensors: Partial<Record<Name, Tensor>> }) {
  const about: About = { ...sent, texts: textsOf(sent) };
  const of = (name: Name) => tensors[name] as Tensor;
  const [layers = 0, heads = 0, rows = 0, columns = 0] = of("weights").shape;
  const width = nth(of("q").shape, 3);
  const root = Math.fround(Math.sqrt(width)); // d_k and √d_k
  const mask = of("mask").data;
  const part = (name: Name, ...at: number[]) => sliceOf(of(name), ...at) as Float32Array;
  // (rows × columns) at a stage: the very numbers of the trace; NaN where the mask forbids, from its stage on.
  const values = (layer: number, head: number, stage: string) => valuesAt(layer, head, isWeights(stage) ? "weights" : stage);
  const valuesAt = memoized((layer: number, head: number, stage: string): Float32Array => {
    if (head === MEAN) return meanOf(layer, stage);
    if (stage === "scores") return part("scores", layer, head);
    const numbers = recorded(stage, layer, head);
    if (stage !== "scaled") for (let at = 0; at < numbers.length; at += 1) if (!mask[at]) numbers[at] = NaN;
    return numbers;
  });

  // Scaled and masked scores are computed from the raw ones, unless an edit of the model changed them: then they are in the payload.
  const recorded = (stage: string, layer: number, head: number) => {
    const name = (stage === "mask" ? "masked" : stage) as Name;
    return tensors[name] ? Float32Array.from(part(name, layer, head)) : part("scores", layer, head).map((score) => score / root);
  };

  const meanOf = (layer: number, stage: string) => {
    const sum = new Float64Array(rows * columns);
    for (let head = 0; head < heads; head += 1)
      valuesAt(layer, head, stage).forEach((value, at) => {
        sum[at] = nth(sum, at) + value;
      });
    return Float32Array.from(sum, (total) => total / heads);
  };

  // The end of the colours for these scores: their largest size, rounded up to a 5. Raw and scaled share it.
  const limit = memoized((layer: number, head: number) => {
    const scores = values(layer, head, "scores");
    let largest = 5;
    for (let at = 0; at < scores.length; at += 1) largest = Math.max(largest, Math.abs(nth(scores, at))); // leaves no garbage
    return 5 * Math.ceil(largest / 5);
  });

  // The end of the colours of q, k and their products: one for all of a head, so that it stays while one steps. A few products are
  // so much larger than the rest that with an end for them nothing else could be seen: what is beyond has the last colour.
  const end = memoized((layer: number, head: number) => {
    const [q, k] = [part("q", layer, head), part("k", layer, head)];
    const squares = [q, k].reduce((sum, vectors) => vectors.reduce((total, x) => total + x * x, sum), 0);
    return roundEnd(3 * Math.sqrt(squares / (q.length + k.length)));
  });

  return {
    about,
    layers,
    heads,
    rows,
    columns,
    width,
    root,
    values,
    raw: (...at: number[]) => part("weights", ...at), // of a layer and head, or of one query; 0 where masked
    limit,
    vector: (site: Site, layer: number, head: number, at: number) => part(site, layer, head, at),
    // the first dimension of v or mix, exact
    first: (site: "v" | "mix", layer: number, head: number) => part(`${site}_first`, layer, head),
    end,
    // whether an edit of the model removed this head
    out: (layer: number, head: number) => about.out.some(([one, other]) => one === layer && other === head),
    open: (query: number, key: number) => mask[query * columns + key] === 1,
    exact: of("weights").exact && of("scores").exact,
    exactVectors: of("q").exact && of("k").exact,
  };
}

// The next round number.
function roundEnd(size: number) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(size, 1e-6)));
  const end = ROUND_ENDS.find((round) => round * unit >= size) ?? Number.NaN;
  return Number((unit * end).toPrecision(2));
}

// The numbers of one cell on its way through the softmax; exp and total are derived, as in `viz_core.analysis.attention`.
export function cellOf(data: Attention, { layer, head, query, key }: CellAt) {
  const row = (stage: string) => data.values(layer, head, stage).subarray(query * data.columns, (query + 1) * data.columns);
  const enters = row("mask");
  const scaled = nth(row("scaled"), key);
  const open = data.open(query, key);
  const total = enters.reduce((sum, score, other) => (data.open(query, other) ? sum + Math.exp(score) : sum), 0);
  return {
    score: nth(row("scores"), key),
    scaled,
    exp: Math.exp(open ? nth(enters, key) : scaled),
    total,
    weight: row("softmax")[key] || 0, // NaN where masked
    open,
  };
}

export const NUMBERS = ["score", "scaled", "exp", "total", "weight"] as const;

// Python's exact numbers, if they belong to this cell.
export function numbersOf(exact: ExactCell | null, kind: string, at: CellAt) {
  const place = Object.entries({ ...at, kind }) as [keyof CellAt | "kind", number | string][];
  if (!exact || place.some(([name, value]) => exact[name] !== value)) return null;
  const sent: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const name of NUMBERS) if (exact[name] !== null) sent[name] = exact[name];
  return sent;
}
