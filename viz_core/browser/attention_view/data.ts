// The attention payload: all layers and heads of one attention of one sentence (head -1 is the mean of the heads), and what
// of it is shown in which order: tokens or words, with or without special tokens, keys by position or by weight.

import { type Tensor, memoized, nth, readTensors, sliceOf } from "../../web/src/payload";
import type { ExactCell, View, Words as Named } from "../../web/src/ui/store";
import { guessedFrom } from "../../web/src/view";

export const MEAN = -1;
const ROUND_ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20]; // the last for what division makes of a power of ten

export type Texts = Readonly<
  Named<
    | "absent columns columns_are derived_words dimensions guess head heading k k_of kind largest_first later later_row layer left"
    | "line_closed line_exp line_mask line_open line_scaled line_score line_total line_weight locked masked mean_sign mixed"
    | "note_hidden options others out panel pick_key pick_query place place_mean points q q_of qk qk_of reads_dimension reads_out"
    | "region right rows rows_are rows_words scaled_column show sum_is_score tip total_mean total_words weight"
  > &
    Record<string, string>
>;

// See viz_core/browser/attention_payload.py.
type About = Record<"rows" | "columns" | "row_notes" | "column_notes", string[]> &
  Record<"row_words" | "column_words", Words> &
  Record<"special_rows" | "special_columns", number[]> &
  Record<"steps" | "grows" | "hide_rows", boolean> & { kind: string; writes: string[] | null; out: Head[]; texts: Texts };
type Words = { labels: string[]; tokens: Tokens[] };
type Tokens = [first: number, ...others: number[]];
type Site = "q" | "k" | "v" | "mix";
type Name = Site | "scores" | "weights" | "mask" | "v_first" | "mix_first" | "scaled" | "masked";
export type Head = [layer: number, head: number];
/** A row and a column of a picture, -1 beside them; of neurons a dimension, too. */
export type Place = [row: number, column: number, dim?: number];
export type CellAt = Record<"layer" | "head" | "query" | "key", number>;

/** An attention, or the difference of two. */
export interface Attention extends ReturnType<typeof attentionOf> {
  signed?: boolean;
  widest?(view: View): number;
  sides?(layer: number, head: number, row: Entry, column: Entry): [number, number];
}

/** A row or a column: what there is to say of it, its place in the sentence, from 1, and the positions of the tokens it stands
 * for; of a row of the decoder also what it reads. */
export type Entry = { label: string; note?: string | undefined; place: number; tokens: Tokens; reads?: string };

export type Selection = ReturnType<typeof selectionOf>;

// Whether a stage shows weights; the others show signed scores.
const isWeights = (stage: string) => stage === "softmax" || stage === "mix";

export const readAttention = (payload: Uint8Array): Attention => attentionOf(readTensors<About, Name>(payload));

export function attentionOf({ about, tensors }: { about: About; tensors: Partial<Record<Name, Tensor>> }) {
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
    const found = recorded(stage, layer, head);
    if (stage !== "scaled") for (let at = 0; at < found.length; at += 1) if (!mask[at]) found[at] = NaN;
    return found;
  });

  // Scaled and masked are the scores divided, unless an edit of the model changed them: then they were sent.
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
    const largest = values(layer, head, "scores").reduce((most, score) => Math.max(most, Math.abs(score)), 0);
    return 5 * Math.max(1, Math.ceil(largest / 5));
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
    raw: (...at: number[]) => part("weights", ...at), // of a layer and a head, or of one query: 0 where the mask forbids
    limit,
    vector: (site: Site, layer: number, head: number, at: number) => part(site, layer, head, at),
    // of v or mix the first dimension, exact
    first: (site: "v" | "mix", layer: number, head: number) => part(`${site}_first`, layer, head),
    end,
    // an edit of the model took it out
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

// All numbers of one cell on its way through the softmax; exp and total are derived, as `viz_core.analysis.attention` derives them.
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
    weight: row("softmax")[key] || 0, // NaN where the mask forbids
    open,
  };
}

export const NUMBERS = ["score", "scaled", "exp", "total", "weight"] as const;

