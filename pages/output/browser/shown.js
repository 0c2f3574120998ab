// From the payload and the view to the numbers that are shown: nothing here draws.

import { readTensors, slice } from "../../../viz_core/browser/kit/tensors.js";
import { fill, number, percent } from "../../../viz_core/browser/kit/numbers.js";
import { chance, others, softmax } from "./softmax.js";

export const COUNTS = ["5", "10", "20"]; // bars
export const USUAL = "10";

// The numbers of one sentence. The overview and the current step are listed, for they change only with temperature or
// step.
export function readNextToken(payload) {
  const { about, tensors } = readTensors(payload);
  const [steps, vocabulary] = tensors.logits.shape;
  const listed = tensors.ids.shape[1] - 1;
  const ids = (step) => slice(tensors.ids, step);
  const logits = (step) => slice(tensors.logits, step);
  // The last result, while it is asked for with the same arguments.
  const once = (make) => {
    let asked = null;
    let made = null;
    return (...args) => {
      const key = args.join();
      if (key !== asked) made = make(...args);
      asked = key;
      return made;
    };
  };
  return {
    about,
    steps,
    vocabulary,
    listed,
    ids,
    logits,
    label: (id) => about.labels[id],
    expected: (step) => ids(step)[listed],
    rank: (step, index) => (index < listed ? index + 1 : tensors.ranks.data[step]),
    spread: once((step, temperature) => softmax(logits(step), temperature)),
    // At T = 1 the recorded number, digit by digit; e^log p in float64. NaN for the step before the first.
    recorded: (step, index) => Math.exp(slice(tensors.log_probs, step)[index]),
    before: (step, index) => Math.exp(slice(tensors.before, step)[index]),
    // Of each step: the chance of the token that stands there, and of the most probable one.
    overview: once((temperature) =>
      Array.from({ length: steps }, (_, step) => {
        const [p, best] = [listed, 0].map((index) =>
          temperature === 1
            ? Math.exp(slice(tensors.log_probs, step)[index])
            : chance(logits(step), ids(step)[index], temperature),
        );
        return { p, best, same: ids(step)[listed] === ids(step)[0] };
      }),
    ),
  };
}

// Indices of the candidates on display: the first ones, and a typed token that is not among them. They are what a
// cell's second number means here: [step, index], where index `listed` is the token that stands there if it is none of
// the others.
function onDisplay(nextToken, step, count) {
  const indices = Array.from({ length: Math.min(count, nextToken.listed) }, (_, index) => index);
  const typed = nextToken.ids(step).indexOf(nextToken.expected(step));
  return indices.includes(typed) ? indices : [...indices, typed];
}

// All that one sees: rows, the rest, the entropy; numbers and their texts.
export function shownAt(nextToken, view) {
  const { about } = nextToken;
  const { step, temperature } = view;
  const one = temperature === 1;
  const hidden = view.predict === "word" && !view.revealed;
  const logit = view.scale === "log";
  const ids = nextToken.ids(step);
  const logits = nextToken.logits(step);
  const { probabilities, bits } = nextToken.spread(step, temperature);
  const indices = onDisplay(nextToken, step, Number(view.top ?? USUAL));
  const before = step ? nextToken.logits(step - 1) : null;
  const pick = view.cell && view.cell[0] === step ? view.cell[1] : ids.indexOf(nextToken.expected(step));
  const rows = indices.map((index) => {
    const id = ids[index];
    const z = logits[id];
    const p = one ? nextToken.recorded(step, index) : probabilities[id];
    const ghost = one ? nextToken.before(step, index) : nextToken.recorded(step, index);
    const ghostLogit = one ? (before ? before[id] : NaN) : z;
    return {
      id,
      index,
      p,
      ghost,
      rankText: grouped(nextToken.rank(step, index)),
      label: hidden ? about.texts.hidden : nextToken.label(id),
      logit: z,
      value: logit ? z / temperature : p,
      mark: logit ? ghostLogit : ghost,
      chosen: index === 0,
      typed: id === nextToken.expected(step) && index > 0,
      picked: index === pick,
    };
  });
  const shownIds = rows.map((row) => row.id);
  const rest = others(logits, shownIds);
  const left = others(probabilities, shownIds).sum;
  const message = { t: temperatureText(temperature), bits: number(bits), choices: grouped(number(2 ** bits)) };
  return {
    step,
    temperature,
    one,
    logit,
    hidden,
    rows,
    bits,
    rest: {
      p: left,
      count: rest.count,
      low: rest.low / temperature,
      mean: rest.mean / temperature,
      high: rest.high / temperature,
    },
    limits: about.limits.map((limit) => limit / Math.min(temperature, 1)),
    entropy: fill(about.texts[one ? "entropy" : "entropy_derived"], message),
    restText: logit ? fill(about.texts.mean, { mean: signed(rest.mean / temperature) }) : percent(left),
    restLabel: fill(about.texts.rest, { count: grouped(rest.count) }),
    ghostLabel: one ? (step ? about.texts.ghost_step : "") : about.texts.ghost_one,
    typedLabel: about.texts.typed,
    sentence: sentenceAt(nextToken, step, hidden),
  };
}

function sentenceAt({ about, label, ids, expected }, step, hidden) {
  const wrong = ids(step)[0] !== expected(step);
  return {
    before: about.written.slice(0, step + 1).join(""),
    token: hidden ? about.texts.hidden : about.tokens[step],
    instead: wrong && !hidden ? fill(about.texts.instead, { token: label(ids(step)[0]) }) : "",
  };
}

// One candidate in words.
export function readingOf(row, { about }, { one, temperature }) {
  return fill(about.texts[one ? "reading" : "reading_derived"], {
    token: row.label,
    logit: signed(row.logit),
    t: temperatureText(temperature),
    divided: signed(row.logit / temperature),
    percent: percent(row.p),
    rank: row.rankText,
  });
}

export function temperatureText(temperature) {
  return String(Number(temperature.toPrecision(3)));
}

// As `signed` of the Python side: with more digits where it would seem to be 0.
export function signed(value) {
  let digits = 2;
  while (value && digits < 6 && !Number(value.toFixed(digits))) digits += 1;
  return value.toFixed(digits).replace("-", "−");
}

// Thousands apart; a number with a point stays as it is.
export function grouped(count) {
  return String(count).replace(/^\d{4,}$/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
}
