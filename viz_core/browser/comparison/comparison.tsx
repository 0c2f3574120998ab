// Two models or two sentences compared: their outputs, their next-token distributions at the current step, and the divergence between
// these.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button, flag } from "../../web/src/ui/elements";
import { useGiven, useWidth, part, useView } from "../../web/src/ui/part";
import { fill, number, percent, threeDigits } from "../kit/numbers";
import { ending } from "../kit/pen";
import { type Compared, type Side, below, readComparison, texts, wholeInWords, type Bar } from "./data";
import type { Say } from "../../web/src/payload";
import type { View } from "../../web/src/ui/store";
import { forAudience } from "../kit/save";

const NARROW = 2.4; // em that a column needs for its label
const TIGHT = 2; // em that it needs for its number, in small letters where it has none of these
const PREFIX = 0.5; // share of the width for what is written so far
const STACKED = 34; // em up to which the sides stand one below the other
const ON_STAGE = 3; // bars besides "others" in lecture mode, where everything must be visible at once

function Comparison({ comparison }: { comparison: Compared }) {
  const { view, root } = useView();
  const { sides, compared, bits } = comparison;
  useGiven(
    "comparison",
    useMemo(() => ({ below: (at: View, write: Say) => below(comparison, at, write) }), [comparison]),
  );
  const { step } = view;
  const width = useWidth();
  const letters = Number.parseFloat(getComputedStyle(root).fontSize);
  const column = bits ? width / bits.length / letters : Infinity;
  const isHidden = view.predict === "word" && !view.revealed;
  const isCovered = view.predict === "right" && !view.revealed; // hides the right side, and the left one's bars for it
  const most = view.lecture ? ON_STAGE : comparison.rows - 1;
  const barsOf = (side: number) => {
    const bars = comparison.probabilities(side, step, most);
    return isCovered ? (bars?.map((bar) => ({ ...bar, other: NaN, otherText: "" })) ?? null) : bars;
  };
  const before = comparison.written
    .slice(0, step + 1)
    .join("")
    .trim();
  const question = !compared ? texts.next_own : before ? texts.next : texts.next_first;
  const room = { "data-narrow": flag(column < NARROW), "data-tight": flag(column < TIGHT) };
  return (
    <section class="comparison" aria-label={texts.translations} data-covered={flag(isCovered)} {...room}>
      <div class="two">
        {sides.map((side, at) => (
          <Output key={at} side={side} isHidden={isHidden} isCovered={isCovered} />
        ))}
      </div>
      <p class="whole">{compared && wholeInWords(comparison)}</p>
      <div class="head">
        <p class="next">{fill(question, { step: step + 1, before: ending(before, width * PREFIX, letters) })}</p>
        <span class="legend">{compared && [<i key="mark" />, texts.ghost]}</span>
      </div>
      <div class="two">
        {sides.map(({ name }, at) => (
          <Probabilities
            key={at}
            {...{
              name,
              isHidden,
              bars: barsOf(at),
              rows: Math.min(most + 1, comparison.rows),
              isNarrow: width <= STACKED * letters,
            }}
          />
        ))}
      </div>
      {bits && (
        <Distance comparison={comparison} bits={bits} isHidden={isHidden} isNarrow={bits.length > WIDE || column < DIGITS} />
      )}
    </section>
  );
}

export const mountComparison = part(Comparison, (payload: Uint8Array) => {
  const comparison = readComparison(payload);
  return { comparison };
});

interface OutputProps {
  side: Side;
  isHidden: boolean; // whether words from this step on are to be guessed
  isCovered: boolean; // whether differences are still hidden
}

