// The arithmetic below a figure: texts with places, and for each step, layer, token … what stands in them, all as Python wrote it.

import { mountBelow } from "../kit/below.js";
import { fill } from "../kit/numbers.js";
import { readTensors } from "../kit/payload.js";
import { stateOf } from "../kit/states.js";
import { hasNumbers, workedOut } from "./worked.js";

// payload: of viz_core/app/arithmetic.py.
export function mountArithmetic(root, payload, store) {
  let { about } = readTensors(payload);
  const below = mountBelow(root, store, (view) => {
    const values = { ...about.shared };
    const { plot } = store.given;
    if (plot?.lacks(view)) return null;
    const place = { ...view, row: view.step, ...plot?.cell(view) };
    for (const part of about.parts) Object.assign(values, stateOf(part, place));
    if (Object.keys(about.worked).length) {
      if (!hasNumbers(plot, about, view)) return null;
      Object.assign(values, workedOut(about, plot, view));
    }
    return about.sections.map(({ name, heading, template }) => {
      const text = about.texts[fill(template, values)];
      return text && { name, heading, text: fill(text, values) };
    });
  });
  return {
    update(next) {
      ({ about } = readTensors(next));
      below.repaint();
    },
    destroy: below.destroy,
  };
}
