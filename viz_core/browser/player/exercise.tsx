// The exercise on a card: a number to type, a head or an edit to find, or the question of Predict. The key is the trace's own, so
// right or wrong is said at once; what a known mistake gives is named, else the working comes out, a line after each answer.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, keys, TextLine } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import type { Exercise as Asked, Talk, View, Words } from "../../web/src/ui/store";
import { fill, grouped, minus, percent } from "../kit/numbers";
import { solve, solvedCards } from "../kit/progress";

const ROUNDED = 0.015; // how far off a known mistake may be, as a share of it: it, too, is computed from rounded numbers

export type ExerciseTexts = Words<"answer check right right_rounded wrong no_number elsewhere working solved layer_head">;

type Said = [words: string, isRight: boolean];

// Another question is another element, so that it begins anew.
export function Exercise({ texts, talk, exercise }: { texts: ExerciseTexts; talk: Talk; exercise: Asked }) {
  const { view, store } = useView();
  const isKept = solvedCards(talk.name).includes(talk.at); // maybe with another sentence or head
  const [answered, say] = useState<Said>([isKept ? texts.solved : "", true]);
  const [found, isRight] = foundOf(exercise, view, store.guessedRight, texts);
  const isComputed = exercise.kind === "computed";
  const isHere = (["step", "layer", "head"] as const).every((name) => exercise.at?.[name] === view[name]);
  const watched = (isRight || isKept) && found !== texts.solved ? `${found} ${texts.solved}`.trim() : found;
  const [words, isGood]: Said = !isComputed ? [watched, isRight || !found] : isHere ? answered : [texts.elsewhere, false];
  const said = useRef<HTMLParagraphElement>(null);

  useLayoutEffect(() => {
    if (!isRight || isKept) return;
    solve(talk.name, talk.at);
    store.repaint(); // the card counts it
  }, [isRight]);
  useLayoutEffect(() => {
    if (words) said.current?.scrollIntoView({ block: "nearest" }); // the card may be longer than the window
  }, [words]);
  const right = () => {
    solve(talk.name, talk.at);
    store.repaint();
    return fill(exercise.counted ? texts.right : texts.right_rounded, { value: written(exercise) });
  };
  return (
    <div class="exercise">
      <p class="asks" id="asked" children={exercise.asks} />
      {isComputed && (
        <Answer texts={texts} exercise={exercise} isOff={!isHere || exercise.value === null} right={right} say={say} />
      )}
      <p class={isGood && words ? "said right" : "said"} role="status" ref={said} children={words} />
    </div>
  );
}

interface AnswerProps {
  texts: ExerciseTexts;
  exercise: Asked;
  isOff: boolean;
  right: () => string; // solves it
  say: (said: Said) => void;
}

// A line for a number.
function Answer({ texts, exercise, isOff, right, say }: AnswerProps) {
  const field = useRef<HTMLInputElement>(null);
  const tries = useRef(0);
  const check = () => {
    const typed = parsed(field.current?.value ?? "");
    if (!Number.isFinite(typed.thousands ?? typed.value)) return say([texts.no_number, false]);
    const verdict = judged(exercise, typed);
    if (verdict === true) return say([right(), true]);
    tries.current += 1;
    // Enter gives the keys back to the page (see kit/keys.ts); here one wants to type once more.
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

// What is said of what is shown, where nothing is typed, and whether that is right.
function foundOf(exercise: Asked, { layer, head, guess }: View, guessedRight: boolean, texts: ExerciseTexts): Said {
  if (exercise.kind === "state") return [exercise.says, exercise.solved];
  if (exercise.kind === "computed") return ["", false];
  if (exercise.kind !== "head") return guess !== null && guessedRight ? [texts.solved, true] : ["", false];
  const share = exercise.shares[layer]?.[head] ?? 0;
  const where = fill(texts.layer_head, { layer: layer + 1, head: head + 1 });
  return [`${where} ${fill(exercise.says, { share: percent(share) })}`, share >= exercise.least];
}

type Typed = { value: number; isPercent: boolean; thousands?: number | null };

// What is typed, as a number: "0,25", "25 %", "−3.1" and "1/4" are numbers as well. NaN where it is none. thousands: what
// "8,192" is where the comma parts thousands, as in our own numbers; else null.
export function parsed(text: string): Typed {
  const typed = text.trim().replace(/[−–]/g, "-").replace(/\s+/g, "");
  const thousands = /^-?\d{1,3}(,\d{3})+$/.test(typed) ? Number(typed.replaceAll(",", "")) : null;
  const plain = typed.replace(",", ".");
  const isPercent = plain.endsWith("%");
  const [, over, under] = plain.match(/^([-\d.]+)[/÷]([\d.]+)$/) ?? [];
  const bare = isPercent ? plain.slice(0, -1) : plain;
  const value = over ? Number(over) / Number(under) : bare ? Number(bare) : NaN;
  return { value: isPercent ? value / 100 : value, isPercent, thousands };
}

// true, what is said of a known mistake, or "" for another one.
function judged({ value, tolerance, share, slips }: Asked, { value: typed, isPercent, thousands = null }: Typed) {
  const asDecimal = share && !isPercent && typed > 1 ? [typed, typed / 100] : [typed];
  const readings = thousands === null ? asDecimal : [thousands, ...asDecimal];
  if (readings.some((one) => Math.abs(one - (value ?? NaN)) <= tolerance)) return true;
  const near = (slip: number) => readings.some((one) => Math.abs(one - slip) <= Math.max(ROUNDED * Math.abs(slip), 6e-4));
  return slips.find(([slip]) => near(slip))?.[1] ?? "";
}

function written({ value, share, counted }: Asked) {
  if (value === null) return "";
  return counted || value === 0 ? grouped(value) : share ? percent(value) : minus(value);
}
