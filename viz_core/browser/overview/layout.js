// The layout of the overview in px. Sizes go in, numbers come out; nothing is drawn here.
//
// Left to right: the encoder's lane (tokens, embedding, a card for the layer on display, memory), then the decoder's
// (tokens, embedding, a card with masked and cross attention and feed-forward). Rows are tokens, at the same height in
// every column. Below the lanes: the map of all heads, and the softmax, whose choice goes back up into the decoder.

import { partOf } from "../kit/operations.js";

const PAD = 10;
const GAP = 6;
const BETWEEN = 12; // at the edge of a lane, between its columns, between the lanes
const ROW = [22, 62]; // px of a row, least and most
const FFN = 30;
const BUS = 12;
const TITLE = 27;
const DECK = 4;
const TABS = 9; // px: the line with the lanes' titles; each card behind stands so much higher; the tabs of the heads
const LEAST_RIBBON = 84;
export const KEY_INSET = 4; // px between the memory's way and the source tokens beside it
export const HOT = 2; // px that a token grows when it is pointed at

const between = (low, value, high) => Math.min(Math.max(value, low), high);

// width, height: px to fill. source, target: labels. bars: how many. large: in lecture mode. wide(text, px): the width
// of a text.
export function overviewLayout({ width, height, source, target, dims, layers, bars, large, wide }) {
  const rows = Math.max(source.length, target.length);
  const roomy = width >= 1080;
  const text = (width >= 1350 && height >= 640) || (large && width >= 1080) ? 20 : 18;
  const decks = Math.min(layers - 1, 3);
  const card = TITLE + decks * DECK;
  const names = card + 2;
  const tabs = names + text + 7;
  const head = tabs + TABS + 3;
  const bar = height >= 640 ? 27 : 20;
  const foot = bars * bar + 16;
  const space = Math.max(5 * ROW[0], height - head - foot);
  const pitch = between(ROW[0] + text - 18, Math.floor((space / rows) * 10) / 10, ROW[1]);
  const view = Math.min(rows * pitch, space);

  // As large as the rows allow, but no larger than the longest token fits its column; a token that is pointed at grows.
  const cap = roomy ? 160 : 100;
  const longest = Math.max(...[...source, ...target].map((label) => wide(label, 100))) / 100;
  const font = between(text, Math.min(Math.round(pitch * 0.66), Math.floor(cap / longest) - HOT), 26);
  const column = (labels, least) => between(least, Math.max(...labels.map((label) => wide(label, font + HOT))), cap);
  const sourceWidth = column(source, 40);
  const targetWidth = column(target, 52);
  const cells = Math.min(32, Math.ceil(dims / 8));
  const print = cells * (width >= 1400 ? 1.5 : 1);
  const stream = roomy ? print + GAP : 0;
  const plus = roomy ? 16 + print : 0;

  const gaps = 4 * PAD + BETWEEN + BUS + KEY_INSET + 16 * GAP;
  const fixed = gaps + 2 * sourceWidth + targetWidth + 3 * print + 2 * (stream + plus + FFN);
  const ribbon = Math.max(LEAST_RIBBON, (width - fixed) / 3);
  const all = Math.max(width, fixed + 3 * LEAST_RIBBON);

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
  // The columns behind an attention, in the card: the feed-forward, and where there is room what leaves the layer.
  const leaving = () => ({ ffn: take(FFN), stream: roomy ? take(print) : null });

  skip(PAD);
  const encoder = { x: 0, tokens: take(sourceWidth), ...entering(), card: { x } };
  skip(GAP);
  encoder.self = take(ribbon);
  Object.assign(encoder, leaving());
  encoder.card.end = x;
  skip(GAP);
  encoder.memory = take(print, PAD);
  encoder.end = x;

  skip(BETWEEN);
  const decoder = { x, end: all };
  skip(PAD);
  Object.assign(decoder, { tokens: take(targetWidth), ...entering() });
  decoder.card = { x };
  skip(GAP);
  decoder.masked = take(ribbon);
  skip(GAP);
  decoder.bus = take(BUS, 0);
  decoder.keys = take(sourceWidth + KEY_INSET);
  decoder.cross = take(ribbon);
  Object.assign(decoder, leaving());
  decoder.card.end = Math.max(x, all - PAD);

  return {
    ...{ width: all, height: head + view + foot, head, view, foot, roomy },
    ...{ card, deck: DECK, decks, names, tabs, tab: TABS, text, font },
    ...{ rows, pitch, bar, cells, encoder, decoder },
    middle: (index) => (index + 0.5) * pitch,
    thick: pitch - 3, // of a row: all ribbons that enter it
    place: { self: encoder.self, masked: decoder.masked, cross: decoder.cross },
    // what lies under a pointer, by its x: [name, from, to]
    regions: [
      ["source", 0, encoder.tokens.end],
      ["source_input", encoder.tokens.end, encoder.card.x],
      ["self", encoder.card.x, encoder.self.end + GAP / 2],
      ["encoder_ffn", encoder.ffn.x - GAP / 2, encoder.ffn.end + GAP / 2],
      ["encoder_stream", encoder.stream?.x ?? 0, encoder.stream?.end ?? 0],
      ["memory", encoder.memory.x - GAP, encoder.end],
      ["target", decoder.x, decoder.tokens.end],
      ["target_input", decoder.tokens.end, decoder.card.x],
      ["masked", decoder.card.x, decoder.masked.end + GAP],
      ["keys", decoder.bus.x, decoder.keys.end],
      ["cross", decoder.keys.end, decoder.cross.end + GAP / 2],
      ["ffn", decoder.ffn.x - GAP / 2, decoder.ffn.end + GAP / 2],
      ["decoder_stream", decoder.stream?.x ?? 0, decoder.stream?.end ?? 0],
    ],
  };
}

// Px at which the written token goes up to its row: between the lanes.
export const wayBackAt = ({ decoder }) => decoder.x - BETWEEN / 2;

// The columns of each block in the flow: [from, to].
export function blockColumns({ encoder, decoder, bars }) {
  return {
    embedding: [encoder.tokens.x, encoder.input.end],
    encoder: [encoder.self.x, encoder.self.end],
    encoder_ffn: [encoder.ffn.x, encoder.ffn.end],
    memory: [encoder.memory.x, encoder.memory.end],
    masked: [decoder.masked.x, decoder.masked.end],
    cross: [decoder.keys.x, decoder.cross.end],
    ffn: [decoder.ffn.x, decoder.ffn.end],
    softmax: [bars.labels, decoder.end - 8],
  };
}

// Where the flow has the cards of the lens, from which the lens opens a block.
export function flowPlan(at, block) {
  const { encoder, decoder, head, view, foot, names, height } = at;
  const column = ([x, end]) => ({ x, y: names, w: end - x, h: head + view - names });
  const columns = blockColumns(at);
  const opened = partOf(block);
  const [from, to] = columns.softmax;
  const output = { x: from, y: head + view + 4, w: to - from, h: foot - 8 };
  return {
    encoder: { x: encoder.x, y: 0, w: encoder.card.x - encoder.x, h: height },
    decoder: { x: decoder.x, y: 0, w: decoder.card.x - decoder.x, h: height },
    focus: block === "softmax" ? output : column(columns[opened]),
    after: column(columns[block.startsWith("encoder") ? "encoder_ffn" : "ffn"]),
    output,
    numbers: 0,
  };
}
