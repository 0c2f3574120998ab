// KL divergence between the two distributions at each step, as bars. A click goes to the step.

import { el } from "../kit/dom.js";
import { fill, number, threeDigits } from "../kit/numbers.js";

const WIDE = 10; // so many columns have room for three digits behind the zeros

// Returns { node, paint }.
export function makeDistance(
  {
    bits,
    most,
    about: {
      sides: [{ tokens }],
      texts,
    },
  },
  go,
) {
  const columns = [...bits].map((value, step) => {
    const share = Number.isNaN(value) ? 1 : Math.min(value / most, 1);
    const bar = el("i", { style: `height: ${100 * share}%` });
    const label = el("span", { class: "label" }, tokens[step][0].trim());
    const top = el("span", { class: "bits" }, brief(value, texts, most, bits.length > WIDE));
    const button = el(
      "button",
      { type: "button", tabindex: "-1", class: Number.isNaN(value) ? "unknown" : "", onclick: () => go(step) },
      top,
      el("span", { class: "room" }, bar),
      label,
    );
    return { button, label };
  });
  const title = el("span", {}, fill(texts.divergence, { most }));
  const now = el("b", {});
  const list = el(
    "div",
    { class: "columns", role: "group", "aria-label": title.textContent },
    ...columns.map(({ button }) => button),
  );
  list.style.gridTemplateColumns = `repeat(${columns.length}, minmax(0, 1fr))`;
  const node = el("div", { class: "distance" }, el("p", { class: "head" }, title, now), list);

  const paint = (step, hidden) => {
    columns.forEach(({ button, label }, at) => {
      const text = hidden && at >= step ? texts.hidden : tokens[at][0].trim();
      const value = bits[at];
      if (label.textContent !== text) label.textContent = text;
      button.classList.toggle("now", at === step);
      button.ariaCurrent = at === step ? "step" : null;
      button.tabIndex = at === step ? 0 : -1;
      button.setAttribute(
        "aria-label",
        fill(texts.divergence_one, {
          step: at + 1,
          token: text,
          bits: Number.isNaN(value) ? texts.unknown : number(value),
        }),
      );
    });
    const value = bits[step];
    now.textContent =
      value === undefined
        ? ""
        : Number.isNaN(value)
          ? texts.divergence_unknown
          : fill(texts.divergence_now, { bits: number(value) });
  };
  return { node, paint, count: columns.length };
}

// For a narrow column: three significant digits where there is room, and never 0 where it is not.
function brief(value, texts, most, narrow) {
  if (Number.isNaN(value)) return texts.unknown;
  const beyond = value > most ? texts.beyond : "";
  if (value === 0) return "0";
  if (narrow && value < 0.01) return "<0.01";
  if (value < 0.001) return "<0.001";
  return beyond + (value < 0.1 ? value.toPrecision(narrow ? 2 : 3) : threeDigits(value));
}
