// The arithmetic of one token's logit and of its probability, for the token that is picked, else that of the step.

import { mountBelow } from "../../../viz_core/browser/kit/below.js";
import { el } from "../../../viz_core/browser/kit/dom.js";
import { amount, eToThe, fill, number, percent } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";
import { escaped, latex } from "../../../viz_core/browser/kit/prose.js";

// payload: of pages/output/arithmetic_payload.py.
export function mountNextTokenArithmetic(root, payload, store) {
  let read = readTensors(payload);
  const below = mountBelow(root, store, (view) => sections(read, view, store.given.next_token));
  return {
    update(next) {
      read = readTensors(next);
      below.repaint();
    },
    destroy: below.destroy,
  };
}

function sections(read, view, nextToken) {
  const { about } = read;
  const { texts } = about;
  if (view.step >= about.readings.length) return []; // the next sentence's payload is on its way
  const values = { ...about.shared, ...valuesOf(read, view, nextToken) };
  return [
    {
      name: "arithmetic",
      heading: view.temperature === 1 ? texts.heading : texts.heading_at_1,
      text: fill(texts.arithmetic, values),
    },
    about.table && { name: "given", said: view.step, nodes: () => [table(about.table, view.step)] },
    about.table && { name: "summary", text: about.summary },
  ];
}

function valuesOf({ about, tensors }, { step, cell, temperature }, nextToken) {
  const { texts } = about;
  const last = tensors.ids.shape[1] - 1; // what stands there
  const picked = cell?.[0] === step && cell[1] < last ? cell[1] : last;
  const of = (name) => slice(tensors[name], step, picked);
  const [logit] = of("logits");
  const [logTotal] = slice(tensors.log_totals, step);
  const [bits] = slice(tensors.bits, step);
  const [logProb] = of("log_probs");
  const id = of("ids")[0];
  return {
    reading: about.readings[step],
    token: latex(about.labels[id]),
    shown: escaped(about.labels[id]),
    sum: summands(tensors, of, texts, about.dims).join(" + "),
    logit: number(logit),
    exp: eToThe(logit),
    total: eToThe(logTotal),
    log_total: number(logTotal),
    log_prob: number(logProb),
    percent: latex(percent(Math.exp(logProb))),
    bits: amount(bits),
    choices: amount(2 ** bits),
    tempered:
      temperature === 1 || !nextToken ? "" : fill(texts.tempered, warm(nextToken, step, temperature, logit, id)),
  };
}

function summands(tensors, of, texts, dims) {
  const [states, weights, places] = ["states", "weights", "places"].map(of);
  const terms = [...places].map((dim, at) =>
    fill(texts.term, { x: number(states[at]), e: number(weights[at]), dim: dim + 1 }),
  );
  const count = dims - terms.length;
  if (count > 0) terms.push(fill(texts.remainder, { others: number(of("others")[0]), count }));
  if (tensors.biases) terms.push(fill(texts.bias, { value: number(of("biases")[0]) }));
  return terms;
}

// At another temperature, over the whole vocabulary, which the bars have.
function warm(nextToken, step, temperature, logit, id) {
  const p = nextToken.spread(step, temperature).probabilities[id];
  const divided = logit / temperature;
  return {
    t: String(Number(temperature.toPrecision(6))),
    percent: latex(percent(p)),
    logit: number(logit),
    divided: number(divided),
    log_total: number(divided - Math.log(p)),
  };
}

function table(html, step) {
  const node = el("div", { class: "guessed" });
  node.innerHTML = html; // made by viz_core/figures/table.py, which escapes what was typed
  node.querySelectorAll("tbody tr").forEach((row, at) => row.classList.toggle("highlighted", at === step));
  return node;
}
