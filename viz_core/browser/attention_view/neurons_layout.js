// Where all stands in the neuron view: the query on top, below it a row for each key with k, q × k and what becomes of
// their sum.

import { fill } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { STAGES } from "../kit/store.js";
import { MORE } from "./more.js";

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
