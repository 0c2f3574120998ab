// The next-token distribution: softmax(z / T) over the whole vocabulary in float64, and what the page shows of it.

import { decimals, fill, grouped, number, percent, signed } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";

// The largest logit is subtracted first: the result is the same, and nothing overflows however small T is.
// Returns { probabilities (V,), bits }.
export function softmax(logits, temperature) {
  const most = logits.reduce((one, other) => Math.max(one, other));
  const probabilities = new Float64Array(logits.length);
  let total = 0;
  let weighted = 0;
  logits.forEach((logit, id) => {
    const over = (logit - most) / temperature;
    const weight = Math.exp(over);
    probabilities[id] = weight;
    total += weight;
    weighted += weight * over;
  });
  return {
    probabilities: probabilities.map((weight) => weight / total),
    bits: (Math.log(total) - weighted / total) / Math.LN2, // H = ln Σ e^over − Σ p · over, in bits
  };
}

const add = (one, other) => one + other;

const DECADES = [-6, -5, -4, -3, -2, -1, 0];
const LOG = DECADES.map((decade) => Number(`1e${decade}`));

// Of each axis: its ends; the values that are written along it, a few where it is narrow; and how. On the logarithmic one
// equal quotients are equally far apart.
const AXES = {
  log: () => ({
    limits: [LOG[0], 1],
    place: Math.log10,
    ticks: LOG,
    few: [LOG[0], LOG[3], 1],
    text: tenfold,
  }),
  linear: () => ({ limits: [0, 1], place: Number, ticks: [0, 0.25, 0.5, 0.75, 1], few: [0, 0.5, 1], text: percent }),
  logit: (limits) => {
    const ticks = logitTicks(limits);
    return { limits, place: Number, ticks, few: ticks, text: (value) => signed(value).replace(/\.00$/, "") };
  },
};

// A power of ten as a percentage, with as many digits as it needs: 0.001 %.
function tenfold(value) {
  return `${decimals(100 * value, 0, 6)} %`;
}

function logitTicks([low, high]) {
  const wide = high - low;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => wide / size <= 7) ?? wide / 5;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

// The numbers of one sentence. Those of the overview and of the current step are kept, since they change only with
// temperature or step.
export function readNextToken(payload) {
  const { about, tensors } = readTensors(payload);
  const steps = tensors.logits.shape[0];
  const listed = tensors.ids.shape[1] - 1;
  const ids = (step) => slice(tensors.ids, step);
  const logits = (step) => slice(tensors.logits, step);
  // At T = 1 the recorded number, digit by digit; e^log p in float64.
  const recorded = (step, index) => Math.exp(slice(tensors.log_probs, step)[index]);
  // Keeps the last result, and returns it again for the same arguments.
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
    listed,
    ids,
    logits,
    recorded,
    label: (id) => about.labels[id],
    expected: (step) => ids(step)[listed],
    rank: (step, index) => (index < listed ? index + 1 : tensors.ranks.data[step]),
    spread: once((step, temperature) => softmax(logits(step), temperature)),
    // NaN for the step before the first.
    before: (step, index) => Math.exp(slice(tensors.before, step)[index]),
    // Of each step: the probability of its token, and of the most probable one.
    overview: once((temperature) =>
      Array.from({ length: steps }, (_, step) => {
        const places = [listed, 0];
        const all = temperature === 1 ? null : softmax(logits(step), temperature).probabilities;
        const [p, best] = places.map((index) => (all ? all[ids(step)[index]] : recorded(step, index)));
        return { p, best, same: ids(step)[listed] === ids(step)[0] };
      }),
    ),
  };
}

// Indices of the candidates on display: the first ones, and a typed token that is not among them. A cell is
// [step, index]; index `listed` is the step's own token where it is none of the others.
function onDisplay(nextToken, step, count) {
  const indices = [...Array(Math.min(count, nextToken.listed)).keys()];
  const typed = nextToken.ids(step).indexOf(nextToken.expected(step));
  return indices.includes(typed) ? indices : [...indices, typed];
}

// Everything on display: rows, the rest, the entropy; numbers and their texts.
export function shownAt(nextToken, view) {
  const { about } = nextToken;
  const { texts } = about;
  const { step, temperature } = view;
  const recorded = temperature === 1;
  const hidden = view.predict === "word" && !view.revealed;
  const logit = view.axis === "logit";
  const ids = nextToken.ids(step);
  const logits = nextToken.logits(step);
  const { probabilities, bits } = nextToken.spread(step, temperature);
  const expected = nextToken.expected(step);
  const before = step ? nextToken.logits(step - 1) : null;
  const picked = view.cell && view.cell[0] === step ? view.cell[1] : ids.indexOf(expected);
  const rows = onDisplay(nextToken, step, Number(view.top)).map((index) => {
    const id = ids[index];
    const z = logits[id];
    const p = recorded ? nextToken.recorded(step, index) : probabilities[id];
    const ghost = recorded ? nextToken.before(step, index) : nextToken.recorded(step, index);
    const ghostLogit = recorded ? (before?.[id] ?? NaN) : z;
    return {
      id,
      index,
      p,
      ghost,
      rankText: grouped(nextToken.rank(step, index)),
      label: hidden ? texts.hidden : nextToken.label(id),
      logit: z,
      value: logit ? z / temperature : p,
      mark: logit ? ghostLogit : ghost,
      chosen: index === 0,
      typed: id === expected && index > 0,
      picked: index === picked,
    };
  });
  const shown = new Set(rows.map(({ id }) => id));
  const others = logits.filter((_, id) => !shown.has(id)).map((z) => z / temperature);
  const rest = {
    p: probabilities.filter((_, id) => !shown.has(id)).reduce(add, 0),
    low: Math.min(...others),
    high: Math.max(...others),
    mean: others.length ? others.reduce(add) / others.length : 0,
  };
  const t = temperatureText(temperature);
  return {
    step,
    temperature,
    recorded,
    logit,
    axis: AXES[view.axis](about.limits.map((limit) => limit / Math.min(temperature, 1))),
    rows,
    rest,
    entropy: fill(texts[recorded ? "entropy" : "entropy_derived"], {
      t,
      bits: number(bits),
      choices: choicesText(2 ** bits),
    }),
    restText: logit ? fill(texts.mean, { mean: signed(rest.mean) }) : percent(rest.p),
    restLabel: fill(texts.rest, { count: grouped(others.length) }),
    axisLabel: texts[`axis_${view.axis}`],
    ghostLabel: recorded ? (step ? texts.ghost_step : "") : texts.ghost_one,
    typedLabel: texts.typed,
    sentence: {
      before: about.written.slice(0, step + 1).join(""),
      token: hidden ? texts.hidden : about.tokens[step],
      instead: ids[0] === expected || hidden ? "" : fill(texts.instead, { token: nextToken.label(ids[0]) }),
    },
  };
}

// One candidate in words.
export function readingOf(row, { about }, { recorded, temperature }) {
  return fill(about.texts[recorded ? "reading" : "reading_derived"], {
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

// A perplexity: with one decimal while it is small.
function choicesText(choices) {
  return choices < 100 ? choices.toFixed(1) : grouped(Math.round(choices));
}
