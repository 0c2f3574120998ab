// The gradient that reaches each decoder layer of an untrained model, with pre-norm and with post-norm.

import { number } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, FOOT, LINE, UPRIGHT, axisAcross, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { lines, nearest, dots, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { nth, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { band, endAbove, linear, range, ticksTo } from "../../../viz_core/web/src/marks/scale";

const PLACES = ["pre", "post"] as const;
const INKS = ["q", "k"] as const;
const LEAST = 640; // px of the width

type Learned = ReturnType<typeof readLearned>;
type Spot = { layer: number; place: number };

/** payload: from pages/code/variants.py. */
export function readLearned(payload: Uint8Array) {
  const { tensors, say } = readPayload<object, (typeof PLACES)[number]>(payload, textsIn("code.norm_place_figure"));
  return { curves: PLACES.map((place) => Array.from(tensors[place].data)), say };
}

const learnedAt = ({ curves, say }: Learned, { layer }: View) => ({
  curves,
  layer: Math.min(layer, nth(curves, 0).length - 1),
  say,
});

const reading = ({ curves, say }: ReturnType<typeof learnedAt>, { layer, place }: Spot) =>
  say("value", { place: PLACES[place], layer: layer + 1, value: number(nth(nth(curves, place), layer)) });

export const normPlace: Figure<Learned, ReturnType<typeof learnedAt>, Spot> = {
  heights: [300, 470],
  read: readLearned,
  at: learnedAt,
  scene({ curves, layer, say }, { w, h }, hovered) {
    const width = Math.max(w, LEAST);
    const count = nth(curves, 0).length;
    const [top, foot] = [2 * LINE + 6, h - FOOT - 6];
    const y = linear([0, endAbove(curves.flat(), 1.05)], [foot, top]);
    const left = UPRIGHT + widestText(ticksTo(y.domain[1]).map(String), false) + APART;
    const x = band(count, [left, width - 4]);
    const names = PLACES.map((place) => say(place));
    const here = say("here", { value: layer + 1 });
    const isLast = x(layer) + textWidth(here, READABLE) + 12 > width;
    return {
      width,
      height: h,
      marks: [
        ...names.map((name, at) => text(name, left + 34, LINE * (at + 0.5), { ink: "ink" })),
        rules([[left, LINE / 2, left + 26, LINE / 2]], { stroke: "q", width: 3 }),
        rules([[left, LINE * 1.5, left + 26, LINE * 1.5]], { stroke: "k", width: 3, dash: [8, 5] }),
        uprightAxis(y, { title: say("gradient"), across: x.range, grid: true }),
        axisAcross((value) => x(value - 1), {
          title: say("layer"),
          y: foot,
          range: x.range,
          ticks: range(count).map((at) => at + 1),
        }),
        rules([[x(layer), top, x(layer), foot]], { stroke: "quiet", width: 2, dash: [2, 5] }),
        nearest(x, y, curves, (at, place) => ({ layer: at, place })),
        ...curves.flatMap((values, at) => [
          lines(x, y, [values], { stroke: nth(INKS, at), width: 3, ...(at && { dash: [8, 5] }) }),
          dots(x, y, values, nth(INKS, at)),
        ]),
        hovered &&
          dots(
            x,
            y,
            nth(curves, hovered.place).map((value, at) => (at === hovered.layer ? value : Number.NaN)),
            "ink",
            8,
          ),
        text(here, x(layer) + (isLast ? -6 : 6), top + LINE / 2, { align: isLast ? "right" : "left", halo: "surface" }),
      ],
    };
  },
  reading: (shown, spot) =>
    (spot ? [spot] : PLACES.map((_, place) => ({ layer: shown.layer, place }))).map((each) => reading(shown, each)).join("    "),
  values: () => ({}),
  spoken: (shown) => [shown.say("lead"), normPlace.reading(shown, null)].join(". "),
};

export const mountNormPlace = figure(normPlace);
