// The rows of a comparison: both outputs, both next-token distributions, and the divergence between these.

import { button, el, setAttributes, setText } from "../kit/dom.js";
import { forAudience } from "../kit/instructions.js";
import { fill, number, percent, threeDigits } from "../kit/numbers.js";

// One side's output, token by token: words that differ on the other side are marked, the current step is highlighted.
// side: { name, details, language, tokens: [[text, what]] }; steps: so many one can go to. Returns { node, paint }.
export function makeSide({ name, details, language, tokens }, steps, texts, go) {
  const chips = tokens.map(([, what], at) =>
    button("", () => go(at), { class: `token ${what}`, disabled: at >= steps }),
  );
  const ended = el("span", { class: "ended" });
  const parts = unbroken(tokens).flatMap((all) => {
    const part = all.length > 1 ? el("span", { class: "unbroken" }, ...all.map((at) => chips[at])) : chips[all[0]];
    return tokens[all[0]][0].startsWith(" ") ? [" ", part] : [part];
  });
  const line = el("p", { class: "line", lang: language }, ...parts, ended);
  const more = details.length ? fill(texts.details, { details: details.join(" ") }) : "";
  const about = el("p", { class: "about" }, el("b", {}, name), el("span", {}, more));
  const node = el("section", { class: "side", "aria-label": name }, about, line);

  // covered: whether the two sides may not be compared yet.
  const paint = (step, hidden, covered) => {
    chips.forEach((chip, at) => {
      const now = at === step;
      const changed = tokens[at][1] === "changed" && !covered;
      const title = fill(texts[chip.disabled ? "no_step" : "to_step"], { step: at + 1 });
      setAttributes(chip, { title: changed ? `${title} – ${texts.changed}` : title });
      chip.classList.toggle("changed", changed);
      setText(chip, hidden && at >= step ? texts.hidden : tokens[at][0].trim());
      chip.classList.toggle("now", now);
      chip.classList.toggle("ahead", at > step);
      setAttributes(chip, { "aria-current": now ? "step" : null, tabindex: now && !chip.disabled ? 0 : -1 });
    });
    setText(ended, step < chips.length ? "" : fill(texts.ended, { step: step + 1 }));
    const at = chips[Math.min(step, chips.length - 1)];
    if (at && line.scrollHeight > line.clientHeight)
      line.scrollTop = at.offsetTop - line.offsetTop - line.clientHeight / 2;
    if (about.scrollHeight > about.clientHeight) about.tabIndex = 0;
  };
  return { node, paint };
}

// Indices of the tokens, those together that no line break may part: punctuation stays with the token before it.
function unbroken(tokens) {
  const found = [];
  tokens.forEach(([text], at) => {
    if (at && /^\p{P}+$/u.test(text)) found.at(-1).push(at);
    else found.push([at]);
  });
  return found;
}

const SEEN = 0.01;
const TICKS = [0, 0.5, 1];

// One side's most probable next tokens as bars on a fixed axis from 0 to 100 %, with the other side's probability as a
// ghost. count: of rows. Returns { node, paint }.
export function makeProbabilities(name, count, texts) {
  const rows = Array.from({ length: count }, makeRow);
  const nothing = el("p", { class: "nothing" });
  const ticks = TICKS.map((at) => el("span", { style: `left: ${100 * at}%` }, percent(at)));
  const axis = el("div", { class: "axis" }, ...ticks);
  const node = el(
    "div",
    { class: "probabilities", role: "img" },
    el("p", { class: "of" }, name),
    nothing,
    ...rows.map((row) => row.node),
    axis,
  );

  // all: of readComparison, at most so many tokens and the others; null where this side has no such step.
  const paint = (all, step, hidden, most) => {
    const known = all?.every(({ p }) => !Number.isNaN(p)) ?? false;
    setText(nothing, known ? "" : all ? texts.not_finite : fill(texts.ended, { step: step + 1 }));
    node.classList.toggle("unknown", !known);
    rows.forEach((row, at) => {
      row.node.hidden = at > most;
      row.node.classList.toggle("first", at === 0);
      row.paint((known && all[at]) || null, texts, hidden);
    });
    const inWords = ({ label, text, otherText: other, isRest }) =>
      fill(texts[other ? "bar_other" : "bar"], {
        token: hidden && !isRest ? texts.hidden : label,
        percent: text,
        other,
      });
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
      node.classList.toggle("rest", Boolean(one.isRest));
      setText(label, hidden && !one.isRest ? texts.hidden : one.label);
      setText(mark, one.written && !hidden ? ` ${texts.written}` : "");
      setText(own, one.text);
      setText(other, one.otherText);
      bar.style.width = `${100 * one.p}%`;
      ghost.style.left = `${100 * (one.other || 0)}%`;
      ghost.hidden = !(one.other >= SEEN); // at the very edge it would be no more than a line
    },
  };
}

const WIDE = 10; // so many columns have room for three digits behind the zeros

// KL divergence between the two distributions at each step, as bars; a click goes to the step. Returns { node, paint,
// count }.
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
  const said = el("span");
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
  const node = el("div", { class: "distance" }, el("p", { class: "head" }, said, now), list);

  const paint = ({ step, lecture }, hidden) => {
    setText(said, forAudience(title, { lecture }));
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
