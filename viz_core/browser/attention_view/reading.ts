// The reading: one cell in a sentence, with its numbers for the panel; and the whole picture in words, for screen readers.

import { nth } from "../../web/src/payload";
import type { ExactCell } from "../../web/src/ui/store";
import { clauses, fill, minus, numeral, percent, points } from "../kit/numbers";
import { MEAN, type Place, numbersOf } from "./data";
import { panelOf } from "./panel";
import { type Frame, type Pointed, type Thumb, fullCell, spokenCell, type GridFrame, type LinesFrame } from "./picture";
import { type Ends, SCALE_BAR, drawScale, scaleWidth } from "../../web/src/marks/cells";
import type { Pen } from "../../web/src/marks/mark";
import { READABLE, canvasPen, sizeCanvas, textWidth } from "../kit/pen";
import { lineInk } from "./lines";

/** A cell that is read out; dim: the dimension under the pointer, or −1. */
type Read = { place: Place; dim: number; layer: number; head: number };

// Whether the weight of a cell is still to be guessed.
export function guessed({ selection }: Frame, place: Place | null) {
  return place !== null && selection.covered && place[0] >= selection.row;
}

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
  if (guessed(frame, read.place)) return fill(texts.guess, { query: selection.rows[selection.row]?.label ?? "" });
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

// Legend below the picture: the colours of a matrix and its masked cells, or line widths.

const ROOM = { w: 240, masked: 100, later: 160, log: 50, points: 70, h: 30 }; // px of the canvas below the picture
const SAMPLE = 44; // px of a sample line
const BESIDE_SAMPLE = 8;
const BETWEEN_SAMPLES = 20;

// The neuron view has its scale in the picture and labels masked keys. room: px available for optional parts.
export function paintLegend(canvas: HTMLCanvasElement, frame: Frame, zoom: number, room: number) {
  const { selection, theme } = frame;
  const masked = hasMaskedCell(frame);
  canvas.hidden = frame.form === "neurons";
  if (canvas.hidden) return;
  const more =
    (masked ? ROOM.masked : 0) +
    (hasLaterRow(frame) && room > ROOM.w + ROOM.later ? ROOM.later : 0) +
    (selection.log ? ROOM.log : 0) +
    (selection.signed ? ROOM.points : 0);
  const w = showsLines(frame) ? Math.ceil(samplesWidth(frame)) : ROOM.w + more;
  const pen = canvasPen(sizeCanvas(canvas, w, ROOM.h, zoom));
  pen.box(0, 0, w, ROOM.h, { fill: theme.surface });
  drawLegend(pen, frame, { x: 0, w, middle: ROOM.h / 2 }, masked);
}

// Whether any masked cell is visible.
function hasMaskedCell({ selection: { stage, columns, there, thereColumns }, bitmap }: Frame) {
  const isSeen = (at: number) => Math.floor(at / columns.length) < there && at % columns.length < thereColumns;
  return !["scores", "scaled"].includes(stage) && bitmap.values.some((value, at) => Number.isNaN(value) && isSeen(at));
}

// Whether some rows are paler, see drawBitmap in cells.ts.
const hasLaterRow = ({ form, selection: { there, growing, guessing, rows } }: Frame) =>
  form !== "lines" && !growing && !guessing && there < rows.length;

// Whether lines are shown, with one colour, or two for the sign; their width is the value.
function showsLines(frame: Frame): frame is LinesFrame | GridFrame {
  return frame.form === "lines" || (frame.form === "grid" && frame.view.form === "lines");
}

type Line = { x: number; w: number; middle: number };

// Right-aligned in a box of width w. masked: whether a masked cell is visible; no line leads to one.
export function drawLegend(pen: Pen, frame: Frame, box: Line, masked: boolean) {
  if (showsLines(frame)) drawSamples(pen, frame, box);
  else drawColours(pen, frame, box, masked);
}

function drawColours(pen: Pen, frame: Frame, { x, w, middle }: Line, masked: boolean) {
  const { scale, selection, texts, theme } = frame;
  const { weights, signed, log } = selection;
  const scores: Ends = [`−${scale.high}`, String(scale.high)];
  const shares: Ends = [points(-scale.high, 0), `${points(scale.high, 0)} ${texts.points}`];
  const ends: Ends = weights ? [log ? percent(scale.low) : "0 %", "100 %"] : signed ? shares : scores;
  const from = x + w - scaleWidth(ends, SCALE_BAR.w);
  drawScale(pen, scale.table, ends, from, middle, theme, SCALE_BAR.w);
  if (!weights) {
    const zero = from + textWidth(ends[0], READABLE) + 8 + SCALE_BAR.w / 2;
    const reach = SCALE_BAR.h / 2 + 4;
    pen.lines([[zero, middle - reach, zero, middle + reach]], { stroke: theme.quiet, width: 1 });
  }
  let at = from;
  if (hasLaterRow(frame) && from - 18 - textWidth(texts.later, READABLE) >= x) {
    at = from - 18 - textWidth(texts.later, READABLE);
    pen.text(texts.later, at, middle, { fill: theme.quiet });
  }
  at -= 18 + textWidth(texts.masked, READABLE);
  if (!masked || at - 28 < x) return;
  pen.text(texts.masked, at, middle, { fill: theme.ink });
  pen.hatch(at - 28, middle - 10, 20, 20, { fill: theme.masked, stroke: theme.surface });
}

// Sample values, with their labels.
function samplesOf({ selection: { weights, signed, log }, scale, texts }: Frame): [value: number, words: string][] {
  if (weights) return (log ? [0.01, 0.1, 1] : [0.1, 0.5, 1]).map((value) => [value, `${100 * value} %`]);
  const values = [-scale.high, scale.high / 5, scale.high];
  if (!signed) return values.map((value) => [value, String(value).replace("-", "−")]);
  return values.map((value, at) => [value, points(value, 0) + (at === 2 ? ` ${texts.points}` : "")]);
}

function samplesWidth(frame: Frame) {
  const samples = samplesOf(frame);
  const words = samples.reduce((sum, [, label]) => sum + textWidth(label, READABLE), 0);
  return samples.length * (SAMPLE + BESIDE_SAMPLE + BETWEEN_SAMPLES) - BETWEEN_SAMPLES + words;
}

// Sample lines, as thick and opaque as those of the highlighted token.
function drawSamples(pen: Pen, frame: LinesFrame | GridFrame, { x, w, middle }: Line) {
  let left = x + w - samplesWidth(frame);
  for (const [value, words] of samplesOf(frame)) {
    pen.lines([[left, middle, left + SAMPLE, middle]], lineInk(frame, value));
    pen.text(words, left + SAMPLE + BESIDE_SAMPLE, middle, { fill: frame.theme.ink });
    left += SAMPLE + BESIDE_SAMPLE + textWidth(words, READABLE) + BETWEEN_SAMPLES;
  }
}
