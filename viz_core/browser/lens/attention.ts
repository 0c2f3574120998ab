// An attention in focus: the keys' lines come down into the columns of the matrix, the queries' lines run into its rows; below each
// column is its value, multiplied by its weight at the stage ×V, and beside them their sum, the mix.

import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Attention } from "../attention_view/data";
import type { Panel } from "../attention_view/panel";
import { type Frame, type MatrixFrame, compose, draw, drawSide } from "../attention_view/picture";
import { largest } from "../attention_view/vectors";
import { READABLE, textWidth } from "../kit/pen";
import type { Kind, Stack } from "../overview/data";
import { downInto, drawFormula, formulaWidth, rounded, swing, wrapped } from "./ink";
import { drawMoving, stageBefore } from "./motion";
import type { AttentionScene, Given, MatrixScene } from "./scene";

/** The matrix and its surroundings. before: the frame of the previous stage during a transition; side: the arithmetic. */
export interface MatrixPlan {
  frame: MatrixFrame;
  before: MatrixFrame | null;
  isMatrix: true;
  bundle: { y: number; pitch: number; h: number };
  labels: number;
  values: { y: number; h: number };
  mix: Box;
  side: Box | null;
}

/** Any other form of the attention view. */
export type AttentionPlan = MatrixPlan | { frame: Frame; isMatrix: false; side: null };

const PAD = 16;
const TOP = 12; // px
const AXIS = 25; // px that the matrix layout reserves for axis titles, which are at the lines here
const BUNDLE = { apart: 5, all: 44 }; // px between two keys' lines, and of all together
const QUERIES = { alone: 32, beside: 24 }; // px for the queries' lines, without and with the arithmetic
const BAND = 20; // px between matrix and values, where the weights are drawn
const MIX = 76; // px for the mix beside the values
const VALUES = { scarce: 44, least: 66, most: 130 }; // px of the values' height; `scarce` where the rows need the room
const ROW = 21; // px of a legible row
const NAMES = 76; // px of the names above the columns
const WIDEST_VALUE = 46;
const LEAST_SHOWN = 20; // px of the keys' lines that leave room to name what the matrix shows
const BESIDE_MATRIX = 8;
const LINE = 22; // px of a line of that name
const STACKS: Record<Kind, [query: Stack, key: Stack]> = {
  self: ["encoder", "encoder"],
  masked: ["decoder", "decoder"],
  cross: ["decoder", "encoder"],
};

export const stacksOf = (kind: Kind) => ({ query: STACKS[kind][0], key: STACKS[kind][1] });

const shortened = new WeakMap<Attention, Attention>();

// A row is labelled only with the token it reads; the token it writes is on the right.
function short(whole: Attention) {
  const known = shortened.get(whole) ?? { ...whole, about: { ...whole.about, writes: null } };
  shortened.set(whole, known);
  return known;
}

export function attentionPlan({ plan, data, view, theme, motion }: Given, kind: Kind): AttentionPlan {
  const { focus: card, numbers } = plan;
  const whole = data.attention[kind];
  const isMatrix = (view.show === "one" || view.show === "mean") && view.form === "matrix";
  const inner = { x: card.x + PAD, y: card.y + TOP, w: card.w - 2 * PAD, h: card.h - TOP - 10 };
  if (!isMatrix) {
    const frame = compose(short(whole), view, theme, inner, true);
    if (!frame.grid) frame.titles.corner = []; // the line above names layer and head
    return { frame, isMatrix, side: null };
  }
  const keys = whole.columns;
  const pitch = Math.min(BUNDLE.apart, BUNDLE.all / keys);
  const bundle = { y: inner.y, pitch, h: pitch * keys };
  const x = inner.x + (numbers > 0 ? QUERIES.beside : QUERIES.alone);
  const y = bundle.y + bundle.h + 4;
  const { scarce, least, most } = VALUES;
  const left = inner.y + inner.h - y - NAMES - whole.rows * ROW - BAND; // room left by legible rows
  const high = Math.max(Math.min(Math.max(card.h * 0.2, least), most, left), scarce);
  const isMixed = view.stage === "mix" || motion?.stage === "mix";
  const right = inner.x + inner.w - (numbers && !isMixed ? PAD : MIX) - (numbers ? numbers + PAD : 0);
  const bottom = inner.y + inner.h - high - BAND - 2;
  const box = { x: x - AXIS, y: y - AXIS, w: right - x + AXIS, h: bottom - y + AXIS };
  const staged = motion?.stage ? { ...view, stage: motion.stage } : view;
  const composed = (some: typeof view) => {
    const frame = compose(short(whole), some, theme, box, true);
    Object.assign(frame.titles, { rows: "", columns: "", corner: [], absent: "" });
    return frame as MatrixFrame;
  };
  const frame = composed(staged);
  const past = motion?.stage && stageBefore(motion.stage);
  const before = past ? composed({ ...view, stage: past }) : null;
  const { layout } = frame;
  const values = { y: layout.y + layout.h + BAND, h: high };
  const mix = { x: layout.x + layout.w + 26, y: values.y, w: WIDEST_VALUE, h: high };
  const side = numbers ? { x: card.x + card.w - PAD - numbers, y: inner.y + 4, w: numbers, h: inner.h - 8 } : null;
  return { frame, before, isMatrix, bundle, labels: y, values, mix, side };
}

