// Vectors of a cell as bars, one per dimension of the head: q, k and their product; or each value times its weight, and their sum. For
// the neuron view: as cells.

import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Theme } from "../../web/src/ui/store";
import { fill, minus, percentInList } from "../kit/numbers";
import { colourAt, ladder } from "../kit/svg_pen";
import { READABLE, widestText } from "../kit/pen";
import type { CellAt } from "./data";
import type { Part, PartsPanel } from "./panel";
import type { Frame, NeuronsFrame } from "./picture";

type Vector = Float32Array | number[];
type Inks = (value: number) => string;
type DrawCell = (pen: Pen, frame: Frame, at: CellAt, box: Box) => void;

export const NAME = 46; // px of a row's name
const MIX_LINE = 26;
const TALL = 40; // px of a line of the mix, at least and at most
const PART = 34; // px of a line of parts
const GAPS_FROM = 4; // px of a dimension that is wide enough for a gap
const GAP_TO_NAME = 12; // px before a number

// Bars up for positive and down for negative values; limit: the value of a full bar.
export function bars(pen: Pen, values: Vector, limit: number, { x, y, w, h }: Box, colourOf: Inks, theme: Theme) {
  const step = w / values.length;
  const middle = y + h / 2;
  pen.lines([[x, middle, x + w, middle]], { stroke: theme.line, width: 1 });
  values.forEach((value, at) => {
    const high = (Math.min(1, Math.abs(value) / limit) * h) / 2;
    const top = value < 0 ? middle : middle - high;
    if (high > 0.2) pen.box(x + at * step, top, Math.max(1, step - 1), high, { fill: colourOf(value) });
  });
}

export const largest = (...vectors: Vector[]) => Math.max(1e-9, ...vectors.flatMap((vector) => Array.from(vector, Math.abs)));

// q, k and q × k, whose sum is the score.
export const drawProduct: DrawCell = (pen, { data, texts, theme }, { layer, head, query, key }, { x, y, w, h }) => {
  const q = data.vector("q", layer, head, query);
  const k = data.vector("k", layer, head, key);
  const products = q.map((value, at) => value * nth(k, at));
  const both = largest(q, k);
  const high = (h - 24) / 3;
  const line = (at: number, words: string, ink: string, values: Vector, limit: number, colourOf: Inks) => {
    const top = y + at * high;
    pen.text(words, x, top + high / 2, { bold: true, fill: ink });
    bars(pen, values, limit, { x: x + NAME, y: top + 2, w: w - NAME, h: high - 4 }, colourOf, theme);
  };
  line(0, texts.q, theme.q_text, q, both, () => theme.q);
  line(1, texts.k, theme.k_text, k, both, () => theme.k);
  line(2, texts.qk, theme.ink, products, largest(products), (value) => nth(theme.diverging, value < 0 ? 1 : 5));
  const dimensions = fill(texts.dimensions, { d_k: data.width });
  pen.text(dimensions, x + w, y + h - 9, { fill: theme.quiet, align: "right", max: w });
};

