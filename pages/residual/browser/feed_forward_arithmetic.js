// The arithmetic of one hidden unit, with the numbers of the figure above it.

import { mountBelow } from "../../../viz_core/browser/kit/below.js";
import { fill, grouped, number } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";
import { escaped } from "../../../viz_core/browser/kit/prose.js";
import { feedForwardAt } from "./feed_forward";

// payload: of pages/residual/feed_forward.py, the texts alone.
export function mountFeedForwardArithmetic(root, payload, store) {
  let { about } = readTensors(payload);
  const below = mountBelow(root, store, (view) => {
    const ffn = store.given.feed_forward;
    if (ffn?.stack !== about.stack) return []; // the numbers are on their way
    const shown = feedForwardAt(ffn, view);
    const { heading, text } = about.texts;
    return shown.units.length ? [{ name: "arithmetic", heading, text: fill(text, valuesOf(shown, about.texts)) }] : [];
  });
  return {
    update(next) {
      ({ about } = readTensors(next));
      below.repaint();
    },
    destroy: below.destroy,
  };
}

function valuesOf({ tokens, size, token, units, rank, active, total }, { activation, note }) {
  const { unit, product, bias, strength, length } = units[rank];
  return {
    activation,
    note,
    token: escaped(tokens[token]),
    unit: grouped(unit + 1),
    product: number(product),
    bias: number(bias),
    hidden: number(strength),
    added: number(length),
    size: grouped(size),
    active: grouped(active),
    total: number(total),
  };
}
