// The next-token distribution, softmax(z / T) over the whole vocabulary in float64, and what the page shows of it.

import { decimals, fill, grouped, number, percent, signed } from "../../../viz_core/browser/kit/numbers";
import { guessedFrom } from "../../../viz_core/web/src/view";
import { type Tensor, sliceOf, readPayload, sum } from "../../../viz_core/web/src/payload";
import type { View } from "../../../viz_core/web/src/ui/store";
import { textsIn } from "../../../viz_core/web/src/texts";

export const texts = textsIn("browser.next_token");

type Name = "logits" | "ids" | "log_probs" | "places" | "states" | "weights" | "others";

interface About {
  labels: Record<number, string>;
  tokens: string[];
  chosen: string[]; // the most probable token of each step
  written: string[];
  given_target: boolean;
}

export type NextToken = ReturnType<typeof readNextToken>;
export type Shown = ReturnType<typeof shownAt>;
export type Row = Shown["rows"][number];
export type Share = ReturnType<NextToken["overview"]>[number];

// Returns probabilities (V,) and entropy in bits. Subtracting the largest logit changes nothing and prevents overflow however small T is.
export function softmax(logits: Float32Array, temperature: number) {
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
    logTotal: most / temperature + Math.log(total), // ln Σ e^(z / T)
  };
}

const DECADES = [-6, -5, -4, -3, -2, -1, 0];
const LOG = DECADES.map((decade) => Number(`1e${decade}`));

// For each axis: its ends; the values written along it, fewer where it is narrow; their format. On the logarithmic axis equal ratios are
// equally far apart.
type AxisName = "log" | "linear" | "logit";
interface Axis {
  limits: readonly [number, number];
  place: (value: number) => number;
  ticks: number[];
  few: number[];
  text: (value: number) => string;
}
const AXES: Record<AxisName, (limits: [number, number]) => Axis> = {
  log: () => ({ limits: [1e-6, 1], place: Math.log10, ticks: LOG, few: [1e-6, 1e-3, 1], text: tenfold }),
  linear: () => ({ limits: [0, 1], place: Number, ticks: [0, 0.25, 0.5, 0.75, 1], few: [0, 0.5, 1], text: percent }),
  logit: (limits) => {
    const ticks = logitTicks(limits);
    return { limits, place: Number, ticks, few: ticks, text: (value) => signed(value).replace(/\.00$/, "") };
  },
};

// A power of ten in percent, with as many decimals as needed: 0.001 %.
const tenfold = (value: number) => `${decimals(100 * value, 0, 6)} %`;

function logitTicks([low, high]: [number, number]) {
  const wide = high - low;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => wide / size <= 7) ?? wide / 5;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

// The numbers of one sentence. Those of the overview and of the current step are cached, since they change only with temperature and step.
export function readNextToken(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, Name>(payload);
  const { biases } = tensors as { biases?: Tensor }; // in models that have them
  const steps = tensors.logits.shape[0] as number;
  const listed = (tensors.ids.shape[1] as number) - 1;
  const rowOf = (name: Name, step: number) => sliceOf(tensors[name], step) as Float32Array;
  const at = (name: Name, step: number, index: number) => rowOf(name, step)[index] as number;
  const ids = (step: number) => [...rowOf("ids", step)];
  const expected = (step: number) => at("ids", step, listed);
  const spread = once((step: number, temperature: number) => softmax(rowOf("logits", step), temperature));
  const earlier = once((step: number) => softmax(rowOf("logits", step), 1).probabilities);
  let [low, high] = [0, 0];
  for (const z of tensors.logits.data) [low, high] = [Math.min(low, z), Math.max(high, z)];
  // At T = 1 the recorded number, to the digit: e^(log p) in float64.
  const recorded = (step: number, index: number) => Math.exp(at("log_probs", step, index));
  return {
    about,
    limits: [Math.floor(low), Math.ceil(high)] as [number, number], // enclose 0 and every logit, so that all steps share one axis
    steps,
    listed,
    ids,
    expected,
    recorded,
    spread,
    logits: (step: number) => rowOf("logits", step),
    label: (id: number) => about.labels[id] as string,
    /** The products that make up a candidate's logit: the largest, with their dimensions, and all others together. */
    terms: (step: number, index: number) => ({
      dims: sliceOf(tensors.places, step, index),
      states: sliceOf(tensors.states, step, index),
      weights: sliceOf(tensors.weights, step, index),
      others: at("others", step, index),
      bias: biases && sliceOf(biases, step)[index],
    }),
    logProb: (step: number, index: number) => at("log_probs", step, index),
    rank: (step: number, index: number) => {
      const logits = rowOf("logits", step);
      const own = logits[expected(step)] as number;
      return index < listed ? index + 1 : 1 + logits.filter((logit) => logit > own).length;
    },
    // NaN at the first step.
    before: (step: number, index: number) => (step ? (earlier(step - 1)[at("ids", step, index)] as number) : Number.NaN),
    // For each step: the probability of its token, and of the most probable one.
    overview: once((temperature: number) =>
      Array.from({ length: steps }, (_, step) => {
        const all = temperature === 1 ? null : softmax(rowOf("logits", step), temperature).probabilities;
        const p = (index: number) => (all ? (all[at("ids", step, index)] as number) : recorded(step, index));
        return { p: p(listed), best: p(0), same: expected(step) === at("ids", step, 0) };
      }),
    ),
  };
}

