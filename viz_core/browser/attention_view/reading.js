// The reading: one cell in a sentence, for the strip, with its numbers for the panel; and what the picture shows as a
// whole, for screen readers.

import { clauses, fill, minus, numeral, percent, points } from "../kit/numbers.js";
import { MEAN } from "./data";
import { panelOf } from "./panel.js";
import { fullCell, spokenCell } from "./picture.js";

const NUMBERS = ["score", "scaled", "exp", "total", "weight"];

// Whether a cell is still to be guessed.
export function guessed({ selection }, place) {
  return Boolean(place) && selection.covered && place[0] >= selection.row;
}

// The cell that is pointed at or locked. exact: the numbers of the locked cell as Python sent them, or null: long
// sentences travel rounded. Returns { words, place, panel }.
export function spokenOf(frame, hover, exact) {
  const { data, selection, view, form } = frame;
  const thumb = frame.grid ? hover : null;
  const pointed = frame.grid ? null : hover;
  const place = thumb?.cell ?? spokenCell(frame, pointed);
  const [layer, head] = thumb ? frame.heads[thumb.index] : [view.layer, frame.head];
  const numbers = exactOf(frame, exact, layer, head, place);
  const bitmap = thumb ? frame.bitmapOf(thumb.index) : frame.bitmap;
  const read = { place: pointed ? fullCell(frame, pointed) : place, dim: pointed?.[2] ?? -1, layer, head };
  read.value = bitmap.values[read.place[0] * selection.columns.length + read.place[1]];
  read.exact = data.exact;
  if (numbers && !pointed) {
    read.exact = true;
    if (!Number.isNaN(read.value))
      read.value = numbers[selection.weights ? "weight" : selection.stage === "scores" ? "score" : "scaled"];
  }
  const withoutPanel = frame.grid || data.signed || form === "neurons" || guessed(frame, place);
  return { words: sentence(frame, read), place, panel: withoutPanel ? null : panelOf(frame, place, numbers) };
}

// What stands beside the pointer on a grid's cell: «Lehrer» → «teacher» 57 %; "" where it is to be guessed.
export function tipOf(frame, thumb) {
  const { data, selection, texts, view } = frame;
  if (!thumb?.cell || view.form === "lines" || guessed(frame, thumb.cell)) return "";
  const [row, column] = thumb.cell;
  const { label, reads = label } = selection.rows[row];
  const value = frame.bitmapOf(thumb.index).values[row * selection.columns.length + column];
  const shares = selection.signed
    ? data.sides(...frame.heads[thumb.index], selection.rows[row], selection.columns[column])
    : [];
  const number = selection.weights ? percent(value) : selection.signed ? difference(...shares).points : minus(value);
  const said = `${data.exact ? "" : "≈ "}${number}${selection.signed ? ` ${texts.points}` : ""}`;
  const words = { query: reads, key: selection.columns[column].label };
  return fill(texts.tip, { ...words, value: Number.isNaN(value) ? texts.masked : said });
}

// The exact numbers, where they are of this very cell.
function exactOf({ data, selection: { rows, columns, words } }, exact, layer, head, [row, column]) {
  const cell = { kind: data.about.kind, layer, head, query: rows[row].tokens[0], key: columns[column].tokens[0] };
  const fits = exact && !words && Object.entries(cell).every(([name, value]) => exact[name] === value);
  if (!fits) return null;
  return Object.fromEntries(NUMBERS.filter((name) => exact[name] !== null).map((name) => [name, exact[name]]));
}

function sentence(frame, read) {
  const { data, selection, view, texts, form } = frame;
  const note = view.specials === "hide" && (selection.weights || selection.signed) ? texts.note_hidden : "";
  if (guessed(frame, read.place)) return fill(texts.guess, { query: selection.rows[selection.row]?.label ?? "" });
  if (data.signed) return readingOfDifference(frame, read) + note;
  return form === "neurons" && read.dim >= 0 ? readingOfDimension(frame, read) : readingOfCell(frame, read) + note;
}

function placeWords({ data, texts }, layer, head) {
  return head === MEAN
    ? fill(texts.place_mean, { layer: layer + 1, heads: data.heads })
    : fill(texts.place, { layer: layer + 1, head: head + 1 });
}

// «Katze» gives 62 % of its attention to «cat», layer 3, head 5.
function readingOfCell(frame, { place: [row, column], value, exact, layer, head }) {
  const { data, selection, texts } = frame;
  const { weights, stage, words } = selection;
  const masked = Number.isNaN(value);
  const open = weights ? "reads_weight" : stage === "scores" ? "reads_score" : "reads_scaled";
  const reads = fill(texts[masked ? "reads_masked" : open], {
    query: selection.rows[row].label,
    key: selection.columns[column].label,
    value: masked ? "" : `${exact ? "" : "≈ "}${weights ? percent(value) : minus(value)}`,
    root: data.width,
  });
  const out = data.out(layer, head) ? texts.reads_out : "";
  const derived = words && head !== MEAN ? texts.derived_words : "";
  return `${clauses([reads, placeWords(frame, layer, head)])}${out}${derived}`;
}

// Difference +6.0 points: «it» gives «street» 12.1 % on the left, 18.1 % on the right.
function readingOfDifference(frame, { place: [row, column], layer, head }) {
  const { data, selection, texts } = frame;
  const [query, key] = [selection.rows[row], selection.columns[column]];
  const [before, after] = data.sides(layer, head, query, key);
  const values = { query: query.label, key: key.label, ...difference(before, after) };
  const name = Number.isNaN(after - before) ? "reads_masked" : "reads_difference";
  return clauses([fill(texts[name], values), placeWords(frame, layer, head)]);
}

// Two shares and their difference in points, in as many digits as it takes until they agree as they are written, and neither is
// 100 that is not.
function difference(before, after) {
  const digits = [1, 2, 3, 4].find((count) => {
    const [left, right, moved] = [before, after, after - before].map((share) => Number((100 * share).toFixed(count)));
    const isFull = (share, written) => written === 100 && share < 1;
    return Math.abs(right - left - moved) < 0.1 ** (count + 1) && !isFull(before, left) && !isFull(after, right);
  });
  const [left, right] = [before, after].map((share) => `${(100 * share).toFixed(digits ?? 1)} %`);
  return { left, right, points: `${digits ? "" : "≈ "}${points(after - before, digits ?? 1)}` };
}

// One dimension of a query and a key.
export function readingOfDimension({ data, selection, texts }, { place: [row, column], dim, layer, head }) {
  const [query, key] = [selection.rows[row], selection.columns[column]];
  const q = data.vector("q", layer, head, query.tokens[0])[dim];
  const k = data.vector("k", layer, head, key.tokens[0])[dim];
  const [first, second, product] = [q, k, q * k].map((value) => numeral(value, data.exactVectors));
  const values = { query: query.label, key: key.label, dimension: dim + 1, q: first, k: second, product };
  return fill(texts.reads_dimension, values);
}

// The whole picture, for those who hear it.
export function description(frame, message) {
  const { data, selection, view, texts, form, head } = frame;
  const several = { layer: view.layer + 1, layers: data.layers, heads: data.heads };
  return fill(texts[form === "neurons" ? "description_neurons" : "description"], {
    kind: texts.kind,
    stage: texts[view.stage],
    shown: frame.grid ? fill(texts[`place_${view.show}`], several) : placeWords(frame, view.layer, head),
    query: selection.rows[frame.asked].label,
    d_k: data.width,
    queries: selection.there,
    keys: selection.thereColumns,
    message,
  });
}
