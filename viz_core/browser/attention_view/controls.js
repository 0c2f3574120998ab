// Controls: a row of view options, and a row of stages with play.

import { play } from "../kit/keys.js";
import { button, el, select, setAttributes, toolbar } from "../kit/dom.js";
import { saveButtons } from "../kit/save.js";
import { STAGES } from "../kit/store.js";
import { possible } from "./data.js";

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
  const named = (name, act, more = {}) => button(texts[name], act, { title: texts[`long_${name}`], ...more });
  const buttonsOf = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]));
  const goTo = (at) => store.set({ stage: STAGES[Math.min(Math.max(at, 0), STAGES.length - 1)], playing: "" });
  const arrow = (name, by) =>
    named(name, () => goTo(STAGES.indexOf(store.view.stage) + by), {
      class: "arrow",
      "aria-label": texts[`long_${name}`],
    });

  const show = buttonsOf(SHOW, (name) => named(`show_${name}`, () => store.set({ show: name })));
  const switches = buttonsOf(Object.keys(SWITCHES), (name) => {
    const [field, off, on] = SWITCHES[name];
    return named(`switch_${name}`, () => store.set({ [field]: store.view[field] === on ? off : on }));
  });
  const whole = named("whole", toggleWhole, { class: "whole" });
  const stages = STAGES.map((name, at) => {
    const stage = named(name, () => goTo(at));
    stage.prepend(el("i", { "aria-hidden": true }, String(at + 1)));
    return stage;
  });
  const back = arrow("stage_back", -1);
  const on = arrow("stage_on", 1);
  const run = button("", () => play(store, "stages"), { class: "run" });
  const speeds = SPEEDS.map((value) => [value, `${value} ×`]);
  const speed = select(texts.speed, speeds, (value) => store.set({ speed: Number(value) }));
  const track = el("div", { class: "track", role: "group", "aria-label": texts.stages }, ...stages);
  // A finger or a pressed mouse moves along the stages.
  track.addEventListener("pointermove", ({ buttons, clientX }) => {
    if (!buttons) return;
    const found = stages.findIndex((stage) => {
      const { left, right } = stage.getBoundingClientRect();
      return clientX >= left && clientX < right;
    });
    if (found >= 0) goTo(found);
  });
  const take = saveButtons(texts, viz, store);
  const heads = el("div", { class: "group", role: "group", "aria-label": texts.show }, ...Object.values(show));
  const row = el("div", { class: "switches" }, ...Object.values(switches));
  const options = toolbar(texts.options, { class: "bar options" }, heads, row, whole);
  const rows = [options, toolbar(texts.stages, { class: "bar" }, run, back, track, on, speed, take)];

  const paint = (view, { canWhole, isWhole }) => {
    for (const node of [options, take]) node.hidden = view.lecture; // one idea a screen
    const may = able(view);
    const at = STAGES.indexOf(view.stage);
    for (const name of SHOW) setAttributes(show[name], { "aria-pressed": view.show === name });
    for (const [name, [field, , value]] of Object.entries(SWITCHES)) {
      const means = may[name] ?? true;
      setAttributes(switches[name], { "aria-pressed": means && view[field] === value, disabled: !means });
    }
    stages.forEach((stage, index) => {
      setAttributes(stage, { "aria-pressed": index === at });
      stage.classList.toggle("passed", index < at);
    });
    back.disabled = at === 0;
    on.disabled = at === STAGES.length - 1;
    const playing = view.playing === "stages" ? "pause" : "play";
    run.textContent = texts[playing];
    setAttributes(run, { "aria-label": texts[`long_${playing}`] });
    speed.value = String(view.speed);
    whole.hidden = !canWhole;
    setAttributes(whole, { "aria-pressed": isWhole });
  };
  return { rows, paint };
}
