// What is typed: a token that is forced at the current step, a word that takes another's place. Each entry can be taken
// back.

import { el } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";

const LONGEST = 60; // characters, as the Python side has them

// change(name, map). Returns { nodes, paint(state), step(step) }.
export function makeTyped({ words, texts }, change) {
  let state = null;
  let at = 0;
  const put = (name, index, text) => {
    const typed = [...text.trim()].slice(0, LONGEST).join("").trim();
    if (typed) change(name, new Map([...state[name], [index, typed]].sort(([one], [other]) => one - other)));
  };
  const field = (name) =>
    el("input", {
      type: "text",
      class: "typed",
      "aria-label": texts[`${name}_field`],
      placeholder: texts[`${name}_example`],
      autocomplete: "off",
      spellcheck: "false",
    });
  const form = (name, index, ...inside) => {
    const input = inside.find((node) => node.matches?.("input"));
    return el(
      "form",
      {
        class: "form",
        onsubmit: (event) => {
          event.preventDefault();
          put(name, index(), input.value);
          input.value = "";
        },
      },
      ...inside,
      el("button", { type: "submit", "aria-label": texts[`${name}_do`], title: texts[`${name}_do`] }, texts.do),
    );
  };
  const label = el("span", { class: "label" });
  const word = el(
    "select",
    { "aria-label": texts.swap_word },
    ...words.map((text, index) => el("option", { value: index }, `${index + 1} ${text}`)),
  );
  const force = form("force", () => at, label, field("force"));
  const swap = form(
    "swap",
    () => Number(word.value),
    el("span", { class: "label" }, texts.swap_label),
    word,
    el("span", { "aria-hidden": "true" }, "→"),
    field("swap"),
  );
  const entries = el("span", { class: "entries" });

  const paint = (next) => {
    state = next;
    entries.replaceChildren(
      ...["force", "swap"].flatMap((name) =>
        [...state[name]].map(([index, text]) => {
          const entry = fill(texts[`${name}_entry`], { index: index + 1, text, word: words[index] ?? "" });
          const title = fill(texts.undo, { entry: entry });
          const without = new Map(state[name]);
          without.delete(index);
          return el(
            "button",
            { type: "button", class: "entry", title, "aria-label": title, onclick: () => change(name, without) },
            entry,
            el("span", { "aria-hidden": "true" }, " ✕"),
          );
        }),
      ),
    );
  };
  const step = (now) => {
    at = now;
    const entry = fill(texts.force_label, { step: now + 1 });
    if (label.textContent !== entry) label.textContent = entry;
  };
  return { nodes: [force, swap], entries, paint, step };
}
