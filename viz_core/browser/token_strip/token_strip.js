// The token strip: source and target on every page, at the same place, the current step highlighted. A click on a token
// of the target goes to the step that writes it. Each side has one line, so that nothing below it ever moves; a long
// one scrolls with the step.

import { button, dress, el, fadeEdges, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { guessedFrom } from "../kit/store.js";

// data: { source, target: [[text, word or null]], languages: [source's, target's], texts }. Returns { update, destroy
// }.
export function mountTokenStrip(root, data, store) {
  let shown = data;
  let rows = []; // of the source and of the target

  const build = () => {
    const { source, target, texts, languages = [] } = shown;
    const chips = [
      source.map(([text], index) => el("span", { class: chipClass(source, index) }, text)),
      target.map(([text], index) => {
        const title = fill(texts.to_step, { step: Math.max(index, 1) });
        const go = () => store.set({ step: Math.max(index - 1, 0) });
        return button(text, go, { class: chipClass(target, index), title });
      }),
    ];
    const names = [texts.source, texts.target];
    rows = chips.map((nodes, side) => {
      const attributes = { class: "row", tabindex: 0, role: "group", lang: languages[side], "aria-label": names[side] };
      return el("div", { ...attributes, onscroll: ({ target: row }) => fadeEdges(row) }, ...nodes);
    });
    const sides = rows.flatMap((row, side) => [el("span", { class: "name" }, names[side]), row]);
    const sign = (kind, words, name) => el("span", {}, el("b", { class: `token ${kind}` }, words), name);
    const signs = [sign("read", texts.reads_sign, texts.reads), sign("next", texts.writes_sign, texts.writes)];
    const legend = el("span", { class: "legend", "aria-hidden": true }, ...signs);
    root.replaceChildren(el("div", { class: "strip" }, ...sides, legend));
    paint(store.view);
  };

  const paint = (view) => {
    dress(root, store.theme);
    const { step } = view;
    const guessed = guessedFrom(view);
    [...rows[1].children].forEach((node, index) => {
      const next = index === step + 1;
      node.classList.toggle("read", index === step);
      node.classList.toggle("next", next);
      node.classList.toggle("ahead", index > step + 1);
      setAttributes(node, { tabindex: next ? 0 : -1, "aria-current": next ? "step" : null });
      setText(node, index > guessed ? "?" : shown.target[index][0]);
    });
    follow(step);
  };

  // The current token and what is read stand in the middle of a line that is too long.
  const follow = (step) => {
    const [, row] = rows;
    const at = row.children[Math.min(step + 1, row.children.length - 1)];
    if (row.scrollWidth > row.clientWidth) row.scrollLeft = at.offsetLeft - row.offsetLeft - row.clientWidth / 2;
    rows.forEach(fadeEdges);
  };

  build();
  const observer = new ResizeObserver(() => follow(store.view.step));
  observer.observe(root);
  const off = store.subscribe(paint);
  return {
    update(next) {
      shown = next;
      build();
    },
    destroy() {
      observer.disconnect();
      off();
    },
  };
}

function chipClass(all, index) {
  const word = all[index][1];
  const first = word === null || all[index - 1]?.[1] !== word;
  const last = word === null || all[index + 1]?.[1] !== word;
  const names = ["token", first && "first", last && "last", word === null && "special"].filter(Boolean);
  return names.join(" ");
}