export function drawAttention(pen: Pen, scene: AttentionScene, panel: Panel | null) {
  const { plan, theme, attention } = scene;
  const { focus: card } = plan;
  const { frame, side } = attention;
  for (const behind of [3, 2, 1]) {
    const by = behind * 2.6;
    pen.path(rounded({ ...card, x: card.x + by, y: card.y + by }, 12), { fill: theme.surface, stroke: theme.line });
  }
  pen.path(rounded(card, 12), { fill: theme.surface, stroke: theme.accent, width: 2 });
  if (isOfMatrix(scene)) drawMatrixScene(pen, scene);
  else draw(pen, frame);
  if (side && panel) drawSide(pen, frame, panel, side);
}

export const isOfMatrix = (scene: AttentionScene): scene is MatrixScene => scene.attention.isMatrix;

function drawMatrixScene(pen: Pen, scene: MatrixScene) {
  const { attention, motion } = scene;
  const { frame, before } = attention;
  keyLines(pen, scene);
  queryLines(pen, scene);
  if (motion?.stage && !frame.selection.covered) {
    if (before) before.marks = { ...frame.marks };
    drawMoving(pen, scene, activeRow(attention));
  } else draw(pen, frame);
  frameRow(pen, scene);
  noteAbsent(pen, scene);
  drawValues(pen, scene);
}

// Marks the row in the encoder, where the matrix marks none, because no row belongs to the step.
function frameRow(pen: Pen, { attention, kind, theme }: MatrixScene) {
  const { layout } = attention.frame;
  if (kind !== "self") return;
  const y = layout.y + activeRow(attention) * layout.ch;
  pen.box(layout.x - 1, y, layout.w + 2, layout.ch, { stroke: theme.q, width: 3 });
}

// Names rows and columns that do not exist yet, where no band of a value runs.
function noteAbsent(pen: Pen, { attention, theme, data, kind }: MatrixScene) {
  const { layout, selection } = attention.frame;
  const { absent } = data.attention[kind].about.texts;
  const room = (selection.columns.length - selection.thereColumns) * layout.cw - 12;
  const high = (selection.rows.length - selection.there) * layout.ch;
  if (!selection.growing || high < READABLE + 4 || textWidth(absent, READABLE) > room) return;
  const [right, bottom] = [layout.x + layout.w, layout.y + layout.h];
  pen.text(absent, right - 6, bottom - high / 2, { fill: theme.quiet, align: "right" });
}

// The hovered row, or else the focused one.
export function activeRow({ frame }: AttentionPlan) {
  const [hovered] = frame.marks.hover ?? [-1];
  return hovered >= 0 ? hovered : frame.focusedRow;
}

function weightsOf({ data, kind, view, attention: { frame } }: MatrixScene, row: number) {
  const [query] = nth(frame.selection.rows, row).tokens;
  const all = data.attention[kind].values(view.layer, frame.head, "softmax");
  const { columns } = data.attention[kind];
  return frame.selection.columns.map(({ tokens }) => tokens.reduce((sum, key) => sum + (all[query * columns + key] || 0), 0));
}

