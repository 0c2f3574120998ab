// The beam search payload, read into nodes, and the layout of their tree in px: a column per step, a line per hypothesis,
// the best at the top. Nothing here draws.

import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";

const FATES = ["pruned", "kept", "finished"];
const SMALL_BEAM = 5;
// Pruned hypotheses that are drawn at each step, with a beam up to that size and with a larger one.
const SMALL_BEAM_PRUNED = 3;
const LARGE_BEAM_PRUNED = 2;

// { about, columns: of each step its nodes, best first }. A node: { step, rank, row, parent, label, logProb, total,
// score, fate, best, greedy, drawn }; rank among all candidates of its step, row among those that are drawn, both from
// 0; parent null at the first step.
export function readTree(payload) {
  const { about, tensors } = readTensors(payload);
  const { step, rank, parent, token, fate, numbers } = tensors;
  const most = about.size > SMALL_BEAM ? LARGE_BEAM_PRUNED : SMALL_BEAM_PRUNED;
  const nodes = [];
  const columns = Array.from({ length: about.steps }, () => []);
  step.data.forEach((at, index) => {
    const [logProb, total, score] = slice(numbers, index);
    const column = columns[at];
    const node = {
      step: at,
      rank: rank.data[index],
      row: -1,
      parent: nodes[parent.data[index]] ?? null,
      token: token.data[index],
      label: about.labels[token.data[index]],
      logProb,
      total,
      score,
      fate: FATES[fate.data[index]],
      best: about.best.includes(index),
      greedy: about.greedy.includes(index),
    };
    const drawn = column.filter((one) => one.drawn);
    node.drawn = node.fate !== "pruned" || drawn.filter((one) => one.fate === "pruned").length < most;
    if (node.drawn) node.row = drawn.length;
    column.push(node);
    nodes.push(node);
  });
  const rows = Math.max(1, ...columns.map((column) => column.filter((one) => one.drawn).length));
  const blanks = new Set(about.blanks);
  const ends = new Set(about.ends);
  // The text up to and including a node; a token that ends the sentence adds nothing.
  const text = (node) => {
    const before = node.parent ? text(node.parent) : "";
    return ends.has(node.token) ? before : before + (blanks.has(node.token) && before ? " " : "") + node.label;
  };
  const at = (cell) => columns[cell?.[0]]?.find((node) => node.rank === cell[1]) ?? null;
  return { about, columns, rows, text, at };
}

// A node and all before it, the first one first.
export function pathTo(node) {
  return node ? [...pathTo(node.parent), node] : [];
}

// Widths, in px.
const PITCH = 140; // from column to column
const NODE = 110;
const ROOT = 46; // of the ⟨s⟩ before all others
const GAP = 30; // behind it
const SCORE = 62; // by which the current column is wider where only it has scores
// Heights, in px.
export const HEAD = 52; // of the steps' numbers, and below them what happens there
const TALL = 46; // of a line with its scores
const FLAT = 30; // of a line without
const FLATTEST = 25; // of a line without, where room is scarce
const FOOT = 6;
const INSET = 3; // between a line and its boxes
const AHEAD = 2; // columns after the current one that are kept in sight

// tall: whether each node has its score below its token; else the nodes of the step `highlighted` have it beside
// theirs. room: px of height that there are, to which flat lines are pressed.
export function layoutOf({ columns, rows }, tall, highlighted, room = Infinity) {
  const row = tall ? TALL : Math.min(FLAT, Math.max(FLATTEST, Math.floor((room - HEAD - FOOT) / rows)));
  const inset = row < FLAT ? 2 : INSET;
  const more = (step) => (!tall && step === highlighted ? SCORE : 0);
  const left = (step) => ROOT + GAP + step * PITCH + (!tall && step > highlighted ? SCORE : 0);
  const wide = (step) => NODE + more(step);
  return {
    tall,
    row,
    wide,
    left,
    pitch: PITCH,
    width: left(columns.length) - PITCH + NODE + GAP + more(columns.length - 1),
    height: HEAD + rows * row + FOOT,
    middle: (step) => left(step) + wide(step) / 2,
    root: { x: 2, y: HEAD + inset, w: ROOT, h: row - 2 * inset },
    box: (node) => ({ x: left(node.step), y: HEAD + node.row * row + inset, w: wide(node.step), h: row - 2 * inset }),
  };
}

export function highOf({ rows }, tall) {
  return HEAD + rows * (tall ? TALL : FLAT) + FOOT;
}

// As much of the height as there is room for without cutting a row.
export function wholeRows({ row, height }, room) {
  return height <= room ? height : HEAD + Math.floor((room - HEAD) / row) * row;
}

// The step whose column is at a point of the whole drawing, and the node; null where there is none.
export function stepUnder({ columns }, layout, x) {
  const at = columns.findIndex((_, step) => x >= layout.left(step) && x <= layout.left(step) + layout.wide(step));
  return at < 0 ? null : at;
}

export function nodeUnder(tree, layout, x, y) {
  const step = stepUnder(tree, layout, x);
  const row = Math.floor((y - HEAD) / layout.row);
  return step === null || y < HEAD ? null : (tree.columns[step].find((node) => node.drawn && node.row === row) ?? null);
}

// The columns in sight: the first one, and the one after the last.
export function columnsSeen({ columns }, layout, from, width) {
  const seen = [...columns.keys()].filter(
    (step) => layout.left(step) + layout.wide(step) + GAP > from && layout.left(step) - GAP < from + width,
  );
  return [seen[0] ?? 0, (seen.at(-1) ?? -1) + 1];
}

// How far to scroll, as little as possible, so that a column and those that follow it are seen.
export function scrolledTo(layout, step, from, width) {
  const most = Math.max(0, layout.width - width);
  const ahead = Math.min(AHEAD, Math.floor(width / layout.pitch / 3));
  const left = layout.left(step) - layout.pitch;
  const right = layout.left(step) + layout.wide(step) + ahead * layout.pitch;
  return Math.round(Math.min(Math.max(left < from ? left : right > from + width ? right - width : from, 0), most));
}
