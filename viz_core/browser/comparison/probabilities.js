// One side's most probable next tokens as bars on a fixed axis from 0 to 100 %, with the other side's probability as a
// ghost.

import { el } from "../kit/dom.js";
import { fill, percent } from "../kit/numbers.js";

const SEEN = 0.01;
const TICKS = [0, 0.5, 1];

// count: of rows. Returns { node, paint }.
export function makeProbabilities(name, count, texts) {
  const rows = Array.from({ length: count }, makeRow);
  const nothing = el("p", { class: "nothing" });
  const axis = el(
    "div",
    { class: "axis" },
    ...TICKS.map((at) => el("span", { style: `left: ${100 * at}%` }, percent(at))),
  );
  const node = el("div", { class: "probabilities", role: "img" }, nothing, ...rows.map((row) => row.node), axis);

  // all: of readComparison, at most so many; null where this side has no such step.
  const paint = (all, step, hidden, most) => {
    const known = all?.every(({ p }) => !Number.isNaN(p)) ?? false;
    nothing.textContent = known ? "" : all ? texts.not_finite : fill(texts.ended, { step: step + 1 });
    node.classList.toggle("unknown", !known);
    rows.forEach((row, at) => {
      row.node.hidden = at >= most;
    });
    rows.forEach((row, at) => row.paint((known && all[at]) || null, texts, hidden, at === 0));
    const list = known
      ? all
          .map(({ label, text, otherText }) =>
            fill(texts[otherText ? "bar_other" : "bar"], {
              token: hidden ? texts.hidden : label,
              percent: text,
              other: otherText,
            }),
          )
          .join(", ")
      : nothing.textContent;
    node.setAttribute("aria-label", fill(texts.distribution, { name, step: step + 1, list }));
  };
  return { node, paint };
}

function makeRow() {
  const [label, mark, own, other] = ["label", "mark", "own", "other"].map((name) => el("span", { class: name }));
  const bar = el("i", { class: "bar" });
  const ghost = el("i", { class: "ghost" });
  const track = el("span", { class: "track" }, bar, ghost);
  const node = el("div", { class: "row" }, el("span", { class: "token" }, label, mark), track, own, other);
  const say = (span, text) => {
    if (span.textContent !== text) span.textContent = text;
  };
  return {
    node,
    paint(one, texts, hidden, first) {
      node.classList.toggle("empty", !one);
      if (!one) return;
      const ghostly = !Number.isNaN(one.other);
      node.classList.toggle("first", first);
      say(label, hidden ? texts.hidden : one.label);
      say(mark, one.written && !hidden ? ` ${texts.written}` : "");
      say(own, one.text);
      say(other, one.otherText);
      bar.style.width = `${100 * one.p}%`;
      ghost.style.left = `${100 * (ghostly ? one.other : 0)}%`;
      ghost.hidden = !(one.other >= SEEN); // at the very edge it would be no more than a line
    },
  };
}
