// The layout of the overview in px: sizes in, numbers out; nothing is drawn here.
//
// Left to right: the encoder's lane (tokens, embedding, a card for the layer on display, memory), the decoder's lane (tokens,
// embedding, a card with masked and cross attention and feed-forward), and the next token, which returns below the lanes to the
// decoder. Rows are tokens, at the same height in every column, until a long text is scrolled.

import { partOf } from "../kit/operations";
import { CELLS } from "../kit/pen";
import { NEXT_TOKEN, type Plan } from "../lens/stacks";
import type { Store } from "../../web/src/ui/store";
import type { Overview, Side, Thing } from "./data";
import { barHeight, lettersScale } from "../kit/dom";

const PAD = 10;
const GAP = 6;
const BETWEEN = 14; // at the edge of a lane, between its columns, between the lanes
const ROW = { least: 22, most: 70 }; // px of a row
const BUS = 12;
const TITLE = 27;
const DECK = 4;
const TABS = 9; // px: the line of the lanes' titles; the offset of each card behind; the tabs of the heads
const WAY = 26; // px below the lanes, for the way back
const LEAST_RIBBON = 64; // px: keeps the name above it apart from its neighbours
const NEXT = { least: 126, most: 210 }; // px of the next token's column
const LEAST_ITEM = 34; // px of a token in that column
const BELOW = 30; // px of the words below the written one
export const NEXT_TOP = 6; // px above the column's name, as in the lens
const LIST = NEXT_TOP + NEXT_TOKEN.above; // px above the column's tokens
export const KEY_INSET = 4; // px between the memory's line and the source tokens beside it
export const HOT = 2; // px by which a hovered token grows

const between = (low: number, value: number, high: number) => Math.min(Math.max(value, low), high);

/** width, height: px to fill; source, target: labels; bars: their number; large: in lecture mode; wide: measures a text. */
type Wanted = Record<"width" | "height" | "layers" | "bars", number> & Record<Side, string[]> & { large: boolean; wide: Wide };
export type Wide = (text: string, px: number) => number;
/** px of a column, or of a card. */
export type Span = Record<"x" | "width" | "end", number>;
export type Layout = ReturnType<typeof overviewLayout>;

/** The input of the flow's drawing. top: px that the rows are scrolled; hidden: the word is to be guessed; guess: the source token that
 * the step attends to is to be guessed; thing: the hovered thing. */
export interface Drawn {
  at: Layout;
  data: Overview;
  store: Store;
  wide: Wide;
  top: number;
  hidden: boolean;
  guess: boolean;
  thing: Thing | null;
}

