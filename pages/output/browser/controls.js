// Temperature, scale and number of bars, which change the store; and the candidates as a list for keyboard and screen
// reader.

import { el } from "../../../viz_core/browser/kit/dom.js";
import { fill, percent } from "../../../viz_core/browser/kit/numbers.js";
import { COUNTS, USUAL, signed, temperatureText } from "./data.js";

const DECADE = 100;
const LOW = -DECADE;
const HIGH = 70; // the slider's place is 100 · log₁₀ T
const SNAP = 3;
const KEYS = 5; // places around T = 1 that are T = 1; places that an arrow key moves
const LIMITS = [0.1, 5]; // as the Python side has them

export function makeControls(texts, store) {
  const set = (place) => store.set({ temperature: temperatureAt(place) });
  const slider = el("input", {
    type: "range",
    min: LOW,
    max: HIGH,
    step: 1,
    list: "next-token-one",
    "aria-label": texts.temperature,
    oninput: () => set(Math.abs(Number(slider.value)) <= SNAP ? 0 : Number(slider.value)),
    onkeydown: (event) => byKey(event),
  });
  const byKey = (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    set((Math.round(placeOf(store.view.temperature) / KEYS) + by) * KEYS);
  };
  const value = el("button", { type: "button", class: "t", title: texts.reset, onclick: () => set(0) });
  const scale = segments(
    texts.scale,
    ["linear", "log"],
    (name) => texts[name],
    (name) => store.set({ scale: name }),
  );
  const count = segments(
    texts.count,
    COUNTS,
    (name) => name,
    (name) => store.set({ top: name }),
  );
  const node = el(
    "div",
    { class: "controls" },
    quiet(texts.temperature),
    quiet(LIMITS[0]),
    slider,
    quiet(LIMITS[1]),
    el("datalist", { id: "next-token-one" }, el("option", { value: 0 })),
    value,
    scale.node,
    quiet(texts.count),
    count.node,
  );

  const paint = (view) => {
    const text = temperatureText(view.temperature);
    const place = placeOf(view.temperature);
    if (temperatureAt(Number(slider.value)) !== view.temperature) slider.value = place;
    slider.setAttribute("aria-valuetext", fill(texts.temperature_is, { t: text }));
    value.textContent = fill(texts.t, { t: text });
    value.disabled = view.temperature === 1;
    scale.paint(view.scale);
    count.paint(view.top ?? USUAL);
  };
  return { node, paint };
}

function placeOf(temperature) {
  return Math.round(DECADE * Math.log10(temperature));
}

// Two digits that count: what the slider says is what is computed with.
function temperatureAt(place) {
  return Math.min(Math.max(Number((10 ** (place / DECADE)).toPrecision(2)), LIMITS[0]), LIMITS[1]);
}

// A name that is seen; what it names says the same to those who do not see it.
function quiet(text) {
  return el("span", { class: "quiet", "aria-hidden": "true" }, text);
}

// Radio buttons side by side.
function segments(name, options, text, act) {
  const group = `next-token-${name}`;
  const inputs = options.map((option) =>
    el("input", { type: "radio", name: group, value: option, onchange: () => act(option) }),
  );
  const node = el(
    "fieldset",
    {},
    el("legend", {}, name),
    ...options.map((option, index) => el("label", {}, inputs[index], el("span", {}, text(option)))),
  );
  return {
    node,
    paint: (chosen) =>
      inputs.forEach((input) => {
        input.checked = input.value === chosen;
      }),
  };
}

// act: as of the bars. Returns { node, paint, clear }.
export function makeList(act) {
  const node = el("ol", { class: "list" });
  let items = [];

  const item = () => {
    const button = el("button", {
      type: "button",
      onclick: () => act.pick(button.at),
      onfocus: () => act.hover(button.at),
      onblur: () => act.hover(null),
    });
    node.append(el("li", {}, button));
    return button;
  };
  const paint = ({ rows }, { about }) => {
    node.setAttribute("aria-label", about.texts.list);
    while (items.length < rows.length) items.push(item());
    while (items.length > rows.length) items.pop().parentNode.remove();
    rows.forEach((row, place) => {
      const text = fill(about.texts.item, {
        rank: row.rankText,
        token: row.label,
        percent: percent(row.p),
        logit: signed(row.logit),
      });
      if (items[place].textContent !== text) items[place].textContent = text;
      items[place].at = row.index;
      items[place].setAttribute("aria-pressed", String(row.picked));
    });
  };
  const clear = () => {
    items = [];
    node.replaceChildren();
  };
  return { node, paint, clear };
}
