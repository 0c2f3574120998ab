// The places of the lens's cards, and the two stacks beside the block in focus: their tokens, and the vectors that enter this layer or
// leave the encoder, from which the lines of keys and queries start.

import type { Box, Pen } from "../../web/src/marks/mark";
import { READABLE, CELLS, textWidth, widestText } from "../kit/pen";
import type { Stack } from "../overview/data";
import { drawPicture, rounded, swing, vectorPicture } from "./ink";
import type { Given, Scene } from "./scene";
import { apart } from "../../web/src/marks/scale";

// The places of the lens's cards, in px: the two stacks on the left, the block in focus in the middle, what follows it and the output on
// the right. Pure geometry; nothing is drawn here.

const CRUMBS = 40; // px of the breadcrumbs above the cards
const LEAST_TOP = 6;
const FOOT = 32; // px below the cards, for the residual connection and the written token's way back
const GAP = 16;
const DECK = 8; // px by which the cards behind the one in focus are visible
const TITLE = 30; // px of a card's title
const MOST_PITCH = 34; // px of a row of a stack
// px in the list of next tokens: above it, of a line, from a line's top to its bar, of the bar, of the written token's box.
export const NEXT_TOKEN = { above: 60, line: 46, toBar: 21, bar: 10, box: 46 };
const CARDS = ["encoder", "decoder", "focus", "after", "output"] as const;
type Card = (typeof CARDS)[number];

/** A card. tokens: the rows as the flow shows them; flow: how far it is from the lens's layout to the flow's, 0 to 1. */
export interface Place extends Box {
  flow?: number;
  tokens?: { top: number; pitch: number; end: number; font: number } | undefined;
}

/** A place for each card. numbers: px of the arithmetic beside the matrix, or 0. */
export type Plan = Record<Card, Place> & { numbers: number };

type Wanted = { width: number; height: number; cell: boolean; slim: boolean; risen: number; S: number; T: number };

const FOR_CELL = 296; // px of a cell's arithmetic beside the matrix

// cell: whether a cell is open; slim: whether the other cards are as narrow as then; risen: px by which the breadcrumbs are outside;
// S, T: rows of the stacks.
export function lensPlan({ width, height, cell, slim, risen, S, T }: Wanted): Plan {
  const roomy = width >= 1080;
  const isSlim = cell || slim;
  const lane = isSlim ? (roomy ? 156 : 130) : Math.min(Math.max(width * 0.21, 176), 300);
  const after = isSlim ? 78 : roomy ? 128 : 100;
  const output = isSlim ? (roomy ? 122 : 104) : Math.min(Math.max(width * 0.15, 130), 240);
  const top = Math.max(CRUMBS - risen, LEAST_TOP);
  const high = height - top - FOOT;
  const even = (TITLE + 8 + ((high - GAP - 2 * TITLE - 16) * S) / (S + T)) / (high - GAP); // rows of the same height
  const share = Math.min(Math.max(even, 0.36), 0.64);
  const split = Math.round((high - GAP) * share);
  const focus = { x: lane + GAP, y: top, w: width - lane - after - output - 3 * GAP - DECK, h: high - DECK };
  const right = focus.x + focus.w + DECK + GAP;
  return {
    encoder: { x: 0, y: top, w: lane, h: split },
    decoder: { x: 0, y: top + split + GAP, w: lane, h: high - split - GAP },
    focus,
    after: { x: right, y: top, w: after, h: high },
    output: { x: right + after + GAP, y: top, w: output - 2, h: high },
    numbers: cell ? Math.min(FOR_CELL, focus.w * (roomy ? 0.46 : 0.4)) : 0,
  };
}

export const mixed = (a: number, b: number, t: number) => a + (b - a) * t;
// When each card moves, as shares of the time: one after another, so that they do not overlap.
const MOVES: Partial<Record<Card, [start: number, end: number]>> = { encoder: [0.08, 0.55], decoder: [0.3, 1], focus: [0.12, 1] };
// With travelling ribbons the card in focus arrives before them.
const TRAVELS: typeof MOVES = { ...MOVES, focus: [0.04, 0.66] };
export const ease = (t: number) => (t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3); // slow at both ends

