// KL divergence between the two distributions at each step, as bars. A click goes to the step.

import { button, el, setAttributes, setText } from "../kit/dom.js";
import { fill, number, threeDigits } from "../kit/numbers.js";

const WIDE = 10; // so many columns have room for three digits behind the zeros

// Returns { node, paint, count }.
export function makeDistance({ bits, most, about }, go) {
  const { texts } = about;
  const tokens = about.sides[0].tokens.map(([text]) => text.trim());
  const columns = [...bits].map((value, step) => {
    const unknown = Number.isNaN(value);
    const bar = el("i", { style: `height: ${unknown ? 100 : Math.min((100 * value) / most, 100)}%` });
    const label = el("span", { class: "label" });
    const column = button("", () => go(step), { class: unknown ? "unknown" : "" });
    const words = brief(value, texts, most, bits.length > WIDE);
    column.append(el("span", { class: "bits" }, words), el("span", { class: "room" }, bar), label);
    return { column, label, bits: unknown ? texts.unknown : number(value) };
  });
  const title = fill(texts.divergence, { most });
  const now = el("b");
  const list = el(
    "div",
    {
      class: "columns",
      role: "group",
      "aria-label": title,
      style: `grid-template-columns: repeat(${columns.length}, minmax(0, 1fr))`,
    },
    ...columns.map(({ column }) => column),
  );
  const node = el("div", { class: "distance" }, el("p", { class: "head" }, el("span", {}, title), now), list);

  const paint = (step, hidden) => {
    columns.forEach(({ column, label, bits: value }, at) => {
      const token = hidden && at >= step ? texts.hidden : tokens[at];
      const current = at === step;
      setText(label, token);
      column.classList.toggle("now", current);
      setAttributes(column, {
        "aria-current": current ? "step" : null,
        tabindex: current ? 0 : -1,
        "aria-label": fill(texts.divergence_one, { step: at + 1, token, bits: value }),
      });
    });
    const known = !Number.isNaN(bits[step]);
    const template = known ? texts.divergence_now : texts.divergence_unknown;
    setText(now, step < columns.length ? fill(template, { bits: columns[step].bits }) : "");
  };
  return { node, paint, count: columns.length };
}

// For a narrow column: three significant digits where there is room, and never 0 where it is not.
function brief(value, texts, most, narrow) {
  if (Number.isNaN(value)) return texts.unknown;
  if (value === 0) return "0";
  if (narrow && value < 0.01) return "<0.01";
  if (value < 0.001) return "<0.001";
  const beyond = value > most ? texts.beyond : "";
  return beyond + (value < 0.1 ? value.toPrecision(narrow ? 2 : 3) : threeDigits(value));
}
