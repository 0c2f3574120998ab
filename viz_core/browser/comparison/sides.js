// One side's output, token by token: words that differ on the other side are marked, the current step is highlighted.

import { button, el, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";

// side: { name, details, language, tokens: [[text, what]] }; steps: so many one can go to. Returns { node, paint }.
export function makeSide({ name, details, language, tokens }, steps, texts, go) {
  const chips = tokens.map(([, what], at) => {
    const disabled = at >= steps;
    const title = fill(texts[disabled ? "no_step" : "to_step"], { step: at + 1 });
    return button("", () => go(at), {
      class: `token ${what}`,
      title: what === "changed" ? `${title} – ${texts.changed}` : title,
      disabled,
    });
  });
  const ended = el("span", { class: "ended" });
  const spaced = chips.flatMap((chip, at) => (tokens[at][0].startsWith(" ") ? [" ", chip] : [chip]));
  const line = el("p", { class: "line", lang: language }, ...spaced, ended);
  const more = details.length ? `: ${details.join(" ")}` : "";
  const about = el("p", { class: "about" }, el("b", {}, name), el("span", {}, more));
  const node = el("section", { class: "side", "aria-label": name }, about, line);

  const paint = (step, hidden) => {
    chips.forEach((chip, at) => {
      const now = at === step;
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
