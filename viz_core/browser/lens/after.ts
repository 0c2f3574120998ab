// The card after the block in focus, from the bottom up: the sum, the norm, this layer's feed-forward with its hidden units, or the
// vector that leaves the layer; and the residual connection around the block.

import type { Box, Pen } from "../../web/src/marks/mark";
import { circle } from "../../web/src/marks/shapes";
import { fill, grouped } from "../kit/numbers";
import { isEncoders, partOf } from "../kit/operations";
import { READABLE, textWidth } from "../kit/pen";
import { limitOf } from "./blocks";
import type { Stack } from "../overview/data";
import { drawFormula, drawPicture, onTo, rounded, swing, vectorPicture } from "./ink";
import type { MatrixScene, Scene } from "./scene";

const PAD = 12;
const RING = 13;
const NOTE = 22; // px of a text line below the picture
const UNITS = 16; // hidden units per line
const DIMS = 8; // numbers of a vector per line
const NARROW = 116; // px of a card too narrow for long names
const HEAD = 5; // px of an arrow's head
export const LEAST = { w: 60, h: 200 }; // px of a card that is large enough to draw in, while it opens

// The stack whose vector is shown; an embedding is made on both sides.
export const sideOf = ({ block, current }: Scene): Stack =>
  isEncoders(block) || (block === "embedding" && current.encoder !== null) ? "encoder" : "decoder";

// Whether the block's output is added to the residual stream.
const hasSum = (block: string) => !["embedding", "memory", "softmax"].includes(block);

export function drawAfter(pen: Pen, scene: Scene) {
  const { plan, theme, texts, block, current, data } = scene;
  const card = plan.after;
  const stack = sideOf(scene);
  const row = current[stack] ?? 0;
  pen.path(rounded(card, 12), { fill: theme[stack] });
  if (card.w < LEAST.w || card.h < LEAST.h) return;
  const put: Put = (words, y, more = {}) =>
    pen.text(words, card.x + card.w / 2, y, { fill: theme.ink, align: "center", max: card.w - 8, ...more });
  const goesOn = streamOf(scene, stack, row);
  if (goesOn) drawStream(pen, scene, goesOn, put);
  else drawUnits(pen, scene, stack, row, put);
  if (!hasSum(block)) return;
  const ring = ringOf(scene);
  const up = (from: number, to: number) => {
    pen.lines([[ring.x, from, ring.x, to + HEAD]], { stroke: theme.quiet, width: 2 });
    pen.path(`M${ring.x} ${to}l${-HEAD} ${1.6 * HEAD}h${2 * HEAD}z`, { fill: theme.quiet });
  };
  const norm = { x: card.x + PAD, y: ring.y - 52, w: card.w - 2 * PAD, h: 26 };
  const isNormed = !goesOn || data.norm === "post"; // with pre-norm the next layer begins with the norm
  if (isNormed) {
    pen.path(rounded(norm, 6), { fill: theme.surface, stroke: theme.quiet });
    put(texts.paper.norm, norm.y + 13);
    up(ring.y - RING, norm.y + norm.h);
  }
  const isCrossNext = !goesOn && stack === "decoder" && partOf(block) === "masked";
  up(isNormed ? norm.y : ring.y - RING, norm.y - 14);
  if (isCrossNext) {
    const next = { ...norm, y: norm.y - 14 - norm.h };
    pen.path(rounded(next, 6), { fill: theme.surface, stroke: theme.quiet });
    const { cross, cross_short } = texts.lens;
    put(textWidth(cross, READABLE) <= next.w - 4 ? cross : cross_short, next.y + 13);
  }
  pen.path(circle(ring.x, ring.y, RING), { fill: theme.surface, stroke: theme.ink, width: 2 });
  pen.path(`M${ring.x - 6} ${ring.y}h12m-6 -6v12`, { stroke: theme.ink, width: 2 });
  put(texts.paper.add, ring.y + RING + 13);
}

type Put = (words: string, y: number, more?: { fill?: string; bold?: boolean }) => void;

// The vector that leaves, and where it goes; region and layer as the flow names them.
type Stream = { title: string; name: string; at: number[]; to: string; region: string; layer?: number };

// null if this layer's feed-forward comes next.
export function streamOf({ block, data, view, texts: { lens, name } }: Scene, stack: Stack, row: number): Stream | null {
  const isLast = view.layer === data.depth[stack] - 1;
  const last = stack === "encoder" ? lens.to_memory : lens.to_softmax;
  const stream = `${stack}_stream`;
  if (block === "embedding") {
    const side = stack === "encoder" ? "source" : "target";
    return { title: "x", name: `${side}_input`, at: [row], to: fill(lens.to_layer, { layer: 1 }), region: `${side}_input` };
  }
  if (block === "memory") return { title: name.memory, name: "memory", at: [row], to: lens.to_cross, region: "memory" };
  if (block === "softmax") {
    const layer = data.depth.decoder - 1;
    return { title: lens.last, name: stream, at: [layer, row], to: lens.to_softmax, region: stream, layer };
  }
  if (!block.endsWith("ffn")) return null;
  const to = isLast ? last : fill(lens.to_layer, { layer: view.layer + 2 });
  return { title: lens.leaves, name: stream, at: [view.layer, row], to, region: stream, layer: view.layer };
}

