// The exercise on a card: a number to type, a head or an edit to find, or Predict's question. The solution comes from the trace, so the
// verdict is immediate. A known mistake is named; otherwise each wrong answer reveals another line of the working.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, keys, TextLine } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { useView } from "../../web/src/ui/part";
import type { Exercise as Asked, Talk, View } from "../../web/src/ui/store";
import { fill, grouped, minus, percent } from "../kit/numbers";
import { solve, solvedCards } from "../kit/progress";

const ROUNDED = 0.015; // relative deviation at which an answer counts as a known mistake, which is computed from rounded numbers too

const texts = textsIn("app.lecture.lesson.exercise");

type Verdict = [words: string, isRight: boolean];

// With a key per question, so that another question starts with fresh state.
export function Exercise({ talk, exercise }: { talk: Talk; exercise: Asked }) {
  const { view, store } = useView();
  const isKept = solvedCards(talk.name).includes(talk.at); // solved before, maybe with another sentence or head
  const [answered, say] = useState<Verdict>([isKept ? texts.solved : "", true]);
  const [watched, isRight] = verdictOnView(exercise, view, store.guessedRight);
  const isComputed = exercise.kind === "computed";
  const isHere = (["step", "layer", "head"] as const).every((name) => exercise.at?.[name] === view[name]);
  const observed = (isRight || isKept) && watched !== texts.solved ? `${watched} ${texts.solved}`.trim() : watched;
  const [words, isGood]: Verdict = !isComputed ? [observed, isRight || !watched] : isHere ? answered : [texts.elsewhere, false];
  const said = useRef<HTMLParagraphElement>(null);

  useLayoutEffect(() => {
    if (!isRight || isKept) return;
    solve(talk.name, talk.at);
    store.repaint(); // updates the count on the card
  }, [isRight]);
  useLayoutEffect(() => {
    if (words) said.current?.scrollIntoView({ block: "nearest" }); // a long card scrolls
  }, [words]);
  const right = () => {
    solve(talk.name, talk.at);
    store.repaint();
    return fill(exercise.counted ? texts.right : texts.right_rounded, { value: written(exercise) });
  };
  return (
    <div class="exercise">
      <p class="asks" id="asked" children={exercise.asks} />
      {isComputed && <Answer exercise={exercise} isOff={!isHere || exercise.value === null} right={right} say={say} />}
      <p class={isGood && words ? "said right" : "said"} role="status" ref={said} children={words} />
    </div>
  );
}

interface AnswerProps {
  exercise: Asked;
  isOff: boolean;
  right: () => string; // marks it solved and returns the words
  say: (verdict: Verdict) => void;
}

// The answer field.
function Answer({ exercise, isOff, right, say }: AnswerProps) {
  const field = useRef<HTMLInputElement>(null);
  const tries = useRef(0);
  const check = () => {
    const typed = parsed(field.current?.value ?? "");
    if (!Number.isFinite(typed.thousands ?? typed.value)) return say([texts.no_number, false]);
    const verdict = judged(exercise, typed);
    if (verdict === true) return say([right(), true]);
    tries.current += 1;
    // Enter takes the focus off a field (see kit/keys.ts); focusing it anew keeps it for another try.
    field.current?.blur();
    field.current?.select();
    const lines = exercise.working.slice(0, tries.current);
    say([verdict || [texts.wrong, texts.working, ...lines].join("\n"), false]);
  };
  const press = keys(({ key }) => {
    if (key === "Enter") check();
  });
  return (
    <div class="answer">
      <TextLine ref={field} aria-label={texts.answer} aria-describedby="asked" disabled={isOff} onKeyDown={press} />
      <Button disabled={isOff} act={check} words={texts.check} />
    </div>
  );
}

// The verdict on the current view, for exercises without a typed answer.
function verdictOnView(exercise: Asked, { layer, head, guess }: View, guessedRight: boolean): Verdict {
  if (exercise.kind === "state") return [exercise.says, exercise.solved];
  if (exercise.kind === "computed") return ["", false];
  if (exercise.kind !== "head") return guess !== null && guessedRight ? [texts.solved, true] : ["", false];
  const share = exercise.shares[layer]?.[head] ?? 0;
  const where = fill(texts.layer_head, { layer: layer + 1, head: head + 1 });
  return [`${where} ${fill(exercise.says, { share: percent(share) })}`, share >= exercise.least];
}

type Typed = { value: number; isPercent: boolean; thousands?: number | null };

// Parses a typed number; "0,25", "25 %", "−3.1" and "1/4" count as numbers, too. NaN if it is none. thousands: the value if commas
// separate thousands, as in "8,192"; otherwise null.
function parsed(text: string): Typed {
  const typed = text.trim().replace(/[−–]/g, "-").replace(/\s+/g, "");
  const thousands = /^-?\d{1,3}(,\d{3})+$/.test(typed) ? Number(typed.replaceAll(",", "")) : null;
  const plain = typed.replace(",", ".");
  const isPercent = plain.endsWith("%");
  const [, over, under] = plain.match(/^([-\d.]+)[/÷]([\d.]+)$/) ?? [];
  const bare = isPercent ? plain.slice(0, -1) : plain;
  const value = over ? Number(over) / Number(under) : bare ? Number(bare) : NaN;
  return { value: isPercent ? value / 100 : value, isPercent, thousands };
}

// true; the words about a known mistake; or "" for any other wrong answer.
function judged({ value, tolerance, share, slips }: Asked, { value: typed, isPercent, thousands = null }: Typed) {
  const asDecimal = share && !isPercent && typed > 1 ? [typed, typed / 100] : [typed];
  const readings = thousands === null ? asDecimal : [thousands, ...asDecimal];
  if (readings.some((reading) => Math.abs(reading - (value ?? NaN)) <= tolerance)) return true;
  const near = (slip: number) => readings.some((reading) => Math.abs(reading - slip) <= Math.max(ROUNDED * Math.abs(slip), 6e-4));
  return slips.find(([slip]) => near(slip))?.[1] ?? "";
}

function written({ value, share, counted }: Asked) {
  if (value === null) return "";
  return counted || value === 0 ? grouped(value) : share ? percent(value) : minus(value);
}
