// Layout of the overview in px. Sizes go in, numbers come out; nothing is drawn here.
//
// Left to right: the encoder's lane (tokens, embedding, a card for the layer on display, memory), then the decoder's
// (tokens, embedding, a card with masked and cross attention and feed-forward). Rows are tokens, at the same height in
// every column. Below the lanes: the map of all heads, and the softmax, whose choice goes back up into the decoder.

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

  const fixed =
    4 * PAD +
    BETWEEN +
    2 * sourceWidth +
    targetWidth +
    3 * print +
    2 * (stream + plus) +
    2 * FFN +
    BUS +
    KEY_INSET +
    16 * GAP;
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

  skip(PAD);
  const tokens = take(sourceWidth);
  const enters = entering();
  const front = { x };
  skip(GAP);
  const self = take(ribbon);
  const ffn = take(FFN);
  const behind = roomy ? take(print) : null;
  front.end = x;
  skip(GAP);
  const memory = take(print, PAD);
  const encoder = { x: 0, end: x, tokens, ...enters, card: front, self, ffn, stream: behind, memory };

  skip(BETWEEN);
  const start = x;
  skip(PAD);
  const read = take(targetWidth);
  const readEnters = entering();
  const layer = { x };
  skip(GAP);
  const masked = take(ribbon);
  skip(GAP);
  const bus = take(BUS, 0);
  const keys = take(sourceWidth + KEY_INSET);
  const cross = take(ribbon);
  const after = take(FFN);
  const leaves = roomy ? take(print) : null;
  layer.end = x;
  const decoder = {
    x: start,
    end: all,
    tokens: read,
    ...readEnters,
    card: layer,
    masked,
    bus,
    keys,
    cross,
    ffn: after,
    stream: leaves,
  };
  layer.end = Math.max(layer.end, all - PAD);

  const middle = (index) => (index + 0.5) * pitch;
  const thick = pitch - 3; // of a row: all ribbons that enter it
  return {
    width: all,
    height: head + view + foot,
    head,
    view,
    foot,
    rows,
    pitch,
    thick,
    middle,
    text,
    font,
    names,
    roomy,
    card,
    deck: DECK,
    decks,
    tabs,
    tab: TABS,
    bar,
    cells,
    encoder,
    decoder,
    place: { self, masked, cross },
    // what lies under a pointer, by its x: [name, from, to]
    regions: [
      ["source", 0, tokens.end],
      ["source_input", tokens.end, front.x],
      ["self", front.x, self.end + GAP / 2],
      ["encoder_ffn", ffn.x - GAP / 2, ffn.end + GAP / 2],
      ["encoder_stream", behind?.x ?? 0, behind?.end ?? 0],
      ["memory", memory.x - GAP, encoder.end],
      ["target", start, read.end],
      ["target_input", read.end, layer.x],
      ["masked", layer.x, masked.end + GAP],
      ["keys", bus.x, keys.end],
      ["cross", keys.end, cross.end + GAP / 2],
      ["ffn", after.x - GAP / 2, after.end + GAP / 2],
      ["decoder_stream", leaves?.x ?? 0, leaves?.end ?? 0],
    ],
  };
}
