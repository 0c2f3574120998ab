// Comparison of two models or two sentences: their outputs, their next-token distributions at the current step, and the
// divergence between these.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, flag } from "../../web/src/ui/elements";
import { useWidth } from "../../web/src/ui/hooks";
import { part, useView } from "../../web/src/ui/part";
import { fill } from "../kit/numbers";
import { ending } from "../kit/pen";
import { type Compared, type Side, type Texts, readComparison, wholeInWords } from "./data";
import { Distance, Probabilities } from "./rows";

const NARROW = 2.4;
const TIGHT = 1.7; // letters' sizes that a column needs for its label, and for its number
const PREFIX = 0.5; // of the width, for what is written so far
const ON_STAGE = 3; // tokens with bars beside all others, so that all of it can be seen at once

function Comparison({ comparison }: { comparison: Compared }) {
  const { view, texts, root } = useView<Texts>();
  const { sides, compared, bits } = comparison;
  const { step } = view;
  const width = useWidth();
  const letters = Number.parseFloat(getComputedStyle(root).fontSize);
  const column = bits ? width / bits.length / letters : Infinity;
  const isHidden = view.predict === "word" && !view.revealed;
  const isCovered = view.predict === "right" && !view.revealed; // the right side, and what the left one says of it
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
          <Probabilities key={at} name={name} bars={barsOf(at)} isHidden={isHidden} rows={Math.min(most + 1, comparison.rows)} />
        ))}
      </div>
      {bits && <Distance comparison={comparison} bits={bits} isHidden={isHidden} />}
    </section>
  );
}

export const mountComparison = part(Comparison, (payload: Uint8Array) => {
  const comparison = readComparison(payload);
  return { comparison, texts: comparison.texts };
});

interface OutputProps {
  side: Side;
  isHidden: boolean; // whether the words from this step on are to be guessed
  isCovered: boolean; // whether the two sides may not be compared yet
}

// One side's output, token by token: words that differ on the other side are marked, the current step is highlighted.
function Output({ side: { name, details, language, tokens }, isHidden, isCovered }: OutputProps) {
  const { view, texts, set, store } = useView<Texts>();
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
    const names = ["token", isChanged || what === "special" ? what : "", isNow && "now", at > step && "ahead"];
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

// Indices of the tokens, those together that no line break may part: punctuation stays with the token before it.
function unbroken(tokens: Side["tokens"]) {
  const found: number[][] = [];
  tokens.forEach(([text], at) => {
    if (at && /^\p{P}+$/u.test(text)) found.at(-1)?.push(at);
    else found.push([at]);
  });
  return found;
}
