// The layout of the overview in px. Sizes go in, numbers come out; nothing is drawn here.
//
// Left to right: the encoder's lane (tokens, embedding, a card for the layer on display, memory), the decoder's (tokens,
// embedding, a card with masked and cross attention and feed-forward), and the next token, which goes back below the lanes
// into the decoder. Rows are tokens, at the same height in every column, until a text that is too long is scrolled.

import { partOf } from "../kit/operations";
import { CELLS } from "../kit/pen";
import { NEXT_TOKEN } from "../lens/plan";

const PAD = 10;
const GAP = 6;
const BETWEEN = 14; // at the edge of a lane, between its columns, between the lanes
const ROW = [22, 70]; // px of a row, least and most
const BUS = 12;
const TITLE = 27;
const DECK = 4;
const TABS = 9; // px: the line with the lanes' titles; each card behind stands so much higher; the tabs of the heads
const WAY = 26; // px below the lanes, for the way back
const LEAST_RIBBON = 64; // px: the name above it stands apart from its neighbours'
const NEXT = [126, 210]; // px of the next token's column, least and most
const LEAST_ITEM = 34; // px of a token in it
const BELOW = 30; // px of the words below the written one
export const NEXT_TOP = 6; // px above its name, as in the lens
const LIST = NEXT_TOP + NEXT_TOKEN.above; // px above its tokens
export const KEY_INSET = 4; // px between the memory's way and the source tokens beside it
export const HOT = 2; // px that a token grows when it is pointed at

const between = (low, value, high) => Math.min(Math.max(value, low), high);

// width, height: px to fill. source, target: labels. bars: how many. large: in lecture mode. wide(text, px): the width
// of a text.
export function overviewLayout({ width, height, source, target, layers, bars, large, wide }) {
  const rows = Math.max(source.length, target.length);
  const roomy = width >= 1080;
  const text = (width >= 1350 && height >= 640) || (large && width >= 1080) ? 20 : 18;
  const decks = Math.min(layers - 1, 3);
  const card = TITLE + decks * DECK;
  const names = card + 2;
  const tabs = names + text + 7;
  const head = tabs + TABS + 3;
  const space = Math.max(5 * ROW[0], height - head - WAY - 10);
  const pitch = between(ROW[0] + text - 18, Math.floor((space / rows) * 10) / 10, ROW[1]);
  const view = Math.min(rows * pitch, space);
  const item = between(LEAST_ITEM, (height - WAY - LIST - NEXT_TOKEN.box - BELOW - 30) / bars, NEXT_TOKEN.line);
  const bottom = Math.max(height - WAY - 6, head + view + 4, LIST + bars * item + 24 + NEXT_TOKEN.box + BELOW); // of the cards
  const high = bottom + 6; // of the lanes

  // As large as the rows and the width allow, but no larger than the longest token fits its column; a token that is pointed at
  // grows.
  const cap = roomy ? 160 : 100;
  const longest = Math.max(...[...source, ...target].map((label) => wide(label, 100))) / 100;
  const largest = between(text, Math.min(Math.round(pitch * 0.66), Math.floor(cap / longest) - HOT), roomy ? 26 : 22);
  const column = (labels, least, px) => between(least, Math.max(...labels.map((label) => wide(label, px + HOT))), cap);
  const print = CELLS * (roomy ? 2 : 1.5);
  const plus = roomy ? 16 + print : 0;
  const next = between(NEXT[0], width * 0.15, NEXT[1]);

  const gaps = 3 * PAD + 2 * BETWEEN + BUS + KEY_INSET + 15 * GAP + 10;
  const columns = (px) => {
    const [sourceWidth, targetWidth] = [column(source, 40, px), column(target, 52, px)];
    const fixed = gaps + 2 * sourceWidth + targetWidth + 5 * print + 2 * plus + next;
    return { font: px, sourceWidth, targetWidth, fixed, all: Math.max(width, fixed + 3 * LEAST_RIBBON) };
  };
  let chosen = columns(largest);
  while (chosen.all > width && chosen.font > text) chosen = columns(chosen.font - 1);
  const { font, sourceWidth, targetWidth, fixed, all } = chosen;
  const ribbon = Math.max(LEAST_RIBBON, (width - fixed) / 3);

  let x = 0;
  const take = (size, gap = GAP) => {
    const at = { x, width: size, end: x + size };
    x += size + gap;
    return at;
  };
  const skip = (size) => {
    x += size;
  };

  // Where there is room the embedding and the position stand beside each other, else their sum.
  const entering = () => {
    if (!roomy) return { input: take(print) };
    const embedding = take(print, 16);
    const positions = take(print);
    return { input: { x: embedding.x, end: positions.end }, embedding, positions };
  };

  skip(PAD);
  const encoder = { x: 0, tokens: take(sourceWidth), ...entering(), card: { x } };
  skip(GAP);
  Object.assign(encoder, { self: take(ribbon), ffn: take(print) });
  encoder.card.end = x;
  skip(GAP);
  encoder.memory = take(print, PAD);
  encoder.end = x;

  skip(BETWEEN);
  const decoder = { x };
  skip(PAD);
  Object.assign(decoder, { tokens: take(targetWidth), ...entering() });
  decoder.card = { x };
  skip(GAP);
  decoder.masked = take(ribbon);
  skip(GAP);
  decoder.bus = take(BUS, 0);
  decoder.keys = take(sourceWidth + KEY_INSET);
  Object.assign(decoder, { cross: take(ribbon), ffn: take(print) });
  decoder.card.end = x;
  decoder.end = x + GAP;
  const output = { x: decoder.end + BETWEEN + 8, end: all - 2 };
  output.width = output.end - output.x;

  const choice = { ...output, y: LIST + bars * item + 18, height: NEXT_TOKEN.box };
  return {
    ...{ width: all, height: high + WAY, head, view, bottom, high, roomy },
    ...{ card, deck: DECK, decks, names, tabs, tab: TABS, text, font },
    ...{ rows, pitch, encoder, decoder, output, list: LIST, item, choice },
    middle: (index) => (index + 0.5) * pitch,
    scrolled: scrolledSides({ source: source.length, target: target.length }, pitch, view),
    thick: pitch - 3, // of a row: all ribbons that enter it
    place: { self: encoder.self, masked: decoder.masked, cross: decoder.cross },
    // what lies under a pointer, by its x: [name, from, to]
    regions: [
      ["source", 0, encoder.tokens.end],
      ["source_input", encoder.tokens.end, encoder.card.x],
      ["self", encoder.card.x, encoder.self.end + GAP / 2],
      ["encoder_ffn", encoder.ffn.x - GAP / 2, encoder.card.end],
      ["memory", encoder.card.end, encoder.end],
      ["target", decoder.x, decoder.tokens.end],
      ["target_input", decoder.tokens.end, decoder.card.x],
      ["masked", decoder.card.x, decoder.masked.end + GAP],
      ["keys", decoder.bus.x, decoder.keys.end],
      ["cross", decoder.keys.end, decoder.cross.end + GAP / 2],
      ["ffn", decoder.ffn.x - GAP / 2, decoder.end],
    ],
  };
}

