// The same attention of two models, or of two sentences: two stages on one scale, below one row of controls.

import { dress, el } from "../shared/dom.js";
import { fill } from "../shared/numbers.js";
import { readTensors } from "../shared/tensors.js";
import { mountControls } from "../stage/controls.js";
import { readAttention } from "../stage/data.js";
import { mountStage } from "../stage/stage.js";

// payload: of viz_core/payload/pair.py. Returns { update(payload), destroy() }.
export function mountBeside(root, payload, store) {
  let { about, tensors } = readTensors(payload), counts = [];
  const scales = new Map(), roots = [el("div", { class: "viz-stage" }), el("div", { class: "viz-stage" })];
  const names = roots.map(() => el("p", { class: "name" }));
  const controls = mountControls(about.texts, store, null, () => {});
  root.replaceChildren(el("div", { class: "viz-stage controls" }, ...controls.rows),
    el("div", { class: "two" }, ...roots.map((stage, side) => el("section", {}, names[side], stage))));

  const sides = () => [tensors.left.data, tensors.right.data];
  const steps = (bytes) => { const { about: { steps: written }, rows } = readAttention(bytes); return written ? rows : Infinity; };
  const paint = (view) => {
    dress(root, store.theme);
    root.toggleAttribute("data-lecture", view.lecture);
    controls.paint(view, { canWhole: false, isWhole: false });
    names.forEach((name, side) => {
      const text = view.step < counts[side] ? about.names[side] : fill(about.texts.ended, { name: about.names[side], step: view.step + 1 });
      if (name.textContent !== text) name.textContent = text;
    });
  };

  counts = sides().map(steps);
  const stages = roots.map((stage, side) => mountStage(stage, sides()[side], store, scales));
  const off = store.subscribe(paint);
  paint(store.view);
  store.repaint(); // the first was drawn before it knew the other's scale
  return {
    update(bytes) {
      ({ about, tensors } = readTensors(bytes));
      counts = sides().map(steps);
      stages.forEach((stage, side) => stage.update(sides()[side]));
      store.repaint();
      paint(store.view);
    },
    destroy() {
      off();
      stages.forEach((stage) => stage.destroy());
    },
  };
}
