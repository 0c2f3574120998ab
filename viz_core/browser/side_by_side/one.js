// The difference of two attentions in one attention view.

import { dress, el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { readTensors } from "../kit/tensors.js";
import { mountControls } from "../attention_view/controls.js";
import { readAttention } from "../attention_view/data.js";
import { mountAttentionView } from "../attention_view/attention_view.js";
import { differenceOf, ofWeights } from "./difference.js";
import { joined } from "./joined.js";
import { clamp, within } from "./within.js";

// weights, by words, as they stand
const ableInDifference = () => ({ neurons: false, words: false, log: false, order: false });

// payload: of viz_core/browser/side_by_side_payload.py, with `difference`. Returns { update(payload), destroy(), svg(),
// name() }.
export function mountDifference(root, payload, store) {
  let about = null;
  let data = null;
  const read = (bytes) => {
    const { about: next, tensors } = readTensors(bytes);
    const [left, right] = [tensors.left.data, tensors.right.data].map(readAttention);
    about = next;
    const { difference, long_difference, reads_difference, points: unit } = next.texts;
    data = differenceOf(left, right, next.difference, {
      reads_difference,
      points: unit,
      softmax: difference,
      long_softmax: long_difference,
    });
    return data;
  };
  const viewRoot = el("div", { class: "viz-attention-view" });
  const name = el("p", { class: "name" });
  const alone = el("p", { class: "alone" });
  const seen = within(store, (view) => clamp(ofWeights(view), data));
  const attention = mountAttentionView(viewRoot, read(payload), seen, new Map());
  const headings = () =>
    about.names.map((name, side) => fill(about.texts[["side_left", "side_right"][side]], { name }));
  const viz = {
    update,
    destroy,
    svg: () => joined([attention.svg()], [headings()], store.theme),
    name: () => `${attention.name()}-difference`,
  };
  const controls = mountControls(about.texts, store, viz, () => {}, ableInDifference);
  root.classList.add("difference");
  root.replaceChildren(el("div", { class: "viz-attention-view controls" }, ...controls.rows), name, viewRoot, alone);

  const paint = (view) => {
    dress(root, store.theme);
    root.toggleAttribute("data-lecture", view.lecture);
    controls.paint(ofWeights(view), { canWhole: false, isWhole: false });
    const [left, right] = about.names;
    name.textContent = fill(about.texts.subtracted, { left, right });
    alone.textContent = leftOut(about);
  };

  function update(bytes) {
    attention.update(read(bytes));
    paint(store.view);
  }

  function destroy() {
    off();
    attention.destroy();
  }

  const off = store.subscribe(paint);
  paint(store.view);
  return viz;
}

// Words that only one side has stand in no row and no column.
function leftOut({ texts, difference: { rows, columns } }) {
  return ["left", "right"]
    .map((side, at) => {
      const words = [...new Set([...rows.alone[at], ...columns.alone[at]])];
      return words.length ? fill(texts[`alone_${side}`], { words: words.map((word) => `«${word}»`).join(" ") }) : "";
    })
    .filter(Boolean)
    .join(" ");
}
