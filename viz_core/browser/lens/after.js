// What follows the block in focus: add & norm, the feed-forward of this layer with its hidden units, and the next token's
// probabilities; round it all run the residual, and the way back of the token that is written.

import { fill, grouped, percent } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { limitOf } from "./blocks.js";
import { drawPicture, onTo, rounded, swing, vectorPicture } from "./ink.js";
import { along } from "./motion.js";
import { isEncoders } from "./plan.js";

const PAD = 12;
const RING = 13;
const BAR = 10;
const NOTE = 22; // px of a line below the units
const LINE = 46; // px of a token's line
const UNITS = 16; // hidden units in a line, and numbers of a vector
const DIMS = 8;
const LIST = 36;
const CHIP = 46; // px above the list of tokens, and of the written one
const NARROW = 116; // px of a card that has no room for whole words
const LEAST = { w: 60, h: 200 }; // px of a card that is on its way to its place, before anything stands in it

export function drawAfter(pen, scene) {
  const { plan, theme, texts, block, current } = scene;
  const card = plan.after;
  const stack = isEncoders(block) ? "encoder" : "decoder";
  const row = current[stack] ?? 0;
  pen.path(rounded(card, 12), { fill: theme[stack] });
  if (card.w < LEAST.w || card.h < LEAST.h) return;
  const put = (words, y, more = {}) =>
    pen.text(words, card.x + card.w / 2, y, { fill: theme.ink, align: "center", max: card.w - 8, ...more });
  const ring = ringOf(scene);
  const isFocus = block === "ffn" || block === "encoder_ffn";
  if (isFocus) drawStream(pen, scene, stack, row, put);
  else drawUnits(pen, scene, stack, row, put);
  const norm = { x: card.x + PAD, y: ring.y - 50, w: card.w - 2 * PAD, h: 26 };
  pen.path(rounded(norm, 6), { fill: theme.surface, stroke: theme.quiet });
  put(texts.paper.norm, norm.y + 13);
  const up = (from, to) => {
    pen.lines([[card.x + card.w / 2, from, card.x + card.w / 2, to]], { stroke: theme.quiet, width: 2 });
  };
  up(ring.y - RING, norm.y + norm.h);
  if (!isFocus) up(norm.y, norm.y - 14);
  pen.path(circle(ring), { fill: theme.surface, stroke: theme.ink, width: 2 });
  pen.lines(
    [
      [ring.x - 6, ring.y, ring.x + 6, ring.y],
      [ring.x, ring.y - 6, ring.x, ring.y + 6],
    ],
    { stroke: theme.ink, width: 2 },
  );
  put(texts.paper.add, ring.y + RING + 13);
}

// Behind the feed-forward: the vector that leaves the layer, and where it goes.
function drawStream(pen, scene, stack, row, put) {
  const { theme, data, view, texts, version } = scene;
  const card = scene.plan.after;
  put(texts.lens.leaves, card.y + 16, { bold: true });
  const name = `${stack}_stream`;
  const vector = data.vector(name, view.layer, row);
  const limit = limitOf([{ values: vector }]);
  const share = (value) => (value / limit + 1) / 2;
  const key = `${version} ${name} ${view.layer} ${row} ${theme.surface}`;
  const box = columnOf(scene);
  pen.box(box.x - 1, box.y - 1, box.w + 2, box.h + 2, { fill: theme.surface, stroke: theme.line });
  drawPicture(pen, vectorPicture(key, vector, DIMS, share, theme.diverging), box);
  const isLast = view.layer === data.layers - 1;
  const to = isLast ? (stack === "encoder" ? texts.lens.to_memory : texts.lens.to_softmax) : texts.lens.to_layer;
  put(fill(to, { layer: view.layer + 2 }), box.y + box.h + 15, { fill: theme.quiet });
}

