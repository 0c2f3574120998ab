// Neuron view: one query's q, each key's k, their element-wise product, its sum, and what the stages make of it (after the neuron view
// of bertviz, Vig 2019).

import { type Ends, SCALE_BAR, drawScale, isLabelled } from "../../web/src/marks/cells";
import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { clauses, fill, numeral, percentInList, threeDigits } from "../kit/numbers";
import { STAGES } from "../kit/operations";
import { READABLE, textWidth, widestText } from "../kit/pen";
import { ladder } from "../kit/svg_pen";
import { NO_AXIS, axisOf, cellSize, drawNote, seenLength } from "./cells";
import type { Attention, Place, Texts } from "./data";
import type { Selection } from "./selection";
import type { NeuronsFrame, Shown } from "./picture";
import { drawVector } from "./vectors";

const TITLE = 26; // px of a line of titles
const QUERY_ROW = 36; // px of the query's vector
const TOP = 2 * TITLE + QUERY_ROW;
const LEAST_KEY = 20;
const MOST_KEY = 60; // px of a key's row
const LABEL_ROOM = { least: 156, most: 260 }; // px of labels
const PICKER = 116; // px of the arrows around the query's label
const BETWEEN_BLOCKS = 12; // px
const BAR_ROOM = { least: 36, most: 120 }; // px of the bar of a weight
const LEAST_DIM = 2.5; // px of a dimension; below it only the score and the latest number stay
const FILE_DIM = 10;
const FILE_KEY = 28; // px of a dimension and of a key's row in a file
const UNPRINTED_SCORE = 0.001; // smaller numbers would need a power of ten
const MOST_TERMS = 4; // of a sum, the largest

// numbers: the columns on the right. reached: whether the computation has come to their stage; they keep their place before, so that
// nothing jumps.
export function layoutNeurons({ selection, data, texts }: Shown, box: Box, whole: boolean) {
  const { rows, columns, thereColumns, stage } = selection;
  const widest = (side: Selection["rows"]) => widestText(side.map(({ label }) => label));
  const wanted = Math.max(LABEL_ROOM.least, widest(columns) + 10, widest(rows) + PICKER);
  const labels = Math.min(wanted, LABEL_ROOM.most, Math.max(90, box.w * 0.21));
  const bar = Math.min(BAR_ROOM.most, Math.max(BAR_ROOM.least, box.w * 0.075));
  const isMasked = data.about.kind === "masked";
  let numbers = numbersOf(data, texts, stage, bar, isMasked);
  const numbersWidth = () => numbers.reduce((sum, { w }) => sum + w, 0);
  const dim = () => (box.w - labels - 2 * BETWEEN_BLOCKS - 5 - numbersWidth()) / (2 * data.width);
  if (dim() < LEAST_DIM) {
    const latest = STAGES.indexOf(stage) <= STAGES.indexOf("scaled") ? "scaled" : "last";
    numbers = numbers.filter(({ name }) => name === "scores" || name === latest);
  }
  const cw = Math.max(1, dim() >= 5 ? Math.floor(2 * dim()) / 2 : dim());
  const wide = cw * data.width;
  const x = box.x + labels;
  const space = box.h - TOP;
  const step = cellSize(space, columns.length, { least: LEAST_KEY, most: MOST_KEY, whole });
  const h = seenLength(step * thereColumns, space, step);
  let left = Math.max(x + 2 * wide + 2 * BETWEEN_BLOCKS, box.x + box.w - 5 - numbersWidth());
  for (const column of numbers) {
    column.x = left;
    left += column.w;
  }
  const products = x + wide + BETWEEN_BLOCKS;
  const query = { y: box.y + TITLE, h: QUERY_ROW - 4 };
  const axes = [NO_AXIS, axisOf(thereColumns, step, h)] as const;
  const least = TOP + LEAST_KEY * columns.length; // px of height at which no key scrolls
  return { box, labels, x, y: box.y + TOP, h, products, query, wide, cw, step, numbers, bar, axes, least };
}

