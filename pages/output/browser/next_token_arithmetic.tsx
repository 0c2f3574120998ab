// The arithmetic of one token's logit and probability: of the picked token, otherwise of the step's.

import { useLayoutEffect, useRef } from "preact/hooks";
import { type Section, below } from "../../../viz_core/browser/kit/below";
import { amount, eToThe, grouped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { escaped, latex, sumOf } from "../../../viz_core/browser/kit/prose";
import type { View } from "../../../viz_core/web/src/figure";
import { type Patch, type Say, nth } from "../../../viz_core/web/src/payload";
import type { NextToken } from "./data";

type About = { dims: number; shared: Patch; table: string; summary: string };

/** payload: from pages/output/data.py, texts, and the table of a given target. */
export const mountNextTokenArithmetic = below<About>(({ about, say }, view, { given }) => {
  const nextToken = given.next_token as NextToken | undefined;
  if (!nextToken || view.step >= nextToken.steps) return null; // the numbers are on their way
  const values = { ...about.shared, ...valuesOf(nextToken, view, about.dims, say) };
  const arithmetic: Section = {
    name: "arithmetic",
    heading: say(view.temperature === 1 ? "heading" : "heading_at_1"),
    text: say("arithmetic", {
      ...values,
      reading: say(values.isTyped ? "reading_typed" : "reading", { ...values, percent: values.best }),
    }),
  };
  if (!about.table) return [arithmetic];
  return [
    arithmetic,
    { name: "given", children: <Table html={about.table} step={view.step} /> },
    { name: "summary", text: about.summary },
  ];
});

function valuesOf(nextToken: NextToken, { step, cell, temperature }: View, dims: number, say: Say) {
  const { about, listed, recorded } = nextToken;
  const picked = cell?.[0] === step && cell[1] < listed ? cell[1] : listed; // the place of the step's own token
  const id = nth(nextToken.ids(step), picked);
  const [logit, logProb] = [nth(nextToken.logits(step), id), nextToken.logProb(step, picked)];
  const { logTotal, bits } = nextToken.spread(step, 1);
  const label = about.labels[id] ?? "";
  return {
    isTyped: nextToken.expected(step) !== nth(nextToken.ids(step), 0),
    chosen: escaped(nth(about.chosen, step)),
    best: percent(recorded(step, 0)),
    typed: escaped(nth(about.tokens, step)),
    typed_percent: percent(recorded(step, listed)),
    rank: grouped(nextToken.rank(step, listed)),
    token: latex(label),
    shown: escaped(label),
    sum: sumOf(summands(nextToken.terms(step, picked), dims, say)),
    logit: number(logit),
    exp: eToThe(logit),
    total: eToThe(logTotal),
    log_total: number(logTotal),
    log_prob: number(logProb),
    percent: latex(percent(Math.exp(logProb))),
    bits: amount(bits),
    choices: amount(2 ** bits),
    tempered: temperature === 1 ? "" : say("tempered", warm(nextToken, step, temperature, logit, id)),
  };
}

function summands({ dims, states, weights, others, bias }: ReturnType<NextToken["terms"]>, all: number, say: Say) {
  const terms = Array.from(dims, (dim, at) =>
    say("term", { x: number(nth(states, at)), e: number(nth(weights, at)), dim: dim + 1 }),
  );
  const count = all - terms.length;
  if (count > 0) terms.push(say("remainder", { others: number(others), count }));
  if (bias !== undefined) terms.push(say("bias", { value: number(bias) }));
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
