// Beam search in words and tables: the candidates of a step, the finished hypotheses, and the reading of one node.

import { el } from "../../../viz_core/browser/kit/dom.js";
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

// act: { hover(node or null), pick(node) }. Returns { node, paint(tree, step, hidden, picked) }.
export function makeCandidates(texts, act) {
  const caption = el("h2", {});
  const body = el("tbody", {});
  const note = el("p", { class: "note" });
  const head = ["rank", "text", "log", "total", "score", "fate"].map((name) =>
    el("th", { scope: "col", class: name }, texts.candidate[name]),
  );
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), body);
  const node = el("section", { class: "candidates", "aria-label": texts.candidates }, caption, table, note);

  const row = (tree, one, picked) => {
    const before = one.parent ? tree.text(one.parent) : "";
    const written = tree.text(one).slice(before.length);
    const added = written || ` ${one.label}`;
    const blank = added.startsWith(" ") ? " " : "";
    const button = el(
      "button",
      {
        type: "button",
        onclick: () => act.pick(one),
        onfocus: () => act.hover(one),
        onblur: () => act.hover(null),
        "aria-pressed": String(one === picked),
      },
      el("span", { class: "before" }, before, blank),
      el("b", {}, added.slice(blank.length)),
    );
    const cells = [
      String(one.rank + 1),
      button,
      scoreText(one.logProb),
      scoreText(one.total),
      scoreText(one.score),
      texts.fate[one.fate],
    ];
    const names = ["rank", "text", "log", "total", "score", "fate"];
    return el(
      "tr",
      {
        class: [one.fate, one.best && "best", one.greedy && "greedy", one === picked && "picked"]
          .filter(Boolean)
          .join(" "),
        onpointerenter: () => act.hover(one),
        onpointerleave: () => act.hover(null),
      },
      ...cells.map((cell, at) =>
        el("td", { class: names[at], title: at === 2 ? percent(Math.exp(one.logProb)) : null }, cell),
      ),
    );
  };
  const paint = (tree, step, hidden, picked) => {
    const column = tree.columns[step];
    const { about } = tree;
    caption.textContent = fill(texts.candidates_of, { step: step + 1 });
    table.hidden = hidden || !column?.length;
    body.replaceChildren(...(table.hidden ? [] : column.map((one) => row(tree, one, picked))));
    const more = about.others[step] ?? 0;
    note.textContent = hidden
      ? texts.guess
      : !column
        ? fill(texts.over, { steps: about.steps })
        : !column.length
          ? texts.not_finite
          : about.forced.includes(step)
            ? texts.forced
            : more
              ? fill(texts.more, { more: more.toLocaleString("en") })
              : "";
  };
  return { node, paint };
}

// Returns { node, paint(tree, hidden) }.
export function makeEndings(texts) {
  const body = el("tbody", {});
  const note = el("p", { class: "note" });
  const names = ["rank", "score", "total", "length", "penalty", "text"];
  const head = names.map((name) => el("th", { scope: "col", class: name }, texts.ending[name]));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), body);
  const node = el(
    "section",
    { class: "endings", "aria-label": texts.endings },
    el("h2", {}, texts.endings),
    table,
    note,
  );
  const paint = ({ about }, hidden) => {
    table.hidden = hidden;
    note.textContent = hidden ? texts.guess : "";
    body.replaceChildren(
      ...(hidden
        ? []
        : about.endings.map((one, at) => {
            const marks = [one.greedy && texts.by_greedy, !one.ended && texts.unended]
              .filter(Boolean)
              .map((mark) => el("span", { class: "mark" }, ` ${mark}`));
            const cells = [
              one.listed ? String(at + 1) : "–",
              scoreText(one.score),
              scoreText(one.total),
              String(one.length),
              scoreText(one.penalty),
              one.text,
            ];
            return el(
              "tr",
              { class: [at === 0 && "best", one.greedy && "greedy"].filter(Boolean).join(" ") },
              ...cells.map((cell, place) => el("td", { class: names[place] }, cell, ...(place === 5 ? marks : []))),
            );
          })),
    );
  };
  return { node, paint };
}