// The last column shows the mask, if there is one, and then the weight.
function numbersOf(data: Attention, texts: Texts, stage: string, bar: number, isMasked: boolean) {
  const now = STAGES.indexOf(stage);
  const room = (words: string): number => textWidth(words, READABLE, true);
  const column = (name: string, words: string, longest: string, more = 0, from = name) => ({
    name,
    words,
    x: 0,
    w: Math.max(room(longest), room(words)) + 14 + more,
    reached: now >= STAGES.indexOf(from),
  });
  const number = data.exact ? "−00.00" : "≈ −00.0";
  const isWeight = !isMasked || now >= STAGES.indexOf("softmax");
  return [
    column("scores", texts.sum_is_score, number),
    column("scaled", fill(texts.scaled_column, { d_k: data.width }), number),
    column("last", isWeight ? texts.weight : texts.line_mask, ">99 %", bar, isMasked ? "mask" : "softmax"),
  ];
}

// The size that it needs in a file.
export function sizeInFile({ columns }: Selection, { width }: Attention) {
  return { w: LABEL_ROOM.most + 2 * width * FILE_DIM + 420, h: TOP + columns.length * FILE_KEY };
}

// [row, key, dimension] under a point; key −1 for the query's own vector, dimension −1 beside the vectors.
export function neuronAt(frame: NeuronsFrame, px: number, py: number): Place | null {
  const { layout, selection, focusedRow, data, scroll } = frame;
  const { box, x, products, wide, cw, y, h, step, query } = layout;
  const start = [x, products].find((left) => px >= left && px < left + wide);
  const dim = start === undefined ? -1 : Math.min(data.width - 1, Math.floor((px - start) / cw));
  if (py >= query.y && py < query.y + query.h) return start === x ? [focusedRow, -1, dim] : null;
  if (py < y || py >= y + h || px < box.x) return null;
  const key = Math.floor((py - y + scroll[1]) / step);
  return key < selection.thereColumns ? [focusedRow, key, dim] : null;
}

// marks.hover is [row, key, dimension].
export function drawNeurons(pen: Pen, frame: NeuronsFrame) {
  const { data, view, selection, layout, marks, focusedRow, theme } = frame;
  const { x, y, h, step, wide, products, query } = layout;
  const sy = frame.scroll[1];
  const q = data.vector("q", view.layer, view.head, nth(selection.rows, focusedRow).tokens[0]);
  const end = data.end(view.layer, view.head);
  const covered = isCovered(frame);
  const [, hovered, dim = -1] = marks.hover ?? [-1, -1];
  const focus = marks.focus?.[1] ?? hovered;
  const top = (key: number) => y + key * step - sy;
  const highlighted = hovered >= 0 ? hovered : focus;
  titles(pen, frame, end);
  drawVector(pen, frame, q, end, { x, y: query.y, h: query.h });
  if (!covered && highlighted >= 0) sum(pen, frame, q, highlighted);
  pen.inside(layout.box.x, y - 3, layout.box.w, h + 6, () => {
    const last = Math.min(selection.thereColumns, Math.ceil((sy + h) / step));
    for (let key = Math.max(0, Math.floor(sy / step)); key < last; key += 1) keyRow(pen, frame, q, end, key, top(key), highlighted);
    if (focus >= 0 && marks.focus)
      frameRow(pen, frame, top(focus), { stroke: theme.accent, width: 3, dash: marks.locked ? undefined : [5, 4] });
    if (hovered >= 0) frameRow(pen, frame, top(hovered), { stroke: theme.ink, width: 2 });
  });
  if (dim >= 0) frameDimension(pen, frame, dim, highlighted >= 0 && !covered ? top(highlighted) : null);
  drawNote(pen, frame, { x, y: y + h, w: products + wide - x }, ["columns_in_sight", "keys_in_sight"]);
}

const isCovered = ({ selection, focusedRow }: NeuronsFrame) => selection.covered && focusedRow >= selection.row;