function drawStream(pen: Pen, scene: Scene, { title, name, at, to }: Stream, put: Put) {
  const { theme, data, version } = scene;
  const values = data.vector(name, ...at);
  const limit = limitOf([{ values }]);
  const key = `${version} ${name} ${at} ${theme.surface}`;
  const picture = vectorPicture(key, values, DIMS, limit, theme.diverging);
  const box = drawColumn(pen, scene, picture);
  put(fill(title, { layers: data.depth.decoder }), scene.plan.after.y + 16, { bold: true });
  put(to, box.y + box.h + 15, { fill: theme.quiet });
}

// All hidden units of the feed-forward, in lines.
function drawUnits(pen: Pen, scene: Scene, stack: Stack, row: number, put: Put) {
  const { theme, data, view, texts, version } = scene;
  const card = scene.plan.after;
  const isNarrow = card.w < NARROW;
  const name = `${stack}_ffn_hidden`;
  const key = `${version} ${name} ${view.layer} ${row} ${theme.surface}`;
  const limit = data.limits[name] ?? 1;
  const hidden = data.vector(name, view.layer, row);
  const box = drawColumn(pen, scene, vectorPicture(key, hidden, UNITS, limit, theme.diverging));
  const numbers = { firing: grouped(data.firing(stack, view.layer, row)), units: grouped(data.units) };
  put(isNarrow ? texts.lens.ffn : texts.name.ffn, card.y + 16, { bold: true });
  put(isNarrow ? numbers.firing : fill(texts.lens.firing, numbers), box.y + box.h + 15, { fill: theme.quiet });
  put(isNarrow ? texts.lens.on : texts.lens.active, box.y + box.h + 15 + NOTE, { fill: theme.quiet });
}

// Draws a picture of all numbers above the sum, and returns its box.
function drawColumn(pen: Pen, scene: Scene, picture: ReturnType<typeof vectorPicture>): Box {
  const { plan, theme, block } = scene;
  const card = plan.after;
  const top = card.y + 34;
  const taken = 114 + (partOf(block) === "masked" ? 40 : 0);
  const bottom = hasSum(block) ? ringOf(scene).y - taken : card.y + card.h - 40;
  const box = { x: card.x + PAD, y: top, w: card.w - 2 * PAD, h: Math.max(bottom - top, 20) };
  pen.box(box.x - 1, box.y - 1, box.w + 2, box.h + 2, { fill: theme.surface, stroke: theme.line });
  drawPicture(pen, picture, box);
  return box;
}

const ringOf = ({ plan: { after } }: Scene) => ({ x: after.x + after.w / 2, y: after.y + after.h - 48 });

// The path of the mix into the sum.
export function drawMixWay(pen: Pen, scene: MatrixScene) {
  const { theme, view, motion } = scene;
  const { mix } = scene.attention;
  const ring = ringOf(scene);
  const { focus, numbers } = scene.plan;
  const isMixed = view.stage === "mix" && !motion?.stage;
  // around the arithmetic of a cell, if that is open
  const low = focus.y + focus.h - 6;
  const right = focus.x + focus.w;
  const line = numbers
    ? `M${mix.x + mix.w / 2} ${mix.y + mix.h + 4}Q${mix.x + mix.w / 2} ${low} ${mix.x + mix.w / 2 + 14} ${low}H${right}${onTo(right, low, ring.x - RING, ring.y)}`
    : swing(mix.x + mix.w + 6, mix.y + mix.h / 2, ring.x - RING, ring.y);
  pen.path(line, { stroke: theme.output, width: isMixed ? 9 : 3, alpha: isMixed ? 0.9 : 0.35 });
  if (numbers) return;
  const half = { x: (mix.x + mix.w + 6 + ring.x - RING) / 2, y: (mix.y + mix.h / 2 + ring.y) / 2 };
  pen.path(rounded({ x: half.x - 18, y: half.y - 13, w: 36, h: 26 }, 6), { fill: theme.surface, stroke: theme.output });
  drawFormula(pen, "W^{O}", half.x, half.y, { fill: theme.output_text, align: "center" });
}

// The residual connection around the block, behind the cards.
export function drawResidual(pen: Pen, scene: Scene) {
  if (!hasSum(scene.block)) return;
  const { plan, theme, block, current } = scene;
  const stack = isEncoders(block) ? "encoder" : "decoder";
  const ring = ringOf(scene);
  const bottom = plan.after.y + plan.after.h;
  const { rows, exit } = scene.stacks[stack];
  const from = { x: plan[stack].x + plan[stack].w, y: rows.middle(current[stack] ?? 0) };
  const under = bottom + 9;
  const side = from.x + 9;
  const residual = `M${exit} ${from.y}H${side - 6}Q${side} ${from.y} ${side} ${from.y + 6}V${under - 8}Q${side} ${under} ${side + 8} ${under}H${ring.x - 8}Q${ring.x} ${under} ${ring.x} ${under - 8}V${ring.y + 12}`;
  pen.path(residual, { stroke: theme.quiet, width: 3, alpha: 0.55 });
}
