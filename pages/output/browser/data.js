// The next-token distribution: softmax(z / T) over the whole vocabulary in float64, and what the page shows of it.

import { decimals, fill, grouped, number, percent } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/tensors.js";

// The largest logit is taken off first: the result is the same, and nothing overflows however small T is.
// Returns { probabilities (V,), bits }.
export function softmax(logits, temperature) {
  const most = largest(logits);
  const probabilities = new Float64Array(logits.length);
  let total = 0;
  let turned = 0;
  for (let i = 0; i < logits.length; i += 1) {
    const over = (logits[i] - most) / temperature;
    const weight = Math.exp(over);
    probabilities[i] = weight;
    total += weight;
    turned -= weight * over;
  }
  for (let i = 0; i < probabilities.length; i += 1) probabilities[i] /= total;
  return { probabilities, bits: (Math.log(total) + turned / total) / Math.LN2 };
}

export function chance(logits, id, temperature) {
  const most = largest(logits);
  let total = 0;
  for (let i = 0; i < logits.length; i += 1) total += Math.exp((logits[i] - most) / temperature);
  return Math.exp((logits[id] - most) / temperature) / total;
}

function largest(values) {
  let most = -Infinity;
  for (let i = 0; i < values.length; i += 1) if (values[i] > most) most = values[i];
  return most;
}

// Of all tokens but these.
export function others(values, ids) {
  const left = new Set(ids);
  let sum = 0;
  let low = Infinity;
  let high = -Infinity;
  let count = 0;
  for (let i = 0; i < values.length; i += 1) {
    if (left.has(i)) continue;
    const value = values[i];
    sum += value;
    if (value < low) low = value;
    if (value > high) high = value;
    count += 1;
  }
  return { sum, low, high, count, mean: count ? sum / count : 0 };
}

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
  const message = { t: temperatureText(temperature), bits: number(bits), choices: choicesText(2 ** bits) };
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
// A perplexity: one decimal while that says something.
function choicesText(choices) {
  return choices < 100 ? choices.toFixed(1) : grouped(Math.round(choices));
}

export function signed(value) {
  return decimals(value, 2, 6);
}
