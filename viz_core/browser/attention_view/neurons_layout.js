// Layout of the neuron view in px, and the titles of its columns.

import { colourAt, ladder } from "../kit/colours.js";
import { fill, threeDigits } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { STAGES } from "../kit/store.js";
import { MORE } from "./more.js";
import { numeral } from "./reading.js";

const TITLE = 26;
const QUERY_ROW = 36;
const LEAST_KEY = 20;
const MOST_KEY = 60; // px: a line of titles; the query's vector; a key's row
const LABEL_ROOM = [156, 260];
const PICKER = 92;
const BETWEEN_BLOCKS = 12;
const BAR_ROOM = [36, 120]; // px: labels; what stands around that of the query; …
const LEAST_DIM = 2.5; // px of a dimension: before it gets narrower, only the score and the latest number stay
const FILE_DIM = 10;
const FILE_KEY = 28; // px of a dimension and of a key's row in a file

// reached: whether the stage of a column has come; they all keep their room, so that nothing jumps.
export function layoutNeurons(selection, { data, texts }, box, whole) {
  const { rows, columns, thereColumns, stage } = selection;
  const top = 2 * TITLE + QUERY_ROW;
  const space = box.h - top;
  const widest = Math.max(
    ...columns.map(({ label }) => textWidth(label, READABLE, true) + 10),
    ...rows.map(({ label }) => textWidth(label, READABLE, true) + PICKER),
  );
  const labels = Math.min(Math.max(LABEL_ROOM[0], widest), LABEL_ROOM[1], Math.max(90, box.w * 0.18));
  const number = textWidth(data.exact ? "−00.00" : "≈ −00.0", READABLE, true);
  const bar = Math.min(BAR_ROOM[1], Math.max(BAR_ROOM[0], box.w * 0.075));
  const is = STAGES.indexOf(stage);
  const column = (name, words, least, more = 0) => ({
    name,
    words,
    w: Math.max(least, textWidth(words, READABLE, true)) + 14 + more,
    reached: is >= STAGES.indexOf(name),
  });
  const weights = is >= STAGES.indexOf("softmax");
  let numbers = [
    column("scores", texts.sum_is_score, number),
    column("scaled", fill(texts.line_scaled, { d_k: data.width }), number),
    column("mask", weights ? texts.weight : texts.line_mask, textWidth(">99 %", READABLE, true), bar),
  ];
  const dim = () =>
    (box.w - labels - 2 * BETWEEN_BLOCKS - 5 - numbers.reduce((sum, { w }) => sum + w, 0)) / (2 * data.width);
  if (dim() < LEAST_DIM)
    numbers = numbers.filter(({ name }) => name === "scores" || (name === "scaled") === is <= STAGES.indexOf("scaled"));
  const cw = Math.max(1, dim() >= 5 ? Math.floor(2 * dim()) / 2 : dim());
  const wide = cw * data.width;
  const x = box.x + labels;
  let step = Math.min(MOST_KEY, space / columns.length);
  if (step < LEAST_KEY && !whole) step = LEAST_KEY;
  if (step >= LEAST_KEY) step = Math.floor(step);
  const all = step * thereColumns;
  const h = all <= space + 0.5 ? all : Math.floor((space - MORE) / step) * step; // whole rows of what scrolls
  let right = Math.max(
    x + 2 * wide + 2 * BETWEEN_BLOCKS,
    box.x + box.w - 5 - numbers.reduce((sum, { w }) => sum + w, 0),
  );
  for (const one of numbers) [one.x, right] = [right, right + one.w];
  return {
    box,
    labels,
    x,
    products: x + wide + BETWEEN_BLOCKS,
    wide,
    cw,
    step,
    title: TITLE,
    query: { y: box.y + TITLE, h: QUERY_ROW - 4 },
    y: box.y + top,
    h,
    numbers,
    bar,
    weights,
    over: [0, all - h],
    least: top + LEAST_KEY * columns.length,
  };
}

// The room that it wants in a file.
export function sizeInFile({ columns }, { width }) {
  return { w: LABEL_ROOM[1] + 2 * width * FILE_DIM + 420, h: 2 * TITLE + QUERY_ROW + columns.length * FILE_KEY };
}

// [row, key, dimension] under a point; -1 for the key where it is the query's own vector, and for the dimension beside
// the vectors.
export function neuronAt(layout, { selection, asked, data }, scroll, px, py) {
  const { box, x, products, wide, cw, y, h, step, query } = layout;
  const inside = (from) => px >= from && px < from + wide;
  const from = inside(x) ? x : inside(products) ? products : null;
  const dim = from === null ? -1 : Math.min(data.width - 1, Math.floor((px - from) / cw));
  if (py >= query.y && py < query.y + query.h) return inside(x) ? [asked, -1, dim] : null;
  if (py < y || py >= y + h || px < box.x) return null;
  const key = Math.floor((py - y + scroll[1]) / step);
  return key < selection.thereColumns ? [asked, key, dim] : null;
}