// The numbers that Python has sent, where they are of this very cell.
export function numbersOf(exact: ExactCell | null, kind: string, at: CellAt) {
  const place = Object.entries({ ...at, kind }) as [keyof CellAt | "kind", number | string][];
  if (!exact || place.some(([name, value]) => exact[name] !== value)) return null;
  const sent: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const name of NUMBERS) if (exact[name] !== null) sent[name] = exact[name];
  return sent;
}

// Which heads a view shows: [[layer, head], …]; one picture or a grid of them.
export function headsOf(data: Attention, { show, layer, head }: View): Head[] {
  const all = (of: number) => Array.from({ length: data.heads }, (_, each): Head => [of, each]);
  if (show === "one") return [[layer, head]];
  if (show === "mean") return [[layer, MEAN]];
  if (show === "layer") return all(layer);
  return Array.from({ length: data.layers }, (_, each) => all(each)).flat();
}

// How a view is drawn: "matrix", "lines", "neurons" or, of many heads, "grid". A neuron is of one head.
export function formOf({ show, form }: View): "grid" | "lines" | "matrix" | "neurons" {
  if (show === "layer" || show === "model") return "grid";
  if (form === "lines") return "lines";
  return form === "neurons" && show === "one" ? "neurons" : "matrix";
}

// The view where two stages stand side by side, which leaves no room for neurons.
export const withoutNeurons = (view: View): View => (view.form === "neurons" ? { ...view, form: "matrix" } : view);

// Words, log and order mean something for weights only; an order of its own for each head would make a grid
// incomparable. Neurons are of one head, and q and k are of tokens.
export function possible(view: View) {
  const weights = isWeights(view.stage) && formOf(view) !== "neurons";
  const one = view.show === "one";
  return { neurons: one, words: weights, log: weights, order: one || view.show === "mean" };
}

// row: of the current step, in the encoder of the token that one looks at, or -1; there, thereColumns: how many exist at this step.
export function selectionOf(data: Attention, view: View) {
  const { about } = data;
  const may = possible(view);
  const words = view.unit === "words" && may.words;
  const hide = view.specials === "hide";
  const hidden = hide && about.hide_rows ? about.special_rows : [];
  const rows = side(about.rows, about.row_notes, about.row_words, words, hidden);
  const columns = side(about.columns, about.column_notes, about.column_words, words, hide ? about.special_columns : []);
  if (about.steps) for (const row of rows) asWritten(row, about, view, words);
  if (about.kind === "masked" && !about.grows) hideGuessed(columns, view);
  const arrived = (all: Entry[]) => all.filter(({ tokens }) => tokens[0] <= view.step).length;
  const asked = about.kind === "cross" && view.predict === "source";
  const selection = {
    words,
    stage: view.stage,
    weights: isWeights(view.stage) && !data.signed,
    signed: data.signed ?? false,
    log: view.scale === "log" && may.log,
    rows,
    columns,
    row: rows.findIndex(({ tokens }) => tokens.includes(about.steps ? view.step : view.token)),
    there: about.steps ? arrived(rows) : rows.length,
    thereColumns: about.grows ? arrived(columns) : columns.length,
    growing: about.grows, // keys are written too: columns after the current step do not exist yet
    guessing: asked || (about.kind === "cross" && view.lecture), // what later rows look at will be asked, or may be
    covered: asked && !view.revealed, // what the current row looks at is still asked
    key: [view.stage, words, words ? rows.map(({ tokens }) => tokens.length) : "", hide, view.order].join("|"),
    // columns that must fit: where two stand side by side, in both
    cells: Math.max(columns.length, data.widest?.(view) ?? 0),
  };
  if (view.order === "weight" && may.order && !selection.covered) sortColumns(data, selection, view);
  return selection;
}

function side(labels: string[], notes: string[], of: Words, words: boolean, hidden: number[]) {
  const all: Entry[] = words
    ? of.labels.map((label, at) => ({ label, place: at + 1, tokens: nth(of.tokens, at) }))
    : labels.map((label, at) => ({ label, note: notes[at], place: at + 1, tokens: [at] }));
  return all.filter((one) => !hidden.includes(one.tokens[0]));
}

