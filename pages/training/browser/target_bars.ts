// The target distribution of a step beside the model's, on a logarithmic axis, which makes ε / V visible.

import { grouped, percent, raised } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, LINE, UPRIGHT, columnNames, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { band, linear } from "../../../viz_core/web/src/marks/scale";
import { between, box, place, text } from "../../../viz_core/web/src/marks/shapes";
import { nth, sliceOf, sum } from "../../../viz_core/web/src/payload";
import { hides } from "../../../viz_core/web/src/view";
import { belowLoss, type Loss, readLoss, stepOf } from "./sentence_loss";

const SERIES = [
  ["target", "output"],
  ["model", "accent"],
] as const; // their names, and their colours
const POWERS = [-8, -6, -4, -2, 0]; // of ten, on the axis
const THICK = 0.375; // of a bar, as a share of its column
const LEAST = 640; // px of the width
const SAMPLE = 16; // px of the legend

type Spot = { column: number };
type Shown = ReturnType<typeof targetAt>;

/** target, model: probabilities of the tokens with bars, the correct one first, and of all others together. */
export function targetAt(loss: Loss, view: View) {
  const step = stepOf(loss, view);
  const { size, epsilon, bars, tensors, say } = loss;
  const tokens = nth(bars, step);
  const rest = size - tokens.length;
  const withRest = (shares: number[]) => (rest ? [...shares, Math.max(0, 1 - sum(shares))] : shares);
  const each = epsilon / 100 / size;
  return {
    ...loss,
    step,
    each,
    target: withRest(tokens.map((_, at) => each + (at ? 0 : 1 - epsilon / 100))),
    model: withRest(Array.from(sliceOf(tensors.shares, step))),
    words: [...tokens, ...(rest ? [say("others", { count: grouped(rest) })] : [])],
    names: [...tokens.map((token) => `«${token}»`), say("others", { count: grouped(rest) })],
  };
}

export const targetBars: Figure<Loss, Shown, Spot> = {
  heights: [300, 405],
  read: readLoss,
  at: targetAt,
  scene(shown, { w, h }) {
    const { words, say } = shown;
    const width = Math.max(w, LEAST);
    const left = UPRIGHT + widestText(POWERS.map(powerOfTen), false) + APART;
    const x = band(words.length, [left, width]);
    const names = columnNames(words, x.step);
    const y = linear([nth(POWERS, 0), 0.1], [h - names.height - LINE, LINE + APART]);
    const [foot, top] = y.range;
    let end = left;
    const all = SERIES.flatMap(([name, ink], at) => {
      const start = (column: number) => x(column) + (at - 1) * THICK * x.step;
      const height = (share: number) => y(Math.max(Math.log10(share), nth(POWERS, 0)));
      const sample = { x: end, y: (LINE - SAMPLE) / 2, w: SAMPLE, h: SAMPLE };
      end += SAMPLE + APART + textWidth(say(`name_${name}`), READABLE) + 3 * APART;
      return [
        box(sample, { fill: ink }),
        text(say(`name_${name}`), sample.x + SAMPLE + APART, LINE / 2),
        ...shown[name].map((share, column) =>
          share > 0 ? between([start(column), start(column) + THICK * x.step], [foot, height(share)], { fill: ink }) : null,
        ),
      ];
    });
    return {
      width,
      height: h,
      marks: [
        place({ x: left, y: top, w: width - left, h: foot - top }, (px) => ({ column: x.at(px) })),
        uprightAxis(y, { title: say("axis_probability"), across: [left, width], grid: true, ticks: POWERS, write: powerOfTen }),
        ...all,
        names.at(x, foot, 0),
        text(say("axis_tokens"), (left + width) / 2, h - LINE / 2, { align: "center" }),
      ],
    };
  },
  reading({ names, target, model, size, each, say }, spot) {
    const [at, token] = [spot?.column ?? 0, nth(names, spot?.column ?? 0)];
    if (!spot) return say("says_target", { token, share: percent(nth(target, 0)), others: grouped(size - 1), each: percent(each) });
    const said = SERIES.map(([name]) =>
      say(`hover_${name}`, { token, share: percent(nth(name === "model" ? model : target, at)) }),
    );
    return said.join("    ");
  },
  values: ({ step, smoothing }) => ({ step: step + 1, epsilon: smoothing }),
  keys({ step, write }) {
    const walk = walkTokens("decoder", step, write.length);
    return { across: walk, down: walk };
  },
  isCovered: hides,
  shared: "sentence_loss",
  below: (shown) => belowLoss(shown, shown.step),
};

const powerOfTen = (power: number) => (power ? `10${raised(power)}` : "1");

export const mountTargetBars = figure(targetBars);
