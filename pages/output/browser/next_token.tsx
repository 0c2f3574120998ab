// The next-token distribution, step by step: the sentence so far, the temperature, the most probable tokens, and an overview of all steps.

import { useMemo, useRef, useState } from "preact/hooks";
import { barHeight } from "../../../viz_core/browser/kit/dom";
import { fill, percent, signed } from "../../../viz_core/browser/kit/numbers";
import { useGiven, usePicture, useWidth, useSettled, part, useView } from "../../../viz_core/web/src/ui/part";
import { Bars, type Pointed } from "./bars";
import { type NextToken, type Shown, type Texts, readNextToken, readingOf, readingOfStep, shownAt, temperatureText } from "./data";
import { Sentence, Steps, drawn } from "./sentence";
import type { ComponentChildren } from "preact";
import params from "viz:params";
import { TemperatureSlider } from "../../../viz_core/web/src/ui/elements";

const ON_STAGE = [930, 415] as const; // px of width and height in lecture mode
const ABOVE = 11.5; // rem, at least, of the title and the strip above
const NARROWEST = 280; // px; narrower screens scroll sideways

// A picked candidate is stored as `cell`: [step, index of the candidate].
function Figure({ nextToken }: { nextToken: NextToken }) {
  const { view, texts, set, store, root } = useView<Texts>();
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
  const reading = row ? readingOf(row, nextToken, now) : step === null ? now.entropy : readingOfStep(nextToken, step, view);
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

export const mountNextToken = part(Figure, (payload: Uint8Array) => {
  const nextToken = readNextToken(payload);
  return { nextToken, texts: nextToken.about.texts };
});

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
const { axis: AXES, top: COUNTS, temperature: WARMTH } = params.view;
const LIMITS = [WARMTH?.low ?? 0, WARMTH?.high ?? 0] as const;

export function Controls() {
  const { view, texts, set } = useView<Texts>();
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
      <Segments field="axis" label={texts.axis} options={(AXES?.options ?? []).map((axis) => [axis, texts[axis as "log"]])} />
      <span class="together">
        <Quiet>{texts.count}</Quiet>
        <Segments
          field="top"
          label={texts.count}
          options={(COUNTS?.options ?? []).toSorted((a, b) => Number(a) - Number(b)).map((count) => [count, count])}
        />
      </span>
    </div>
  );
}

// A visible label; screen readers get it from the control itself.
function Quiet({ children }: { children: ComponentChildren }) {
  return <span class="quiet" aria-hidden="true" children={children} />;
}

// Radio buttons side by side for a field of the view. options: [value, words].
function Segments({ field, label, options }: { field: "axis" | "top"; label: string; options: string[][] }) {
  const { view, set } = useView();
  const radio = (value: string) => ({ value, checked: view[field] === value, onChange: () => set({ [field]: value }) });
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map(([value = "", words]) => (
        <label key={value}>
          <input type="radio" name={`next-token-${field}`} {...radio(value)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

// The candidates as a list for keyboard and screen reader, updated once they stay.
function List({ now, act }: { now: Shown; act: Pointed }) {
  const { texts } = useView<Texts>();
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
