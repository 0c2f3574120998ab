// The places of the lens's cards, in px: the two stacks on the left, the block in focus in the middle, what follows it and the output on
// the right. Pure geometry; nothing is drawn here.

import type { Box } from "../../web/src/marks/mark";
import { READABLE } from "../kit/pen";

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
