// The layout of the overview in px. Sizes go in, numbers come out; nothing is drawn here.
//
// Left to right: the encoder's lane (tokens, embedding, a card for the layer on display, memory), the decoder's (tokens,
// embedding, a card with masked and cross attention and feed-forward), and the next token, which goes back below the lanes
// into the decoder. Rows are tokens, at the same height in every column, until a text that is too long is scrolled.

import { partOf } from "../kit/operations";
import { CELLS } from "../kit/pen";
import { NEXT_TOKEN, type Plan } from "../lens/plan";
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
const TABS = 9; // px: the line with the lanes' titles; each card behind stands so much higher; the tabs of the heads
const WAY = 26; // px below the lanes, for the way back
const LEAST_RIBBON = 64; // px: the name above it stands apart from its neighbours'
const NEXT = { least: 126, most: 210 }; // px of the next token's column
const LEAST_ITEM = 34; // px of a token in it
const BELOW = 30; // px of the words below the written one
export const NEXT_TOP = 6; // px above its name, as in the lens
const LIST = NEXT_TOP + NEXT_TOKEN.above; // px above its tokens
export const KEY_INSET = 4; // px between the memory's way and the source tokens beside it
export const HOT = 2; // px that a token grows when it is pointed at

const between = (low: number, value: number, high: number) => Math.min(Math.max(value, low), high);

/** width, height: px to fill; source, target: labels; bars: how many; large: in lecture mode; wide: the width of a text. */
type Wanted = Record<"width" | "height" | "layers" | "bars", number> & Record<Side, string[]> & { large: boolean; wide: Wide };
export type Wide = (text: string, px: number) => number;
/** px of a column, or of a card. */
export type Span = Record<"x" | "width" | "end", number>;
export type Layout = ReturnType<typeof overviewLayout>;

/** What the flow is drawn from. top: px that the rows are scrolled; hidden: the word is to be guessed; guess: what the step's token
 * looks at across is; thing: what is pointed at. */
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

  // As large as the rows and the width allow, but no larger than the longest token fits its column; a token that is pointed at
  // grows.
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
  let chosen = columns(largest);
  while (chosen.all > width && chosen.font > text) chosen = columns(chosen.font - 1);
  const { font, sourceWidth, targetWidth, fixed, all } = chosen;
  const ribbon = Math.max(LEAST_RIBBON, (width - fixed) / 3);

  let x = 0;
  const take = (size: number, gap = GAP): Span => {
    const at = { x, width: size, end: x + size };
    x += size + gap;
    return at;
  };
  const skip = (size: number) => {
    x += size;
  };

  // Where there is room the embedding and the position stand beside each other, else their sum.
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
    thick: pitch - 3, // of a row: all ribbons that enter it
    place: { self: encoder.self, masked: decoder.masked, cross: decoder.cross },
    // what lies under a pointer, by its x: [name, from, to], and the block that opens there
    regions: [
      ["source", 0, encoder.tokens.end, "embedding"],
      ["source_input", encoder.tokens.end, encoder.card.x, "embedding"],
      ["self", encoder.card.x, encoder.self.end + GAP / 2, "encoder"],
      ["encoder_ffn", encoder.ffn.x - GAP / 2, encoder.card.end, "encoder_ffn"],
      ["memory", encoder.card.end, encoder.end, "memory"],
      ["target", decoder.x, decoder.tokens.end, "embedding"],
      ["target_input", decoder.tokens.end, decoder.card.x, "embedding"],
      ["masked", decoder.card.x, decoder.masked.end + GAP, "masked"],
      ["keys", decoder.bus.x, decoder.keys.end, "memory"],
      ["cross", decoder.keys.end, decoder.cross.end + GAP / 2, "cross"],
      ["ffn", decoder.ffn.x - GAP / 2, decoder.end, "ffn"],
      ["output", output.x, all, "softmax"],
    ] satisfies [string, number, number, Block][],
  };
}

// How far source and target are scrolled, both in px, where the longer of them is by `top`: they begin and end together, so that
// no lane is empty beside the other's last rows.
function scrolledSides({ source, target }: Record<Side, number>, pitch: number, view: number) {
  const most = (count: number) => Math.max(count * pitch - view, 0);
  const all = most(Math.max(source, target));
  return (top: number) => {
    const share = all ? Math.min(top / all, 1) : 0;
    return { source: share * most(source), target: share * most(target) };
  };
}

// Px at which the written token goes up to its row: between the lanes.
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

// Where the flow has the cards of the lens, and their tokens, from which the lens opens a block. top: px that it is scrolled.
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
const AROUND = 8; // the reading strip, and what stays free below it
const HEIGHT = { least: 370, most: 900 }; // of the flow
const ON_STAGE = 440; // in lecture mode, at least
const BESIDE_ROWS = 205;
const ROW_ON_STAGE = 24;
const MOST_ROWS = 14; // so many rows are to be seen without scrolling
const NEAR = 16;

// top: of the figure in the window.
export function heightOf(top: number, zoom: number) {
  const free = (innerHeight - barHeight() - top) / zoom - STRIP - AROUND;
  return Math.min(Math.max(free, HEIGHT.least), HEIGHT.most);
}

// In lecture mode it is as large as the page's letters, if all of it is still seen at once. S, T: rows of both sides.
export function enlarged(top: number, { S, T }: Record<"S" | "T", number>) {
  const needs = Math.max(ON_STAGE, BESIDE_ROWS + ROW_ON_STAGE * Math.min(Math.max(S, T), MOST_ROWS)) + STRIP;
  return Math.max(1, Math.min(lettersScale(), (innerHeight - barHeight() - top - AROUND) / needs));
}

// Of the page's title, where nothing stands between it and the figure: in its place the lens says where one is.
export function aboveFigure(figure: HTMLElement) {
  const head = document.querySelector(".st-key-_head")?.getBoundingClientRect();
  if (!head) return 0;
  const gap = figure.getBoundingClientRect().top - head.bottom;
  return gap >= 0 && gap < NEAR ? head.height + gap : 0;
}