// A row of the decoder: what it reads and writes, so far as it is neither to be guessed nor still to be written.
function asWritten(row: Entry, { writes }: About, view: View, words: boolean) {
  const secret = guessedFrom(view);
  const last = Math.max(...row.tokens);
  if (words && row.tokens[0] <= view.step) row.tokens = row.tokens.filter((token) => token <= view.step) as Tokens;
  if (last > secret) Object.assign(row, { label: "?", note: "" });
  if (view.lecture && row.tokens[0] > view.step) {
    Object.assign(row, { label: "…", note: "" }); // on stage nothing is read before it is written
    return;
  }
  if (words || !writes) return;
  row.reads = row.label;
  row.label += ` → ${last >= secret ? "?" : writes[last]}`;
}

// Keys that are there already but are still to be guessed: without the mask a row looks at them.
function hideGuessed(columns: Entry[], view: View) {
  for (const column of columns) if (Math.max(...column.tokens) > guessedFrom(view)) Object.assign(column, { label: "?", note: "" });
}

// Keys by what the current row gives them, the most first; keys that are not there yet stay last.
function sortColumns(data: Attention, selection: Selection, view: View) {
  const [layer, head] = nth(headsOf(data, view), 0);
  const at = Math.max(0, focusRow(selection, view));
  const { columns } = selection;
  const weights = valuesOf(data, { ...selection, stage: "softmax" }, layer, head);
  const weight = (one: number) => weights[at * columns.length + one] || 0;
  const absent = (one: number) => Number(selection.growing && nth(columns, one).tokens[0] > view.step);
  const order = [...columns.keys()].sort((a, b) => absent(a) - absent(b) || weight(b) - weight(a) || a - b);
  selection.columns = order.map((one) => nth(columns, one));
  selection.key += `|${order}`;
}

// The row that is spoken of: the locked cell's where it exists, else the current step's, else the first.
export function focusRow(selection: Pick<Selection, "rows" | "row" | "there">, { cell }: View) {
  const locked = cell ? selection.rows.findIndex(({ tokens }) => tokens.includes(cell[0])) : -1;
  return locked >= 0 && locked < selection.there ? locked : selection.row;
}

// (rows × columns) of one head as selected: summed over a word's key tokens, averaged over its query tokens (Clark et
// al. 2019, §4.1).
type Selected = Pick<Selection, "rows" | "columns" | "stage" | "words">;
export function valuesOf(data: Attention, { rows, columns, stage, words }: Selected, layer: number, head: number) {
  const from = data.values(layer, head, stage);
  const values = new Float32Array(rows.length * columns.length);
  let at = 0;
  for (const { tokens: queries } of rows) {
    for (const { tokens: keys } of columns) {
      values[at] = words ? share(from, data.columns, queries, keys) : nth(from, queries[0] * data.columns + keys[0]);
      at += 1;
    }
  }
  return values;
}

// From token values to those of a word and a word; NaN where all tokens are masked.
export function share(from: Float32Array, width: number, queries: number[], keys: number[]) {
  let total = 0;
  let open = false;
  for (const query of queries) {
    for (const key of keys) {
      const value = nth(from, query * width + key);
      if (Number.isNaN(value)) continue;
      total += value;
      open = true;
    }
  }
  return open ? total / queries.length : NaN;
}

// Row and column of a cell [query, key] of tokens; null where it is not shown or does not exist yet.
export function placeOf(selection: Selection, cell: View["cell"]): Place | null {
  if (!cell) return null;
  const find = (all: Entry[], token: number) => all.findIndex(({ tokens }) => tokens.includes(token));
  const [row, column] = [find(selection.rows, cell[0]), find(selection.columns, cell[1])];
  return row >= 0 && row < selection.there && column >= 0 && column < selection.thereColumns ? [row, column] : null;
}

// The column that a row of values gives most, or takes most from; the first of equals.
export function strongestIn(values: Float32Array, row: number, columns: number) {
  const size = (column: number) => Math.abs(values[row * columns + column] || 0);
  let best = 0;
  for (let column = 1; column < columns; column += 1) if (size(column) > size(best)) best = column;
  return best;
}
