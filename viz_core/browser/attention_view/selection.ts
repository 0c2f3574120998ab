// The selection that a picture shows: which heads, tokens or words, with or without special tokens, keys by position or by weight.

import { nth } from "../../web/src/payload";
import type { View } from "../../web/src/ui/store";
import { guessedFrom } from "../../web/src/view";
import { type About, type Attention, type Entry, type Head, MEAN, type Place, type Tokens, type Words, isWeights } from "./data";

export type Selection = ReturnType<typeof selectionOf>;

// The heads that a view shows, as [[layer, head], …]; one picture or a grid.
export function headsOf(data: Attention, { show, layer, head }: View): Head[] {
  const all = (ofLayer: number) => Array.from({ length: data.heads }, (_, index): Head => [ofLayer, index]);
  if (show === "one") return [[layer, head]];
  if (show === "mean") return [[layer, MEAN]];
  if (show === "layer") return all(layer);
  return Array.from({ length: data.layers }, (_, index) => all(index)).flat();
}

// The form of a picture; many heads make a grid, and neurons need a single head.
export function formOf({ show, form }: View): "grid" | "lines" | "matrix" | "neurons" {
  if (show === "layer" || show === "model") return "grid";
  if (form === "lines") return "lines";
  return form === "neurons" && show === "one" ? "neurons" : "matrix";
}

// For two stages side by side, which leave no room for the neuron view.
export const withoutNeurons = (view: View): View => (view.form === "neurons" ? { ...view, form: "matrix" } : view);

// Which switches apply: words, log and order to weights only; order not to a grid, whose heads could not be compared; neurons to a
// single head, since q and k belong to tokens.
export function possible(view: View) {
  const weights = isWeights(view.stage) && formOf(view) !== "neurons";
  const one = view.show === "one";
  return { neurons: one, words: weights, log: weights, order: one || view.show === "mean" };
}

// row: of the current step, or in the encoder of the focused token, or −1; there, thereColumns: how many exist at this step.
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
  const isAsked = about.kind === "cross" && view.predict === "source";
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
    growing: about.grows, // keys are written step by step too: columns after the current step do not exist yet
    guessing: isAsked || (about.kind === "cross" && view.lecture), // the attention of later rows is, or may be, a question
    covered: isAsked && !view.revealed, // the attention of the current row is still a question
    key: [view.stage, words, words ? rows.map(({ tokens }) => tokens.length) : "", hide, view.order].join("|"),
    // columns that must fit; with two pictures side by side, in both
    cells: Math.max(columns.length, data.widest?.(view) ?? 0),
  };
  if (view.order === "weight" && may.order && !selection.covered) sortColumns(data, selection, view);
  return selection;
}

function side(labels: string[], notes: string[], grouped: Words, words: boolean, hidden: number[]) {
  const all: Entry[] = words
    ? grouped.labels.map((label, at) => ({ label, place: at + 1, tokens: nth(grouped.tokens, at) }))
    : labels.map((label, at) => ({ label, note: notes[at], place: at + 1, tokens: [at] }));
  return all.filter(({ tokens }) => !hidden.includes(tokens[0]));
}

// Labels a decoder row with the token it reads and the one it writes, unless these are to be guessed or not written yet.
function asWritten(row: Entry, { writes }: About, view: View, words: boolean) {
  const secret = guessedFrom(view);
  const last = Math.max(...row.tokens);
  if (words && row.tokens[0] <= view.step) row.tokens = row.tokens.filter((token) => token <= view.step) as Tokens;
  if (last > secret) Object.assign(row, { label: "?", note: "" });
  if (view.lecture && row.tokens[0] > view.step) {
    Object.assign(row, { label: "…", note: "" }); // in lecture mode nothing is shown before it is written
    return;
  }
  if (words || !writes) return;
  row.reads = row.label;
  row.label += ` → ${last >= secret ? "?" : writes[last]}`;
}

// Hides keys that are still to be guessed; without the causal mask rows attend to them.
function hideGuessed(columns: Entry[], view: View) {
  for (const column of columns) if (Math.max(...column.tokens) > guessedFrom(view)) Object.assign(column, { label: "?", note: "" });
}

// Sorts keys by the current row's weights, largest first; keys that do not exist yet stay last.
function sortColumns(data: Attention, selection: Selection, view: View) {
  const [layer, head] = nth(headsOf(data, view), 0);
  const at = Math.max(0, focusRow(selection, view));
  const { columns } = selection;
  const weights = valuesOf(data, { ...selection, stage: "softmax" }, layer, head);
  const weight = (column: number) => weights[at * columns.length + column] || 0;
  const absent = (column: number) => Number(selection.growing && nth(columns, column).tokens[0] > view.step);
  const order = [...columns.keys()].sort((a, b) => absent(a) - absent(b) || weight(b) - weight(a) || a - b);
  selection.columns = order.map((column) => nth(columns, column));
  selection.key += `|${order}`;
}

// The focused row: that of the locked cell if it exists, otherwise that of the current step.
export function focusRow(selection: Pick<Selection, "rows" | "row" | "there">, { cell }: View) {
  const locked = cell ? selection.rows.findIndex(({ tokens }) => tokens.includes(cell[0])) : -1;
  return locked >= 0 && locked < selection.there ? locked : selection.row;
}

// (rows × columns) of one head for the selection: for words, summed over key tokens and averaged over query tokens (Clark et al. 2019,
// §4.1).
type Selected = Pick<Selection, "rows" | "columns" | "stage" | "words">;
export function valuesOf(data: Attention, { rows, columns, stage, words }: Selected, layer: number, head: number) {
  const from = data.values(layer, head, stage);
  const values = new Float32Array(rows.length * columns.length);
  for (let at = 0; at < values.length; at += 1) {
    const { tokens: queries } = nth(rows, Math.floor(at / columns.length));
    const { tokens: keys } = nth(columns, at % columns.length);
    if (words) values[at] = share(from, data.columns, queries, keys);
    else values[at] = nth(from, queries[0] * data.columns + keys[0]); // in a conditional expression V8 would box it
  }
  return values;
}

// The weight between two words from their tokens' weights; NaN if all are masked.
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

// Row and column of a cell [query, key] of tokens; null if it is hidden or does not exist yet.
export function placeOf(selection: Selection, cell: View["cell"]): Place | null {
  if (!cell) return null;
  const find = (all: Entry[], token: number) => all.findIndex(({ tokens }) => tokens.includes(token));
  const [row, column] = [find(selection.rows, cell[0]), find(selection.columns, cell[1])];
  return row >= 0 && row < selection.there && column >= 0 && column < selection.thereColumns ? [row, column] : null;
}

// The column with the largest magnitude in a row; the first of equals.
export function strongestIn(values: Float32Array, row: number, columns: number) {
  const size = (column: number) => Math.abs(values[row * columns + column] || 0);
  let best = 0;
  for (let column = 1; column < columns; column += 1) if (size(column) > size(best)) best = column;
  return best;
}
