// An attention picture in words: one cell in a sentence, with its numbers for the panel; the pattern of a head; the whole picture, for
// screen readers.

import { nth } from "../../web/src/payload";
import type { ExactCell } from "../../web/src/ui/store";
import { clauses, fill, minus, numeral, percent, points } from "../kit/numbers";
import { MEAN, type Place, numbersOf, type Attention } from "./data";
import { panelOf } from "./panel";
import type { Frame, Pointed, Thumb } from "./picture";
import { fullCell, guessed, spokenCell } from "./cell";

/** A cell that is read out; dim: the dimension under the pointer, or −1. */
type Read = { place: Place; dim: number; layer: number; head: number };

// The words, place and panel of the hovered or locked cell. exact: Python's numbers of the locked cell, or null: for long sentences the
// payload is rounded.
export function spokenOf(frame: Frame, hover: Pointed | null, exact: ExactCell | null) {
  const { data, selection, view, form } = frame;
  const [thumb, pointed] = Array.isArray(hover) ? [null, hover] : [hover, null];
  const place = thumb?.cell ?? spokenCell(frame, pointed);
  const [layer, head] = thumb ? nth(frame.heads, thumb.index) : [view.layer, frame.head];
  const [query, key] = [nth(selection.rows, place[0]).tokens[0], nth(selection.columns, place[1]).tokens[0]];
  const numbers = selection.words ? null : numbersOf(exact, data.about.kind, { layer, head, query, key });
  const bitmap = thumb ? frame.bitmapOf(thumb.index) : frame.bitmap;
  const read = { place: pointed ? fullCell(frame, pointed) : place, dim: pointed?.[2] ?? -1, layer, head };
  const rounded = nth(bitmap.values, read.place[0] * selection.columns.length + read.place[1]);
  const sent = pointed ? null : numbers;
  const number = selection.weights ? "weight" : selection.stage === "scores" ? "score" : "scaled";
  const value = sent && !Number.isNaN(rounded) ? (sent[number] ?? Number.NaN) : rounded;
  const withoutPanel = frame.grid || data.signed || form === "neurons" || guessed(frame, place);
  const words = sentence(frame, read, value, sent !== null || data.exact);
  return { words, place, panel: withoutPanel ? null : panelOf(frame, place, numbers) };
}

// The tip beside the pointer on a grid's cell: «Lehrer» → «teacher» 57 %; "" if it is to be guessed.
export function tipOf(frame: Frame, thumb: Thumb | null): string {
  const { data, selection, texts, view } = frame;
  if (!thumb?.cell || view.form === "lines" || guessed(frame, thumb.cell)) return "";
  const [row, column] = thumb.cell;
  const [query, key] = [nth(selection.rows, row), nth(selection.columns, column)];
  const value = nth(frame.bitmapOf(thumb.index).values, row * selection.columns.length + column);
  const sides = data.sides?.(...nth(frame.heads, thumb.index), query, key);
  const number = selection.weights ? percent(value) : sides ? difference(...sides).points : minus(value);
  const written = `${data.exact ? "" : "≈ "}${number}${selection.signed ? ` ${texts.points}` : ""}`;
  const words = { query: query.reads ?? query.label, key: key.label };
  return fill(texts.tip, { ...words, value: Number.isNaN(value) ? texts.masked : written });
}

function sentence(frame: Frame, read: Read, value: number, isExact: boolean): string {
  const { data, selection, view, texts, form } = frame;
  const note = view.specials === "hide" && (selection.weights || selection.signed) ? texts.note_hidden : "";
  const asked = selection.rows[selection.row];
  if (guessed(frame, read.place)) return fill(texts.guess, { query: asked?.reads ?? asked?.label ?? "" });
  if (data.signed) return readingOfDifference(frame, read) + note;
  return form === "neurons" && read.dim >= 0 ? readingOfDimension(frame, read) : readingOfCell(frame, read, value, isExact) + note;
}

function placeWords({ data, texts }: Frame, layer: number, head: number): string {
  return head === MEAN
    ? fill(texts.place_mean, { layer: layer + 1, heads: data.heads })
    : fill(texts.place, { layer: layer + 1, head: head + 1 });
}

// «Katze» gives 62 % of its attention to «cat», layer 3, head 5.
function readingOfCell(frame: Frame, read: Read, value: number, isExact: boolean): string {
  const { layer, head } = read;
  const [row, column] = read.place;
  const { data, selection, texts } = frame;
  const { weights, stage, words } = selection;
  const masked = Number.isNaN(value);
  const open = weights ? "reads_weight" : stage === "scores" ? "reads_score" : "reads_scaled";
  const reads = fill(texts[masked ? "reads_masked" : open] ?? "", {
    query: nth(selection.rows, row).label,
    key: nth(selection.columns, column).label,
    value: masked ? "" : `${isExact ? "" : "≈ "}${weights ? percent(value) : minus(value)}`,
    root: data.width,
  });
  const out = data.out(layer, head) ? texts.reads_out : "";
  const derived = words && head !== MEAN ? texts.derived_words : "";
  return `${clauses([reads, placeWords(frame, layer, head)])}${out}${derived}`;
}