const SCALE_BAR = 120;
const SHADE = 2; // px: a scale of colours; one of its shades
const MOST_TERMS = 4; // of a sum, the largest

// What each part is, and the colours.
export function titlesOf(pen, frame, end) {
  const {
    data,
    selection,
    layout,
    asked,
    texts,
    theme,
    titles: { columns, corner },
  } = frame;
  const { box, x, products, wide, labels, y, query } = layout;
  const style = { size: READABLE, bold: true };
  const above = box.y + 11;
  const below = y - 14;
  const { label } = selection.rows[asked];
  pen.text(corner.join(", "), box.x + 2, above, { ...style, fill: theme.ink, max: labels - 8 });
  const either = (words, short) => (textWidth(words, READABLE, true) <= wide ? words : short);
  pen.text(either(fill(texts.q_of, { query: label }), texts.q), x, above, { ...style, fill: theme.q_text });
  pen.text(label, x - 10, query.y + query.h / 2, { ...style, fill: theme.q_text, align: "right", max: labels - 10 });
  pen.text(textWidth(columns, READABLE, true) < labels ? columns : texts.pick_key, x - 10, below, {
    ...style,
    fill: theme.k_text,
    align: "right",
  });
  pen.text(either(texts.k_of, texts.k), x, below, { ...style, fill: theme.k_text });
  pen.text(either(texts.qk_of, texts.qk), products, below, { ...style, fill: theme.ink });
  for (const { name, words, x: left, w, reached } of layout.numbers) {
    const last = name === "mask";
    if (reached)
      pen.text(words, last ? left + 6 + w / 2 : left + w, below, {
        ...style,
        fill: theme.ink,
        align: last ? "center" : "right",
      });
  }
  const words = fill(texts.dimensions, { d_k: data.width });
  const right = box.x + box.w;
  const next = scaleBar(pen, end, products, above, theme);
  if (next + textWidth(words, READABLE) <= right)
    pen.text(words, right, above, { size: READABLE, fill: theme.quiet, align: "right" });
}

// The colours with their numbers; those at the ends are of what is beyond, too. Returns where the next may begin.
function scaleBar(pen, end, x, y, theme) {
  const [low, high] = [`≤ −${end}`, `≥ ${end}`];
  const table = ladder(theme.diverging);
  const style = { size: READABLE, fill: theme.ink };
  const bar = x + textWidth(low, READABLE) + 8;
  pen.text(low, x, y, style);
  for (let at = 0; at < SCALE_BAR; at += SHADE)
    pen.box(bar + at, y - 7, SHADE + 0.5, 14, { fill: colourAt(table, at / (SCALE_BAR - SHADE)) });
  pen.box(bar - 0.5, y - 7.5, SCALE_BAR + 1, 15, { stroke: theme.quiet, width: 1 });
  pen.text(high, bar + SCALE_BAR + 8, y, style);
  return bar + SCALE_BAR + 8 + textWidth(high, READABLE) + 20;
}

// The sum with as many of its largest terms as there is room for: 4.65 − 2.41 + … = 9.404.
export function sumOf(pen, { data, view, selection, layout, asked, texts, theme }, q, key) {
  const {
    tokens: [at],
  } = selection.columns[key];
  const k = data.vector("k", view.layer, view.head, at);
  const query = selection.rows[asked].tokens[0];
  const terms = Array.from(q, (value, dim) => value * k[dim]).sort((a, b) => Math.abs(b) - Math.abs(a));
  const score = data.values(view.layer, view.head, "scores")[query * data.columns + at];
  const {
    products,
    box,
    query: { y, h },
  } = layout;
  const room = box.x + box.w - products;
  for (let count = Math.min(MOST_TERMS, terms.length); count > 0; count -= 1) {
    const listed = terms
      .slice(0, count)
      .map((term, place) => `${term < 0 ? (place ? " − " : "−") : place ? " + " : ""}${threeDigits(Math.abs(term))}`)
      .join("");
    const words = fill(texts.largest_first, {
      terms: listed + (count < terms.length ? " + …" : ""),
      score: `${data.exact ? "= " : ""}${numeral(score, data.exact)}`,
    });
    if (textWidth(words, READABLE) > room) continue;
    pen.text(words, products, y + h / 2, { size: READABLE, fill: theme.ink });
    return;
  }
}
