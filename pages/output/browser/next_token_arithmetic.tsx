// The arithmetic of one token's logit and probability: of the picked token, otherwise of the step's.

import { useLayoutEffect, useRef } from "preact/hooks";
import { type Section, below } from "../../../viz_core/browser/kit/below";
import { amount, eToThe, number, percent } from "../../../viz_core/browser/kit/numbers";
import { escaped, latex, sumOf } from "../../../viz_core/browser/kit/prose";
import type { View } from "../../../viz_core/web/src/figure";
import { type Patch, type Payload, type Tensor, nth, sliceOf } from "../../../viz_core/web/src/payload";
import type { NextToken } from "./data";

type About = { labels: Record<number, string>; dims: number; readings: string[]; shared: Patch; table: string; summary: string };
type Name = "ids" | "logits" | "log_probs" | "others" | "places" | "states" | "weights" | "log_totals" | "bits";
type Terms = Payload<About, Name> & { tensors: { biases?: Tensor } };

/** payload: from pages/output/data.py. */
export const mountNextTokenArithmetic = below<About, Name>((payload, view, { given }) => {
  const { about, say } = payload;
  if (view.step >= about.readings.length) return []; // the next sentence's payload is on its way
  const arithmetic: Section = {
    name: "arithmetic",
    heading: say(view.temperature === 1 ? "heading" : "heading_at_1"),
    text: say("arithmetic", { ...about.shared, ...valuesOf(payload, view, given.next_token as NextToken | undefined) }),
  };
  if (!about.table) return [arithmetic];
  return [
    arithmetic,
    { name: "given", children: <Table html={about.table} step={view.step} /> },
    { name: "summary", text: about.summary },
  ];
});

function valuesOf(terms: Terms, { step, cell, temperature }: View, nextToken?: NextToken) {
  const { about, tensors, say } = terms;
  const last = (tensors.ids.shape[1] ?? 0) - 1; // the place of the step's own token
  const picked = cell?.[0] === step && cell[1] < last ? cell[1] : last;
  const numberOf = (name: Name) => sliceOf(tensors[name], step)[picked] ?? Number.NaN;
  const [logit, logProb, id] = [numberOf("logits"), numberOf("log_probs"), numberOf("ids")];
  const logTotal = nth(sliceOf(tensors.log_totals, step), 0);
  const [bits = Number.NaN] = sliceOf(tensors.bits, step);
  const label = about.labels[id] ?? "";
  return {
    reading: about.readings[step],
    token: latex(label),
    shown: escaped(label),
    sum: sumOf(summands(terms, step, picked)),
    logit: number(logit),
    exp: eToThe(logit),
    total: eToThe(logTotal),
    log_total: number(logTotal),
    log_prob: number(logProb),
    percent: latex(percent(Math.exp(logProb))),
    bits: amount(bits),
    choices: amount(2 ** bits),
    tempered: temperature === 1 || !nextToken ? "" : say("tempered", warm(nextToken, step, temperature, logit, id)),
  };
}

function summands({ about, tensors, say }: Terms, step: number, picked: number) {
  const rowOf = (tensor: Tensor) => sliceOf(tensor, step, picked);
  const [states, weights] = [rowOf(tensors.states), rowOf(tensors.weights)];
  const terms = Array.from(rowOf(tensors.places), (dim, at) =>
    say("term", { x: number(nth(states, at)), e: number(nth(weights, at)), dim: dim + 1 }),
  );
  const count = about.dims - terms.length;
  if (count > 0) terms.push(say("remainder", { others: number(nth(rowOf(tensors.others), 0)), count }));
  if (tensors.biases) terms.push(say("bias", { value: number(nth(rowOf(tensors.biases), 0)) }));
  return terms;
}

// The values at another temperature, over the whole vocabulary, from the bars' data.
function warm(nextToken: NextToken, step: number, temperature: number, logit: number, id: number) {
  const p = nextToken.spread(step, temperature).probabilities[id] ?? Number.NaN;
  const divided = logit / temperature;
  return {
    t: String(Number(temperature.toPrecision(6))),
    percent: latex(percent(p)),
    logit: number(logit),
    divided: number(divided),
    log_total: number(divided - Math.log(p)),
  };
}

function Table({ html, step }: { html: string; step: number }) {
  const node = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    node.current?.querySelectorAll("tbody tr").forEach((row, at) => row.classList.toggle("highlighted", at === step));
  });
  // from viz_core/figures/table.py, which escapes typed text
  return <div class="guessed" ref={node} dangerouslySetInnerHTML={{ __html: html }} />;
}
