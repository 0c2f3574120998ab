// Temperature, scale and number of bars, which change the store; and the candidates as a list for keyboard and screen
// reader.

import { button, el, setAttributes, setText } from "../../../viz_core/browser/kit/dom.js";
import { fill, percent, signed } from "../../../viz_core/browser/kit/numbers.js";
import { temperatureText } from "./data.js";

// The slider's place is 100 · log₁₀ T.
const DECADE = 100;
const LOW = -DECADE;
const HIGH = 70;
const SNAP = 3; // so many places on either side of T = 1 count as T = 1
const KEYS = 5; // places that an arrow key moves
const LIMITS = [0.1, 5]; // as the Python side has them
const COUNTS = ["5", "10", "20"]; // bars

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
    onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      set((Math.round(placeOf(store.view.temperature) / KEYS) + by) * KEYS);
    },
  });
  const reset = button("", () => set(0), { class: "t", title: texts.reset });
  const axes = ["linear", "log", "logit"].map((axis) => [axis, texts[axis]]);
  const axis = segments(texts.axis, axes, (picked) => store.set({ axis: picked }));
  const counts = COUNTS.map((top) => [top, top]);
  const count = segments(texts.count, counts, (top) => store.set({ top }));
  const node = el(
    "div",
    { class: "controls" },
    quiet(texts.temperature),
    reset,
    el(
      "span",
      { class: "together range" },
      quiet(LIMITS[0]),
      slider,
      quiet(LIMITS[1]),
      el("datalist", { id: "next-token-one" }, el("option", { value: 0 })),
    ),
    axis.node,
    el("span", { class: "together" }, quiet(texts.count), count.node),
  );

  const paint = ({ temperature, ...view }) => {
    const t = temperatureText(temperature);
    if (temperatureAt(Number(slider.value)) !== temperature) slider.value = placeOf(temperature);
    setAttributes(slider, { "aria-valuetext": fill(texts.temperature_is, { t }) });
    setText(reset, fill(texts.t, { t }), { disabled: temperature === 1 });
    axis.paint(view.axis);
    count.paint(view.top);
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

// Radio buttons side by side. options: [value, words] of each.
function segments(name, options, act) {
  const inputs = options.map(([value]) =>
    el("input", { type: "radio", name: `next-token-${name}`, value, onchange: () => act(value) }),
  );
  const labels = options.map(([, words], index) => el("label", {}, inputs[index], el("span", {}, words)));
  const paint = (picked) => {
    for (const input of inputs) input.checked = input.value === picked;
  };
  return { node: el("fieldset", {}, el("legend", {}, name), ...labels), paint };
}

// act: as of the bars. Returns { node, paint, clear }.
export function makeList(act) {
  const node = el("ol", { class: "list" });
  let items = [];

  const addItem = () => {
    const item = button("", () => act.pick(item.index), {
      onfocus: () => act.hover(item.index),
      onblur: () => act.hover(null),
    });
    items.push(item);
    node.append(el("li", {}, item));
  };
  const paint = ({ rows }, { about: { texts } }) => {
    setAttributes(node, { "aria-label": texts.list });
    while (items.length < rows.length) addItem();
    while (items.length > rows.length) items.pop().parentNode.remove();
    rows.forEach(({ index, picked, rankText: rank, label: token, p, logit }, place) => {
      const words = fill(texts.item, { rank, token, percent: percent(p), logit: signed(logit) });
      items[place].index = index;
      setText(items[place], words, { "aria-pressed": picked });
    });
  };
  const clear = () => {
    items = [];
    node.replaceChildren();
  };
  return { node, paint, clear };
}
