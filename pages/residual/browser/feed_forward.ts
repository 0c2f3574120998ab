// The feed-forward network: a map of how active the hidden units are for each token, and the most active units of the focused token.

import { clauses, decimals, grouped, number, percent, signed, escaped } from "../../../viz_core/browser/kit/numbers";
import { READABLE, linesOf, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Scene, type View, figure, walkOf, walkTokens } from "../../../viz_core/web/src/figure";
import { FOOT, LINE, UPRIGHT, axisAcross, uprightTitle, rowLabels } from "../../../viz_core/web/src/marks/axis";
import { bars, box, paragraph, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { cells, frame, rowHeight, legend, scaleWidth } from "../../../viz_core/web/src/marks/cells";
import type { Box } from "../../../viz_core/web/src/marks/mark";
import { entryAt, nth, sliceOf, readPayload, speaker } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { band, endAbove, linear, range, ticksTo } from "../../../viz_core/web/src/marks/scale";

// px
const LEAST_WIDTH = 640; // narrower rooms scroll
const WIDE = 1000; // from this width on map and list are side by side
const BESIDE = { least: 0.45, most: 0.57 }; // the map's share of that width
const BETWEEN = 34; // between map and list
const LONGEST_LABEL = 170;
const ROWS = { least: 22, most: 38, smallest: 6, together: 540 };
const TEXTS = textsIn("residual.ffn_drawing");
const UNITS = { count: 6, least: 26, most: 38 }; // number and height of the listed units
const LEAST_BARS = 90; // length of the longest bar
const GAP = 10;

type About = {
  stack: string;
  activation: string;
  tokens: string[];
  size: number;
  width: number; // how many neighbouring units share a column
  promotes: Record<number, string>[]; // for each layer: unit → tokens
};
type Name = "columns" | "zeros" | "active" | "totals" | "units" | "strengths" | "products" | "biases" | "lengths";
type Ffn = ReturnType<typeof readFeedForward>;
type Shown = ReturnType<typeof feedForwardAt>;
type Spot = { row: number; column?: number } | { rank: number };

/** payload: from pages/residual/feed_forward.py. For each layer its columns and the end of its scale. */
function readFeedForward(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, Name>(payload);
  const { stack, activation } = about;
  const adds = TEXTS[stack === "decoder" ? "adds_words" : "adds"];
  const say = speaker({ adds, tokens: TEXTS.tokens[stack], ...(activation !== "ReLU" && { lead: TEXTS.lead_smooth }) }, TEXTS);
  const [count = 0, , columns = 0] = tensors.columns.shape;
  const layers = range(count).map((layer) => ({
    values: sliceOf(tensors.columns, layer),
    limit: Math.max(1e-9, endAbove(sliceOf(tensors.strengths, layer), 1)),
    promotes: about.promotes[layer] ?? {},
  }));
  return { ...about, tensors, columns, layers, say };
}

/** One layer and token. units: its most active ones in order; rank: the picked one among them. */
function feedForwardAt(ffn: Ffn, view: View) {
  const { stack, tokens, tensors, layers, size } = ffn;
  const layer = Math.min(view.layer, layers.length - 1);
  const token = Math.min(view[walkOf(stack)], tokens.length - 1);
  const ofLayer = entryAt(layers, layer);
  const numberOf = (name: Name, at: number) => sliceOf(tensors[name], layer, token)[at] ?? 0;
  const units = range(tensors.units.shape[2] ?? 0)
    .map((at) => ({
      unit: numberOf("units", at),
      strength: numberOf("strengths", at),
      product: numberOf("products", at),
      bias: numberOf("biases", at),
      length: numberOf("lengths", at),
      promotes: ofLayer.promotes[numberOf("units", at)] ?? "",
    }))
    .filter(({ unit }) => unit >= 0);
  const [row, rank] = view.cell ?? [-1, 0];
  return {
    ...ffn,
    ...ofLayer,
    layer,
    token,
    count: stack === "encoder" ? tokens.length : token + 1, // the decoder has not read later tokens
    shares: Array.from(sliceOf(tensors.zeros, layer), (zeros): string => percent(zeros / size)),
    active: sliceOf(tensors.active, layer)[token] ?? 0,
    total: sliceOf(tensors.totals, layer)[token] ?? 0,
    units,
    rank: row === token && rank < units.length ? rank : 0,
  };
}

export const mountFeedForward = figure({
  heights: [360, 640],
  read: readFeedForward,
  at: feedForwardAt,
  shared: "feed_forward",
  // Side by side if there is room, otherwise the units below the map.
  scene(shown, { w, h, whole }, hovered: Spot | null): Scene<Spot> {
    const width = Math.max(w, LEAST_WIDTH);
    if (width < WIDE) {
      const map = hiddenMap(shown, { x: 0, y: 0, w: width, h }, false, hovered);
      const units = unitBars(shown, { x: 0, y: map.foot + BETWEEN / 2, w: width - 2, h: 0 }, hovered);
      return { width, height: units.foot + 4, marks: [...map.marks, ...units.marks] };
    }
    const room = width - BETWEEN;
    const wanted = room - leastWidth(shown); // what the list leaves without cutting words
    const left = Math.min(Math.max(wanted, BESIDE.least * room), BESIDE.most * room);
    const map = hiddenMap(shown, { x: 0, y: 0, w: left, h }, whole, hovered);
    const y = map.top - FOOT; // both plots begin at the same height
    const units = unitBars(shown, { x: left + BETWEEN, y, w: room - left - 2, h: h - y }, hovered);
    return { width, height: Math.max(map.foot, units.foot) + 4, marks: [...map.marks, ...units.marks] };
  },
  reading(shown, spot) {
    if (spot) return "rank" in spot ? unitReading(shown, spot.rank) : rowReading(shown, spot);
    const row = rowReading(shown, { row: shown.token });
    return shown.units.length ? `${row}    ${unitReading(shown, shown.rank)}` : row;
  },
  values: (shown) => ({
    token: shown.tokens[shown.token],
    share: shown.shares[shown.token],
    units: grouped(shown.size),
    activation: shown.activation,
    title: titleOf(shown),
    tokens: shown.say("tokens"),
    layer: shown.layer + 1,
  }),
  below({ tokens, size, token, units, rank, active, total }) {
    const picked = units[rank];
    return picked
      ? {
          token: escaped(tokens[token] ?? ""),
          unit: grouped(picked.unit + 1),
          product: number(picked.product),
          bias: number(picked.bias),
          hidden: number(picked.strength),
          added: number(picked.length),
          size: grouped(size),
          active: grouped(active),
          total: number(total),
        }
      : null;
  },
  pick: (shown, spot) => ("rank" in spot ? { cell: [shown.token, spot.rank] } : { [walkOf(shown.stack)]: spot.row }),
  keys: ({ stack, tokens, token, units, rank }) => ({
    across: { at: rank, count: Math.max(units.length, 1), to: (at) => ({ cell: [token, at] }) },
    down: walkTokens(stack, token, tokens.length),
  }),
});

const titleOf = ({ say, layer, width }: Shown) =>
  say(width === 1 ? "hidden_title" : "hidden_title_pooled", { layer: layer + 1, width });

/** A row in words, and with a column how active its units are. */
function rowReading(
  { tokens, shares, size, width, values, columns, say }: Shown,
  { row, column }: { row: number; column?: number },
) {
  const words = say("row", { token: tokens[row], share: shares[row] });
  if (column === undefined) return words;
  const first = column * width + 1;
  const last = Math.min(first + width - 1, size);
  const value = signed(nth(values, row * columns + column), 3);
  return `${words}    ${say(first === last ? "column" : "column_pooled", { first, last, value })}`;
}

function unitReading({ units, tokens, token, say }: Shown, rank: number): string {
  const { unit, strength, length, promotes } = entryAt(units, rank);
  const numbers = { strength: signed(strength, 3), length: signed(length) };
  const words = say("picked", { unit: unit + 1, token: tokens[token], ...numbers });
  return clauses([words, ...(promotes ? [say("promotes", { words: promotes })] : [])]);
}

const titleLines = (words: string, w: number): string[] => linesOf(words, (line: string) => textWidth(line, READABLE) <= w);

/** A row per token, a column per unit or per group of units (their maximum); beside each row the share of units that are 0. */
function hiddenMap(shown: Shown, { x: left, y: above, w, h }: Box, whole: boolean, hovered: Spot | null) {
  const { tokens, token, count, columns, size, width, values, limit, shares, say } = shown;
  const title = titleLines(titleOf(shown), w);
  const label = UPRIGHT + Math.min(widestText(tokens), LONGEST_LABEL) + GAP;
  const share = GAP + widestText([say("silent"), "99.99 %"]);
  const top = above + (title.length + 1) * LINE;
  const step = rowHeight(tokens.length, h - (title.length + 3) * LINE, whole, ROWS);
  const x = band(columns, [left + label, left + w - share]);
  const y = band(tokens.length, [top, top + step * tokens.length]);
  const foot = y.range[1];
  const unit = linear([0.5, columns * width + 0.5], x.range);
  const scale = { colours: "sequential" as const, domain: [0, limit] as const };
  const ends: [string, string] = ["0", decimals(limit, 1, 6)];
  const ticks = ticksTo(size, Math.max(2, Math.floor((x.range[1] - x.range[0]) / 75)));
  const held = { held: token, align: "right" as const };
  const row = hovered && "row" in hovered && hovered.row !== token ? hovered.row : null;
  const marks = [
    place({ x: left, y: top, w, h: step * count }, (_, py): Spot => ({ row: y.at(py) })),
    paragraph(title, left, above, LINE),
    text(say("silent"), left + w, top - LINE / 2, { ink: "quiet", align: "right" }),
    cells(
      x,
      y,
      { values, rows: tokens.length, columns, scale },
      { rows: count, datum: (at, column): Spot => ({ row: at, column }) },
    ),
    frame(x, y, {}, { stroke: "line", width: 1 }),
    rowLabels(y, tokens.slice(0, count), { ...held, x: x.range[0] - GAP + 2, max: label - UPRIGHT - GAP }),
    rowLabels(y, shares.slice(0, count), { ...held, x: left + w }),
    uprightTitle(say("tokens"), left, y.range),
    axisAcross(unit, {
      title: say("axis"),
      y: foot,
      range: x.range,
      ticks: [1, ...ticks.filter((at) => at > 1 && Number.isInteger(at))],
    }),
    legend(scale, ends, left + w - scaleWidth(ends), foot + LINE * 1.5 + 1),
    row === null ? null : frame(x, y, { row }, { stroke: "ink", width: 1.5 }),
    frame(x, y, { row: token }, { stroke: "accent", width: 3 }),
  ];
  return { top, foot: foot + FOOT, marks };
}

/** Px of the list's columns: unit names, numbers at the bars, and the words beside them, which begin after a length. */
function columnWidths({ layers, size, say }: Shown) {
  const words = layers.flatMap(({ promotes }) => Object.values(promotes));
  const length = words.length ? textWidth("888.8", READABLE) + 2 * GAP : 0;
  return {
    name: textWidth(say("unit", { unit: size }), READABLE, true) + GAP,
    number: textWidth(Math.max(...layers.map(({ limit }) => limit)).toFixed(2), READABLE, true) + 2 * GAP,
    tail: Math.max(textWidth(say("adds"), READABLE), length + widestText(words, false)),
    length,
  };
}

/** Px of width in which no word is cut. */
function leastWidth(shown: Shown): number {
  const { name, number, tail } = columnWidths(shown);
  return name + LEAST_BARS + number + tail + 2;
}

/** The most active units of a token: activation, length of what each adds, and in the decoder which tokens that promotes. */
function unitBars(shown: Shown, { x: left, y: above, w, h }: Box, hovered: Spot | null) {
  const { tokens, token, units, rank, limit, say } = shown;
  const title = titleLines(say("units_title", { token: tokens[token] }), w);
  const { name, number, tail: wanted, length } = columnWidths(shown);
  const tail = Math.min(wanted, w - name - LEAST_BARS - number);
  const top = above + (title.length + 1) * LINE;
  const step = Math.min(UNITS.most, Math.max(UNITS.least, (h - (title.length + 3) * LINE) / UNITS.count));
  const y = band(UNITS.count, [top, top + UNITS.count * step]);
  const x = linear([0, limit], [left + name, left + w - number - tail]);
  const [[from, to], foot] = [x.range, y.range[1]];
  const strengths = units.map(({ strength }) => strength);
  const ends = strengths.map((strength) => x(Number.isFinite(strength) ? strength : 0));
  const held = { held: rank };
  const beside = left + w - tail;
  const column = (words: (unit: (typeof units)[number]) => string, style: Parameters<typeof rowLabels>[2]) =>
    rowLabels(y, units.map(words), style);
  const area = (at: number) => ({ x: left + 1, y: y.start(at) + 1, w: w - 2, h: step - 2 });
  const marks = [
    place({ x: left, y: top, w, h: units.length * step }, (_, py): Spot => ({ rank: y.at(py) })),
    paragraph(title, left, above, LINE),
    text(say("adds"), beside, top - LINE / 2, { ink: "quiet", max: tail }),
    column(({ unit }) => say("unit", { unit: unit + 1 }), { ...held, x: from - GAP, align: "right" }),
    bars(y, x, strengths, { ink: "accent", picked: rank, share: 0.72, faint: 0.5, across: true }),
    column(({ strength }) => strength.toFixed(2), { ...held, x: (at) => (ends[at] ?? from) + 6 }),
    column((unit) => unit.length.toFixed(1), { x: beside }),
    column(({ promotes }) => promotes, { x: beside + length, max: tail - length }),
    hovered && "rank" in hovered ? box(area(hovered.rank), { stroke: "ink", width: 1 }) : null,
    rules([[from, top, from, foot]], { stroke: "line", width: 1 }),
    axisAcross(x, {
      title: say("strength"),
      y: foot,
      range: x.range,
      ticks: ticksTo(limit, Math.max(2, Math.min(6, Math.floor((to - from) / 45)))),
      line: true,
    }),
  ];
  return { foot: foot + FOOT, marks: units.length ? marks : [] };
}