// Caches the last result.
function once<Args extends number[], Result>(make: (...args: Args) => Result) {
  let last: { key: string; result: Result } | null = null;
  return (...args: Args) => {
    const key = args.join();
    if (last?.key !== key) last = { key, result: make(...args) };
    return last.result;
  };
}

// Indices of the candidates on display: the first ones, and a typed token even if it is not among them. A cell is [step, index]; index
// `listed` is the step's own token if it is not among the others.
function onDisplay(nextToken: NextToken, step: number, count: number) {
  const indices = [...Array(Math.min(count, nextToken.listed)).keys()];
  const typed = nextToken.ids(step).indexOf(nextToken.expected(step));
  return indices.includes(typed) ? indices : [...indices, typed];
}

// Everything on display, as numbers and as text: the rows, the rest, the entropy.
export function shownAt(nextToken: NextToken, view: View) {
  const { about } = nextToken;
  const { step, temperature } = view;
  const axis = view.axis as AxisName;
  const [low, high] = nextToken.limits;
  const recorded = temperature === 1;
  const hidden = view.predict === "word" && !view.revealed;
  const logit = axis === "logit";
  const ids = nextToken.ids(step);
  const logits = nextToken.logits(step);
  const { probabilities, bits } = nextToken.spread(step, temperature);
  const expected = nextToken.expected(step);
  const before = step ? nextToken.logits(step - 1) : null;
  const picked = view.cell && view.cell[0] === step ? view.cell[1] : ids.indexOf(expected);
  const rows = onDisplay(nextToken, step, Number(view.top)).map((index) => {
    const id = ids[index] as number;
    const z = logits[id] as number;
    const p = recorded ? nextToken.recorded(step, index) : (probabilities[id] as number);
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
  const barred = new Set(rows.map(({ id }) => id));
  const others = logits.filter((_, id) => !barred.has(id)).map((z) => z / temperature);
  const rest = {
    p: sum(probabilities.filter((_, id) => !barred.has(id))),
    low: Math.min(...others),
    high: Math.max(...others),
    mean: others.length ? sum(others) / others.length : 0,
  };
  const t = temperatureText(temperature);
  return {
    of: nextToken,
    step,
    temperature,
    recorded,
    logit,
    axis: AXES[axis]([low / Math.min(temperature, 1), high / Math.min(temperature, 1)]),
    rows,
    rest,
    entropy: fill(texts[recorded ? "entropy" : "entropy_derived"], { t, bits: number(bits), choices: choicesText(2 ** bits) }),
    restText: logit ? fill(texts.mean, { mean: signed(rest.mean) }) : percent(rest.p),
    restLabel: fill(texts.rest, { count: grouped(others.length) }),
    axisLabel: texts[`axis_${axis}`],
    ghostLabel: recorded ? (step ? texts.ghost_step : "") : texts.ghost_one,
    typedLabel: texts.typed,
    sentence: {
      before: about.written.slice(0, step + 1).join(""),
      token: hidden ? texts.hidden : (about.tokens[step] as string),
      instead: ids[0] === expected || hidden ? "" : fill(texts.instead, { token: nextToken.label(ids[0] as number) }),
    },
  };
}

// One candidate in words.
export function readingOf(row: Row, { recorded, temperature }: Shown) {
  return fill(texts[recorded ? "reading" : "reading_derived"], {
    token: row.label,
    logit: signed(row.logit),
    t: temperatureText(temperature),
    divided: signed(row.logit / temperature),
    percent: percent(row.p),
    rank: row.rankText,
  });
}

// The token of each step, or a question mark while it is to be guessed.
export function stepLabels(nextToken: NextToken, view: View) {
  const { tokens } = nextToken.about;
  return tokens.map((_, step) => (step >= guessedFrom(view) ? texts.hidden : nextToken.label(nextToken.expected(step))));
}

// One step in words.
export function readingOfStep(nextToken: NextToken, step: number, view: View) {
  const { p, best, same } = nextToken.overview(view.temperature)[step] as Share;
  const text = fill(texts.reading_step, { step: step + 1, token: stepLabels(nextToken, view)[step], percent: percent(p) });
  if (same || step >= guessedFrom(view)) return text;
  const other = { best: nextToken.label(nextToken.ids(step)[0] as number), best_percent: percent(best) };
  return `${text} ${fill(texts.reading_best, other)}`;
}

export const temperatureText = (temperature: number) => String(Number(temperature.toPrecision(3)));

// A perplexity, with one decimal if it is small.
const choicesText = (choices: number) => (choices < 100 ? choices.toFixed(1) : grouped(Math.round(choices)));
