// Two outputs with their next-token distributions, from `viz_core/browser/output_payload.py`.

import { type Say, entryAt, nth, sliceOf, readPayload } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { View } from "../../web/src/ui/store";
import { fill, grouped, latex, minus, number, percent } from "../kit/numbers";

export const texts = textsIn("browser.comparison");

export interface Side {
  name: string;
  details: string[];
  language: string;
  vocabulary: number;
  tokens: [text: string, what: string][]; // what: "special", "changed" or ""
  labels: Record<number, string>;
}

// The bar of a token, or of all others together.
export interface Bar {
  label: string;
  isRest?: boolean;
  written?: boolean; // whether it is in the output
  p: number;
  text: string;
  other: number; // the other side's probability, NaN if unknown
  otherText: string;
}

export type Compared = ReturnType<typeof readComparison>;

const NAMES = ["left", "right"] as const;
const LADDER = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]; // bits: possible ends of the axis

type About = { compared: boolean; sides: Side[]; written: string[] };
type What = "ids" | "own" | "other" | "own_rest" | "other_rest";
type Name = "divergence" | "term_ids" | "terms" | `${(typeof NAMES)[number]}_${What}`;

export function readComparison(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, Name>(payload);
  const { compared, sides, written } = about;
  const rowOf = (side: number, what: What, step: number) => [...sliceOf(tensors[`${NAMES[side] ?? "left"}_${what}`], step)];
  const counts = NAMES.map((name) => tensors[`${name}_ids`].shape[0] ?? 0);
  const last = (tensors.left_ids.shape[1] ?? 1) - 1; // the column of the token in the output
  const bits = compared ? [...tensors.divergence.data] : null;

  // The bars of a side at a step: at most `most` tokens, the most probable ones including the one in the output, and then all others
  // together, if there are any; null if the side has no such step.
  const probabilities = (side: number, step: number, most: number): Bar[] | null => {
    if (step >= (counts[side] ?? 0)) return null;
    const { labels, vocabulary } = entryAt(sides, side);
    const [ids, own, other] = [rowOf(side, "ids", step), rowOf(side, "own", step), compared ? rowOf(side, "other", step) : []];
    const places = [...own.keys()].filter((at) => at < last || ids.indexOf(entryAt(ids, last)) === last);
    const isApart = places.at(-1) === last;
    const barred = isApart ? [...places.slice(0, Math.min(places.length, most) - 1), last] : places.slice(0, most);
    const barOf = (own = NaN, other = NaN) => {
      const [text, otherText] = [own, other].map(percentOf) as [string, string];
      return { p: Math.exp(own), text, other: Math.exp(other), otherText };
    };
    const tokens = barred.map((at) => {
      const id = entryAt(ids, at);
      return { label: labels[id] ?? "", written: id === ids[last], ...barOf(own[at], other[at]) };
    });
    const left = places.filter((at) => !barred.includes(at)); // tokens without a bar
    const restOf = (whose: "own" | "other", logs: number[]) =>
      Math.log(left.reduce((sum, at) => sum + Math.exp(entryAt(logs, at)), entryAt(rowOf(side, `${whose}_rest`, step), 0)));
    const count = vocabulary - barred.length;
    if (!count) return tokens;
    const rest = barOf(restOf("own", own), compared ? restOf("other", other) : NaN);
    return [...tokens, { label: fill(texts.others, { count: grouped(count) }), isRest: true, ...rest }];
  };

  const steps = counts.map((count) => [...Array(count).keys()]);
  // ln p of each side's whole output
  const whole = steps.map((all, side) => all.reduce((sum, step) => sum + entryAt(rowOf(side, "own", step), last), 0));
  const rows = steps.flatMap((all, side) => all.map((step) => probabilities(side, step, last + 1)?.length ?? 0));
  const known = bits?.filter(Number.isFinite) ?? [];
  return {
    ...{ sides, compared, written, probabilities, bits, whole, counts, tensors },
    rows: Math.max(...rows),
    most: LADDER.find((end) => known.every((bits) => bits <= end)) ?? (LADDER.at(-1) as number),
  };
}

const ROUNDING = 1e-6; // bits below which two distributions are the same: two passes over the same tokens differ in the last digits

// The values of the arithmetic: the divergence at a step, and how much less probable the right side finds the whole output; or, of two
// outputs, how probable each is.
export function below(compared: Compared, { step: at }: View, write: Say) {
  const { bits, whole, counts, tensors, sides } = compared;
  const [left = NaN, right = NaN] = whole;
  if (!bits) {
    const [many = 1, others = 1] = counts;
    const [mean, other] = [Math.exp(left / many), Math.exp(right / others)];
    const numbers = { first: number(left), second: number(right), mean_first: number(mean), mean_second: number(other) };
    return { text: whole.every(Number.isFinite) ? "wholes" : "divergence_unknown", many, others, ...numbers };
  }
  const step = Math.min(at, bits.length - 1);
  const own = nth(bits, step);
  const isKnown = [left, right, own].every(Number.isFinite);
  const same = Math.max(...bits) < ROUNDING ? "divergence_none" : "divergence_equal";
  const terms = Array.from(sliceOf(tensors.term_ids, step), (id, term) => {
    const [p = 0, q = 0] = sliceOf(tensors.terms, step, term);
    return write("term", { p: number(p), q: number(q), token: latex(sides[0]?.labels[id] ?? "") });
  });
  return {
    text: isKnown ? (own < ROUNDING ? same : "divergence") : "divergence_unknown",
    ...{ step: step + 1, terms: terms.join(" + "), bits: number(own), tokens: bits.length },
    ...{ before: number(left), after: number(right), drop: number(left - right) },
  };
}

// A probability in %, given its logarithm, even if it underflows.
function percentOf(logarithm: number): string {
  const p = Math.exp(logarithm);
  return Number.isNaN(p) ? "" : p === 0 && logarithm > -Infinity ? "<10⁻³⁰⁰ %" : percent(p);
}

const SAME = 0.005; // difference of logarithms, half a percent

// How the probability of the whole output differs between the sides, in words.
export function wholeInWords({ whole: [left = NaN, right = NaN] }: Compared): string {
  const drop = left - right;
  const values = { left: minus(left), right: minus(right) };
  if (Number.isNaN(right)) return fill(texts.not_known, values);
  if (right === -Infinity) return fill(texts.impossible, values);
  if (Math.abs(drop) < ROUNDING) return fill(texts.identical, values);
  if (Math.abs(drop) < SAME) return fill(texts.equal, values);
  return fill(texts[drop > 0 ? "less" : "more"], { ...values, times: times(Math.abs(drop)) });
}

// e^drop with three significant digits.
function times(drop: number): string {
  const value = Math.exp(drop);
  if (value > 1e300) return texts.beyond_count;
  return value < 1e7 ? Number(value.toPrecision(3)).toLocaleString("en") : number(value);
}
