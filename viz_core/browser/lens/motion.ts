// Animation of a stage: first the active row, slowly and cell by cell, then all other rows at once. Finished cells show the matrix of the
// new stage, the others still that of the stage before.

import type { Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { View } from "../../web/src/ui/store";
import { type Place, cellOf } from "../attention_view/data";
import { draw } from "../attention_view/picture";
import { bars, largest } from "../attention_view/vectors";
import { fill, minus, number } from "../kit/numbers";
import { ATTENTION_OF, STAGES } from "../kit/operations";
import { drawFormula, rounded } from "./ink";
import type { MatrixScene, Scene } from "./scene";

/** An animation: of an attention's stage, the written token, or the vectors of another block; held by the reader, or running. */
export type Motion = { stage?: string; back?: boolean; flies?: number; parts?: boolean } & (
  | { held: number }
  | { held?: undefined; start: number; lasts: number }
);

const LASTS: Record<string, number> = { scores: 1500, scaled: 500, mask: 400, softmax: 800, mix: 900 }; // ms at speed 1
const OWN_ROW = 0.82; // share of that time for the active row
const PARTS = 1100; // ms in which a row of vectors appears, at speed 1
const CELL_BY_CELL = new Set(["scores", "scaled", "mask"]);
const SUMMED = 0.45; // share of a cell's time after which its sum is shown
const FLIGHT = 420; // ms of the written token's way back
const CARD = { w: 216, line: 30, name: 48 }; // px of the card with q, k and q × k at the cell being computed
const STRIP = 96; // px of the strip with the powers of e
const NAMED = 26; // px of its text

const APART = 180; // ms between steps, below which the token does not fly
let stepped = -Infinity;

export const stageBefore = (stage: string): string | null => STAGES[STAGES.indexOf(stage) - 1] ?? null;

// The mask stage takes no time where nothing is masked: in the encoder and in cross attention.
const lasts = (stage: string, view: View) => (stage === "mask" && view.open !== "masked" ? 0 : (LASTS[stage] ?? 0) / view.speed);

// The motion that a change of the view starts, or null; a change of anything else ends the current one. isMatrix: whether a matrix is
// shown; arrives: ms until it has reached its place.
export function motionOf(view: View, before: View, isMatrix: boolean, arrives: number): Motion | null {
  if (!view.open) return null;
  const start = performance.now();
  const isFast = start - stepped < APART;
  if (view.step !== before.step) stepped = start;
  if (view.scrub !== null || before.scrub !== null) return held(view, before, isMatrix);
  if (view.open !== before.open && view.open && !ATTENTION_OF[view.open])
    return { parts: true, start: start + arrives, lasts: PARTS / view.speed };
  if (view.step === before.step + 1) return isFast ? null : { flies: view.step, start, lasts: FLIGHT };
  if (!isMatrix || view.step !== before.step || view.cell || before.cell) return null;
  const [now, then] = [STAGES.indexOf(view.stage), STAGES.indexOf(before.stage)];
  const isNew = view.open !== before.open && before.open;
  const forth = { stage: view.stage, back: false, start: start + arrives, lasts: lasts(view.stage, view) };
  if (isNew) return view.stage === "scores" ? forth : null;
  if (view.open !== before.open || now === then) return null;
  const skipsMask = view.open !== "masked" && view.stage === "softmax" && before.stage === "scaled";
  if (now === then + 1 || skipsMask) return forth;
  return now === then - 1 ? { stage: before.stage, back: true, start, lasts: lasts(before.stage, view) / 2 } : null;
}

// A motion held by the reader at some point, or continued from there.
function held(view: View, before: View, isMatrix: boolean): Motion | null {
  const parts = !ATTENTION_OF[view.open];
  if (!parts && !isMatrix) return null;
  const what = parts ? { parts } : { stage: view.stage, back: false };
  if (view.scrub !== null) return { ...what, held: view.scrub };
  const ms = parts ? PARTS / view.speed : lasts(view.stage, view);
  return { ...what, start: performance.now() - (before.scrub ?? 0) * ms, lasts: ms };
}

// From 0 to 1, or backwards.
export function progress(motion: Motion) {
  if (motion.held !== undefined) return motion.held;
  const { start, lasts: ms, back } = motion;
  const t = ms ? Math.min(1, Math.max(0, performance.now() - start) / ms) : 1;
  return back ? 1 - t : t;
}

export function drawMoving(pen: Pen, scene: MatrixScene, row: number) {
  const { attention, motion, theme } = scene;
  if (!motion) return;
  const { frame, before } = attention;
  const { x, y, cw, ch, w, h } = frame.layout;
  const own = Math.min(1, motion.t / OWN_ROW);
  const others = Math.max(0, (motion.t - OWN_ROW) / (1 - OWN_ROW));
  const columns = frame.selection.thereColumns;
  const at = own * columns;
  const top = y + row * ch;
  const softmax = motion.stage === "softmax";
  const done = softmax ? (own < 0.5 ? 0 : w) : Math.floor(at) * cw;
  if (before) draw(pen, before);
  else {
    draw(pen, frame);
    pen.box(x + 1, y + 1, w - 2, h - 2, { fill: theme.surface });
    pen.box(x - 1, top, w + 2, ch, { stroke: theme.q, width: 3 }); // the active row
  }
  const show = (left: number, above: number, wide: number, high: number) => {
    if (wide > 0) pen.inside(left, above, wide, high, () => draw(pen, frame));
  };
  show(x, top - 1, done, ch + 2);
  if (others > 0) show(x - 3, y - 3, (w + 6) * others, h + 6);
  if (own >= 1) return;
  if (softmax) powers(pen, scene, row, own);
  else if (motion.stage !== "mix") drawComputed(pen, scene, motion.stage, [row, Math.floor(at)], at % 1);
}

// The cell [row, column] being computed at a stage that runs cell by cell; otherwise null.
export function computed({ motion, attention }: Scene): Place | null {
  if (!attention || !motion?.stage || !CELL_BY_CELL.has(motion.stage) || motion.t >= OWN_ROW) return null;
  const { selection, focusedRow } = attention.frame;
  const at = Math.floor((motion.t / OWN_ROW) * selection.thereColumns);
  return [focusedRow, Math.min(at, selection.thereColumns - 1)];
}

function drawComputed(pen: Pen, scene: MatrixScene, stage: string | undefined, [row, column]: Place, part: number) {
  const { attention, theme, data, kind, view } = scene;
  const { frame } = attention;
  const { x, y, cw, ch } = frame.layout;
  const place = { x: x + column * cw, y: y + row * ch };
  const whole = data.attention[kind];
  const [query] = nth(frame.selection.rows, row).tokens;
  const [key] = nth(frame.selection.columns, column).tokens;
  if (stage === "mask" && !whole.open(query, key))
    pen.hatch(place.x, place.y, cw, ch * part, { fill: theme.masked, stroke: theme.surface });
  pen.box(place.x, place.y, cw, ch, { stroke: theme.accent, width: 3 });
  if (stage !== "scores" || view.show !== "one") return;
  const [q, k] = [whole.vector("q", view.layer, view.head, query), whole.vector("k", view.layer, view.head, key)];
  const products = q.map((value, at) => value * nth(k, at));
  const below = place.y + ch + 10;
  const card = { x: place.x + cw / 2 - CARD.w / 2, y: below, w: CARD.w, h: 4 * CARD.line + 10 };
  pen.path(rounded(card, 8), { fill: theme.surface, stroke: theme.line, width: 1.5 });
  const both = largest(q, k);
  const lines = [
    ["q", q, both, theme.q, theme.q_text],
    ["k", k, both, theme.k, theme.k_text],
    ["qk", products, largest(products), theme.ink, theme.ink],
  ] as const;
  lines.forEach(([name, vector, limit, ink, letters], line) => {
    const falls = line === 2 ? part * 10 : 0; // the products drop into their sum
    const top = card.y + 5 + line * CARD.line;
    const box = { x: card.x + CARD.name, y: top - falls, w: CARD.w - CARD.name - 8, h: CARD.line };
    pen.text(frame.texts[name], card.x + 8, top + CARD.line / 2, { bold: true, fill: letters });
    bars(pen, vector, limit, box, () => ink, theme);
  });
  if (part < SUMMED) return;
  const score = nth(whole.values(view.layer, frame.head, "scores"), query * whole.columns + key);
  const sum = { fill: theme.ink, bold: true, size: 20 };
  pen.text(`Σ = ${minus(score)}`, card.x + CARD.name, card.y + 5 + 3.5 * CARD.line, sum);
}

// The softmax of a row: on a strip below it, each score grows to its power of e; then all are divided by their sum.
function powers(pen: Pen, scene: MatrixScene, row: number, own: number) {
  const { attention, theme, data, texts, kind, view } = scene;
  const { frame, values } = attention;
  const { x, y, cw, ch, w } = frame.layout;
  const whole = data.attention[kind];
  const [query] = nth(frame.selection.rows, row).tokens;
  const all = whole.values(view.layer, frame.head, "softmax");
  const weights = frame.selection.columns.map(({ tokens: [key] }) => all[query * whole.columns + key] || 0);
  const most = Math.max(...weights, 1e-9);
  const isLifted = own < 0.5;
  const height = isLifted ? own * 2 : 2 - own * 2;
  const below = y + (row + 1) * ch + 4;
  const strip = { x: x - 1, y: below + STRIP <= values.y ? below : y + row * ch - STRIP - 4, w: w + 2, h: STRIP };
  pen.path(rounded(strip, 6), { fill: theme.surface, stroke: theme.accent, width: 1.5 });
  const floor = strip.y + STRIP - NAMED;
  weights.forEach((weight, at) => {
    const high = Math.max((weight / most) * (floor - strip.y - 6), 2) * height;
    const wide = Math.max(2, cw * 0.6);
    pen.box(x + (at + 0.5) * cw - wide / 2, floor - high, wide, high, { fill: theme.weight, alpha: 0.85 });
  });
  pen.lines([[x + 4, floor, x + w - 4, floor]], { stroke: theme.quiet, width: 1 });
  const { total } = cellOf(whole, { layer: view.layer, head: frame.head, query, key: 0 });
  const words = isLifted ? texts.lens.powers : fill(texts.lens.divided, { total: number(total) });
  drawFormula(pen, words, strip.x + 8, strip.y + STRIP - NAMED / 2, { fill: theme.ink, max: strip.w - 16 });
}

// The point at share t, 0 to 1, of the way along a polyline.
export function along(points: [x: number, y: number][], t: number) {
  const ways = points.slice(1).map(([x, y], at) => {
    const [fromX, fromY] = nth(points, at);
    return { x: fromX, y: fromY, byX: x - fromX, byY: y - fromY, length: Math.hypot(x - fromX, y - fromY) };
  });
  let left = t * ways.reduce((sum, { length }) => sum + length, 0);
  const way = ways.find(({ length }, at) => {
    if (left <= length || at === ways.length - 1) return true;
    left -= length;
    return false;
  });
  const { x, y, byX, byY, length } = way ?? { x: 0, y: 0, byX: 0, byY: 0, length: 0 };
  const part = Math.min(1, left / (length || 1));
  return { x: x + byX * part, y: y + byY * part };
}
