// Controls: a row of view options, and a row of stages with play.

import { play } from "../kit/actions.js";
import { el } from "../kit/dom.js";
import { saveButtons } from "../kit/save.js";
import { STAGES } from "../kit/store.js";
import { possible } from "./selection.js";

const SHOW = ["one", "mean", "layer", "model"];
const SPEEDS = [0.5, 1, 2, 4];
// A switch: field of the view, its value when off and when on.
const SWITCHES = {
  lines: ["form", "matrix", "lines"],
  neurons: ["form", "matrix", "neurons"],
  words: ["unit", "tokens", "words"],
  log: ["scale", "linear", "log"],
  order: ["order", "sentence", "weight"],
  specials: ["specials", "show", "hide"],
};

// viz: the part that saves itself: { svg(), name() }. able: of a view, which switches mean something.
export function mountControls(texts, store, viz, toggleWhole, able = possible) {
  const button = (name, act, more = {}) =>
    el("button", { type: "button", title: texts[`long_${name}`] ?? null, onclick: act, ...more }, texts[name]);
  const show = SHOW.map((name) => button(`show_${name}`, () => store.set({ show: name })));
  const switches = Object.entries(SWITCHES).map(([name, [field, off, on]]) =>
    button(`switch_${name}`, () => store.set({ [field]: store.view[field] === on ? off : on })),
  );
  const whole = button("whole", toggleWhole, { class: "whole" });
  const stages = STAGES.map((name, at) =>
    el(
      "button",
      {
        type: "button",
        "data-stage": name,
        title: texts[`long_${name}`],
        onclick: () => store.set({ stage: name, playing: "" }),
      },
      el("i", { "aria-hidden": "true" }, String(at + 1)),
      texts[name],
    ),
  );
  const step = (by) => () =>
    store.set({
      stage: STAGES[Math.min(Math.max(STAGES.indexOf(store.view.stage) + by, 0), STAGES.length - 1)],
      playing: "",
    });
  const back = button("stage_back", step(-1), { class: "arrow", "aria-label": texts.long_stage_back });
  const on = button("stage_on", step(1), { class: "arrow", "aria-label": texts.long_stage_on });
  const run = el("button", { type: "button", class: "run", onclick: () => play(store, "stages") });
  const speed = el(
    "select",
    { "aria-label": texts.speed, onchange: () => store.set({ speed: Number(speed.value) }) },
    ...SPEEDS.map((value) => el("option", { value }, `${value} ×`)),
  );
  const track = el("div", { class: "track", role: "group", "aria-label": texts.stages }, ...stages);
  dragAlong(track, store);
  const take = saveButtons(texts, viz, store);
  const rows = [
    el(
      "div",
      { class: "bar options", role: "toolbar", "aria-label": texts.options },
      el("div", { class: "group", role: "group", "aria-label": texts.show }, ...show),
      el("div", { class: "switches" }, ...switches),
      whole,
    ),
    el("div", { class: "bar", role: "toolbar", "aria-label": texts.stages }, run, back, track, on, speed, take),
  ];
  const set = (node, name, value) => {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  };

  const paint = (view, { canWhole, isWhole }) => {
    for (const node of [rows[0], take]) node.hidden = view.lecture; // one idea a screen
    const may = able(view);
    SHOW.forEach((name, at) => set(show[at], "aria-pressed", view.show === name));
    Object.entries(SWITCHES).forEach(([name, [field, , value]], at) => {
      const means = may[name] ?? true;
      set(switches[at], "aria-pressed", means && view[field] === value);
      switches[at].disabled = !means;
    });
    STAGES.forEach((name, at) => {
      set(stages[at], "aria-pressed", view.stage === name);
      stages[at].classList.toggle("passed", at < STAGES.indexOf(view.stage));
    });
    back.disabled = view.stage === STAGES[0];
    on.disabled = view.stage === STAGES.at(-1);
    const playing = view.playing === "stages";
    run.textContent = texts[playing ? "pause" : "play"];
    set(run, "aria-label", texts[playing ? "long_pause" : "long_play"]);
    speed.value = String(view.speed);
    whole.hidden = !canWhole;
    set(whole, "aria-pressed", isWhole);
  };
  return { rows, paint };
}

// A finger or a pressed mouse moves along the stages.
function dragAlong(track, store) {
  track.addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    const found = [...track.children].find((each) => {
      const box = each.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX < box.right;
    });
    if (found) store.set({ stage: found.dataset.stage, playing: "" });
  });
}