// One side's output, token by token: words that differ from the other side are marked, the current step is highlighted.
function Output({ side: { name, details, language, tokens }, isHidden, isCovered }: OutputProps) {
  const { view, set, store } = useView();
  const { step } = view;
  const about = useRef<HTMLParagraphElement>(null);
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const current = line.current?.querySelectorAll<HTMLElement>(".token")[Math.min(step, tokens.length - 1)];
    if (line.current && current && line.current.scrollHeight > line.current.clientHeight)
      line.current.scrollTop = current.offsetTop - line.current.offsetTop - line.current.clientHeight / 2;
    if (about.current && about.current.scrollHeight > about.current.clientHeight) about.current.tabIndex = 0;
  });
  const chip = (at: number) => {
    const [text, what] = tokens[at] ?? ["", ""];
    const isNow = at === step;
    const isOut = at >= store.limits.steps;
    const isChanged = what === "changed" && !isCovered;
    const isGlued = at > 0 && !text.startsWith(" ");
    const names = ["token", isGlued && "glued", isChanged || what === "special" ? what : "", isNow && "now", at > step && "ahead"];
    const title = fill(texts[isOut ? "no_step" : "to_step"], { step: at + 1 });
    return (
      <Button
        key={at}
        class={names.filter(Boolean).join(" ")}
        title={isChanged ? `${title} – ${texts.changed}` : title}
        disabled={isOut}
        aria-current={isNow ? "step" : undefined}
        tabIndex={isNow && !isOut ? 0 : -1}
        act={() => set({ step: at })}>
        {isHidden && at >= step ? texts.hidden : text.trim()}
      </Button>
    );
  };
  return (
    <section class="side" aria-label={name}>
      <p class="about" ref={about}>
        <b>{name}</b>
        <span>{details.length > 0 && fill(texts.details, { details: details.join(" ") })}</span>
      </p>
      <p class="line" ref={line} lang={language}>
        {unbroken(tokens).map((all) => [
          tokens[all[0] ?? 0]?.[0].startsWith(" ") && " ",
          all.length > 1 ? <span class="unbroken">{all.map(chip)}</span> : all.map(chip),
        ])}
        <span class="ended">{step >= tokens.length && fill(texts.ended, { step: step + 1 })}</span>
      </p>
    </section>
  );
}

// Indices of the tokens in groups that may not be broken: punctuation stays with the token before it.
function unbroken(tokens: Side["tokens"]) {
  const groups: number[][] = [];
  tokens.forEach(([text], at) => {
    if (at && /^\p{P}+$/u.test(text)) groups.at(-1)?.push(at);
    else groups.push([at]);
  });
  return groups;
}

const SEEN = 0.01; // probabilities below it get no ghost
const TICKS = [0, 0.5, 1];

interface ProbabilitiesProps {
  name: string;
  bars: Bar[] | null; // null if this side has no such step
  rows: number;
  isHidden: boolean;
  isNarrow: boolean;
}

// One side's most probable next tokens as bars on a fixed axis from 0 to 100 %, with the other side's probabilities as ghosts.
function Probabilities({ name, bars, rows, isHidden, isNarrow }: ProbabilitiesProps) {
  const { view } = useView();
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
              <span class="label">{bar.isRest && isNarrow ? texts.others_short : tokenOf(bar)}</span>
              <span class="mark">{bar.written && !isHidden && ` ${texts.written}`}</span>
            </span>
            <span class="track">
              <i class="bar" style={{ width: `${100 * bar.p}%` }} />
              {/* at the very edge it would be a mere line */}
              {bar.other >= SEEN && <i class="ghost" style={{ left: `${100 * bar.other}%` }} />}
            </span>
            <span class="own">{bar.text}</span>
            <span class="other">{bar.otherText}</span>
          </div>
        );
      })}
      <div class="axis">
        {TICKS.map((at) => (
          <span key={at} style={{ left: `${100 * at}%` }} children={percent(at)} />
        ))}
      </div>
    </div>
  );
}

const WIDE = 10; // columns that leave room for three digits after the zeros
const DIGITS = 3.4; // em of a column that does

interface DistanceProps {
  comparison: Compared;
  bits: number[];
  isHidden: boolean;
  isNarrow: boolean;
}

// The KL divergence between the two distributions at each step, as bars; a click goes to the step.
function Distance({ comparison, bits, isHidden, isNarrow }: DistanceProps) {
  const { view, set } = useView();
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
              <span class="bits" data-bits={brief(value, most, isNarrow)} />
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

// A number for a narrow column: three significant digits if there is room; never 0 unless it is 0.
function brief(value: number, most: number, narrow: boolean): string {
  if (Number.isNaN(value)) return texts.unknown;
  if (value === 0) return "0";
  if (narrow && value < 0.01) return "<0.01";
  if (value < 0.001) return "<0.001";
  const beyond = value > most ? texts.beyond : "";
  return beyond + (value < 0.1 ? value.toPrecision(narrow ? 2 : 3) : threeDigits(value));
}
