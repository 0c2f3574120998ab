// How uncertain the trained and an untrained model are at each step: two bars, and ln V, where all tokens are equally likely.

import { number } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, LINE, UPRIGHT, columnNames, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { type Mark, inkOf } from "../../../viz_core/web/src/marks/mark";
import { box, levels, place, text } from "../../../viz_core/web/src/marks/shapes";
import { nth, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { type Band, type Linear, band, linear, ticksTo } from "../../../viz_core/web/src/marks/scale";

const [LEAST, COLUMN, SWATCH] = [640, 34, 22]; // px: of the width, of a column, of a colour in the legend
const THICK = 0.36; // of a bar, as a share of its column

type About = { written: string[]; most: number; walks: boolean };
type Untrained = ReturnType<typeof readUntrained>;
type Spot = { step: number };

/** payload: from pages/code/untrained.py. */
export function readUntrained(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "trained" | "fresh">(payload, textsIn("code.untrained_steps"));
  return { ...about, trained: Array.from(tensors.trained.data), fresh: Array.from(tensors.fresh.data), say };
}

const untrainedAt = (data: Untrained, view: View) => ({
  ...data,
  at: data.walks ? Math.min(view.step, data.written.length - 1) : 0,
});

/** Bars beside each other: hatched for the second model, so that they differ without colours. */
function pairs(x: Band, y: Linear, values: readonly number[], side: -1 | 1): Mark {
  return {
    draw(pen, theme) {
      values.forEach((value, at) => {
        const [left, top] = [x(at) + (side < 0 ? -THICK * x.step : 0), y(value)];
        const [w, h] = [THICK * x.step, y(0) - top];
        if (side < 0) pen.box(left, top, w, h, { fill: theme.accent });
        else pen.hatch(left, top, w, h, { fill: inkOf(theme, "surface"), stroke: theme.quiet });
        if (side > 0) pen.box(left, top, w, h, { stroke: theme.quiet, width: 1 });
      });
    },
  };
}

export const untrainedSteps: Figure<Untrained, ReturnType<typeof untrainedAt>, Spot> = {
  heights: [300, 430],
  read: readUntrained,
  at: untrainedAt,
  scene({ written, trained, fresh, most, at, say }, { w, h }, hovered) {
    const y0 = Math.max(most, ...trained, ...fresh) * 1.14;
    const left = UPRIGHT + widestText(ticksTo(y0).map(String), false) + APART;
    const width = Math.max(w, LEAST, left + written.length * COLUMN);
    const x = band(written.length, [left, width - 4]);
    const names = columnNames(written, x.step);
    const [top, foot] = [LINE + 6, h - names.height - LINE];
    const y = linear([0, y0], [foot, top]);
    const second = left + SWATCH + 8 + textWidth(say("trained"), READABLE) + 24;
    const swatch = (from: number, to: number) => ({ x: from, y: 5, w: to, h: LINE - 10 });
    const ground = (step: number, alpha: number) =>
      box({ x: x.start(step), y: top, w: x.step, h: foot - top }, { fill: "accent", alpha });
    return {
      width,
      height: h,
      sight: [x.start(at), x.start(at + 1)],
      marks: [
        place({ x: left, y: top, w: width - 4 - left, h: h - top }, (px) => ({ step: Math.max(0, x.at(px)) })),
        box(swatch(left, SWATCH), { fill: "accent" }),
        text(say("trained"), left + SWATCH + 8, LINE / 2),
        { draw: (pen, theme) => pen.hatch(second, 5, SWATCH, LINE - 10, { fill: inkOf(theme, "surface"), stroke: theme.quiet }) },
        text(say("fresh"), second + SWATCH + 8, LINE / 2),
        ground(at, 0.18),
        hovered && ground(hovered.step, 0.1),
        uprightAxis(y, { title: say("entropy"), across: x.range, grid: true }),
        pairs(x, y, trained, -1),
        pairs(x, y, fresh, 1),
        levels(x.range, y, [most], { stroke: "k_text", width: 3, dash: [9, 9] }),
        text(say("ln_v", { value: number(most) }), width - 6, y(most) - LINE / 2 - 2, {
          ink: "k_text",
          align: "right",
          halo: "surface",
        }),
        names.at(x, foot, at),
        text(say("written"), (left + width) / 2, h - LINE / 2, { align: "center" }),
      ],
    };
  },
  reading({ written, trained, fresh, at, say }, spot) {
    const step = spot?.step ?? at;
    const [a, b] = [trained, fresh].map((values) => number(nth(values, step)));
    return say("step", { step: step + 1, word: nth(written, step), trained: a, untrained: b });
  },
  values: () => ({}),
  spoken: (shown) => {
    const { say, most } = shown;
    return [say("lead"), untrainedSteps.reading(shown, null), say("ln_v", { value: number(most) })].join(". ");
  },
  pick: ({ walks }, { step }) => (walks ? { step } : null),
  keys({ written, walks, at }) {
    const count = walks ? written.length : 1;
    return { across: { at, count, to: (step) => ({ step }) }, down: { at: 0, count: 1, to: () => null } };
  },
};

export const mountUntrainedSteps = figure(untrainedSteps);