function keyLines(pen: Pen, scene: MatrixScene) {
  const { plan, theme, texts, kind, attention } = scene;
  const { frame, bundle, labels } = attention;
  const { layout, selection } = frame;
  const stack = scene.stacks[stacksOf(kind).key];
  const isWeighed = frame.selection.weights && !selection.covered && scene.motion?.stage !== "softmax";
  const weights = isWeighed ? weightsOf(scene, activeRow(attention)) : null;
  const from = plan.focus.x + 10;
  const faint = Math.min(0.32, 4 / selection.columns.length); // overlapping lines add up
  selection.columns.slice(0, selection.thereColumns).forEach(({ tokens: [key] }, at) => {
    const x3 = layout.x + (at + 0.5) * layout.cw;
    const isHeld = (frame.marks.hover ?? (frame.marks.locked ? frame.marks.focus : null))?.[1] === at;
    const weight = isHeld ? 1 : (weights?.[at] ?? 0.12);
    const line = downInto({
      x1: stack.exit,
      y1: stack.rows.middle(key) - (kind === "cross" ? 0 : 3),
      x2: from + 34,
      y2: bundle.y + (at + 0.5) * bundle.pitch,
      x3,
      y3: labels,
    });
    pen.path(line, { stroke: theme.k, width: 1.6 + 2.4 * weight, alpha: faint + (1 - faint) * Math.sqrt(weight) });
  });
  const words = texts.lens[kind === "cross" ? "k_memory" : "k"];
  const apart = plan.numbers ? PAD : 0; // from the arithmetic beside it
  const right = plan.focus.x + plan.focus.w - PAD - plan.numbers - apart;
  pen.text(words, right, bundle.y + 8, { bold: true, fill: theme.k_text, align: "right" });
  if (bundle.h < LEAST_SHOWN) return;
  const nameOf = (stage: string) => texts.lens.shows[stage === "mask" && kind !== "masked" ? "scaled" : stage] ?? "";
  const moving = scene.motion?.stage;
  // during a transition the matrix shows both stages
  const before = moving && stageBefore(moving);
  const names = [...new Set([...(before ? [before] : []), moving ?? frame.view.stage].map(nameOf))].join(" → ");
  const beside = right - layout.x - layout.w;
  const afterKeys = right - layout.x - (selection.thereColumns - 0.5) * layout.cw;
  const lines = wrapped(names, beside - BESIDE_MATRIX, READABLE);
  const isNarrow = lines.some((line) => formulaWidth(line) > beside - BESIDE_MATRIX);
  // above the matrix it must not cover the keys' lines
  const isAbove = textWidth("÷ √d, masked", READABLE) <= beside || (isNarrow && formulaWidth(names) <= afterKeys - BESIDE_MATRIX);
  if (isNarrow && !isAbove) return;
  if (isAbove) lines.splice(0, lines.length, names);
  const y = isAbove ? bundle.y + 32 : layout.y + READABLE / 2;
  lines.forEach((line, at) => drawFormula(pen, line, right, y + at * LINE, { fill: theme.quiet, align: "right" }));
}

function queryLines(pen: Pen, scene: MatrixScene) {
  const { theme, texts, kind, attention } = scene;
  const { frame } = attention;
  const { layout, selection } = frame;
  const stack = scene.stacks[stacksOf(kind).query];
  const active = activeRow(attention);
  const end = layout.x - layout.labels;
  selection.rows.slice(0, selection.there).forEach(({ tokens, label }, row) => {
    const y = layout.y + (row + 0.5) * layout.ch;
    const isActive = row === active;
    const to =
      layout.ch >= READABLE - 1 || isActive ? layout.x - 20 - Math.min(textWidth(label, READABLE, true), layout.labels - 8) : end;
    const line = `${swing(stack.exit, stack.rows.middle(Math.max(...tokens)) + (kind === "cross" ? 0 : 3), end, y)}H${Math.max(to, end).toFixed(1)}`;
    pen.path(line, { stroke: theme.q, width: isActive ? 5 : 2, alpha: isActive ? 1 : 0.35 });
  });
  pen.text(texts.lens.q, layout.x - 10, layout.y - 14, { bold: true, fill: theme.q_text, align: "right" });
}

// Whether values are drawn: for one head, with tokens, and not while weights are to be guessed.
export const hasValues = ({ view, attention: { frame } }: MatrixScene) =>
  view.show === "one" && !frame.selection.covered && !frame.selection.words;

