// LayerNorm: one token's vector in three stages below each other, a bar per dimension, the same dimension picked in each; behind the bars
// the mean and one standard deviation around it. What is not recorded is computed in float64.

import { grouped, minus, number, signed, threeDigits, escaped } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type View, figure, walkOf, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, FOOT, UPRIGHT, axisAcross, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { silhouette, between, inside, levels, place, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, nth, sliceOf, readPayload, speaker, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { type Linear, type Pair, band, linear, range, stacked } from "../../../viz_core/web/src/marks/scale";

const ROUNDING = 0.0005; // smaller means and deviations are 0 up to rounding
// px
const LEAST_WIDTH = 640;
const [HEAD, BETWEEN, RIGHT] = [30, 10, 20]; // a stage's title; the gap below it; half of the axis's last number
const LEAST_PICKED = 3; // width of the picked bar, at least
const VALUE = 13; // from the end of the picked bar to the middle of its number
const TICKS = 8; // of the axis of dimensions

const TEXTS = textsIn("residual.norm_drawing");
const SUBLAYERS = textsIn("residual.sublayers");

type About = { stack: string; sublayer: string; norm: "pre" | "post"; kind: string; eps: number[]; tokens: string[] };
type Norm = ReturnType<typeof readNorm>;
type Shown = ReturnType<typeof normAt>;

/** payload: from pages/residual/layer_norm.py. */
export function readNorm(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, "x" | "out" | "gamma" | "beta">(payload);
  const name = SUBLAYERS[about.sublayer as "decoder_ffn"];
  const say = speaker({ name, lead: TEXTS[`lead_${about.norm}`] }, TEXTS);
  const [layers = 0, , size = 0] = tensors.x.shape;
  return { ...about, tensors, layers, size, exact: tensors.x.exact, say };
}

/** One token in one layer. dim: the picked dimension, else the one farthest from the mean. */
export function normAt(norm: Norm, view: View) {
  const { tensors, size, stack, tokens } = norm;
  const layer = Math.min(view.layer, norm.layers - 1);
  const token = Math.min(view[walkOf(stack)], tokens.length - 1);
  const [x, out] = [Array.from(sliceOf(tensors.x, layer, token)), Array.from(sliceOf(tensors.out, layer, token))];
  const before = spreadOf(x);
  const ofSample = norm.kind === "deviation"; // The Annotated Transformer divides by the sample's deviation
  const variance = ofSample ? (before.variance * size) / (size - 1) : before.variance;
  const eps = entryAt(norm.eps, layer);
  const divisor = ofSample ? Math.sqrt(variance) + eps : Math.sqrt(variance + eps);
  const standard = x.map((value) => (value - before.mean) / divisor);
  const shared = reachOf(standard, out); // one scale, which makes gain and bias visible
  const stage = (values: number[], reach: number) => {
    const { mean, variance: square } = spreadOf(values);
    return { values, reach, mean, deviation: Math.sqrt(square) };
  };
  return {
    ...norm,
    layer,
    token,
    picked: view.dim,
    dim: view.dim === null ? farthest(standard) : Math.min(view.dim, size - 1),
    mean: before.mean,
    variance,
    deviation: Math.sqrt(variance),
    epsilon: eps,
    gamma: sliceOf(tensors.gamma, layer),
    beta: sliceOf(tensors.beta, layer),
    stages: { before: stage(x, reachOf(x)), standard: stage(standard, shared), after: stage(out, shared) },
  };
}

function spreadOf(values: number[]) {
  const mean = sum(values) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
}

/** The end of an axis: the next power of two, so that vectors of similar size have the same axis from step to step. */
function reachOf(...vectors: number[][]): number {
  const largest = vectors.flat().reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return 2 ** Math.ceil(Math.log2(Math.max(1, 1.1 * largest)));
}

const farthest = (values: number[]) =>
  values.reduce((best, value, dim) => (Math.abs(value) > Math.abs(values[best] ?? 0) ? dim : best), 0);
const short = (value: number): string => (Math.abs(value) < ROUNDING ? "0" : minus(value));
const stagesOf = ({ stages, say }: Shown) =>
  Object.entries(stages).map(([name, stage]) => {
    const title = say(`stages.${name}`, { mean: short(stage.mean), deviation: short(stage.deviation) });
    return { ...stage, title, axis: say(`axes.${name}`) };
  });
const ticksOf = (reach: number) => [reach / 2, 0, -reach / 2];
const tickText = (value: number) => (Math.abs(value) < 1e5 ? String(value) : number(value)).replace("-", "−");

export const mountLayerNorm = figure({
  heights: [400, 640],
  read: readNorm,
  at: normAt,
  shared: "layer_norm",
  scene(shown, { w, h }, hovered: { dim: number } | null) {
    const { size, dim, say } = shown;
    const stages = stagesOf(shown);
    const width = Math.max(w, LEAST_WIDTH);
    const ticks = stages.flatMap(({ reach }) => ticksOf(reach).map(tickText));
    const left = UPRIGHT + widestText(ticks, false) + APART;
    const x = band(size, [left, width - RIGHT]);
    const column = (at: number, more = 0) => [x.start(at) - more, x.start(at + 1) + more] as const;
    const foot = h - FOOT;
    const step = Math.max(2, Math.floor(size / TICKS));
    const plots = stages.map((stage, at) => {
      const [low, high] = entryAt(stacked(0, foot, [1 / 3, 1 / 3, 1 / 3]), at);
      return { ...stage, y: linear([-stage.reach, stage.reach], [low - BETWEEN, high + HEAD]) };
    });
    return {
      width,
      height: h,
      sight: column(dim),
      marks: [
        place({ x: left, y: 0, w: width - RIGHT - left, h: foot }, (px) => ({ dim: x.at(px) })),
        ...plots.flatMap(({ title, axis, y, values, reach, mean, deviation }) => {
          const [low, high] = [mean - deviation, mean + deviation];
          const wider = Math.max(LEAST_PICKED - x.step, 0) / 2;
          return [
            text(title, left, y.range[1] - HEAD / 2 - 2),
            uprightAxis(y, { title: axis, across: x.range, ticks: ticksOf(reach), write: tickText }),
            inside(x.range, y.range, [
              between(x.range, [y(low), y(high)], { fill: "line", alpha: 0.5 }),
              silhouette(x, y, values, (value, at) => (at === dim ? null : value < 0 ? "negative" : "positive")),
              between(column(dim, wider), [y(0), y(values[dim] ?? 0)], { fill: "accent" }),
            ]),
            levels(x.range, y, [mean], { stroke: "quiet", width: 1.5 }),
            levels(x.range, y, [low, high], { stroke: "quiet", width: 1.5, dash: [2, 3] }),
            hovered && between(column(hovered.dim, 1), y.range, { stroke: "ink", width: 1 }),
          ];
        }),
        ...plots.map(({ values, y }) => pickedNumber(values[dim] ?? 0, y, column(dim), x.range)),
        axisAcross((value) => x(value - 1), {
          title: say("dims"),
          y: foot - BETWEEN / 2,
          range: x.range,
          ticks: [1, ...range(Math.floor(size / step)).map((at) => (at + 1) * step)],
          line: true,
        }),
      ],
    };
  },
  reading({ stages, tokens, token, dim: held, say }, spot) {
    const dim = spot?.dim ?? held;
    const values = Object.entries(stages).map(([name, stage]) =>
      say("value", { name: say(`axes.${name}`), value: signed(nth(stage.values, dim), 3) }),
    );
    return say("reading", { dimension: dim + 1, token: tokens[token], values: values.join("    ") });
  },
  values(shown) {
    const { tokens, token, layer, say } = shown;
    const stages = stagesOf(shown).map(({ title }) => title);
    return { token: tokens[token], name: say("name"), layer: layer + 1, stages: stages.join(". ") };
  },
  below({ tokens, size, exact, token, dim, stages, gamma, beta, ...terms }) {
    const write = exact ? number : threeDigits;
    return {
      token: escaped(tokens[token] ?? ""),
      dim: grouped(dim + 1),
      size: grouped(size),
      mean: write(terms.mean),
      variance: write(terms.variance),
      deviation: write(terms.deviation),
      eps: number(terms.epsilon),
      x: write(nth(stages.before.values, dim)),
      standard: write(nth(stages.standard.values, dim)),
      gamma: number(nth(gamma, dim)),
      beta: number(nth(beta, dim)),
      out: write(nth(stages.after.values, dim)),
    };
  },
  pick: ({ picked }, { dim }) => ({ dim: dim === picked ? null : dim }), // a second click unpicks it
  keys: ({ stack, tokens, token, dim, size }) => ({
    across: { at: dim, count: size, to: (at: number) => ({ dim: at }) },
    down: walkTokens(stack, token, tokens.length),
  }),
});

/** The picked dimension's number at the end of its bar, or beside it if the plot ends there. */
function pickedNumber(value: number, scale: Linear, [from, to]: Pair, [left, right]: Pair) {
  const style = { ink: "accent", bold: true, halo: "surface" };
  const words = signed(value);
  const [foot, top] = scale.range;
  const y = scale(Number.isFinite(value) ? value : 0) + (value < 0 ? VALUE : -VALUE);
  const half = textWidth(words, READABLE, true) / 2;
  if (y > top + VALUE - 4 && y < foot - VALUE + 4) {
    const middle = Math.min(Math.max((from + to) / 2, left + half), right - half);
    return text(words, middle, y, { ...style, align: "center" });
  }
  const isRight = to + 6 + 2 * half > right;
  const beside = y < (top + foot) / 2 ? top + VALUE - 2 : foot - VALUE + 2;
  return text(words, isRight ? from - 5 : to + 5, beside, { ...style, align: isRight ? "right" : "left" });
}