// The plan at share t, 0 to 1, between two plans. travels: whether ribbons travel meanwhile.
export function between(from: Plan, to: Plan, t: number, travels = false): Plan {
  const card = (name: Card): Place => {
    const [start, end] = (travels ? TRAVELS : MOVES)[name] ?? [0, 1];
    const at = ease(Math.min(1, Math.max(0, (t - start) / (end - start))));
    const mix = (part: "x" | "y" | "w" | "h" | "flow") => mixed(from[name][part] ?? 0, to[name][part] ?? 0, at);
    const tokens = from[name].tokens ?? to[name].tokens;
    return { x: mix("x"), y: mix("y"), w: mix("w"), h: mix("h"), flow: mix("flow"), tokens };
  };
  const [encoder, decoder, focus] = [card("encoder"), card("decoder"), card("focus")];
  const numbers = mixed(from.numbers, to.numbers, ease(t));
  return { encoder, decoder, focus, after: card("after"), output: card("output"), numbers };
}

export type Rows = ReturnType<typeof rowsOf>;

// The rows of a stack in its card, between the flow's layout and the lens's. label: px at which the tokens end in the lens.
export function rowsOf({ y, h, tokens, flow = 0 }: Place, count: number, label = 0) {
  const mix = (own: number, there = own) => mixed(own, there, flow);
  const top = y + mix(TITLE, tokens?.top);
  const pitch = mix(Math.min(MOST_PITCH, (h - TITLE - 8) / count), tokens?.pitch);
  const middle = (row: number) => top + (row + 0.5) * pitch;
  return { top, pitch, middle, label: mix(label, tokens?.end), letters: mix(READABLE, tokens?.font) };
}

export type StackPlan = ReturnType<typeof stackPlan>;

const PAD = 12;
const STRIP = { least: 26, most: 46 }; // px of a vector's picture
const FAN_FROM = 215; // px of a card with room for the masked attention
const LONGEST = 120; // px of a token
const LEAST_LETTERS = 12; // px of letters in narrow rows

// The vectors that a stack shows beside its tokens: the memory, once the decoder reads it, else this layer's input.
function vectorOf({ data, block, view }: Scene, stack: Stack, isMemory: boolean) {
  const layer = block === "embedding" ? 0 : block === "softmax" ? data.depth[stack] : view.layer;
  const side = stack === "encoder" ? "source" : "target";
  const { memory = 1, input = 1, stream = 1 } = data.limits;
  if (isMemory) return { name: "memory", row: (at: number) => data.vector("memory", at), limit: memory };
  if (!layer) return { name: `${side}_input`, row: (at: number) => data.vector(`${side}_input`, at), limit: input };
  const name = `${stack}_stream`;
  return { name: `${name} ${layer}`, row: (at: number) => data.vector(name, layer - 1, at), limit: stream };
}

// Places the parts of a stack. label: px at which the tokens end; exit: px at which lines start.
export function stackPlan({ data, plan, block }: Given, stack: Stack) {
  const box = plan[stack];
  const labels = stack === "encoder" ? data.source : data.target;
  const isMemory = stack === "encoder" && !block.startsWith("encoder") && block !== "embedding";
  const width = Math.min(Math.max(STRIP.least, box.w * 0.2), STRIP.most);
  const right = box.x + box.w - PAD;
  const wanted = Math.min(widestText(labels) + 4, LONGEST, box.w - width - 2 * PAD - 8);
  const hasFan = stack === "decoder" && block === "cross" && box.w >= FAN_FROM;
  const label = hasFan ? box.x + PAD + wanted : right - width - 8;
  const rows = rowsOf(box, labels.length, label);
  const strip = { x: hasFan ? rows.label + 8 : right - width, w: hasFan ? Math.min(width, 30) : width };
  const fan = hasFan ? { x: strip.x + strip.w + 2, end: right } : null;
  return { rows, labels, label: rows.label, room: rows.label - box.x - PAD, strip, fan, exit: right, isMemory };
}

