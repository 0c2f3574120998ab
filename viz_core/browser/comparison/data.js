// The comparison payload, read into the numbers of one step. Nothing here draws.

import { percent } from "../kit/numbers.js";
import { readTensors, slice } from "../kit/tensors.js";

const NAMES = ["left", "right"];
const LADDER = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]; // bits: the ends that the axis can have

export function readComparison(payload) {
  const { about, tensors } = readTensors(payload);
  const { compared } = about;
  const counts = NAMES.map((name) => tensors[`${name}_ids`].shape[0]);
  const last = tensors.left_ids.shape[1] - 1;
  const bits = compared ? tensors.divergence.data : null;
  const known = bits ? [...bits].filter(Number.isFinite) : [];

  // Of a side at a step: the most probable tokens, and the one in the output if it is none of them, `most` in all; null
  // where that side has no such step. { id, label, written, p, text, other, otherText }; other is the same on the other
  // side, NaN where it is not known.
  const probabilities = (side, step, most) => {
    if (step >= counts[side]) return null;
    const [ids, own] = ["ids", "own"].map((what) => slice(tensors[`${NAMES[side]}_${what}`], step));
    const other = compared ? slice(tensors[`${NAMES[side]}_other`], step) : null;
    const places = [...own.keys()].filter((at) => at < last || ids.indexOf(ids[last]) === last);
    const shown =
      places.at(-1) === last ? [...places.slice(0, Math.min(places.length, most) - 1), last] : places.slice(0, most);
    return shown.map((at) => ({
      id: ids[at],
      label: about.sides[side].labels[ids[at]],
      written: ids[at] === ids[last],
      p: Math.exp(own[at]),
      text: percentOf(own[at]),
      other: other ? Math.exp(other[at]) : NaN,
      otherText: other ? percentOf(other[at]) : "",
    }));
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
