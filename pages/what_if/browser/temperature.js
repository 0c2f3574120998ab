// The temperature of every attention, on a logarithmic slider.

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
