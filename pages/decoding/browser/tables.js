// Beam search in words and tables: the candidates of a step, the finished hypotheses, and the reading of one node.

import { button, el, td, th, tr } from "../../../viz_core/browser/kit/dom.js";
import { decimals, fill, percent } from "../../../viz_core/browser/kit/numbers.js";

// Three decimals, as in the sums, and more where a number that is not 0 would read as 0.
export function scoreText(value) {
  return decimals(value, 3, 9);
}

export function readingOfNode(node, tree) {
  const { texts } = tree.about;
  const values = {
    text: tree.text(node),
    token: node.label,
    step: node.step + 1,
    rank: node.rank + 1,
    percent: percent(Math.exp(node.logProb)),
    log: scoreText(node.logProb),
    total: scoreText(node.total),
    score: scoreText(node.score),
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
    .map((node) => fill(texts.said[node.fate], { rank: node.rank + 1, text: text(node), score: scoreText(node.score) }))
    .join(", ");
  const all = fill(texts.spoken, { step: step + 1, steps: about.steps, size: about.size, list: list || texts.nothing });
  return guess < limit ? all : `${all} ${about.message}`;
}

// A section with a table and a note below it. columns: the name of each, which is also its class.
function makeTable(name, label, columns, heads) {
  const title = el("h2", {}, label);
  const body = el("tbody");
  const head = el("thead", {}, tr(...columns.map((column) => th(heads[column], { scope: "col", class: column }))));
  const table = el("table", {}, head, body);
  const note = el("p", { class: "note" });
  return { node: el("section", { class: name, "aria-label": label }, title, table, note), title, table, body, note };
}

const CANDIDATE = ["rank", "text", "log", "total", "score", "fate"];

// act: { hover(node or null), pick(node) }. Returns { node, paint(tree, step, hidden, picked) }.
export function makeCandidates(texts, act) {
  const { node, title, table, body, note } = makeTable("candidates", texts.candidates, CANDIDATE, texts.candidate);

  const row = (tree, one, picked) => {
    const before = one.parent ? tree.text(one.parent) : "";
    const added = tree.text(one).slice(before.length) || ` ${one.label}`;
    const blank = added.startsWith(" ") ? " " : "";
    const text = button("", () => act.pick(one), {
      onfocus: () => act.hover(one),
      onblur: () => act.hover(null),
      "aria-pressed": one === picked,
    });
    text.append(el("span", { class: "before" }, before, blank), el("b", {}, added.slice(blank.length)));
    const names = [one.fate, one.best && "best", one === picked && "picked"].filter(Boolean);
    const acts = { onpointerenter: () => act.hover(one), onpointerleave: () => act.hover(null) };
    return el(
      "tr",
      { class: names.join(" "), ...acts },
      td(String(one.rank + 1), { class: "rank" }),
      td(text, { class: "text" }),
      td(scoreText(one.logProb), { class: "log", title: percent(Math.exp(one.logProb)) }),
      td(scoreText(one.total), { class: "total" }),
      td(scoreText(one.score), { class: "score" }),
      td(texts.fate[one.fate], { class: "fate" }),
    );
  };
  const noteOf = ({ columns, about }, step) => {
    const more = about.others[step] ?? 0;
    if (!columns[step]) return fill(texts.over, { steps: about.steps });
    if (!columns[step].length) return texts.not_finite;
    if (about.forced.includes(step)) return texts.forced;
    return more ? fill(texts.more, { more: more.toLocaleString("en") }) : "";
  };
  const paint = (tree, step, hidden, picked) => {
    const column = hidden ? [] : (tree.columns[step] ?? []);
    title.textContent = fill(texts.candidates_of, { step: step + 1 });
    table.hidden = !column.length;
    body.replaceChildren(...column.map((one) => row(tree, one, picked)));
    note.textContent = hidden ? texts.guess : noteOf(tree, step);
  };
  return { node, paint };
}

const ENDING = ["rank", "score", "total", "length", "penalty", "text"];

// Returns { node, paint(tree, hidden) }.
export function makeEndings(texts) {
  const { node, table, body, note } = makeTable("endings", texts.endings, ENDING, texts.ending);

  const row = (one, at) => {
    const marks = [one.greedy && texts.by_greedy, !one.ended && texts.unended].filter(Boolean);
    const numbers = [scoreText(one.score), scoreText(one.total), String(one.length), scoreText(one.penalty)];
    const cells = [one.listed ? String(at + 1) : "–", ...numbers].map((cell) => td(cell));
    const text = td(one.text, { class: "text" });
    text.append(...marks.map((mark) => el("span", { class: "mark" }, ` ${mark}`)));
    return el("tr", { class: at === 0 ? "best" : null }, ...cells, text);
  };
  const paint = ({ about }, hidden) => {
    table.hidden = hidden;
    note.textContent = hidden ? texts.guess : "";
    body.replaceChildren(...(hidden ? [] : about.endings.map(row)));
  };
  return { node, paint };
}
