// One of a page's own controls. The picked value goes into the address under the control's name, see `controls/pick.py`.

import type { ComponentChildren } from "preact";
import { useReducer, useRef, useState } from "preact/hooks";
import { Button, Select, TextLine, flag } from "../../web/src/ui/elements";
import { part, useView } from "../../web/src/ui/part";
import { textsIn } from "../../web/src/texts";
import { afterPause } from "../kit/data";
import { fill } from "../kit/numbers";

interface Data {
  name: string;
  kind: keyof typeof KINDS;
  value: string;
  label: string;
  labelled: boolean; // else the label is for screen readers only
  help: string;
  options: [value: string, words: string][];
  hint?: string;
  low?: number;
  high?: number;
  step?: number | null; // null: any
  most?: number; // of several
  resets?: string[]; // the parameters that a pick removes
  away?: string[]; // options that only the app shows
}

interface Shown extends Data {
  pick: (value: string) => void;
}

const texts = textsIn("app.frame.control");
const HELD = 200; // ms without motion until a slider's value is picked while it is still held

function Control(data: Data) {
  const { view, store } = useView();
  const [, renderAgain] = useReducer((times: number) => times + 1, 0); // at once, since another key may come before the next frame
  const Kind = KINDS[data.kind];
  const value = store.pending(data.name) ?? data.value;
  const pick = (next: string) => {
    if (next === (store.pending(data.name) ?? data.value)) return;
    store.ask({ ...Object.fromEntries((data.resets ?? []).map((name) => [name, null])), [data.name]: next });
    renderAgain(undefined);
  };
  return (
    <div class={data.kind} data-guess={flag(view.predict && data.kind !== "buttons")}>
      <Kind {...data} {...{ value, pick }} />
    </div>
  );
}

const Label = ({ label, help, children }: Pick<Data, "label" | "help"> & { children?: ComponentChildren }) => (
  <span class="label" title={help || undefined} aria-hidden="true">
    {label}
    {help && <b>ⓘ</b>}
    {children}
  </span>
);

function Buttons({ name, label, labelled, help, options, value, pick, away }: Shown) {
  return (
    <>
      {labelled && <Label {...{ label, help }} />}
      <div role="radiogroup" aria-label={label} aria-description={help || undefined} class="row">
        {options.map(([option, words]) => (
          <label key={option} title={away?.includes(option) ? texts.away : undefined}>
            <input type="radio" name={name} checked={option === value} onChange={() => pick(option)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </>
  );
}

const List = ({ label, help, options, value, pick }: Shown) => (
  <>
    <Label {...{ label, help }} />
    <Select label={label} options={options} chosen={value} choose={pick} />
  </>
);

// With options, the slider stops at each of them.
function Slider({ label, labelled, help, options, value, pick, ...range }: Shown) {
  const [held, hold] = useState<string | null>(null);
  const take = useRef(() => {});
  const [pausing] = useState(() => afterPause(() => take.current(), HELD));
  take.current = () => held !== null && pick(held);
  const shown = held ?? value;
  const at = options.findIndex(([option]) => option === shown);
  const stops = options.length > 0;
  const words = options[at]?.[1] ?? shown;
  const { low, high, step } = stops ? { low: 0, high: options.length - 1, step: 1 } : range;
  const picked = ({ valueAsNumber: to }: HTMLInputElement) => options[to]?.[0] ?? written(to);
  return (
    <>
      {labelled && (
        <Label {...{ label, help }}>
          <output>{words}</output>
        </Label>
      )}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={words}
        aria-description={help || undefined}
        {...{ min: low, max: high, step: step ?? "any", value: stops ? at : shown }}
        onInput={({ currentTarget: input }) => {
          hold(picked(input));
          pausing.begin();
        }}
        onChange={({ currentTarget: input }) => {
          pausing.stop();
          hold(null);
          pick(picked(input));
        }}
      />
    </>
  );
}

function NumberLine({ label, help, low = -Infinity, high = Infinity, step, value, pick }: Shown) {
  const valid = (typed: string) => {
    const number = Math.min(Math.max(Number.parseFloat(typed), low), high);
    return Number.isNaN(number) ? value : written(step ? Math.round(number / step) * step : number);
  };
  return (
    <>
      <Label {...{ label, help }} />
      <Typed
        {...{
          label,
          value,
          take: (typed) => pick(valid(typed)),
          more: { type: "number", min: low, max: high, step: step ?? "any" },
        }}
      />
    </>
  );
}

// With options, the line suggests them.
function Line({ label, help, hint, options, value, pick }: Shown) {
  const suggested = (typed: string) => options.some(([option]) => option === typed);
  return (
    <>
      <Label {...{ label, help }} />
      <Typed
        {...{ label, value, take: (typed) => pick(typed.trim()), isDone: suggested }}
        more={{ placeholder: hint, list: options.length ? "suggested" : undefined }}
      />
      <datalist id="suggested">
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface TypedProps {
  label: string;
  value: string;
  take: (typed: string) => void;
  isDone?: (typed: string) => boolean; // whether to take it at once rather than when the line is left
  more: Record<string, unknown>;
}

function Typed({ label, value, take, isDone, more }: TypedProps) {
  const [typed, type] = useState<string | null>(null); // so that a change elsewhere keeps the unfinished input
  const done = (text: string) => {
    type(null);
    take(text);
  };
  return (
    <TextLine
      aria-label={label}
      value={typed ?? value}
      onInput={({ currentTarget: line, ...event }) => {
        const replaced = (event as InputEvent).inputType === "insertReplacementText";
        if (replaced && isDone?.(line.value)) done(line.value);
        else type(line.value);
      }}
      onChange={({ currentTarget: line }) => done(line.value)}
      {...more}
    />
  );
}

// Several options: the picked ones as buttons that remove them, and a list to add one.
function Several({ label, help, options, value, most = options.length, pick }: Shown) {
  const places = value.split("-").filter(Boolean);
  const left = options.filter(([option]) => !places.includes(option));
  const change = (next: string[]) => pick(next.sort((one, other) => Number(one) - Number(other)).join("-"));
  return (
    <>
      <Label {...{ label, help }} />
      <div class="row" role="group" aria-label={label}>
        {options
          .filter(([option]) => places.includes(option))
          .map(([option, words]) => (
            <Button
              key={option}
              aria-label={fill(texts.remove, { name: words })}
              act={() => change(places.filter((place) => place !== option))}
              disabled={places.length === 1}>
              {words} <span aria-hidden="true">✕</span>
            </Button>
          ))}
        {places.length < most && left.length > 0 && (
          <Select
            label={`${label}: ${texts.add}`}
            options={[["", texts.add], ...left]}
            chosen=""
            choose={(option) => option && change([...places, option])}
          />
        )}
      </div>
    </>
  );
}

// A number as Python writes it into an address.
const written = (number: number) => String(Number(number.toPrecision(6)));

const KINDS = { buttons: Buttons, list: List, slider: Slider, number: NumberLine, line: Line, several: Several };

export const mountControl = part(Control);
