// Layout of the neuron view in px.

import { fill } from "../kit/numbers.js";
import { READABLE, textWidth, widestText } from "../kit/pen.js";
import { STAGES } from "../kit/store.js";
import { NO_AXIS, axisOf, cellSize, seenLength } from "./scrolling.js";

const TITLE = 26; // px of a line of titles
const QUERY_ROW = 36; // px of the query's vector
const TOP = 2 * TITLE + QUERY_ROW;
const LEAST_KEY = 20;
const MOST_KEY = 60; // px of a key's row
const LABEL_ROOM = [156, 260]; // px of labels
const PICKER = 92; // px around the label of the query
const BETWEEN_BLOCKS = 12; // px
const BAR_ROOM = [36, 120]; // px of the bar of a weight
const LEAST_DIM = 2.5; // px of a dimension: before it gets narrower, only the score and the latest number stay
const FILE_DIM = 10;
const FILE_KEY = 28; // px of a dimension and of a key's row in a file

// numbers: the columns on the right, { name, words, x, w, reached }. reached: whether its stage has come; they all keep
// their room, so that nothing jumps.
export function layoutNeurons({ selection, data, texts }, box, whole) {
  const { rows, columns, thereColumns, stage } = selection;
  const [widestKey, widestQuery] = [columns, rows].map((side) => widestText(side.map(({ label }) => label)));
  const wanted = Math.max(LABEL_ROOM[0], widestKey + 10, widestQuery + PICKER);
  const labels = Math.min(wanted, LABEL_ROOM[1], Math.max(90, box.w * 0.18));
  const bar = Math.min(BAR_ROOM[1], Math.max(BAR_ROOM[0], box.w * 0.075));
  let numbers = numbersOf(data, texts, stage, bar);
  const numbersWidth = () => numbers.reduce((sum, { w }) => sum + w, 0);
  const dim = () => (box.w - labels - 2 * BETWEEN_BLOCKS - 5 - numbersWidth()) / (2 * data.width);
  if (dim() < LEAST_DIM) {
    const latest = STAGES.indexOf(stage) <= STAGES.indexOf("scaled") ? "scaled" : "mask";
    numbers = numbers.filter(({ name }) => name === "scores" || name === latest);
  }
  const cw = Math.max(1, dim() >= 5 ? Math.floor(2 * dim()) / 2 : dim());
  const wide = cw * data.width;
  const x = box.x + labels;
  const space = box.h - TOP;
  const step = cellSize(space, columns.length, { least: LEAST_KEY, most: MOST_KEY, whole });
  const h = seenLength(step * thereColumns, space, step);
  let left = Math.max(x + 2 * wide + 2 * BETWEEN_BLOCKS, box.x + box.w - 5 - numbersWidth());
  for (const column of numbers) {
    column.x = left;
    left += column.w;
  }
  const products = x + wide + BETWEEN_BLOCKS;
  const query = { y: box.y + TITLE, h: QUERY_ROW - 4 };
  const axes = [NO_AXIS, axisOf(thereColumns, step, h)];
  const least = TOP + LEAST_KEY * columns.length; // px of height in which no key scrolls
  return { box, labels, x, y: box.y + TOP, h, products, query, wide, cw, step, numbers, bar, axes, least };
}

function numbersOf(data, texts, stage, bar) {
  const now = STAGES.indexOf(stage);
  const room = (words) => textWidth(words, READABLE, true);
  const column = (name, words, longest, more = 0) => ({
    name,
    words,
    w: Math.max(room(longest), room(words)) + 14 + more,
    reached: now >= STAGES.indexOf(name),
  });
  const number = data.exact ? "−00.00" : "≈ −00.0";
  return [
    column("scores", texts.sum_is_score, number),
    column("scaled", fill(texts.line_scaled, { d_k: data.width }), number),
    column("mask", now >= STAGES.indexOf("softmax") ? texts.weight : texts.line_mask, ">99 %", bar),
  ];
}

// The room that it wants in a file.
export function sizeInFile({ columns }, { width }) {
  return { w: LABEL_ROOM[1] + 2 * width * FILE_DIM + 420, h: TOP + columns.length * FILE_KEY };
}

// [row, key, dimension] under a point; -1 for the key where it is the query's own vector, and for the dimension beside
// the vectors.
export function neuronAt({ layout, selection, asked, data, scroll }, px, py) {
  const { box, x, products, wide, cw, y, h, step, query } = layout;
  const start = [x, products].find((left) => px >= left && px < left + wide);
  const dim = start === undefined ? -1 : Math.min(data.width - 1, Math.floor((px - start) / cw));
  if (py >= query.y && py < query.y + query.h) return start === x ? [asked, -1, dim] : null;
  if (py < y || py >= y + h || px < box.x) return null;
  const key = Math.floor((py - y + scroll[1]) / step);
  return key < selection.thereColumns ? [asked, key, dim] : null;
}
