// Inputs of the switchboard: the attention temperature on a logarithmic slider; a token forced at the current step; a
// word that replaces another. Each entry can be undone.

import { el } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";

const DECADE = 20; // places of the slider for a factor of 10

// change(temperature) once it is let go. Returns { node, paint }.
export function makeTemperature({ temperature: [least, most], texts }, change) {
  const at = (place) => Math.min(Math.max(Number((10 ** (place / DECADE)).toPrecision(2)), least), most);
  const place = (temperature) => Math.round(DECADE * Math.log10(temperature));
  const show = (temperature) => {
    value.textContent = fill(texts.t, { t: temperature });
    value.disabled = temperature === 1;
    slider.setAttribute("aria-valuetext", value.textContent);
  };
  const slider = el("input", {
    type: "range",
    min: place(least),
    max: place(most),
    step: 1,
    "aria-label": texts.temperature,
    oninput: () => show(at(Number(slider.value))),
    onchange: () => change(at(Number(slider.value))),
  });
  const value = el("button", { type: "button", class: "t", title: texts.t_back, onclick: () => change(1) });
  const node = el("label", { class: "temperature" }, el("span", { class: "label" }, texts.temperature_label), slider);
  return {
    nodes: [node, value],
    paint({ temperature }) {
      if (at(Number(slider.value)) !== temperature) slider.value = place(temperature);
      show(temperature);
    },
  };
}

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
