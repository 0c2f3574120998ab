// Comparison of two models or two sentences: their outputs, their next-token distributions at the current step, and the
// divergence between these.

import { fill, grouped, minus, number, percent } from "../kit/numbers.js";
import { readTensors, slice } from "../kit/payload.js";
import { dress, el, setText, watchSize } from "../kit/dom.js";
import { ending } from "../kit/pen.js";
import { makeDistance, makeProbabilities, makeSide } from "./rows.js";

const NAMES = ["left", "right"];
const LADDER = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]; // bits: the ends that the axis can have

export function readComparison(payload) {
  const { about, tensors } = readTensors(payload);
  const { compared } = about;
  const counts = NAMES.map((name) => tensors[`${name}_ids`].shape[0]);
  const last = tensors.left_ids.shape[1] - 1;
  const bits = compared ? tensors.divergence.data : null;
  const known = bits ? [...bits].filter(Number.isFinite) : [];

  // Of a side at a step: the most probable tokens, and the one in the output if it is none of them, `most` in all, and then all
  // others together, if there are any; null where that side has no such step. { id, label, written, p, text, other, otherText }; other is the same on the other
  // side, NaN where it is not known.
  const probabilities = (side, step, most) => {
    if (step >= counts[side]) return null;
    const [ids, own] = ["ids", "own"].map((what) => slice(tensors[`${NAMES[side]}_${what}`], step));
    const other = compared ? slice(tensors[`${NAMES[side]}_other`], step) : null;
    const places = [...own.keys()].filter((at) => at < last || ids.indexOf(ids[last]) === last);
    const shown =
      places.at(-1) === last ? [...places.slice(0, Math.min(places.length, most) - 1), last] : places.slice(0, most);
    const tokens = shown.map((at) => ({
      id: ids[at],
      label: about.sides[side].labels[ids[at]],
      written: ids[at] === ids[last],
      p: Math.exp(own[at]),
      text: percentOf(own[at]),
      other: other ? Math.exp(other[at]) : NaN,
      otherText: other ? percentOf(other[at]) : "",
    }));
    const count = about.sides[side].vocabulary - shown.length;
    const left = places.filter((at) => !shown.includes(at)); // which have no bar
    const restOf = (whose, own) =>
      left.reduce((sum, at) => sum + Math.exp(own[at]), slice(tensors[`${NAMES[side]}_${whose}_rest`], step)[0]);
    const [p, others] = [restOf("own", own), other ? restOf("other", other) : NaN];
    const label = fill(about.texts.others, { count: grouped(count) });
    const rest = { label, isRest: true, p, text: percentOf(Math.log(p)), other: others };
    return count ? [...tokens, { ...rest, otherText: other ? percentOf(Math.log(others)) : "" }] : tokens;
  };

  const steps = counts.map((count) => [...Array(count).keys()]);
  // ln p of the whole output.
  const whole = NAMES.map((name, side) =>
    steps[side].reduce((sum, step) => sum + slice(tensors[`${name}_own`], step)[last], 0),
  );
  const rows = steps.flatMap((all, side) => all.map((step) => probabilities(side, step, last + 1).length));
  return {
    about,
    compared,
    probabilities,
    bits,
    whole,
    rows: Math.max(...rows),
    most: LADDER.find((end) => known.every((one) => one <= end)) ?? LADDER.at(-1),
  };
}

// In %; where e^ln p is too small for the computer, that it is.
function percentOf(logarithm) {
  const p = Math.exp(logarithm);
  return Number.isNaN(p) ? "" : p === 0 && logarithm > -Infinity ? "<10⁻³⁰⁰ %" : percent(p);
}

const NARROW = 2.4;
const TIGHT = 1.7; // letters' sizes that a column needs for its label, and for its number
const PREFIX = 0.5; // of the width, for what is written so far
const ON_STAGE = 3; // tokens with bars beside all others, so that all of it can be seen at once
const SAME = 0.005; // of the logarithm: half a percent