// Each value below its column, and the mix. A band from the active row down to each value is as strong as the weight.
function drawValues(pen: Pen, scene: MatrixScene) {
  const { data, theme, texts, kind, view, plan, attention, motion } = scene;
  const { frame, values, mix } = attention;
  const { layout, selection } = frame;
  const whole = data.attention[kind];
  const active = activeRow(attention);
  const [query] = nth(selection.rows, active).tokens;
  const mixing = motion?.stage === "mix" ? motion : null;
  const isMixed = view.stage === "mix" || mixing !== null;
  const scaled = mixing ? Math.min(1, mixing.t / 0.55) : Number(isMixed);
  const stacked = mixing ? Math.max(0, (mixing.t - 0.55) / 0.45) : Number(isMixed);
  const isWeights = isMixed || (view.stage === "softmax" && !motion?.stage);
  const weights = weightsOf(scene, active);
  const half = Math.min(layout.cw - 4, WIDEST_VALUE) / 2;
  if (!hasValues(scene)) return;
  const mixed = whole.vector("mix", view.layer, view.head, query);
  const vectors = selection.columns.map(({ tokens: [key] }) => whole.vector("v", view.layer, view.head, key));
  const limit = largest(mixed, ...vectors);
  type Ink = Parameters<Pen["path"]>[1];
  const bars = (vector: Float32Array, middle: number, reach: number, times: number, ink: Ink) => {
    const step = values.h / vector.length;
    const shape = Array.from(vector, (value, at) => {
      const long = (value / limit) * reach * times;
      const y = values.y + at * step;
      return `M${middle.toFixed(1)} ${y.toFixed(1)}h${long.toFixed(2)}v${Math.max(step - 0.6, 0.6).toFixed(1)}h${(-long).toFixed(2)}z`;
    });
    pen.path(shape.join(""), ink);
  };
  // keeps the numbers of written rows clear
  const bottom = layout.y + Math.max(active + 1, selection.there) * layout.ch;
  vectors.slice(0, selection.thereColumns).forEach((vector, at) => {
    const middle = layout.x + (at + 0.5) * layout.cw;
    const weight = nth(weights, at);
    if (isWeights && weight > 0.004) {
      const wide = Math.max(1, weight * Math.min(layout.cw - 6, 30));
      // a thin line over rows still to come; below the matrix it is as wide as the weight
      const end = layout.y + layout.h;
      const ink = { fill: theme.v, alpha: 0.3 + 0.6 * weight };
      pen.box(middle - 1.25, bottom, 2.5, end - bottom, ink);
      pen.box(middle - wide / 2, end, wide, values.y - end, ink);
    }
    const times = 1 + (weight - 1) * scaled;
    const isLater = !whole.open(query, nth(selection.columns, at).tokens[0]);
    if (half >= 2 && !isLater)
      bars(vector, middle, half, times, { fill: theme.v, alpha: 0.35 + 0.65 * (isMixed ? 1 : isWeights ? weight : 0) });
    // moving into the mix
    if (mixing && stacked > 0 && stacked < 1 && weight > 0.004) {
      const x = middle + (mix.x + mix.w / 2 - middle) * stacked;
      bars(vector, x, half, weight, { fill: theme.v, alpha: 1 - stacked * 0.5 });
    }
  });
  const left = plan.focus.x + PAD;
  const room = layout.x - left - 6;
  pen.text(texts.lens[kind === "cross" ? "v_memory" : "v"], left, values.y + 11, { bold: true, fill: theme.v_text, max: room });
  pen.text(texts.lens[isMixed ? "weighted" : "values"], left, values.y + 34, { fill: theme.quiet, max: room });
  if (plan.numbers && !isMixed) return; // the arithmetic takes its place
  const box = { x: mix.x - 6, y: mix.y - 4, w: mix.w + 12, h: mix.h + 8 };
  pen.path(rounded(box, 7), {
    stroke: theme.output,
    width: isMixed ? 2 : 1.2,
    dash: isMixed ? undefined : [5, 4],
    alpha: isMixed ? 1 : 0.7,
  });
  pen.text(texts.lens.mix, mix.x + mix.w / 2, mix.y - 17, { bold: true, fill: theme.output_text, align: "center" });
  if (isMixed) bars(mixed, mix.x + mix.w / 2, mix.w / 2, stacked, { fill: theme.output });
}