// The titles, and the colour scale, whose ends also stand for values beyond them.
function titles(pen: Pen, frame: NeuronsFrame, end: number) {
  const { data, selection, layout, focusedRow, texts, theme } = frame;
  const { columns, corner } = frame.titles;
  const { box, x, products, wide, labels, y, query } = layout;
  const above = box.y + 11;
  const below = y - 14;
  const { label } = nth(selection.rows, focusedRow);
  const put = (words: string, left: number, middle: number, ink: string, more = {}) =>
    pen.text(words, left, middle, { bold: true, fill: ink, ...more });
  const either = (words: string, short: string) => (textWidth(words, READABLE, true) <= wide ? words : short);
  put(clauses(corner), box.x + 2, above, theme.ink, { max: labels - 8 });
  put(either(fill(texts.q_of, { query: label }), texts.q), x, above, theme.q_text);
  put(label, x - 10, query.y + query.h / 2, theme.q_text, { align: "right", max: labels - 10 });
  const keys = textWidth(columns, READABLE, true) < labels ? columns : texts.pick_key;
  put(keys, x - 10, below, theme.k_text, { align: "right" });
  put(either(texts.k_of, texts.k), x, below, theme.k_text);
  put(either(texts.qk_of, texts.qk), products, below, theme.ink);
  for (const { name, words, x: left, w, reached } of layout.numbers) {
    if (!reached) continue;
    if (name === "last") put(words, left + 6 + w / 2, below, theme.ink, { align: "center" });
    else put(words, left + w, below, theme.ink, { align: "right" });
  }
  const ends: Ends = [`≤ −${end}`, `≥ ${end}`];
  const scaleEnd = drawScale(pen, ladder(theme.diverging), ends, products, above, theme, SCALE_BAR.w);
  const dimensions = fill(texts.dimensions, { d_k: data.width });
  const right = box.x + box.w;
  if (scaleEnd + 20 + textWidth(dimensions, READABLE) <= right)
    pen.text(dimensions, right, above, { fill: theme.quiet, align: "right" });
}

// The sum, with as many of its largest terms as fit: 4.65 − 2.41 + … = 9.404.
function sum(pen: Pen, frame: NeuronsFrame, q: Float32Array, key: number) {
  const { data, view, selection, layout, focusedRow, texts, theme } = frame;
  const { products, box, query: shown } = layout;
  const [at] = nth(selection.columns, key).tokens;
  const k = data.vector("k", view.layer, view.head, at);
  const terms = Array.from(q, (value, dim) => value * nth(k, dim)).sort((a, b) => Math.abs(b) - Math.abs(a));
  const [query] = nth(selection.rows, focusedRow).tokens;
  const score = nth(data.values(view.layer, view.head, "scores"), query * data.columns + at);
  const printed = terms.slice(0, MOST_TERMS).map((term, place) => {
    const sign = place ? (term < 0 ? " − " : " + ") : term < 0 ? "−" : "";
    return sign + threeDigits(Math.abs(term));
  });
  for (let count = printed.length; count > 0; count -= 1) {
    const words = fill(texts.largest_first, {
      terms: printed.slice(0, count).join("") + (count < terms.length ? " + …" : ""),
      score: `${data.exact ? "= " : ""}${numeral(score, data.exact)}`,
    });
    if (textWidth(words, READABLE) > box.x + box.w - products) continue;
    pen.text(words, products, shown.y + shown.h / 2, { fill: theme.ink });
    return;
  }
}

function keyRow(pen: Pen, frame: NeuronsFrame, q: Float32Array, end: number, key: number, y: number, held: number) {
  const { data, view, selection, layout, focusedRow, theme } = frame;
  const highlighted = key === held;
  const covered = isCovered(frame);
  const { x, products, wide, step, labels } = layout;
  const { label, tokens } = nth(selection.columns, key);
  const [at] = tokens;
  const k = data.vector("k", view.layer, view.head, at);
  const middle = y + step / 2;
  const high = step >= 12 ? step - 4 : step;
  const place = { y: middle - high / 2, h: high };
  const product = q.map((value, dim) => value * nth(k, dim));
  drawVector(pen, frame, k, end, { ...place, x });
  if (covered) pen.box(products, place.y, wide, high, { fill: theme.panel });
  else drawVector(pen, frame, product, end, { ...place, x: products });
  const last = nth(layout.numbers, layout.numbers.length - 1);
  const closed = last.reached && !data.open(nth(selection.rows, focusedRow).tokens[0], at);
  if (closed && !covered) pen.box(x - 1, y, last.x - x, step, { fill: theme.surface, alpha: 0.6 });
  if (!isLabelled(key, held, step)) return;
  const ink = highlighted ? theme.k_text : closed ? theme.quiet : theme.ink;
  pen.text(label, x - 10, middle, { bold: highlighted, fill: ink, align: "right", max: labels - 10 });
  if (covered) pen.text("?", products + wide / 2, middle, { bold: true, fill: theme.ink, align: "center" });
  else numbers(pen, frame, at, { middle, y, highlighted, closed });
}

