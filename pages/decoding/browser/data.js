// The beam search payload, read into nodes. Nothing here draws.

import { readTensors, slice } from "../../../viz_core/browser/kit/tensors.js";

const FATES = ["pruned", "kept", "finished"];
const FEW = 5;
const FEW_PRUNED = 3;
const MANY_PRUNED = 2; // live sentences, and so many of the pruned ones that are drawn beside them

// { about, columns: of each step its nodes, best first }. A node: { step, rank, row, parent, label, logProb, total,
// score, fate, best, greedy, drawn }; rank among all candidates of its step, row among those that are drawn, both from
// 0; parent null at the first step.
export function readTree(payload) {
  const { about, tensors } = readTensors(payload);
  const { step, rank, parent, token, fate, numbers } = tensors;
  const most = about.size > FEW ? MANY_PRUNED : FEW_PRUNED;
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
  // What is written up to a node, and what it adds; the token that ends a sentence stands for itself.
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
