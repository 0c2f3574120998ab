// One side's most probable next tokens as bars on a fixed axis from 0 to 100 %, with the other side's probability as a
// ghost.

import { el, setAttributes, setText } from "../kit/dom.js";
import { fill, percent } from "../kit/numbers.js";

const SEEN = 0.01;
const TICKS = [0, 0.5, 1];

// count: of rows. Returns { node, paint }.
export function makeProbabilities(name, count, texts) {
  const rows = Array.from({ length: count }, makeRow);
  const nothing = el("p", { class: "nothing" });
  const ticks = TICKS.map((at) => el("span", { style: `left: ${100 * at}%` }, percent(at)));
  const axis = el("div", { class: "axis" }, ...ticks);
  const node = el("div", { class: "probabilities", role: "img" }, nothing, ...rows.map((row) => row.node), axis);

  // all: of readComparison, at most so many; null where this side has no such step.
  const paint = (all, step, hidden, most) => {
    const known = all?.every(({ p }) => !Number.isNaN(p)) ?? false;
    setText(nothing, known ? "" : all ? texts.not_finite : fill(texts.ended, { step: step + 1 }));
    node.classList.toggle("unknown", !known);
    rows.forEach((row, at) => {
      row.node.hidden = at >= most;
      row.node.classList.toggle("first", at === 0);
      row.paint((known && all[at]) || null, texts, hidden);
    });
    const inWords = ({ label, text, otherText: other }) =>
      fill(texts[other ? "bar_other" : "bar"], { token: hidden ? texts.hidden : label, percent: text, other });
    const list = known ? all.map(inWords).join(", ") : nothing.textContent;
    setAttributes(node, { "aria-label": fill(texts.distribution, { name, step: step + 1, list }) });
  };
  return { node, paint };
}

function makeRow() {
  const [label, mark, own, other] = ["label", "mark", "own", "other"].map((name) => el("span", { class: name }));
  const [bar, ghost] = ["bar", "ghost"].map((name) => el("i", { class: name }));
  const track = el("span", { class: "track" }, bar, ghost);
  const node = el("div", { class: "row" }, el("span", { class: "token" }, label, mark), track, own, other);
  return {
    node,
    paint(one, texts, hidden) {
      node.classList.toggle("empty", !one);
      if (!one) return;
      setText(label, hidden ? texts.hidden : one.label);
      setText(mark, one.written && !hidden ? ` ${texts.written}` : "");
      setText(own, one.text);
      setText(other, one.otherText);
      bar.style.width = `${100 * one.p}%`;
      ghost.style.left = `${100 * (one.other || 0)}%`;
      ghost.hidden = !(one.other >= SEEN); // at the very edge it would be no more than a line
    },
  };
}