// How far source and target are scrolled, both in px, where the longer of them is by `top`: they begin and end together, so that
// no lane is empty beside the other's last rows.
function scrolledSides(counts, pitch, view) {
  const most = (count) => Math.max(count * pitch - view, 0);
  const all = most(Math.max(...Object.values(counts)));
  return (top) => {
    const share = all ? Math.min(top / all, 1) : 0;
    return Object.fromEntries(Object.entries(counts).map(([side, count]) => [side, share * most(count)]));
  };
}

// Px at which the written token goes up to its row: between the lanes.
export const wayBackAt = ({ decoder }) => decoder.x - BETWEEN / 2;

// The columns of each block in the flow: [from, to].
export function blockColumns({ encoder, decoder, output }) {
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
export function flowPlan(at, block, top) {
  const { encoder, decoder, output, high, head, names, bottom, pitch, font } = at;
  const { source, target } = at.scrolled(top);
  const rows = ({ end }, scrolled) => ({ flow: 1, tokens: { top: head - scrolled, pitch, end, font } });
  const column = ([x, end]) => ({ x, y: names, w: end - x, h: bottom - names });
  const columns = blockColumns(at);
  return {
    encoder: { x: encoder.x, y: 0, w: encoder.card.x - encoder.x, h: high, ...rows(encoder.tokens, source) },
    decoder: { x: decoder.x, y: 0, w: decoder.card.x - decoder.x, h: high, ...rows(decoder.tokens, target) },
    focus: column(columns[partOf(block)]),
    after: column(columns[block.startsWith("encoder") ? "encoder_ffn" : "ffn"]),
    output: { x: output.x, y: NEXT_TOP, w: output.width, h: high - NEXT_TOP },
    numbers: 0,
  };
}
