// The rows of a comparison: both next-token distributions, and the divergence between these.

import { Button } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import { forAudience } from "../kit/instructions";
import { fill, number, percent, threeDigits } from "../kit/numbers";
import type { Bar, Compared, Texts } from "./data";

const SEEN = 0.01;
const TICKS = [0, 0.5, 1];

interface ProbabilitiesProps {
  name: string;
  bars: Bar[] | null; // null where this side has no such step
  rows: number;
  isHidden: boolean;
}

// One side's most probable next tokens as bars on a fixed axis from 0 to 100 %, with the other side's probability as a ghost.
export function Probabilities({ name, bars, rows, isHidden }: ProbabilitiesProps) {
  const { view, texts } = useView<Texts>();
  const step = view.step + 1;
  const known = bars?.every(({ p }) => !Number.isNaN(p)) ? bars : null;
  const nothing = known ? "" : bars ? texts.not_finite : fill(texts.ended, { step });
  const tokenOf = ({ label, isRest }: Bar) => (isHidden && !isRest ? texts.hidden : label);
  const list = known?.map((bar) =>
    fill(texts[bar.otherText ? "bar_other" : "bar"], { token: tokenOf(bar), percent: bar.text, other: bar.otherText }),
  );
  const label = fill(texts.distribution, { name, step, list: list?.join(", ") ?? nothing });
  return (
    <div class={known ? "probabilities" : "probabilities unknown"} role="img" aria-label={label}>
      <p class="of">{name}</p>
      <p class="nothing">{nothing}</p>
      {Array.from({ length: rows }, (_, at) => {
        const bar = known?.[at];
        if (!bar) return <div key={at} class="row empty" />;
        return (
          <div key={at} class={["row", at === 0 && "first", bar.isRest && "rest"].filter(Boolean).join(" ")}>
            <span class="token">
              <span class="label">{tokenOf(bar)}</span>
              <span class="mark">{bar.written && !isHidden && ` ${texts.written}`}</span>
            </span>
            <span class="track">
              <i class="bar" style={{ width: `${100 * bar.p}%` }} />
              {/* at the very edge it would be no more than a line */}
              {bar.other >= SEEN && <i class="ghost" style={{ left: `${100 * bar.other}%` }} />}
            </span>
            <span class="own">{bar.text}</span>
            <span class="other">{bar.otherText}</span>
          </div>
        );
      })}
      <div class="axis">
        {TICKS.map((at) => (
          <span key={at} style={{ left: `${100 * at}%` }}>
            {percent(at)}
          </span>
        ))}
      </div>
    </div>
  );
}

const WIDE = 10; // so many columns have room for three digits behind the zeros

// KL divergence between the two distributions at each step, as bars; a click goes to the step.
export function Distance({ comparison, bits, isHidden }: { comparison: Compared; bits: number[]; isHidden: boolean }) {
  const { view, texts, set } = useView<Texts>();
  const { most, sides } = comparison;
  const title = fill(texts.divergence, { most });
  const written = (value: number) => (Number.isNaN(value) ? texts.unknown : number(value));
  const now = bits[view.step];
  const template = Number.isNaN(now) ? texts.divergence_unknown : texts.divergence_now;
  return (
    <div class="distance">
      <p class="head">
        <span>{forAudience(title, view)}</span>
        <b>{now !== undefined && fill(template, { bits: written(now) })}</b>
      </p>
      <div
        class="columns"
        role="group"
        aria-label={title}
        style={{ gridTemplateColumns: `repeat(${bits.length}, minmax(0, 1fr))` }}>
        {bits.map((value, step) => {
          const isUnknown = Number.isNaN(value);
          const isNow = step === view.step;
          const token = isHidden && step >= view.step ? texts.hidden : sides[0]?.tokens[step]?.[0].trim();
          return (
            <Button
              key={step}
              class={[isUnknown && "unknown", isNow && "now"].filter(Boolean).join(" ")}
              aria-current={isNow ? "step" : undefined}
              aria-label={fill(texts.divergence_one, { step: step + 1, token, bits: written(value) })}
              tabIndex={isNow ? 0 : -1}
              act={() => set({ step })}>
              <span class="bits">{brief(value, texts, most, bits.length > WIDE)}</span>
              <span class="room">
                <i style={{ height: `${isUnknown ? 100 : Math.min((100 * value) / most, 100)}%` }} />
              </span>
              <span class="label">{token}</span>
            </Button>
          );
        })}
      </div>
    </div>
  );
}

// For a narrow column: three significant digits where there is room, and never 0 where it is not.
function brief(value: number, texts: Texts, most: number, narrow: boolean): string {
  if (Number.isNaN(value)) return texts.unknown;
  if (value === 0) return "0";
  if (narrow && value < 0.01) return "<0.01";
  if (value < 0.001) return "<0.001";
  const beyond = value > most ? texts.beyond : "";
  return beyond + (value < 0.1 ? value.toPrecision(narrow ? 2 : 3) : threeDigits(value));
}