// weight × v for the strongest keys, the others in one line, and the sum: the mix.
export const drawMix: DrawCell = (pen, { data, texts, theme }, { layer, head, query, key }, { x, y, w, h }) => {
  const weights = data.values(layer, head, "softmax").subarray(query * data.columns, (query + 1) * data.columns);
  const of = (at: number) => nth(weights, at);
  const order = Array.from(weights.keys())
    .filter((at) => of(at) > 0)
    .sort((a, b) => of(b) - of(a) || a - b);
  const space = Math.max(2, Math.floor(h / MIX_LINE) - 2);
  const listed = order.length <= space + 1 ? order : order.slice(0, space);
  const rest = order.slice(listed.length);
  const weighted = (at: number) => data.vector("v", layer, head, at).map((value) => value * of(at));
  const mix = data.vector("mix", layer, head, query);
  type Line = [words: string, ink: string, share: string, vector: Vector, colour: string, bold: boolean];
  const lines = listed.map((at): Line => {
    const words = nth(data.about.columns, at);
    return [words, theme.k_text, percentInList(of(at)), weighted(at), theme.v, at === key];
  });
  const limit = largest(mix, ...lines.map(([, , , vector]) => vector));
  if (rest.length) {
    const vectors = rest.map(weighted);
    const words = fill(texts.others, { count: rest.length });
    const share = percentInList(rest.reduce((total, at) => total + of(at), 0));
    const sum = Array.from(mix, (_, dim) => vectors.reduce((total, vector) => total + nth(vector, dim), 0));
    lines.push([words, theme.quiet, share, sum, theme.v, false]);
  }
  lines.push([texts.mixed, theme.output_text, "", mix, theme.output, true]);
  const high = Math.min(TALL, h / lines.length);
  const label = Math.min(w * 0.4, widestText(lines.map(([words]) => words)) + 1);
  const share = Math.min(w, widestText([">99 %"]) + 1) + GAP_TO_NAME;
  const left = x + label + share + 8;
  lines.forEach(([words, ink, value, vector, colour, bold], place) => {
    const middle = y + (place + 0.5) * high;
    const box = { x: left, y: middle - high / 2 + 1, w: x + w - left, h: high - 2 };
    pen.text(words, x, middle, { fill: ink, bold, max: label });
    pen.text(value, x + label + share, middle, { fill: theme.ink, bold, align: "right", max: share });
    bars(pen, vector, limit, box, () => colour, theme);
  });
  const bottom = y + (lines.length - 1) * high + 1;
  pen.lines([[x, bottom, x + w, bottom]], { stroke: theme.quiet, width: 1.5 });
};

// Parts of a derived number, such as the heads of a mean, each with name, bar and number; below them the total.
export function drawParts(pen: Pen, panel: PartsPanel, { texts, theme }: Frame, { x, y, w, h }: Box) {
  const { parts, total, weights, limit } = panel;
  const show = (value: number): string => (Number.isNaN(value) ? texts.masked : weights ? percentInList(value) : minus(value));
  const all = [...parts, total];
  const label = Math.min(w * 0.55, widestText(all.map(([words]) => words)) + 1);
  const number = Math.min(w / 3, widestText(all.map(([, value]) => show(value))) + 1);
  const high = Math.min(PART, h / (parts.length + 2));
  const room = w - label - number - GAP_TO_NAME - 4;
  const thick = Math.min(18, (2 * high) / 3);
  const line = (at: number, [words, value]: Part, bold: boolean, colour: string) => {
    const middle = y + (at + 0.5) * high;
    const size = Math.min(READABLE, high - 2);
    const bar = (long: number, fill: string) => pen.box(x + label + 8, middle - thick / 2, long, thick, { fill });
    pen.text(words, x, middle, { size, bold, fill: theme.ink, max: label });
    bar(room, theme.panel);
    if (!Number.isNaN(value)) bar(Math.min(1, Math.abs(value) / limit) * room, value < 0 ? nth(theme.diverging, 1) : colour);
    pen.text(show(value), x + w, middle, { size, bold, fill: theme.ink, align: "right" });
  };
  parts.forEach((part, at) => line(at, part, false, theme.accent));
  const bottom = y + parts.length * high + 2;
  pen.lines([[x, bottom, x + w, bottom]], { stroke: theme.quiet, width: 1.5 });
  line(parts.length + 0.15, total, true, theme.ink);
}

// A vector as cells.
export function drawVector(pen: Pen, frame: NeuronsFrame, values: Vector, end: number, { x, y, h }: Omit<Box, "w">) {
  const { layout, theme } = frame;
  const { cw } = layout;
  const table = ladder(theme.diverging);
  const gap = cw >= GAPS_FROM ? 1 : 0;
  values.forEach((value, at) => {
    const left = Math.round(x + at * cw);
    const right = Math.round(x + (at + 1) * cw);
    pen.box(left, y, Math.max(1, right - left - gap), h, { fill: colourAt(table, (value / end + 1) / 2) });
  });
  if (gap) pen.box(x - 0.5, y - 0.5, cw * values.length, h + 1, { stroke: theme.line, width: 1 });
}
