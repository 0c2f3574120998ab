// Vectors of a cell as bars, one per dimension of the head: q, k and their product; or each value times its weight, and
// their sum.

import { fill, minus, percentInList } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";

const NAME = 46;
const MIX_LINE = 26;
const TALL = 40;
const GAP_TO_NAME = 12; // px: room for a name; a line of the mix at least and at most; before its number

// Bars up for positive values, down for negative; limit is the height of a full one.
function bars(pen, values, limit, { x, y, w, h }, colour, theme) {
  const step = w / values.length;
  const middle = y + h / 2;
  pen.lines([[x, middle, x + w, middle]], { stroke: theme.line, width: 1 });
  values.forEach((value, at) => {
    const high = (Math.min(1, Math.abs(value) / limit) * h) / 2;
    if (high > 0.2)
      pen.box(x + at * step, value < 0 ? middle : middle - high, Math.max(1, step - 1), high, {
        fill: typeof colour === "function" ? colour(value) : colour,
      });
  });
}

// Px for the widest of some texts, at most so many.
function widest(texts, most) {
  return Math.min(most, Math.max(...texts.map((text) => textWidth(text, READABLE, true))) + 1);
}

function largest(...vectors) {
  return Math.max(1e-9, ...vectors.flatMap((vector) => Array.from(vector, Math.abs)));
}

// q, k and q × k, whose sum is the score.
export function drawProduct(pen, { data, texts, theme }, { layer, head, query, key }, { x, y, w, h }) {
  const q = data.vector("q", layer, head, query);
  const k = data.vector("k", layer, head, key);
  const products = q.map((value, at) => value * k[at]);
  const both = largest(q, k);
  const high = (h - 24) / 3;
  const signed = (value) => (value < 0 ? theme.diverging[1] : theme.diverging[5]);
  const line = (at, words, ink, values, limit, colour) => {
    const top = y + at * high;
    pen.text(words, x, top + high / 2, { size: READABLE, bold: true, fill: ink });
    bars(pen, values, limit, { x: x + NAME, y: top + 2, w: w - NAME, h: high - 4 }, colour, theme);
  };
  line(0, texts.q, theme.q_text, q, both, theme.q);
  line(1, texts.k, theme.k_text, k, both, theme.k);
  line(2, texts.qk, theme.ink, products, largest(products), signed);
  pen.text(fill(texts.dimensions, { d_k: data.width }), x + w, y + h - 9, {
    size: READABLE,
    fill: theme.quiet,
    align: "right",
    max: w,
  });
}

// weight × v for the keys that give most, the others in one line, and the sum: the mix.
export function drawMix(pen, { data, texts, theme }, { layer, head, query, key }, { x, y, w, h }) {
  const weights = data.values(layer, head, "softmax").subarray(query * data.columns, (query + 1) * data.columns);
  const order = Array.from(weights.keys())
    .filter((at) => weights[at] > 0)
    .sort((a, b) => weights[b] - weights[a] || a - b);
  const space = Math.max(2, Math.floor(h / MIX_LINE) - 2);
  const listed = order.length <= space + 1 ? order : order.slice(0, space);
  const rest = order.slice(listed.length);
  const high = Math.min(TALL, h / (listed.length + (rest.length ? 2 : 1)));
  const weighted = (at) => data.vector("v", layer, head, at).map((value) => value * weights[at]);
  const mix = data.vector("mix", layer, head, query);
  const limit = largest(mix, ...listed.map(weighted));
  const others = rest.length ? fill(texts.others, { count: rest.length }) : "";
  const names = [...listed.map((at) => data.about.columns[at]), others, texts.mixed];
  const label = widest(names, w * 0.4);
  const share = widest([">99 %"], w) + GAP_TO_NAME;
  const left = x + label + share + 8;
  const line = (place, words, ink, value, vector, colour, bold = false) => {
    const middle = y + (place + 0.5) * high;
    pen.text(words, x, middle, { size: READABLE, fill: ink, bold, max: label });
    pen.text(value, x + label + share, middle, { size: READABLE, fill: theme.ink, bold, align: "right", max: share });
    bars(pen, vector, limit, { x: left, y: middle - high / 2 + 1, w: x + w - left, h: high - 2 }, colour, theme);
  };
  listed.forEach((at, place) =>
    line(place, data.about.columns[at], theme.k_text, percentInList(weights[at]), weighted(at), theme.v, at === key),
  );
  if (rest.length) {
    const sum = new Float64Array(data.width);
    for (const at of rest)
      weighted(at).forEach((value, dim) => {
        sum[dim] += value;
      });
    line(
      listed.length,
      others,
      theme.quiet,
      percentInList(rest.reduce((total, at) => total + weights[at], 0)),
      sum,
      theme.v,
    );
  }
  const bottom = y + (listed.length + (rest.length ? 1 : 0)) * high;
  pen.lines([[x, bottom + 1, x + w, bottom + 1]], { stroke: theme.quiet, width: 1.5 });
  line(listed.length + (rest.length ? 1 : 0), texts.mixed, theme.output_text, "", mix, theme.output, true);
}

// Parts of a derived number, such as the heads of a mean: name, bar, number; below them what they come to.
export function drawParts(pen, { parts, total, weights, limit }, { texts, theme }, { x, y, w, h }) {
  const show = (value) => (Number.isNaN(value) ? texts.masked : weights ? percentInList(value) : minus(value));
  const all = [...parts, total];
  const label = widest(
    all.map(([words]) => words),
    w * 0.55,
  );
  const number = widest(
    all.map(([, value]) => show(value)),
    w / 3,
  );
  const high = Math.min(34, h / (parts.length + 2));
  const room = w - label - number - 16;
  const line = (at, [words, value], bold, colour) => {
    const middle = y + (at + 0.5) * high;
    const size = Math.min(READABLE, high - 2);
    pen.text(words, x, middle, { size, bold, fill: theme.ink, max: label });
    pen.box(x + label + 8, middle - Math.min(9, high / 3), room, Math.min(18, (2 * high) / 3), { fill: theme.panel });
    const long = Number.isNaN(value) ? 0 : Math.min(1, Math.abs(value) / limit) * room;
    pen.box(x + label + 8, middle - Math.min(9, high / 3), long, Math.min(18, (2 * high) / 3), {
      fill: value < 0 ? theme.diverging[1] : colour,
    });
    pen.text(show(value), x + w, middle, { size, bold, fill: theme.ink, align: "right" });
  };
  parts.forEach((part, at) => line(at, part, false, theme.accent));
  pen.lines([[x, y + parts.length * high + 2, x + w, y + parts.length * high + 2]], {
    stroke: theme.quiet,
    width: 1.5,
  });
  line(parts.length + 0.15, total, true, theme.ink);
}
