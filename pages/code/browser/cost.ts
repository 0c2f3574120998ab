// What a model costs as one dial varies and the others stay: curves on powers of ten, except by layers; and the numbers below.

import { grouped, percent, raised } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { crossing, isTied, partCosts, type Shape, total, weightsOf } from "../../../viz_core/web/src/engine/analysis/cost";
import { layersOf } from "../../../viz_core/web/src/engine/config";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { APART, axisAcross, FOOT, LINE, UPRIGHT, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { type Band, endAbove, linear, type Linear, range, ticksTo } from "../../../viz_core/web/src/marks/scale";
import { dot, dots, lines, nearest, rules, tag, text } from "../../../viz_core/web/src/marks/shapes";
import { nth, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const LEAST = 640; // px of the width
const LENGTHS = range(15).map((at) => 2 ** (at + 3));
const DIALS = {
  by_layers: ["n_layers", [1, ...range(12).map((at) => 2 * at + 2)]],
  by_width: ["d_model", [64, 128, 256, 512, 768, 1024, 2048, 4096, 8192, 12288]],
  by_heads: ["n_heads", [1, 2, 4, 8, 12, 16, 32, 64, 96]],
} as const;
const DASHES = [[], [8, 5], [2, 5]];

type About = { by: "by_length" | keyof typeof DIALS; shape: Shape; lengths: [number, number]; names: string[]; step: number };
type Curve = { name: string; ink: string; values: number[] };
type Spot = { at: number; curve: number };
export type Cost = ReturnType<typeof readCost>;

/** payload: from pages/code/cost.py. */
export function readCost(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "costs">(payload, textsIn("code.cost_figure"));
  const [, columns = 0] = tensors.costs.shape;
  const costs = about.names.map((name, at) => {
    const [parameters = 0, projected = 0, paired = 0] = tensors.costs.data.slice(at * columns, (at + 1) * columns);
    return { name, parameters, projected, paired };
  });
  return { ...about, costs, say };
}

const productsOf = (costs: Cost["costs"]) => total(costs, "projected") + total(costs, "paired");

/** The values of the dial, the current one (by length: source and target), and the curves; meeting: where both curves meet, else null. */
export function growthOf({ by, shape, lengths }: Cost) {
  if (by === "by_length") {
    const costs = LENGTHS.map((length) => partCosts(shape, length, length));
    const curve = (name: "projected" | "paired", ink: string) => ({ name, ink, values: costs.map((each) => total(each, name)) });
    const at = crossing(shape);
    const meeting = [at, at * total(partCosts(shape, 1, 1), "projected")] as const;
    return { x: LENGTHS, here: [...new Set(lengths)], curves: [curve("projected", "q"), curve("paired", "k")], meeting };
  }
  const [field, offered] = DIALS[by];
  const here = [shape[field]];
  const all = [...new Set([...offered, ...here])].sort((one, other) => one - other).map((value) => ({ ...shape, [field]: value }));
  const shapes = all.filter(({ d_model, n_heads }) => d_model % n_heads === 0);
  const curve = (name: string, ink: string, of: (shape: Shape) => number): Curve => ({ name, ink, values: shapes.map(of) });
  const curves = [
    curve("parameters", "accent", (each) => total(partCosts(each, ...lengths), "parameters")),
    curve("products", "q", (each) => productsOf(partCosts(each, ...lengths))),
  ];
  if (by === "by_heads") curves.push(curve("weights", "k", (each) => weightsOf(each, ...lengths)));
  return { x: shapes.map((each) => each[field]), here, curves, meeting: null };
}

/** A scale of powers of ten, or from 0, with its ticks. */
function scaleOf(values: readonly number[], px: readonly [number, number], isLog: boolean) {
  const [low, high] = isLog
    ? [Math.log10(Math.min(...values)) - 0.1, Math.log10(Math.max(...values)) + 0.1]
    : [0, endAbove(values, 1.04)];
  const scale = linear([low, high], px);
  return {
    scale: Object.assign((value: number) => scale(isLog ? Math.log10(value) : value), {
      domain: scale.domain,
      range: px,
    }) as Linear,
    ticks: isLog ? range(Math.floor(high) - Math.ceil(low) + 1).map((at) => 10 ** (at + Math.ceil(low))) : ticksTo(high),
  };
}

/** The values of a dial as columns, at their places on a scale. */
function columnsOf(x: readonly number[], scale: Linear): Band {
  const places = x.map((value) => scale(value));
  const at = (px: number) =>
    places.reduce((best, place, index) => (Math.abs(place - px) < Math.abs(nth(places, best) - px) ? index : best), 0);
  const [from, to] = scale.range;
  const own = {
    count: x.length,
    step: (to - from) / x.length,
    range: scale.range,
    start: (index: number) => nth(places, index),
    at,
  };
  return Object.assign((index: number) => nth(places, index), own);
}

const costAt = (data: Cost) => ({ ...data, ...growthOf(data) });
type Shown = ReturnType<typeof costAt>;

const hereLabel = ({ say, here: [one = 0, other] }: Shown) =>
  other === undefined ? say("here", { value: grouped(one) }) : say("here_both", { source: grouped(one), target: grouped(other) });

/** The caption at rest: the value here, and what each curve has there or where both meet. */
function hereOf(shown: Shown) {
  const { say, x, here, curves, meeting } = shown;
  const at = x.indexOf(nth(here, 0));
  const counts = curves.map(({ name, values }) => `${say(`names.${name}`)}: ${amount(nth(values, at))}`);
  return [hereLabel(shown), ...(meeting ? [crossingOf(say, meeting[0])] : counts)].join("    ");
}
const crossingOf = (say: Shown["say"], length: number) => say("crossing", { length: grouped(Math.round(length)) });

export const cost: Figure<Cost, Shown, Spot> = {
  heights: [300, 470],
  read: readCost,
  at: costAt,
  scene(shown, { w, h }, hovered) {
    const { by, x, here, curves, meeting, say } = shown;
    const width = Math.max(w, LEAST);
    const isLog = by !== "by_layers";
    const [top, foot] = [curves.length * LINE + 6, h - FOOT - 6];
    const y = scaleOf(
      curves.flatMap(({ values }) => values),
      [foot, top + LINE], // no curve crosses the label at the top
      isLog,
    );
    const write = (value: number) => (isLog ? `10${raised(Math.round(Math.log10(value)))}` : amount(value));
    const left = UPRIGHT + widestText(y.ticks.map(write), false) + APART;
    const across = scaleOf([...x, ...here], [left, width - 24], isLog);
    const columns = columnsOf(x, across.scale);
    const at = across.scale(Math.max(...here));
    const label = hereLabel(shown);
    const isLast = at + textWidth(label, READABLE) + 12 > width;
    const series = curves.map(({ values }) => values);
    const [px, py] = meeting ? [across.scale(meeting[0]), y.scale(meeting[1])] : [0, 0];
    const title = say(meeting ? "names.products" : "axes.count");
    return {
      width,
      height: h,
      marks: [
        ...curves.flatMap(({ name, ink }, row) => [
          rules([[left, LINE * (row + 0.5), left + 30, LINE * (row + 0.5)]], { stroke: ink, width: 3, dash: nth(DASHES, row) }),
          text(say(`names.${name}`), left + 38, LINE * (row + 0.5)),
        ]),
        uprightAxis(y.scale, { title, across: [left, width - 4], grid: true, ticks: y.ticks, write }),
        axisAcross(across.scale, {
          title: say(`axes.${by}`),
          y: foot,
          range: [left, width - 4],
          ticks: by === "by_heads" ? x : across.ticks,
          write: grouped,
        }),
        rules(
          here.map((value) => [across.scale(value), top, across.scale(value), foot]),
          { stroke: "quiet", width: 2, dash: [2, 5] },
        ),
        nearest(columns, y.scale, series, (column, curve) => ({ at: column, curve })),
        ...curves.flatMap(({ values, ink }, row) => [
          lines(columns, y.scale, [values], { stroke: ink, width: 3, dash: nth(DASHES, row) }),
          dots(columns, y.scale, values, ink, 4),
        ]),
        hovered && dot(columns(hovered.at), y.scale(nth(nth(series, hovered.curve), hovered.at)), 7, { fill: "ink" }),
        text(label, at + (isLast ? -6 : 6), top + LINE / 2, { align: isLast ? "right" : "left", halo: "surface" }),
        meeting && rules([[px, py, px + 30, py + 40]], { stroke: "quiet", width: 2 }),
        meeting && dot(px, py, 6, { stroke: "ink", width: 2 }),
        meeting && tag(crossingOf(say, meeting[0]), px + 110, py + 70, [left, width]),
      ],
    };
  },
  reading(shown, spot) {
    if (!spot) return hereOf(shown);
    const { say, by, x, curves } = shown;
    const { name, values } = nth(curves, spot.curve);
    const place = { name: say(`names.${name}`), axis: say(`axes.${by}`), at: grouped(nth(x, spot.at)) };
    return say("value", { ...place, value: amount(nth(values, spot.at)) });
  },
  values: ({ by, say }) => ({ title: say(`titles.${by}`) }),
  spoken: (shown) => [shown.say(`titles.${shown.by}`), hereOf(shown)].join(". "),
  shared: "cost",
  below: belowCost,
};

export const mountCost = figure(cost);

/** The values of the texts below; write: those texts. */
export function belowCost({ by, shape, lengths, costs, step }: Cost, write: Cost["say"]) {
  const [source, target] = lengths;
  const { d_model: d, d_ff: f, n_layers: layers, target_vocab: v } = shape;
  const kept = 2 * layersOf(shape, "decoder") * d; // a key and a value in each layer
  const seen = weightsOf(shape, source, target);
  const isAllOrNone = shape.tied_embeddings === isTied(shape);
  return {
    ...{ by, share: percent(total(costs, "paired") / productsOf(costs)), length: grouped(Math.round(crossing(shape))) },
    ...{ source: grouped(source), target: grouped(target), layers, d_model: d, heads: shape.n_heads, step: amount(step) },
    ...{ kept: grouped(kept), each: size(4 * kept), each_half: size(2 * kept) },
    ...{ all: size(4 * kept * (source + target)), all_half: size(2 * kept * (source + target)) },
    ...{ weights: amount(seen), weights_size: size(4 * seen), total: grouped(total(costs, "parameters")) },
    ...{ d: grouped(d), f: grouped(f), vocabulary: grouped(v), attention: grouped(4 * (d * d + d)) },
    ...{ ffn: grouped(2 * d * f + f + d), embedding: grouped(v * d) },
    tied: isAllOrNone ? write(shape.tied_embeddings ? "of_cost_tied" : "of_cost_untied") : "",
  };
}

const BYTES = { TB: 1e12, GB: 1e9, MB: 1e6, kB: 1e3 };
const COUNTS = { P: 1e15, T: 1e12, G: 1e9, M: 1e6, k: 1e3 };

/** Bytes for readers, in powers of 1000: 38.4 MB. */
export const size = (bytes: number) => scaled(bytes, BYTES) ?? `${bytes} B`;

/** A large count for readers, with three significant digits. */
export const amount = (count: number) => scaled(count, COUNTS) ?? grouped(count);

function scaled(count: number, units: Record<string, number>) {
  const [unit, step = 1] = Object.entries(units).find(([, step]) => count >= step) ?? [];
  if (!unit) return null;
  const times = count / step;
  return `${times < 999.5 ? Number(times.toPrecision(3)) : grouped(Math.round(times))} ${unit}`;
}