// Difference +6.0 points: «it» gives «street» 12.1 % on the left, 18.1 % on the right.
function readingOfDifference(frame: Frame, { place: [row, column], layer, head }: Read) {
  const { data, selection, texts } = frame;
  const [query, key] = [nth(selection.rows, row), nth(selection.columns, column)];
  const [before, after] = data.sides?.(layer, head, query, key) ?? [Number.NaN, Number.NaN];
  const values = { query: query.label, key: key.label, ...difference(before, after) };
  const name = Number.isNaN(after - before) ? "reads_masked" : "reads_difference";
  return clauses([fill(texts[name] ?? "", values), placeWords(frame, layer, head)]);
}

// Two shares and their difference in points, with as many decimals as they need to agree as written, and so that none below 100 % is
// written as 100.
function difference(before: number, after: number) {
  const digits = [1, 2, 3, 4].find((count) => {
    const rounded = (share: number) => Number((100 * share).toFixed(count));
    const [left, right, moved] = [rounded(before), rounded(after), rounded(after - before)];
    const isFull = (share: number, written: number) => written === 100 && share < 1;
    return Math.abs(right - left - moved) < 0.1 ** (count + 1) && !isFull(before, left) && !isFull(after, right);
  });
  const written = (share: number) => `${(100 * share).toFixed(digits ?? 1)} %`;
  return { left: written(before), right: written(after), points: `${digits ? "" : "≈ "}${points(after - before, digits ?? 1)}` };
}

// One dimension of a query and a key in words.
export function readingOfDimension({ data, selection, texts }: Frame, { place, dim, layer, head }: Read): string {
  const [row, column] = place;
  const [query, key] = [nth(selection.rows, row), nth(selection.columns, column)];
  const q = nth(data.vector("q", layer, head, query.tokens[0]), dim);
  const k = nth(data.vector("k", layer, head, key.tokens[0]), dim);
  const write = (value: number) => numeral(value, data.exactVectors);
  const values = { query: query.label, key: key.label, dimension: dim + 1, q: write(q), k: write(k) };
  return fill(texts.reads_dimension, { ...values, product: write(q * k) });
}

// The whole picture in words, for screen readers.
export function description(frame: Frame, message: string): string {
  const { data, selection, view, texts, form, head } = frame;
  const several = { layer: view.layer + 1, layers: data.layers, heads: data.heads };
  return fill(texts[form === "neurons" ? "description_neurons" : "description"] ?? "", {
    kind: texts.kind,
    stage: texts[view.stage],
    shown: frame.grid ? fill(texts[`place_${view.show}`] ?? "", several) : placeWords(frame, view.layer, head),
    query: nth(selection.rows, frame.focusedRow).label,
    d_k: data.width,
    queries: selection.there,
    keys: selection.thereColumns,
    message,
  });
}

// The pattern of a head in this sentence, if most of its attention goes to one thing: the previous or next token, the token itself, an
// end of the sentence; in cross attention also the source token to which all heads together attend most. Means over rows; derived.

const LEAST = 0.4; // share of a head's attention that makes a pattern

// The pattern of a head, or null.
export function patternOf(data: Attention, layer: number, head: number) {
  const { rows, columns } = data;
  const weights = data.raw(layer, head);
  const mean = (from: number, to: number, keyOf: (query: number) => number) => {
    let sum = 0;
    for (let query = from; query < to; query += 1) sum += nth(weights, query * columns + keyOf(query));
    return to > from ? sum / (to - from) : 0;
  };
  const shares =
    data.about.kind === "cross"
      ? { aligned: mean(0, rows, (query) => nth(strongest(data), query)), end: mean(0, rows, () => columns - 1) }
      : {
          previous: mean(1, rows, (query) => query - 1),
          itself: mean(1, rows, (query) => query),
          ...(data.about.kind === "self"
            ? { next: mean(0, rows - 1, (query) => query + 1), end: mean(0, rows - 1, () => columns - 1) }
            : { start: mean(2, rows, () => 0) }),
        };
  const ordered = Object.entries(shares).sort(([, one], [, other]) => other - one);
  const [name, share] = nth(ordered, 0);
  return share < LEAST ? null : { name, share };
}

const strongestKeys = new WeakMap<Attention, number[]>();

// For each query the key with the largest mean weight over all layers and heads.
function strongest(data: Attention) {
  const known = strongestKeys.get(data);
  if (known) return known;
  const { layers, rows, columns } = data;
  const sum = new Float64Array(rows * columns);
  for (let layer = 0; layer < layers; layer += 1)
    data.values(layer, MEAN, "softmax").forEach((value, at) => {
      sum[at] = nth(sum, at) + (value || 0); // NaN where masked
    });
  const best = Array.from({ length: rows }, (_, query) => {
    const row = sum.subarray(query * columns, (query + 1) * columns);
    return row.indexOf(Math.max(...row));
  });
  strongestKeys.set(data, best);
  return best;
}
