// Temperature, scale and number of bars, which change the store; and the candidates as a list for keyboard and screen
// reader.

import type { ComponentChildren } from "preact";
import { fill, percent, signed } from "../../../viz_core/browser/kit/numbers";
import { useSettled } from "../../../viz_core/web/src/ui/hooks";
import { useView } from "../../../viz_core/web/src/ui/part";
import type { Pointed } from "../../../viz_core/web/src/ui/svg";
import { TemperatureSlider } from "../../../viz_core/web/src/ui/temperature";
import { type Shown, type Texts, temperatureText } from "./data";

const LIMITS = [0.1, 5] as const; // as the Python side has them
const AXES = ["linear", "log", "logit"] as const;
const COUNTS = ["5", "10", "20"]; // bars

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
      <Segments field="axis" label={texts.axis} options={AXES.map((axis) => [axis, texts[axis]])} />
      <span class="together">
        <Quiet>{texts.count}</Quiet>
        <Segments field="top" label={texts.count} options={COUNTS.map((count) => [count, count])} />
      </span>
    </div>
  );
}

// A name that is seen; what it names says the same to those who do not see it.
function Quiet({ children }: { children: ComponentChildren }) {
  return (
    <span class="quiet" aria-hidden="true">
      {children}
    </span>
  );
}

// Radio buttons side by side, which set a field of the view. options: [value, words] of each.
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

// The candidates, once they stay.
export function List({ now, act }: { now: Shown; act: Pointed }) {
  const { texts } = useView<Texts>();
  const rows = useSettled(now)?.rows ?? [];
  const { pick, hover } = act;
  const acts = (index: number) => ({
    ...{ onClick: () => pick(index), onFocus: () => hover(index), onBlur: () => hover(null) },
  });
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