export function overviewLayout({ width, height, source, target, layers, bars, large, wide }: Wanted) {
  const rows = Math.max(source.length, target.length);
  const roomy = width >= 1080;
  const text = (width >= 1350 && height >= 640) || (large && width >= 1080) ? 20 : 18;
  const decks = Math.min(layers - 1, 3);
  const card = TITLE + decks * DECK;
  const names = card + 2;
  const tabs = names + text + 7;
  const head = tabs + TABS + 3;
  const space = Math.max(5 * ROW.least, height - head - WAY - 10);
  const pitch = between(ROW.least + text - 18, Math.floor((space / rows) * 10) / 10, ROW.most);
  const view = Math.min(rows * pitch, space);
  const item = between(LEAST_ITEM, (height - WAY - LIST - NEXT_TOKEN.box - BELOW - 30) / bars, NEXT_TOKEN.line);
  const bottom = Math.max(height - WAY - 6, head + view + 4, LIST + bars * item + 24 + NEXT_TOKEN.box + BELOW); // of the cards
  const high = bottom + 6; // of the lanes

  // As large as rows and width allow, while the longest token still fits its column, even when hovered.
  const cap = roomy ? 160 : 100;
  const longest = Math.max(...[...source, ...target].map((label) => wide(label, 100))) / 100;
  const largest = between(text, Math.min(Math.round(pitch * 0.66), Math.floor(cap / longest) - HOT), roomy ? 26 : 22);
  const column = (labels: string[], least: number, px: number) =>
    between(least, Math.max(...labels.map((label) => wide(label, px + HOT))), cap);
  const print = CELLS * (roomy ? 2 : 1.5);
  const plus = roomy ? 16 + print : 0;
  const next = between(NEXT.least, width * 0.15, NEXT.most);

  const gaps = 3 * PAD + 2 * BETWEEN + BUS + KEY_INSET + 15 * GAP + 10;
  const columns = (px: number) => {
    const [sourceWidth, targetWidth] = [column(source, 40, px), column(target, 52, px)];
    const fixed = gaps + 2 * sourceWidth + targetWidth + 5 * print + 2 * plus + next;
    return { font: px, sourceWidth, targetWidth, fixed, all: Math.max(width, fixed + 3 * LEAST_RIBBON) };
  };
  let fitted = columns(largest);
  while (fitted.all > width && fitted.font > text) fitted = columns(fitted.font - 1);
  const { font, sourceWidth, targetWidth, fixed, all } = fitted;
  const ribbon = Math.max(LEAST_RIBBON, (width - fixed) / 3);

  let x = 0;
  const take = (size: number, gap = GAP): Span => {
    const span = { x, width: size, end: x + size };
    x += size + gap;
    return span;
  };
  const skip = (size: number) => {
    x += size;
  };

  // Embedding and position side by side if there is room, else their sum.
  const entering = () => {
    const first = take(print, roomy ? 16 : GAP);
    if (!roomy) return { input: first };
    const positions = take(print);
    return { input: { x: first.x, end: positions.end }, embedding: first, positions };
  };

  skip(PAD);
  const first = { x: 0, tokens: take(sourceWidth), ...entering(), card: { x, end: 0 } };
  skip(GAP);
  const encoding = { self: take(ribbon), ffn: take(print) };
  first.card.end = x;
  skip(GAP);
  const encoder = { ...first, ...encoding, memory: take(print, PAD), end: x };

  skip(BETWEEN);
  const left = x;
  skip(PAD);
  const second = { x: left, tokens: take(targetWidth), ...entering(), card: { x, end: 0 } };
  skip(GAP);
  const masked = take(ribbon);
  skip(GAP);
  const reading = { bus: take(BUS, 0), keys: take(sourceWidth + KEY_INSET), cross: take(ribbon), ffn: take(print) };
  second.card.end = x;
  const decoder = { ...second, masked, ...reading, end: x + GAP };
  const right = { x: decoder.end + BETWEEN + 8, end: all - 2 };
  const output = { ...right, width: right.end - right.x };

  const choice = { ...output, y: LIST + bars * item + 18, height: NEXT_TOKEN.box };
  return {
    ...{ width: all, height: high + WAY, head, view, bottom, high, roomy },
    ...{ card, deck: DECK, decks, names, tabs, tab: TABS, text, font },
    ...{ rows, pitch, encoder, decoder, output, list: LIST, item, choice },
    middle: (index: number) => (index + 0.5) * pitch,
    scrolled: scrolledSides({ source: source.length, target: target.length }, pitch, view),
    thick: pitch - 3, // of all ribbons together that enter a row
    place: { self: encoder.self, masked: decoder.masked, cross: decoder.cross },
    // regions by the pointer's x: [name, from, to, the block that opens there]
    regions: [
      ["source", 0, encoder.tokens.end, "embedding"],
      ["source_input", encoder.tokens.end, encoder.card.x, "embedding"],
      ["self", encoder.card.x, encoder.self.end + GAP / 2, "encoder"],
      ["encoder_ffn", encoder.ffn.x - GAP / 2, encoder.card.end, "encoder_ffn"],
      ["memory", encoder.card.end, encoder.end, "memory"],
      ["target", decoder.x, decoder.tokens.end, "embedding"],
      ["target_input", decoder.tokens.end, decoder.card.x, "embedding"],
      ["masked", decoder.card.x, decoder.masked.end + GAP, "masked"],
      ["memory", decoder.bus.x, decoder.keys.x, "memory"],
      ["keys", decoder.keys.x, decoder.keys.end, "cross"],
      ["cross", decoder.keys.end, decoder.cross.end + GAP / 2, "cross"],
      ["ffn", decoder.ffn.x - GAP / 2, decoder.end, "ffn"],
      ["output", output.x, all, "softmax"],
    ] satisfies [string, number, number, Block][],
  };
}

