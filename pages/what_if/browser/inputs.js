// Inputs of the switchboard: the attention temperature on a logarithmic slider; a token forced at the current step; a
// word that replaces another. Each entry can be undone.

import { button, el, setAttributes, setText } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";

const DECADE = 20; // places of the slider for a factor of 10

// change(temperature) once it is let go. Returns { node, paint }.
export function makeTemperature({ temperature: [least, most], texts }, change) {
  const at = (place) => Math.min(Math.max(Number((10 ** (place / DECADE)).toPrecision(2)), least), most);
  const place = (temperature) => Math.round(DECADE * Math.log10(temperature));
  const show = (temperature) => {
    const words = fill(texts.t, { t: temperature });
    setText(value, words, { disabled: temperature === 1 });
    setAttributes(slider, { "aria-valuetext": words });
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
  const value = button("", () => change(1), { class: "t", title: texts.t_back });
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
  // name: of the edit; index: which of its entries the form writes; inside: what stands before its field.
  const form = (name, index, ...inside) => {
    const input = el("input", {
      type: "text",
      class: "typed",
      "aria-label": texts[`${name}_field`],
      placeholder: texts[`${name}_example`],
      autocomplete: "off",
      spellcheck: "false",
    });
    const onsubmit = (event) => {
      event.preventDefault();
      put(name, index(), input.value);
      input.value = "";
    };
    const title = texts[`${name}_do`];
    const submit = el("button", { type: "submit", "aria-label": title, title }, texts.do);
    return el("form", { class: "form", onsubmit }, ...inside, input, submit);
  };
  const label = el("span", { class: "label" });
  const options = words.map((text, index) => el("option", { value: index }, `${index + 1} ${text}`));
  const word = el("select", { "aria-label": texts.swap_word }, ...options);
  const arrow = el("span", { "aria-hidden": true }, "→");
  const swapLabel = el("span", { class: "label" }, texts.swap_label);
  const force = form("force", () => at, label);
  const swap = form("swap", () => Number(word.value), swapLabel, word, arrow);
  const entries = el("span", { class: "entries" });

  const entryOf = (name, index, text) => {
    const entry = fill(texts[`${name}_entry`], { index: index + 1, text, word: words[index] ?? "" });
    const title = fill(texts.undo, { entry });
    const undo = () => change(name, new Map([...state[name]].filter(([other]) => other !== index)));
    const node = button(entry, undo, { class: "entry", title, "aria-label": title });
    node.append(el("span", { "aria-hidden": true }, " ✕"));
    return node;
  };
  const paint = (next) => {
    state = next;
    const all = ["force", "swap"].flatMap((name) =>
      [...state[name]].map(([index, text]) => entryOf(name, index, text)),
    );
    entries.replaceChildren(...all);
  };
  const step = (now) => {
    at = now;
    setText(label, fill(texts.force_label, { step: now + 1 }));
  };
  return { nodes: [force, swap], entries, paint, step };
}
