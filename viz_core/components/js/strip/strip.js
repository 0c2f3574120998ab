// The token strip: source and target on every page, at the same place, the current step lit. A click on a piece of the target
// goes to the step that writes it.

import { dress, el } from "../shared/dom.js";
import { fill } from "../shared/numbers.js";

const BANDS = 6; // colours behind the pieces of one word; neighbours differ
const AROUND = 20, BEFORE = 10; // pieces of the target shown around the current step, and of these before it

// data: { source, target: [[text, word or null]], languages: [source's, target's], texts }. Returns { update, destroy }.
export function mountStrip(root, data, store) {
  let chips = [], shown = data, before = null, after = null;

  const build = () => {
    const { source, target, texts, languages = [] } = shown;
    chips = target.map((piece, index) => chip(piece, index, target, texts));
    before = el("span", { class: "more" });
    after = el("span", { class: "more" });
    const read = el("b", { class: "piece read" }, texts.reads_sign), next = el("b", { class: "piece next" }, texts.writes_sign);
    root.replaceChildren(el("div", { class: "strip" },
      el("span", { class: "name" }, texts.source), el("div", { class: "row", tabindex: "0", role: "group", "aria-label": texts.source, lang: languages[0] }, ...source.map((piece, index) => chip(piece, index, source, null))),
      el("span", { class: "name" }, texts.target), el("div", { class: "row", role: "group", "aria-label": texts.target, lang: languages[1] }, before, ...chips, after),
      el("span", { class: "legend", "aria-hidden": "true" }, el("span", {}, read, texts.reads), el("span", {}, next, texts.writes))));
    paint(store.view);
  };

  const chip = ([text, word], index, all, texts) => {
    const first = index === 0 || word === null || all[index - 1][1] !== word;
    const last = index === all.length - 1 || word === null || all[index + 1][1] !== word;
    const names = ["piece", first && "first", last && "last", word === null && "special"].filter(Boolean).join(" ");
    const band = word === null ? "" : word % BANDS;
    if (!texts) return el("span", { class: names, "data-band": band }, text);
    return el("button", { type: "button", class: names, "data-band": band, tabindex: "-1", title: fill(texts.to_step, { step: Math.max(index, 1) }),
      onclick: () => store.set({ step: Math.max(index - 1, 0) }) }, text);
  };

  const paint = (view) => {
    dress(root, store.theme);
    (store.theme.words ?? []).forEach((colour, band) => root.style.setProperty(`--band${band}`, colour));
    const { target, texts } = shown, { step } = view;
    const start = Math.max(0, Math.min(step - BEFORE, target.length - AROUND)), end = Math.min(target.length, start + AROUND);
    const hidden = view.predict === "word" && !view.revealed;
    chips.forEach((node, index) => {
      node.hidden = index < start || index >= end;
      node.classList.toggle("read", index === step);
      node.classList.toggle("next", index === step + 1);
      node.classList.toggle("ahead", index > step + 1);
      node.tabIndex = index === step + 1 ? 0 : -1;
      node.ariaCurrent = index === step + 1 ? "step" : null;
      const secret = hidden && index > step;
      if (secret !== node.secret) node.textContent = (node.secret = secret) ? "?" : target[index][0];
    });
    before.textContent = start ? `${start} ${texts.more} …` : "";
    after.textContent = end < target.length ? `… ${target.length - end} ${texts.more}` : "";
  };

  build();
  const off = store.subscribe(paint);
  return {
    update(data) {
      const next = JSON.stringify(data);
      if (next === root.shown) return;
      root.shown = next;
      shown = data;
      build();
    },
    destroy: off,
  };
}
