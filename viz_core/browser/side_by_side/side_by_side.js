// The same attention of two models, or of two sentences: two attention views on one scale below one row of controls, or
// one of their difference.

import { mountAttentionView } from "../attention_view/attention_view.js";
import { mountControls } from "../attention_view/controls.js";
import { readAttention } from "../attention_view/data.js";
import { possible, withoutNeurons } from "../attention_view/selection.js";
import { dress, el, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { readTensors } from "../kit/tensors.js";
import { differenceOf, leftOut, ofWeights } from "./difference.js";
import { clamp, joined, within } from "./sides.js";

const ableInTwo = (view) => ({ ...possible(withoutNeurons(view)), neurons: false }); // there is no room for them
// weights, by words, as they stand
const ableInDifference = () => ({ neurons: false, words: false, log: false, order: false });

// data: of each side, or of the difference alone.
function read(payload) {
  const { about, tensors } = readTensors(payload);
  const sides = [tensors.left.data, tensors.right.data].map(readAttention);
  return { about, data: about.difference ? [differenceOf(...sides, about)] : sides };
}

// payload: of viz_core/browser/side_by_side_payload.py. Returns { update(payload), destroy(), svg(), name() }; an
// update is of the same sort.
export function mountSideBySide(root, payload, store) {
  let { about, data } = read(payload);
  const isDifference = Boolean(about.difference);
  const adapted = (view) => (isDifference ? ofWeights(view) : view);
  const roots = data.map(() => el("div", { class: "viz-attention-view" }));
  const names = data.map(() => el("p", { class: "name" }));
  const alone = el("p", { class: "alone" });
  const viz = {
    update,
    destroy,
    svg: () =>
      joined(
        attentions.map((attention) => attention.svg()),
        headings(),
        store.theme,
      ),
    name: () => `${attentions[0].name()}-${isDifference ? "difference" : "side-by-side"}`,
  };
  const controls = mountControls(about.texts, store, viz, () => {}, isDifference ? ableInDifference : ableInTwo);
  root.classList.toggle("difference", isDifference);
  root.replaceChildren(
    el("div", { class: "viz-attention-view controls" }, ...controls.rows),
    el(
      "div",
      { class: isDifference ? "one" : "two" },
      ...roots.map((attention, side) => el("section", {}, names[side], attention)),
    ),
    alone,
  );

  const paint = (view) => {
    dress(root, store.theme);
    setAttributes(root, {
      "data-lecture": isDifference && view.lecture,
      "data-aside": !isDifference && view.lecture && !about.alone,
    });
    controls.paint(adapted(view), { canWhole: false, isWhole: false });
    const [left, right] = about.names;
    names.forEach((name, side) =>
      setText(name, isDifference ? fill(about.texts.subtracted, { left, right }) : nameOf(side, view)),
    );
    setText(alone, isDifference ? leftOut(about) : "");
  };

  // A side that has ended, or that has not so many layers or heads, says so.
  const nameOf = (side, view) => {
    const name = about.names[side];
    const { rows, layers, heads, about: own } = data[side];
    const shown = clamp(view, data[side]);
    if (own.steps && view.step >= rows) return fill(about.texts.ended, { name, step: view.step + 1 });
    if (shown === view) return name;
    return fill(about.texts.fewer, { name, layer: shown.layer + 1, head: shown.head + 1, layers, heads });
  };

  // Above each drawing of a file.
  const headings = () => {
    if (!isDifference) return names.map((name) => [name.textContent]);
    const { side_left: left, side_right: right } = about.texts;
    return [[left, right].map((text, side) => fill(text, { name: about.names[side] }))];
  };

  const scales = new Map();
  const attentions = roots.map((attention, side) => {
    const own = within(store, (view) => clamp(adapted(view), data[side]));
    return mountAttentionView(attention, data[side], own, scales);
  });
  const off = store.subscribe(paint);
  paint(store.view);
  store.repaint(); // the first was drawn before it knew the other's scale

  function update(bytes) {
    ({ about, data } = read(bytes));
    attentions.forEach((attention, side) => attention.update(data[side]));
    store.repaint();
    paint(store.view);
  }

  function destroy() {
    off();
    for (const attention of attentions) attention.destroy();
  }

  return viz;
}
