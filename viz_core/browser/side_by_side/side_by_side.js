// The same attention of two models, or of two sentences: two attention views on one scale below one row of controls, or
// their difference.

import { mountAttentionView } from "../attention_view/attention_view.js";
import { mountControls } from "../attention_view/controls.js";
import { readAttention } from "../attention_view/data.js";
import { possible, withoutNeurons } from "../attention_view/selection.js";
import { dress, el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { readTensors } from "../kit/tensors.js";
import { mountDifference } from "./difference.js";
import { clamp, joined, within } from "./sides.js";

const ableInTwo = (view) => ({ ...possible(withoutNeurons(view)), neurons: false }); // there is no room for them

// payload: of viz_core/browser/side_by_side_payload.py. Returns { update(payload), destroy(), svg(), name() }.
export function mountTwo(root, payload, store) {
  let { about, tensors } = readTensors(payload);
  let shapes = [];
  const scales = new Map();
  const roots = [el("div", { class: "viz-attention-view" }), el("div", { class: "viz-attention-view" })];
  const names = roots.map(() => el("p", { class: "name" }));
  const viz = {
    update,
    destroy,
    svg: () =>
      joined(
        attentions.map((attention) => attention.svg()),
        names.map((name) => [name.textContent]),
        store.theme,
      ),
    name: () => `${attentions[0].name()}-side-by-side`,
  };
  const controls = mountControls(about.texts, store, viz, () => {}, ableInTwo);
  root.replaceChildren(
    el("div", { class: "viz-attention-view controls" }, ...controls.rows),
    el("div", { class: "two" }, ...roots.map((attention, side) => el("section", {}, names[side], attention))),
  );

  const sides = () => [tensors.left.data, tensors.right.data];
  const shapeOf = (bytes) => {
    const {
      about: { steps },
      rows,
      layers,
      heads,
    } = readAttention(bytes);
    return { layers, heads, rows: steps ? rows : Infinity };
  };
  const paint = (view) => {
    dress(root, store.theme);
    root.toggleAttribute("data-aside", view.lecture && !about.alone);
    controls.paint(view, { canWhole: false, isWhole: false });
    names.forEach((name, side) => {
      const text = nameOf(side, view);
      if (name.textContent !== text) name.textContent = text;
    });
  };

  // A side that has ended, or that has not so many layers or heads, says so.
  const nameOf = (side, view) => {
    const name = about.names[side];
    const { rows, layers, heads } = shapes[side];
    const shown = clamp(view, shapes[side]);
    if (view.step >= rows) return fill(about.texts.ended, { name, step: view.step + 1 });
    return shown === view
      ? name
      : fill(about.texts.fewer, { name, layer: shown.layer + 1, head: shown.head + 1, layers, heads });
  };

  shapes = sides().map(shapeOf);
  const attentions = roots.map((attention, side) =>
    mountAttentionView(
      attention,
      sides()[side],
      within(store, (view) => clamp(view, shapes[side])),
      scales,
    ),
  );
  const off = store.subscribe(paint);
  paint(store.view);
  store.repaint(); // the first was drawn before it knew the other's scale

  function update(bytes) {
    ({ about, tensors } = readTensors(bytes));
    shapes = sides().map(shapeOf);
    attentions.forEach((attention, side) => attention.update(sides()[side]));
    store.repaint();
    paint(store.view);
  }

  function destroy() {
    off();
    attentions.forEach((attention) => attention.destroy());
  }

  return viz;
}

// payload: of viz_core/browser/side_by_side_payload.py. Returns { update(payload), destroy(), svg(), name() }; an
// update is of the same sort.
export function mountSideBySide(root, payload, store) {
  return (readTensors(payload).about.difference ? mountDifference : mountTwo)(root, payload, store);
}
