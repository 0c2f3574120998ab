// Bars of the source words that the written token depends on: by erasure, integrated gradients, logit attribution or attention rollout.

import { signed, number, percent, escaped } from "../../../viz_core/browser/kit/numbers";
import { READABLE, linesOf, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type Room, type Scene, figure, type View } from "../../../viz_core/web/src/figure";
import { APART, LINE, UPRIGHT, rowLabels, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { bars, box, paragraph, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { rowHeight } from "../../../viz_core/web/src/marks/cells";
import { type Say, nth, entryAt, readPayload, sliceOf, speaker, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { hides } from "../../../viz_core/web/src/view";
import { type Rolled, readRollout } from "./attention_rollout";
import { type Linear, band, linear, ticksTo } from "../../../viz_core/web/src/marks/scale";

// Scores of the source words by one or several methods: a row for each word, a column of bars for each method.

const ROWS = { least: 24, most: 40, smallest: 24, together: 400 }; // px
const LEAST = 860; // px of the width
const [LABEL, GAP, NUMBER] = [180, 0.03, 0.34]; // px of a word; of the width, between columns; of the axis, for a number beside a bar
const DIGITS = 2;

/** name: of the method; unit: of its scores; values: null while they are computed, with `awaited` in their place; best: the word that
 * the method names, −1 if it names none. */
export type WordScores = { name: string; unit: string; values: readonly number[] | null; best: number; awaited?: string };

type Spot = { column: number; row: number };

/** The first of the largest scores if it is above 0, else −1. */
export function bestOf(values: readonly number[] | null): number {
  const most = Math.max(...(values ?? [0]));
  return most > 0 ? (values ?? []).indexOf(most) : -1;
}

function scene({ words, scores, say }: Shown, { w, h, whole }: Room): Scene<Spot> {
  const width = Math.max(w, LEAST);
  const left = UPRIGHT + Math.min(widestText(words), LABEL) + APART;
  const span = ((width - left) * (1 - GAP * (scores.length - 1))) / scores.length;
  const units = scores.map(({ unit }) => linesOf(unit, (line) => textWidth(line, READABLE) <= span));
  const [top, foot] = [LINE + 4, LINE * (1 + Math.max(...units.map(({ length }) => length))) + 10];
  const room = h - top - foot;
  const isLow = !whole && room < words.length * ROWS.least; // then the page scrolls anyway
  const step = rowHeight(words.length, isLow ? ROWS.together : room, whole, ROWS);
  const y = band(words.length, [top, top + step * words.length]);
  const columns = scores.map(({ values, ...score }, column) => {
    const start = left + column * (span + GAP * (width - left));
    return {
      ...score,
      values: values ?? words.map(() => Number.NaN),
      isKnown: values !== null,
      x: axisOf(values ?? [0], start, start + span),
      start,
      column,
    };
  });
  return {
    width,
    height: y.range[1] + foot,
    marks: [
      uprightTitle(say("source"), 0, y.range),
      rowLabels(y, words, { x: left - APART, align: "right", max: LABEL }),
      ...columns.flatMap(({ name, values, best, awaited = "", isKnown, x, start, column }) => {
        const ticks = ticksOf(x);
        const middle = start + span / 2;
        const wide = textWidth(awaited, READABLE) + 16;
        const only = (isBest: boolean) => values.map((value, row) => ((row === best) === isBest ? value : Number.NaN));
        return [
          place({ x: start, y: top, w: span, h: y.range[1] - top }, (_, py) => ({ column, row: y.at(py) })),
          text(name, start, LINE / 2 - 2, { bold: true, max: span }),
          rules(
            ticks.map((value) => [x(value), y.range[0], x(value), y.range[1]]),
            { stroke: "line", width: 1 },
          ),
          bars(y, x, only(false), { ink: "quiet", faint: 1, across: true, share: 0.7 }),
          bars(y, x, only(true), { ink: "accent", faint: 1, across: true, share: 0.7 }),
          rules([[x(0), y.range[0], x(0), y.range[1]]], { stroke: "quiet", width: 1 }),
          ...values.map((value, row) =>
            Math.abs(value) >= 0.005
              ? text(signed(value, DIGITS), x(value) + (value < 0 ? -4 : 4), y(row), { align: value < 0 ? "right" : "left" })
              : null,
          ),
          ...(isKnown
            ? ticks.map((value) => text(String(value).replace("-", "−"), x(value), y.range[1] + LINE / 2 + 2, { align: "center" }))
            : [
                box(
                  { x: middle - wide / 2, y: (y.range[0] + y.range[1] - LINE) / 2 - 5, w: wide, h: LINE + 10 },
                  { fill: "panel" },
                ),
                text(awaited, middle, (y.range[0] + y.range[1]) / 2, { align: "center" }),
              ]),
          paragraph(units[column] ?? [], middle, y.range[1] + LINE + 4, LINE, { align: "center" }),
        ];
      }),
    ],
  };
}

/** An axis through 0 with room for the numbers beside the bars. */
function axisOf(values: readonly number[], left: number, right: number): Linear {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = Math.max(high - low, 1e-9);
  return linear([low - (low ? NUMBER : 0.02) * span, high + NUMBER * span], [left, right]);
}

/** Some three round numbers on an axis. */
export function ticksOf({ domain: [low, high] }: Linear): number[] {
  const [, step = 1] = ticksTo(high - low, 4);
  const [from, to] = [Math.ceil(low / step), Math.floor(high / step)];
  return Array.from({ length: to - from + 1 }, (_, at) => Number(((from + at) * step).toPrecision(12)));
}

/** The content of such a figure at one step. */
type Shown = { say: Say; step: number; word: string; words: readonly string[]; scores: readonly WordScores[] };

const values = ({ word, step }: Shown) => ({ word, step: step + 1 });

/** Of one bar; without a spot, of the word that each method names. */
function reading({ words, scores, say }: Shown, spot: Spot | null): string {
  const one = ({ name, values }: WordScores, row: number) =>
    say("score", { method: name, word: words[row], value: values ? signed(values[row] ?? 0) : "…" });
  if (spot) return one(nth(scores, spot.column), spot.row);
  return scores.flatMap((score) => (score.best < 0 ? [] : [one(score, score.best)])).join("    ");
}

/** A figure of such bars, given its data. */
export const wordBarsOf = <Data>(of: Pick<Figure<Data, Shown, Spot>, "read" | "at" | "shared">): Figure<Data, Shown, Spot> => ({
  ...of,
  heights: [200, 3000],
  isCovered: hides,
  tells: true,
  scene,
  reading,
  values,
  spoken: (shown) => [shown.say("lead", values(shown)), reading(shown, null)].join(". "),
});

const NEEDED = textsIn("why.needed");
const BARS = textsIn("why.word_bars");
const METHODS = ["erasure", "gradients", "keys"] as const;

type About = { words: string[]; count: number; written: string[]; gradients: number };

/** payload: from pages/why/source_words.py. below: the values of the texts below. */
function readSourceWords(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "losses" | "gradients" | "keys" | "numbers">(
    payload,
    NEEDED,
    BARS,
    textsIn("joined"),
  );
  const { words, count, written } = about;
  /** The text in place of missing integrated gradients: the next run brings them, or they cannot be computed. */
  const missing = (step: number) => (about.gradients && about.gradients !== step + 1 ? "awaited" : "absent");
  function at(view: View) {
    const step = Math.min(view.step, written.length - 1);
    const [losses, shares, keys] = [tensors.losses, tensors.gradients, tensors.keys].map((each) => Array.from(sliceOf(each, step)));
    const values = [losses, shares?.every(Number.isFinite) ? shares : null, keys];
    const scores = METHODS.map((method, index) => {
      const own = values[index] ?? null;
      const best = bestOf(own?.slice(0, count) ?? null); // special tokens are not named
      return { name: say(method), unit: say(`unit_${method}`), values: own, best, awaited: say(missing(step)) };
    });
    return { say, step, word: entryAt(written, step), words, scores };
  }
  function below(view: View) {
    const { step, word, scores } = at(view);
    const [erasure, gradients, keys] = scores.map(({ best }) => best);
    const [, shares, cross] = scores.map(({ values }) => values ?? []);
    const [logit, value, baseline, target] = Array.from(sliceOf(tensors.numbers, step)) as [number, number, number, number];
    const erased = Math.max(erasure ?? 0, 0);
    const best = escaped(nth(words, erased));
    if (!shares?.length) return { told: missing(step) === "awaited" ? "computing" : "absent", computed: "" };
    const [loss, distance, source] = [nth(sliceOf(tensors.losses, step), erased), value - baseline, sum(shares)];
    const error = source + target - distance;
    const named = scores.map(({ name, best: row }) =>
      row < 0 ? say("names_none", { way: name }) : say("names", { way: name, word: escaped(nth(words, row)) }),
    );
    const isOne = erasure === gradients && gradients === keys;
    const numbers = {
      loss,
      logit,
      value,
      baseline,
      distance,
      source,
      target,
      error,
      without: value - loss,
      cross: sum(cross ?? []),
    };
    return {
      ...Object.fromEntries(Object.entries(numbers).map(([name, each]) => [name, number(each)])),
      told: !isOne ? "disagree" : erased === erasure ? "agree" : "agree_on_none",
      names: named.join(say("list")),
      computed: "of_needed",
      word: escaped(word),
      best,
      share: distance ? percent(Math.abs(error / distance)) : "–",
    };
  }
  return { at, below };
}

export const sourceWords = wordBarsOf({
  read: readSourceWords,
  at: ({ at }: ReturnType<typeof readSourceWords>, view: View) => at(view),
  shared: "source_words",
});

export const mountSourceWords = figure(sourceWords);

// The share of each source word in the written token by attention rollout, and its difference from the mean of all steps.

export const rolloutShares = wordBarsOf({
  read: readRollout,
  at({ words, written, shares }: Rolled, view: View) {
    const say = speaker(textsIn("why.word_shares"), BARS);
    const step = Math.min(view.step, written.length - 1);
    const { own, excess } = shares(step);
    const scores = [
      { name: say("rolled"), unit: say("unit_rolled"), values: own, best: bestOf(own) },
      { name: say("excess"), unit: say("unit_excess"), values: excess, best: bestOf(excess) },
    ];
    return { say, step, word: entryAt(written, step), words, scores };
  },
});

export const mountRolloutShares = figure(rolloutShares);
