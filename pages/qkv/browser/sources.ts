// Where Q, K and V come from: ribbons from one or two streams to each of them; and the arithmetic of one of their numbers.

import { inkOn, ladder, pixel } from "../../../viz_core/browser/kit/svg_pen";
import { READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen";
import { type Mark, type Pen, type Theme, inkOf, shapeInk } from "../../../viz_core/web/src/marks/mark";
import { number, bracketed, escaped, sumOf } from "../../../viz_core/browser/kit/numbers";
import { greatestOf, nth, sliceOf } from "../../../viz_core/web/src/payload";
import type { Shown } from "./qkv";

export const ROLES = ["q", "k", "v"] as const;
export type Role = (typeof ROLES)[number];

export interface Sources {
  streams: { name: string; tokens: string[]; stack: string }[];
  made: { role: Role; stream: number; result: string }[]; // from the stream with this index
}

// px
const LANE = 42; // height of each of the three
const BOX = 54; // height of a stream with its two lines
const RAISED = 15; // font size of a superscript
const THIN = { from: 7, to: 16 }; // half a ribbon's height at its ends
const PAD = 14;
const ENDS = { box: 0.62, made: 0.78 }; // as shares of the width
const STRONG = 0.75; // opacity of the picked ribbon
const FAINT = 0.3; // factor for the other two

export const SOURCES = 3 * LANE; // px of height

/** role: the picked one; x, w: px of the left end and of the width. */
export function sources({ streams, made }: Sources, role: Role, x: number, w: number): Mark {
  const middles = streams.map((_, at) => (SOURCES * (at + 0.5)) / streams.length);
  const [boxEnd, madeFrom, end] = [x + ENDS.box * w, x + ENDS.made * w, x + w - 3];
  const lane = (pen: Pen, theme: Theme, { role: own, stream, result }: Sources["made"][number], at: number) => {
    const to = (at + 0.5) * LANE;
    const beside = made.filter((other) => other.stream === stream).map((other) => other.role);
    const shift = (beside.indexOf(own) - (beside.length - 1) / 2) * 2.4 * THIN.from;
    const from = (middles[stream] ?? 0) + shift;
    const isPicked = own === role;
    const alpha = isPicked ? STRONG : STRONG * FAINT;
    pen.path(ribbon(boxEnd, from, madeFrom, to), shapeInk(theme, { fill: own, alpha }));
    const label = { x: boxEnd + 0.84 * (madeFrom - boxEnd), y: 0.07 * from + 0.93 * to }; // where the ribbon is widest
    weightName(pen, own, label, inkOn(pixel(ladder([theme.surface, theme[own]]), alpha)));
    const frame = shapeInk(theme, { fill: "surface", stroke: own, width: isPicked ? 5 : 2 });
    pen.box(madeFrom, to - LANE / 2 + 4, end - madeFrom, LANE - 8, frame);
    const style = { size: isPicked ? READABLE + 2 : READABLE, fill: inkOf(theme, "ink"), bold: isPicked, align: "center" as const };
    pen.text(result, (madeFrom + end) / 2, to, { ...style, max: x + w - madeFrom - 20 });
  };
  return {
    draw(pen, theme) {
      made.forEach((each, at) => {
        lane(pen, theme, each, at);
      });
      const fill = inkOf(theme, "ink");
      streams.forEach(({ name, tokens, stack }, at) => {
        const top = (middles[at] ?? 0) - BOX / 2;
        pen.box(x, top, boxEnd - x, BOX, shapeInk(theme, { fill: stack, stroke: "quiet", width: 1 }));
        const room = boxEnd - x - 2 * PAD;
        pen.text(name, x + PAD, top + BOX * 0.3, { fill, bold: true, max: room });
        pen.text(fitting(tokens, room), x + PAD, top + BOX * 0.73, { fill });
      });
    },
  };
}

function ribbon(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (x1 + x2) / 2;
  const curve = (fromY: number, toX: number, toY: number) => `C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`;
  const there = `M${x1} ${y1 - THIN.from}${curve(y1 - THIN.from, x2, y2 - THIN.to)}`;
  return `${there}L${x2} ${y2 + THIN.to}${curve(y2 + THIN.to, x1, y1 + THIN.from)}Z`;
}

/** "× W" with the role as a superscript. */
function weightName(pen: Pen, role: Role, { x, y }: { x: number; y: number }, fill: string) {
  const [name, raised] = ["× W", role.toUpperCase()];
  const wide = textWidth(name, READABLE, true);
  const left = x - (wide + textWidth(raised, RAISED, true)) / 2;
  pen.text(name, left, y, { fill, bold: true });
  pen.text(raised, left + wide + 1, y - 5, { size: RAISED, fill, bold: true });
}

/** As many whole tokens as fit. */
function fitting(tokens: string[], room: number): string {
  const all = tokens.join(" ");
  if (textWidth(all, READABLE) <= room) return all;
  const beginning = (count: number) => `${tokens.slice(0, count).join(" ")} …`;
  const count = tokens.findIndex((_, at) => textWidth(beginning(at + 1), READABLE) > room);
  return count > 0 ? beginning(count) : clipped(all, room, READABLE);
}

// Below Q, K, V: two scores of the head that a single vector could not give, and one number of Q, K or V as a sum of products.

const LISTED = 2; // products written out

export function arithmetic(shown: Shown) {
  const { layer, head, x, w, y, bias, row, column, isKnown } = shown;
  if (!isKnown) return why(shown);
  const at = (values: ArrayLike<number>, index: number) => values[index] ?? Number.NaN;
  const products = Array.from({ length: x.columns }, (_, m) => [
    at(x.values, row * x.columns + m),
    at(w.values, m * w.columns + column),
  ]);
  const write = (value: number) => bracketed(number(value));
  const written = products.map((pair) => pair.map(write).join(" \\cdot "));
  return {
    ...why(shown),
    computed: "arithmetic",
    token: escaped(shown.tokens[row] ?? ""),
    c: column + 1,
    i: row + 1,
    layer: layer + 1,
    head: head + 1,
    terms: sumOf(written, LISTED),
    sum: number(products.reduce((sum, [a = 0, b = 0]) => sum + a * b, 0)),
    bias: write(at(bias, column)),
    value: number(at(y.values, row * y.columns + column)),
  };
}

function why({ sides, kind, tensors, layer, head, query: at }: Shown) {
  const [queries, keys] = sides;
  const query = escaped(nth(queries, at));
  if (kind === "masked" ? at === 0 : kind === "self" && queries.length === 1) return { why: "alone", query };
  const scores = sliceOf(tensors.scores, layer, head);
  const there = Array.from(scores.subarray(at * keys.length, (at + 1) * keys.length));
  const back = there.map((_, key) => (kind === "cross" ? 0 : nth(scores, key * keys.length + at)));
  const other = kind === "cross" ? greatestOf(there) : rivalOf(there, back, at, kind === "masked");
  return { why: "why", query, other: escaped(nth(keys, other)), there: number(nth(there, other)), back: number(nth(back, other)) };
}

/** Of the other keys that the query may attend to, the one whose scores in both directions differ most. */
export const rivalOf = (there: readonly number[], back: readonly number[], at: number, isMasked: boolean) =>
  greatestOf(there.map((score, key) => (key === at || (isMasked && key > at) ? -1 : Math.abs(score - nth(back, key)))));