type KeyRow = { middle: number; y: number; highlighted: boolean; closed: boolean };

// The sum, the scaled sum, and then whether the key is masked, or its weight.
function numbers(pen: Pen, frame: NeuronsFrame, key: number, row: KeyRow) {
  const { middle, highlighted, closed } = row;
  const { data, view, selection, layout, focusedRow, theme } = frame;
  const [query] = nth(selection.rows, focusedRow).tokens;
  const style = { bold: highlighted, align: "right" } as const;
  const value = (stage: string) => nth(data.values(view.layer, view.head, stage), query * data.columns + key);
  for (const column of layout.numbers) {
    const { name, x, w, reached } = column;
    if (!reached) continue;
    if (name !== "last")
      pen.text(inColumn(value(name), data.exact), x + w, middle, { ...style, fill: closed ? theme.quiet : theme.ink });
    else if (closed || !selection.weights) maskOf(pen, frame, column, row);
    else {
      const weight = value("softmax");
      const left = x + w - layout.bar;
      const high = Math.min(18, layout.step - 4);
      pen.text(percentInList(weight), left - 6, middle, { ...style, fill: theme.ink });
      pen.box(left, middle - high / 2, layout.bar, high, { fill: theme.panel });
      pen.box(left, middle - high / 2, layout.bar * weight, high, { fill: theme.weight });
    }
  }
}

function maskOf(pen: Pen, frame: NeuronsFrame, { x, w }: { x: number; w: number }, { middle, y, closed }: KeyRow) {
  const { selection, texts, theme } = frame;
  const { step } = frame.layout;
  const centre = x + 12 + (w - 12) / 2;
  const words = closed ? (selection.weights ? texts.masked : texts.line_closed) : texts.line_open;
  if (closed) {
    const wide = textWidth(words, READABLE) + 10;
    pen.hatch(x + 12, y + 1, w - 12, step - 2, { fill: theme.masked, stroke: theme.surface });
    pen.box(centre - wide / 2, y + 1, wide, step - 2, { fill: theme.surface });
  }
  pen.text(words, centre, middle, { fill: theme.ink, align: "center" });
}

function inColumn(value: number, isExact: boolean): string {
  return value !== 0 && Math.abs(value) < UNPRINTED_SCORE ? "≈ 0" : numeral(value, isExact);
}

// A frame around a key's whole row.
function frameRow(pen: Pen, { layout }: NeuronsFrame, y: number, ink: Parameters<Pen["box"]>[4]) {
  const { box, x, labels, step, numbers: all } = layout;
  const left = x - labels + 2;
  const right = Math.max(...all.map(({ reached, x: from, w }) => (reached ? from + w : 0)));
  pen.box(left, y, Math.min(right + 5, box.x + box.w - 2) - left, step, ink);
}

// Frames the dimension under the pointer in q, and in the focused key's k and product. y: top of that key's row.
function frameDimension(pen: Pen, { layout, theme }: NeuronsFrame, dim: number, y: number | null) {
  const { x, products, cw, step, query, y: first, h } = layout;
  const ink = { stroke: theme.ink, width: 2.5 };
  const from = dim * cw - 1;
  pen.box(x + from, query.y - 1, cw + 1, query.h + 2, ink);
  if (y === null || y < first - 1 || y + step > first + h + 1) return;
  for (const left of [x, products]) pen.box(left + from, y + 1, cw + 1, step - 2, ink);
}