export function drawLane(pen: Pen, scene: Scene, stack: Stack) {
  const { theme, plan, view, texts, current } = scene;
  const box = plan[stack];
  const shown = scene.stacks[stack];
  const { rows, labels, label, room, strip, isMemory } = shown;
  const written = stack === "decoder" ? view.step + 1 : labels.length;
  pen.path(rounded(box, 12), { fill: theme[stack] });
  const name = texts[stack];
  pen.text(name, box.x + PAD, box.y + 16, { bold: true, fill: theme.ink, max: box.w - 2 * PAD });
  const note = isMemory ? texts.name.memory : texts.lens.input;
  const free = box.w - 2 * PAD - textWidth(name, READABLE, true) - 10;
  if (textWidth(note, READABLE) <= free) pen.text(note, box.x + box.w - PAD, box.y + 16, { fill: theme.quiet, align: "right" });
  const now = current[stack];
  if (now !== null && now < labels.length) {
    const band = { x: box.x + 5, y: rows.middle(now) - rows.pitch / 2 + 1, w: box.w - 10, h: rows.pitch - 2 };
    pen.path(rounded(band, 6), { fill: theme.accent, alpha: theme.dark ? 0.18 : 0.12 });
  }
  const { name: key, row, limit } = vectorOf(scene, stack, isMemory);
  const weights = scene.weights?.[stack] ?? [];
  const order = [...labels.keys()].sort((a, b) => Number(b === now) - Number(a === now) || (weights[b] ?? 0) - (weights[a] ?? 0));
  const letters = rows.pitch >= LEAST_LETTERS ? 0 : READABLE - 1; // px that each label needs
  const seen = new Set(apart(order, (at) => [at * rows.pitch, at * rows.pitch + letters]).map(([at]) => at));
  const high = Math.max(rows.pitch - (rows.pitch > 12 ? 6 : 1), 1);
  const thick = Math.max(rows.pitch / 2, 1); // px of a vector, as in the flow
  labels.forEach((words, at) => {
    const middle = rows.middle(at);
    if (at >= written) {
      placeToCome(pen, scene, { x: label - room, y: middle - high / 2, w: room, h: high }, at === written);
      return;
    }
    if (seen.has(at)) {
      const bold = at === now || scene.hot?.[stack] === at;
      const size = Math.min(rows.letters, Math.max(rows.pitch - 1, LEAST_LETTERS));
      pen.text(words, label, middle, { size, bold, fill: theme.ink, align: "right", max: room });
    }
    const about = `${scene.version} ${key} ${at} ${theme.surface}`;
    const picture = vectorPicture(about, row(at).subarray(0, CELLS), CELLS, limit, theme.diverging);
    drawPicture(pen, picture, { x: strip.x, y: middle - thick / 2, w: strip.w, h: thick });
  });
  if (shown.fan) drawFan(pen, scene, rows, shown.fan);
}

function placeToCome(pen: Pen, { theme }: Scene, box: Box, isNext: boolean) {
  if (box.h < 6) return;
  const ink = isNext ? { stroke: theme.output, width: 2 } : { stroke: theme.line, width: 1 };
  pen.path(rounded({ ...box, y: box.y + 1, h: box.h - 2 }, 5), { ...ink, dash: [5, 4] });
}

// This layer and head's masked attention in small: from key to query.
function drawFan(pen: Pen, { data, theme, view }: Scene, rows: Rows, fan: { x: number; end: number }) {
  const { step, layer, head } = view;
  for (let query = 0; query <= step; query += 1) {
    data.weights("masked", layer, head, query).forEach((weight, key) => {
      if (weight < 0.02) return;
      const alpha = (query === step ? 1 : 0.3) * Math.min(1, 0.25 + weight);
      const line = swing(fan.x, rows.middle(key), fan.end, rows.middle(query));
      pen.path(line, { stroke: query === step ? theme.weight : theme.quiet, width: 0.8 + 3.5 * weight, alpha });
    });
  }
}
