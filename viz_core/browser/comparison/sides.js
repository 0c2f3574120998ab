// One side's output, token by token: words that differ on the other side are marked, the current step is highlighted.

import { el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";

// side: { name, details, language, tokens: [[text, what]] }; steps: so many one can go to. Returns { node, paint }.
export function makeSide({ name, details, language, tokens }, steps, texts, go) {
  const chips = tokens.map(([text, what], at) => {
    const able = at < steps;
    const title = fill(texts[able ? "to_step" : "no_step"], { step: at + 1 });
    const chip = el("button", {
      type: "button",
      class: `token ${what}`,
      title: what === "changed" ? `${title} – ${texts.changed}` : title,
      tabindex: "-1",
      disabled: !able,
      onclick: () => go(at),
    });
    chip.label = text.trim();
    return chip;
  });
  const ended = el("span", { class: "ended" });
  const line = el(
    "p",
    { class: "line", lang: language },
    ...chips.flatMap((chip, at) => (tokens[at][0].startsWith(" ") ? [" ", chip] : [chip])),
    ended,
  );
  const about = el(
    "p",
    { class: "about" },
    el("b", {}, name),
    el("span", {}, details.length ? `: ${details.join(" ")}` : ""),
  );
  const node = el("section", { class: "side", "aria-label": name }, about, line);

  const paint = (step, hidden) => {
    chips.forEach((chip, at) => {
      const now = at === step;
      const text = hidden && at >= step ? texts.hidden : chip.label;
      if (chip.textContent !== text) chip.textContent = text;
      chip.classList.toggle("now", now);
      chip.classList.toggle("ahead", at > step);
      chip.ariaCurrent = now ? "step" : null;
      chip.tabIndex = now && !chip.disabled ? 0 : -1;
    });
    ended.textContent = step < chips.length ? "" : fill(texts.ended, { step: step + 1 });
    const at = chips[Math.min(step, chips.length - 1)];
    if (at && line.scrollHeight > line.clientHeight)
      line.scrollTop = at.offsetTop - line.offsetTop - line.clientHeight / 2;
    if (about.scrollHeight > about.clientHeight) about.tabIndex = 0;
  };
  return { node, paint };
}
