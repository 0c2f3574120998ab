// The token strip: source and target on every page, at the same place, the current step highlighted. A click on a token
// of the target goes to the step that writes it. Each side has one line, so that nothing below it ever moves; a long
// one scrolls with the step.

import { dress, el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { guessedFrom } from "../kit/store.js";

const BANDS = 6; // colours behind the tokens of one word; neighbours differ

// data: { source, target: [[text, word or null]], languages: [source's, target's], texts }. Returns { update, destroy
// }.
export function mountTokenStrip(root, data, store) {
  let chips = [];
  let shown = data;
  let rows = [];

  const build = () => {
    const { source, target, texts, languages = [] } = shown;
    chips = target.map((token, index) => chip(token, index, target, texts));
    const row = (name, at, nodes) =>
      el(
        "div",
        { class: "row", tabindex: "0", role: "group", "aria-label": name, lang: languages[at], onscroll: fade },
        ...nodes,
      );
    rows = [
      row(
        texts.source,
        0,
        source.map((token, index) => chip(token, index, source, null)),
      ),
      row(texts.target, 1, chips),
    ];
    const read = el("b", { class: "token read" }, texts.reads_sign);
    const next = el("b", { class: "token next" }, texts.writes_sign);
    root.replaceChildren(
      el(
        "div",
        { class: "strip" },
        el("span", { class: "name" }, texts.source),
        rows[0],
        el("span", { class: "name" }, texts.target),
        rows[1],
        el(
          "span",
          { class: "legend", "aria-hidden": "true" },
          el("span", {}, read, texts.reads),
          el("span", {}, next, texts.writes),
        ),
      ),
    );
    paint(store.view);
  };

  const chip = ([text, word], index, all, texts) => {
    const first = index === 0 || word === null || all[index - 1][1] !== word;
    const last = index === all.length - 1 || word === null || all[index + 1][1] !== word;
    const names = ["token", first && "first", last && "last", word === null && "special"].filter(Boolean).join(" ");
    const band = word === null ? "" : word % BANDS;
    if (!texts) return el("span", { class: names, "data-band": band }, text);
    return el(
      "button",
      {
        type: "button",
        class: names,
        "data-band": band,
        tabindex: "-1",
        title: fill(texts.to_step, { step: Math.max(index, 1) }),
        onclick: () => store.set({ step: Math.max(index - 1, 0) }),
      },
      text,
    );
  };

  const paint = (view) => {
    dress(root, store.theme);
    (store.theme.words ?? []).forEach((colour, band) => root.style.setProperty(`--band${band}`, colour));
    const { target } = shown;
    const { step } = view;
    const guessed = guessedFrom(view);
    chips.forEach((node, index) => {
      node.classList.toggle("read", index === step);
      node.classList.toggle("next", index === step + 1);
      node.classList.toggle("ahead", index > step + 1);
      node.tabIndex = index === step + 1 ? 0 : -1;
      node.ariaCurrent = index === step + 1 ? "step" : null;
      const secret = index > guessed;
      if (secret !== node.secret) node.textContent = secret ? "?" : target[index][0];
      node.secret = secret;
    });
    follow(step);
  };

  // The current token and what is read stand in the middle of a line that is too long.
  const follow = (step) => {
    const [, row] = rows;
    const at = chips[Math.min(step + 1, chips.length - 1)];
    if (row.scrollWidth > row.clientWidth) row.scrollLeft = at.offsetLeft - row.offsetLeft - row.clientWidth / 2;
    rows.forEach(fade);
  };

  const fade = (row) => {
    const node = row.currentTarget ?? row;
    node.classList.toggle("more-before", node.scrollLeft > 2);
    node.classList.toggle("more-after", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  };

  build();
  const sized = new ResizeObserver(() => follow(store.view.step));
  sized.observe(root);
  const off = store.subscribe(paint);
  return {
    update(data) {
      const next = JSON.stringify(data);
      if (next === root.shown) return;
      root.shown = next;
      shown = data;
      build();
    },
    destroy() {
      sized.disconnect();
      off();
    },
  };
}