// Where the picture stands above the norm.
function columnOf({ plan }) {
  const card = plan.after;
  const top = card.y + 34;
  return { x: card.x + PAD, y: top, w: card.w - 2 * PAD, h: Math.max(ringOf({ plan }).y - 114 - top, 20) };
}

// The hidden units of the feed-forward: all of them, in lines.
function drawUnits(pen, scene, stack, row, put) {
  const { theme, data, view, texts, version } = scene;
  const card = scene.plan.after;
  put(card.w < NARROW ? texts.lens.ffn : texts.name.ffn, card.y + 16, { bold: true });
  const hidden = data.vector(`${stack}_ffn_hidden`, view.layer, row);
  const limit = data.limits[`${stack}_ffn_hidden`];
  const key = `${version} hidden ${stack} ${view.layer} ${row} ${theme.surface}`;
  const picture = vectorPicture(key, hidden, UNITS, (value) => value / limit, theme.sequential);
  const box = columnOf(scene);
  pen.box(box.x - 1, box.y - 1, box.w + 2, box.h + 2, { fill: theme.surface, stroke: theme.line });
  drawPicture(pen, picture, box);
  const numbers = { firing: grouped(data.firing(stack, view.layer, row)), units: grouped(data.units) };
  const isNarrow = card.w < NARROW;
  put(isNarrow ? numbers.firing : fill(texts.lens.firing, numbers), box.y + box.h + 15, { fill: theme.quiet });
  put(isNarrow ? texts.lens.on : texts.lens.active, box.y + box.h + 15 + NOTE, { fill: theme.quiet });
}

const circle = ({ x, y }) =>
  `M${x - RING} ${y}a${RING} ${RING} 0 1 1 ${2 * RING} 0a${RING} ${RING} 0 1 1 ${-2 * RING} 0z`;

export function ringOf({ plan: { after } }) {
  return { x: after.x + after.w / 2, y: after.y + after.h - 48 };
}

// hidden: the word is to be guessed.
export function drawOutput(pen, { plan, theme, data, view, texts, hidden }) {
  const card = plan.output;
  if (card.w < LEAST.w || card.h < LEAST.h) return;
  const { bars, written } = data.steps[view.step];
  pen.text(texts.lens.next, card.x, card.y + 16, { bold: true, fill: theme.ink, max: card.w });
  const { chip, line } = listOf({ plan, data });
  bars.forEach(([label, share], at) => {
    const top = card.y + LIST + at * line;
    const isWritten = at === written && !hidden;
    const number = percent(share);
    const wide = textWidth(number, READABLE) + 8;
    pen.text(hidden ? "?" : label, card.x, top + 9, { bold: isWritten, fill: theme.ink, max: card.w - wide });
    if (!hidden) pen.text(number, card.x + card.w, top + 9, { fill: theme.ink, align: "right", bold: isWritten });
    const track = { x: card.x, y: top + 21, w: card.w, h: BAR };
    pen.path(rounded(track, 3), { fill: theme.panel });
    if (!hidden)
      pen.path(rounded({ ...track, w: Math.max(share * card.w, 2) }, 3), {
        fill: theme.output,
        alpha: isWritten ? 1 : 0.6,
      });
  });
  pen.path(rounded(chip, 10), { fill: theme.surface, stroke: theme.output, width: 3 });
  const words = hidden ? "?" : data.output[view.step];
  pen.text(words, chip.x + chip.w / 2, chip.y + chip.h / 2, {
    size: 24,
    bold: true,
    fill: theme.output_text,
    align: "center",
    max: chip.w - 12,
  });
}

// Px of a line of the list, which keeps its place from step to step; and below it the token that is written.
function listOf({ plan: { output }, data }) {
  const count = Math.max(...data.steps.map(({ bars }) => bars.length));
  const line = Math.min(LINE, (output.h - LIST - CHIP - 24) / count);
  return { line, chip: { x: output.x + 2, y: output.y + LIST + count * line + 18, w: output.w - 4, h: CHIP } };
}