// The scroll positions of source and target in px when the longer one is at `top`: they begin and end together, so that no lane is
// empty beside the other's last rows.
function scrolledSides({ source, target }: Record<Side, number>, pitch: number, view: number) {
  const most = (count: number) => Math.max(count * pitch - view, 0);
  const all = most(Math.max(source, target));
  return (top: number) => {
    const share = all ? Math.min(top / all, 1) : 0;
    return { source: share * most(source), target: share * most(target) };
  };
}

// The x, between the lanes, at which the written token goes up to its row.
export const wayBackAt = ({ decoder }: Layout) => decoder.x - BETWEEN / 2;

// In the order of computing.
const BLOCKS = ["embedding", "encoder", "encoder_ffn", "memory", "masked", "cross", "ffn", "softmax"] as const;
export type Block = (typeof BLOCKS)[number];

// The columns of each block in the flow.
export function blockColumns({ encoder, decoder, output }: Layout): Record<Block, [from: number, to: number]> {
  return {
    embedding: [encoder.tokens.x, encoder.input.end],
    encoder: [encoder.self.x, encoder.self.end],
    encoder_ffn: [encoder.ffn.x, encoder.ffn.end],
    memory: [encoder.memory.x, encoder.memory.end],
    masked: [decoder.masked.x, decoder.masked.end],
    cross: [decoder.keys.x, decoder.cross.end],
    ffn: [decoder.ffn.x, decoder.ffn.end],
    softmax: [output.x - 4, output.end],
  };
}

// The lens's cards and tokens at their places in the flow, from which it opens. top: px that the flow is scrolled.
export function flowPlan(at: Layout, block: string, top: number): Plan {
  const { encoder, decoder, output, high, head, names, bottom, pitch, font } = at;
  const { source, target } = at.scrolled(top);
  const rows = ({ end }: Span, scrolled: number) => ({ flow: 1, tokens: { top: head - scrolled, pitch, end, font } });
  const column = ([x, end]: [from: number, to: number]) => ({ x, y: names, w: end - x, h: bottom - names });
  const columns = blockColumns(at);
  return {
    encoder: { x: encoder.x, y: 0, w: encoder.card.x - encoder.x, h: high, ...rows(encoder.tokens, source) },
    decoder: { x: decoder.x, y: 0, w: decoder.card.x - decoder.x, h: high, ...rows(decoder.tokens, target) },
    focus: column(columns[partOf(block) as Block]),
    after: column(columns[block.startsWith("encoder") ? "encoder_ffn" : "ffn"]),
    output: { x: output.x, y: NEXT_TOP, w: output.width, h: high - NEXT_TOP },
    numbers: 0,
  };
}

const STRIP = 46;
const AROUND = 8; // px: the reading strip, and the margin below it
const HEIGHT = { least: 370, most: 900 }; // of the flow
const ON_STAGE = 440; // in lecture mode, at least
const BESIDE_ROWS = 205;
const ROW_ON_STAGE = 24;
const MOST_ROWS = 14; // rows in sight without scrolling
const NEAR = 16;

// The figure's height; top: its place in the window.
export function heightOf(top: number, zoom: number) {
  const free = (innerHeight - barHeight() - top) / zoom - STRIP - AROUND;
  return Math.min(Math.max(free, HEIGHT.least), HEIGHT.most);
}

// The magnification in lecture mode: as for the page's letters, if the whole figure stays in sight. S, T: rows of both sides.
export function enlarged(top: number, { S, T }: Record<"S" | "T", number>) {
  const needs = Math.max(ON_STAGE, BESIDE_ROWS + ROW_ON_STAGE * Math.min(Math.max(S, T), MOST_ROWS)) + STRIP;
  return Math.max(1, Math.min(lettersScale(), (innerHeight - barHeight() - top - AROUND) / needs));
}

// Height of the page's title if nothing is between it and the figure: the lens's crumbs replace it.
export function aboveFigure(figure: HTMLElement) {
  const head = document.querySelector(".st-key-_head")?.getBoundingClientRect();
  if (!head) return 0;
  const gap = figure.getBoundingClientRect().top - head.bottom;
  return gap >= 0 && gap < NEAR ? head.height + gap : 0;
}