// payload: of viz_core/browser/output_payload.py. Returns { update(payload), destroy() }.
export function mountComparison(root, payload, store) {
  let comparison = null;
  let sides = [];
  let probabilities = [];
  let distance = null;
  let width = 0;
  const go = (step) => store.set({ step });
  const next = el("p", { class: "next" });
  const ghost = el("span", { class: "legend" });
  const whole = el("p", { class: "whole" });

  const build = (bytes) => {
    comparison = readComparison(bytes);
    const { about, compared } = comparison;
    const { texts } = about;
    sides = about.sides.map((side) => makeSide(side, store.limits.steps, texts, go));
    probabilities = about.sides.map(({ name }) => makeProbabilities(name, comparison.rows, texts));
    distance = compared ? makeDistance(comparison, go) : null;
    ghost.replaceChildren(...(compared ? [el("i", {}), texts.ghost] : []));
    setText(whole, compared ? inWords(comparison) : "");
    const two = (parts) => el("div", { class: "two" }, ...parts.map(({ node }) => node));
    root.replaceChildren(
      el(
        "div",
        { class: "comparison", role: "region", "aria-label": texts.translations },
        two(sides),
        whole,
        el("div", { class: "head" }, next, ghost),
        two(probabilities),
        distance?.node,
      ),
    );
    paint(store.view);
  };

  const paint = (view) => {
    const { step } = view;
    const hidden = view.predict === "word" && !view.revealed;
    const isCovered = view.predict === "right" && !view.revealed; // the right side, and what the left one says of it
    dress(root, store.theme);
    root.toggleAttribute("data-lecture", view.lecture);
    root.toggleAttribute("data-covered", isCovered);
    for (const side of sides) side.paint(step, hidden, isCovered);
    const most = view.lecture ? ON_STAGE : comparison.rows - 1;
    probabilities.forEach((one, side) => {
      const all = comparison.probabilities(side, step, most);
      one.paint(
        isCovered ? (all?.map((row) => ({ ...row, other: NaN, otherText: "" })) ?? null) : all,
        step,
        hidden,
        most,
      );
    });
    distance?.paint(view, hidden);
    setText(next, question(step));
  };

  const question = (step) => {
    const { texts, written } = comparison.about;
    if (!comparison.compared) return fill(texts.next_own, { step: step + 1 });
    const before = written
      .slice(0, step + 1)
      .join("")
      .trim();
    const template = before ? texts.next : texts.next_first;
    return fill(template, { step: step + 1, before: ending(before, width * PREFIX, letters()) });
  };

  const letters = () => parseFloat(getComputedStyle(root).fontSize);
  const measure = () => {
    width = root.getBoundingClientRect().width;
    const column = distance ? width / distance.count / letters() : Infinity;
    root.toggleAttribute("data-narrow", column < NARROW);
    root.toggleAttribute("data-tight", column < TIGHT);
    setText(next, question(store.view.step));
  };

  const update = (bytes) => {
    build(bytes);
    measure();
  };
  update(payload);
  const unwatch = watchSize(root, measure);
  const off = store.subscribe(paint);
  const destroy = () => {
    off();
    unwatch();
  };
  return { update, destroy };
}

// What became of the probability of the whole output.
function inWords({ about: { texts }, whole: [left, right] }) {
  const drop = left - right;
  const values = { left: minus(left), right: minus(right) };
  if (Number.isNaN(right)) return fill(texts.not_known, values);
  if (right === -Infinity) return fill(texts.impossible, values);
  if (Math.abs(drop) < SAME) return fill(texts.equal, values);
  return fill(texts[drop > 0 ? "less" : "more"], { ...values, times: times(Math.abs(drop), texts) });
}

// e^drop with three digits that count.
function times(drop, texts) {
  const value = Math.exp(drop);
  if (value > 1e300) return texts.beyond_count;
  return value < 1e7 ? Number(value.toPrecision(3)).toLocaleString("en") : number(value);
}