// The mix, into the sum.
export function drawMixWay(pen, scene, mix) {
  const { theme, view, motion } = scene;
  const ring = ringOf(scene);
  const { focus, numbers } = scene.plan;
  const isMixed = view.stage === "mix" && !motion?.stage;
  // below the arithmetic of a cell, where that is open
  const low = focus.y + focus.h - 6;
  const right = focus.x + focus.w;
  const line = numbers
    ? `M${mix.x + mix.w / 2} ${mix.y + mix.h + 4}Q${mix.x + mix.w / 2} ${low} ${mix.x + mix.w / 2 + 14} ${low}H${right}${onTo(right, low, ring.x - RING, ring.y)}`
    : swing(mix.x + mix.w + 6, mix.y + mix.h / 2, ring.x - RING, ring.y);
  pen.path(line, { stroke: theme.output, width: isMixed ? 9 : 3, alpha: isMixed ? 0.9 : 0.35 });
}

// Behind the cards: the residual round the block, and the written token's way back to where it is
// read next.
export function drawWays(pen, scene) {
  const { plan, theme, block, current } = scene;
  const stack = isEncoders(block) ? "encoder" : "decoder";
  const ring = ringOf(scene);
  const bottom = plan.after.y + plan.after.h;
  const found = scene.stacks[stack];
  const from = { x: plan[stack].x + plan[stack].w, y: found.rows.middle(current[stack] ?? 0) };
  const under = bottom + 9;
  const side = from.x + 9;
  const residual = `M${found.exit} ${from.y}H${side - 6}Q${side} ${from.y} ${side} ${from.y + 6}V${under - 8}Q${side} ${under} ${side + 8} ${under}H${ring.x - 8}Q${ring.x} ${under} ${ring.x} ${under - 8}V${ring.y + 12}`;
  pen.path(residual, { stroke: theme.quiet, width: 3, alpha: 0.55 });
  if (!isEncoders(block)) {
    const [y, x] = [plan.output.y + 16, plan.output.x - 3];
    pen.lines([[plan.after.x + plan.after.w, y, x - 7, y]], { stroke: theme.quiet, width: 2.5 });
    pen.path(`M${x} ${y}l-9 -5v10z`, { fill: theme.quiet });
  }
  const back = isEncoders(block) ? null : wayBack(scene, scene.view.step + 1);
  if (!back) return;
  const [[x, y], [, low], [toX], [, toY]] = back;
  const way = `M${x} ${y}V${low - 10}Q${x} ${low} ${x - 10} ${low}H${toX + 10}Q${toX} ${low} ${toX} ${low - 10}V${toY}`;
  pen.path(way, { stroke: theme.output, width: 2.5, dash: [7, 6] });
}

// The corners of the written token's way to its row in the decoder, where it is read at the step `to`; null after the last.
export function wayBack(scene, to) {
  const { plan, data } = scene;
  if (to >= data.T) return null;
  const { rows } = scene.stacks.decoder;
  const { chip } = listOf(scene);
  const low = plan.after.y + plan.after.h + 24;
  const x = chip.x + chip.w / 2;
  const end = plan.decoder.x + 30;
  return [
    [x, chip.y + chip.h + 2],
    [x, low],
    [end, low],
    [end, rows.middle(to) + rows.pitch / 2 - 2],
  ];
}

// The written token on its way.
export function drawFlight(pen, scene) {
  const { motion, theme, data } = scene;
  const back = wayBack(scene, motion.flies);
  if (!back) return;
  const { x, y } = along(back, motion.t);
  const words = data.target[motion.flies];
  const wide = textWidth(words, 20, true) + 20;
  pen.path(rounded({ x: x - wide / 2, y: y - 16, w: wide, h: 32 }, 8), {
    fill: theme.surface,
    stroke: theme.output,
    width: 2,
  });
  pen.text(words, x, y, { size: 20, bold: true, fill: theme.output_text, align: "center" });
}
