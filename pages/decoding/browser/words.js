// The search in words.

import { fill, percent } from "../../../viz_core/browser/kit/numbers.js";

// Three decimals, as in the sums, and more where a number that is not 0 would read as 0.
export function minus(value) {
  let digits = 3;
  while (value && digits < 9 && !Number(value.toFixed(digits))) digits += 1;
  return value.toFixed(digits).replace("-", "−");
}

export function readingOfNode(node, tree) {
  const { texts } = tree.about;
  const values = {
    text: tree.text(node),
    token: node.label,
    step: node.step + 1,
    rank: node.rank + 1,
    percent: percent(Math.exp(node.logProb)),
    log: minus(node.logProb),
    total: minus(node.total),
    score: minus(node.score),
  };
  return [fill(texts.reading[node.fate], values), node.best ? texts.is_best : "", node.greedy ? texts.is_greedy : ""]
    .filter(Boolean)
    .join(" ");
}

// For screen readers: one step, and how the search ends.
export function spokenTree(tree, step, guess, limit) {
  const { about, columns, text } = tree;
  const { texts } = about;
  if (step >= guess) return fill(texts.spoken_hidden, { step: step + 1 });
  const list = (columns[step] ?? [])
    .filter((node) => node.fate !== "pruned")
    .map((node) => fill(texts.said[node.fate], { rank: node.rank + 1, text: text(node), score: minus(node.score) }))
    .join(", ");
  const all = fill(texts.spoken, { step: step + 1, steps: about.steps, size: about.size, list: list || texts.nothing });
  return guess < limit ? all : `${all} ${about.message}`;
}
