// Inside a step: the operations of the attention that the page shows, one after the other; a line of the player's own.

import { button, el, select, setAttributes, toolbar } from "../kit/dom.js";
import { STAGES } from "../kit/store.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];

// Returns { node, paint }. texts: of the stages.
export function mountStages(texts, store) {
  const goTo = (at) => store.set({ stage: STAGES[Math.min(Math.max(at, 0), STAGES.length - 1)], playing: "" });
  const arrow = (name, by) =>
    button(texts[name], () => goTo(STAGES.indexOf(store.view.stage) + by), {
      class: "arrow",
      title: texts[`long_${name}`],
      "aria-label": texts[`long_${name}`],
    });
  const stages = STAGES.map((name, at) => {
    const stage = button(texts[name], () => goTo(at), { title: texts[`long_${name}`] });
    stage.prepend(el("i", { "aria-hidden": true }, String(at + 1)));
    return stage;
  });
  const back = arrow("stage_back", -1);
  const on = arrow("stage_on", 1);
  const speeds = SPEEDS.map((value) => [value, `${value} ×`]);
  const speed = select(texts.speed, speeds, (value) => store.set({ speed: Number(value) }));
  setAttributes(speed, { class: "speed", title: texts.speed });
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
  const node = toolbar(texts.stages, { class: "stages" }, back, track, on, speed);

  const paint = (view) => {
    const at = STAGES.indexOf(view.stage);
    node.hidden = !store.staged();
    stages.forEach((stage, index) => {
      setAttributes(stage, { "aria-pressed": index === at });
      stage.classList.toggle("passed", index < at);
    });
    back.disabled = at === 0;
    on.disabled = at === STAGES.length - 1;
    speed.value = String(view.speed);
  };
  return { node, paint };
}
