// The next-token distribution, step by step: the sentence so far, the temperature, the most probable tokens, an overview of all steps, and
// the arithmetic of one token.

import { useMemo, useRef, useState, useLayoutEffect } from "preact/hooks";
import { barHeight } from "../../../viz_core/browser/kit/dom";
import {
  fill,
  percent,
  signed,
  amount,
  eToThe,
  grouped,
  number,
  escaped,
  latex,
  sumOf,
} from "../../../viz_core/browser/kit/numbers";
import { useGiven, usePicture, useWidth, useSettled, part, useView } from "../../../viz_core/web/src/ui/part";
import { Bars, type Pointed } from "./bars";
import { type NextToken, type Shown, readNextToken, readingOf, readingOfStep, shownAt, texts, temperatureText } from "./data";
import { Sentence, Steps, drawn } from "./sentence";
import type { ComponentChildren } from "preact";
import params from "viz:params";
import { TemperatureSlider } from "../../../viz_core/web/src/ui/elements";
import { type Section, below } from "../../../viz_core/browser/kit/below";
import type { View } from "../../../viz_core/web/src/view";
import { type Patch, type Say, nth } from "../../../viz_core/web/src/payload";

const ON_STAGE = [930, 415] as const; // px of width and height in lecture mode
const ABOVE = 11.5; // rem, at least, of the title and the strip above
const NARROWEST = 280; // px; narrower screens scroll sideways

// A picked candidate is stored as `cell`: [step, index of the candidate].
function Figure({ nextToken }: { nextToken: NextToken }) {
  const { view, set, store, root } = useView();
  const width = useWidth();
  const [{ bar = null, step = null }, hover] = useState<{ bar?: number | null; step?: number | null }>({});
  const node = useRef<HTMLDivElement>(null);
  const kept = useRef<Shown | null>(null);
  const isThere = view.step < nextToken.steps; // otherwise the next sentence's payload is on its way
  const now = useMemo(() => (isThere ? shownAt(nextToken, view) : kept.current), [nextToken, view]);
  kept.current = now;
  useGiven("next_token", nextToken);
  usePicture(
    () => drawn([...(node.current?.querySelectorAll("svg") ?? [])], now?.entropy ?? "", store.theme),
    () => fill(texts.file, { step: view.step + 1, t: temperatureText(view.temperature) }),
  );
  if (!now || !width) return null;
  const scale = view.lecture ? enlargement(root, width) : 1;
  const size = { width: Math.max(NARROWEST, Math.floor(width / scale)), scale };
  const bars = { pick: (index: number) => set({ cell: [view.step, index] }), hover: (bar: number | null) => hover({ bar }) };
  const steps = { pick: (step: number) => set({ step }), hover: (step: number | null) => hover({ step }) };
  const row = now.rows.find(({ index }) => index === bar);
  const reading = row ? readingOf(row, now) : step === null ? now.entropy : readingOfStep(nextToken, step, view);
  return (
    <div class="next-token" ref={node} style={{ "--scale": scale }}>
      <Sentence sentence={now.sentence} {...size} />
      <Controls />
      <p class="reading">{reading}</p>
      <Bars now={now} {...size} highlighted={bar} act={bars} />
      <List now={now} act={bars} />
      {/* hidden in lecture mode, where the strip shows the steps */}
      {!view.lecture && <Steps nextToken={nextToken} {...size} act={steps} />}
    </div>
  );
}

export const mountNextToken = part(Figure, (payload: Uint8Array) => ({ nextToken: readNextToken(payload) }));

// The scale in lecture mode: as large as the window allows.
function enlargement(root: HTMLElement, width: number) {
  const style = getComputedStyle(document.documentElement);
  const [wide, high] = ON_STAGE;
  // the same whether or not the page is scrolled
  const above = Math.max(root.getBoundingClientRect().top, ABOVE * parseFloat(style.fontSize));
  const room = innerHeight - above - barHeight();
  return Math.min(Math.max(Math.min(width / wide, room / high), 1), 3);
}

// Controls for temperature, axis and number of bars, which set the view.
const { low = 0, high = 0 } = params.view.temperature ?? {};
const LIMITS = [low, high] as const;

export function Controls() {
  const { view, set } = useView();
  const { temperature } = view;
  const t = temperatureText(temperature);
  const slide = (to: number) => set({ temperature: to });
  const says = fill(texts.temperature_is, { t });
  return (
    <div class="controls">
      <Quiet>{texts.temperature}</Quiet>
      <button type="button" class="t" title={texts.reset} disabled={temperature === 1} onClick={() => slide(1)}>
        {fill(texts.t, { t })}
      </button>
      <span class="together range">
        <Quiet>{LIMITS[0]}</Quiet>
        <TemperatureSlider value={temperature} limits={LIMITS} label={texts.temperature} says={says} slide={slide} />
        <Quiet>{LIMITS[1]}</Quiet>
      </span>
      <Segments field="axis" label={texts.axis} />
      <span class="together">
        <Quiet>{texts.count}</Quiet>
        <Segments field="top" label={texts.count} />
      </span>
    </div>
  );
}

// A visible label; screen readers get it from the control itself.
function Quiet({ children }: { children: ComponentChildren }) {
  return <span class="quiet" aria-hidden="true" children={children} />;
}

// Radio buttons side by side for a field of the view, one for each of its options. Numbers are sorted; an option may have words.
function Segments({ field, label }: { field: keyof View; label?: string }) {
  const { view, set } = useView();
  const options = (params.view[field]?.options ?? []).toSorted((a, b) => Number(a) - Number(b));
  const radio = (value: string) => ({ value, checked: view[field] === value, onChange: () => set({ [field]: value }) });
  return (
    <fieldset>
      <legend>{label ?? texts[field as "axis"]}</legend>
      {options.map((value) => (
        <label key={value}>
          <input type="radio" name={`next-token-${field}`} {...radio(value)} />
          <span>{texts[value as "log"] ?? value}</span>
        </label>
      ))}
    </fieldset>
  );
}

// The candidates as a list for keyboard and screen reader, updated once they stay.
function List({ now, act }: { now: Shown; act: Pointed }) {
  const rows = useSettled(now)?.rows ?? [];
  const { pick, hover } = act;
  const acts = (index: number) => ({ onClick: () => pick(index), onFocus: () => hover(index), onBlur: () => hover(null) });
  return (
    <ol class="list" aria-label={texts.list}>
      {rows.map(({ index, picked, rankText: rank, label: token, p, logit }, place) => (
        <li key={place}>
          <button type="button" aria-pressed={picked} {...acts(index)}>
            {fill(texts.item, { rank, token, percent: percent(p), logit: signed(logit) })}
          </button>
        </li>
      ))}
    </ol>
  );
}

// The arithmetic of one token's logit and probability: of the picked token, otherwise of the step's.

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
  return <div ref={node} dangerouslySetInnerHTML={{ __html: html }} />;
}
