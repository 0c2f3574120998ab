// What each component of the decoder adds: bars, each of which begins where the one above ends.

import { signed } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, figure, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, FOOT, UPRIGHT, axisAcross, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { isLabelled, rowHeight } from "../../../viz_core/web/src/marks/cells";
import { band, linear } from "../../../viz_core/web/src/marks/scale";
import { between, box, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt } from "../../../viz_core/web/src/payload";
import { hides } from "../../../viz_core/web/src/view";
import { type Summed, type Term, readSummed } from "./summed";
import { ticksOf } from "./word_bars";

const ROWS = { least: 24, most: 34, smallest: 24, together: 400 }; // px
const [LEAST, TALL] = [860, 0.74]; // px of the width; of a row, the height of a bar

function summedAt({ at }: Summed, view: Parameters<Summed["at"]>[0]) {
  const { say: all, terms, value, ...shown } = at(view);
  const say: typeof all = (name, values) => all(`terms.${name}`, values);
  const total: Term = { name: say("total"), value, layer: null };
  return { ...shown, say, rows: [...terms, total] };
}

type Shown = ReturnType<typeof summedAt>;
type Spot = { row: number };

const isTotal = ({ rows }: Shown, row: number) => row === rows.length - 1;
const written = (shown: Shown, row: number) => {
  const { value } = entryAt(shown.rows, row);
  return `${value > 0 && !isTotal(shown, row) ? "+" : ""}${signed(value)}`;
};
const isHeld = (shown: Shown, row: number) => isTotal(shown, row) || entryAt(shown.rows, row).layer === shown.held.layer;
const said = (shown: Shown, row: number) => shown.say("named", { name: entryAt(shown.rows, row).name, value: written(shown, row) });

/** Of one term; without one, of those of the layer on display and of the sum. */
function reading(shown: Shown, spot: Spot | null): string {
  if (spot) return said(shown, spot.row);
  return shown.rows.flatMap((_, row) => (isHeld(shown, row) ? [said(shown, row)] : [])).join("    ");
}

const values = ({ word, rival, step }: Shown) => ({ word, rival, step: step + 1 });

export const logitSums: Figure<Summed, Shown, Spot> = {
  heights: [200, 3000],
  shared: "logit_sums",
  isCovered: hides,
  tells: true,
  read: readSummed,
  at: summedAt,
  scene(shown, { w, h, whole }, hovered) {
    const { say, rows } = shown;
    const width = Math.max(w, LEAST);
    const left = UPRIGHT + widestText(rows.map(({ name }) => name)) + APART;
    const step = rowHeight(rows.length, h - FOOT, whole, ROWS);
    const y = band(rows.length, [0, step * rows.length]);
    const ends = rows.slice(0, -1).map((_, at) => rows.slice(0, at + 1).reduce((sum, { value }) => sum + value, 0));
    const starts = [...ends.map((end, row) => end - entryAt(rows, row).value), 0];
    const stops = [...ends, entryAt(rows, rows.length - 1).value];
    const [low, high] = [Math.min(0, ...starts, ...stops), Math.max(0, ...starts, ...stops)];
    const span = Math.max(high - low, 1e-9);
    const x = linear([low - 0.03 * span, high + 0.14 * span], [left, width]);
    const ticks = ticksOf(x);
    const foot = y.range[1];
    const half = (TALL / 2) * step;
    return {
      width,
      height: foot + FOOT,
      marks: [
        place({ x: 0, y: 0, w: width, h: foot }, (_, py) => ({ row: y.at(py) })),
        hovered && box({ x: left, y: y.start(hovered.row), w: width - left, h: step }, { fill: "accent", alpha: 0.12 }),
        uprightTitle(say("writers"), 0, y.range),
        rules(
          ticks.map((value) => [x(value), 0, x(value), foot]),
          { stroke: "line", width: 1 },
        ),
        rules([[x(0), 0, x(0), foot]], { stroke: "quiet", width: 1 }),
        rules(
          ends.map((end, row) => [x(end), y(row) - half, x(end), y(row + 1) + half]),
          { stroke: "quiet", width: 1 },
        ),
        ...rows.flatMap(({ name, value }, row) => {
          const [start, stop] = [entryAt(starts, row), entryAt(stops, row)];
          const fill = isTotal(shown, row) ? "accent" : value >= 0 ? "positive" : "negative";
          return [
            between([x(start), x(stop)], [y(row) - half, y(row) + half], { fill }),
            text(written(shown, row), x(Math.max(start, stop)) + 6, y(row)),
            isLabelled(row, rows.length - 1, step, READABLE)
              ? text(name, left - APART, y(row), { align: "right", bold: isHeld(shown, row) })
              : null,
          ];
        }),
        axisAcross(x, {
          title: say("axis", values(shown)),
          y: foot,
          range: [left, width],
          ticks,
          write: (value) => String(value).replace("-", "−"),
        }),
      ],
    };
  },
  reading,
  values,
  spoken: (shown) => [shown.say("lead", values(shown)), ...shown.rows.map((_, row) => said(shown, row))].join(". "),
  pick: ({ rows }, { row }) => {
    const { layer } = entryAt(rows, row);
    return layer === null ? null : { layer };
  },
  keys: ({ step, count, held, heads }) => ({
    across: walkTokens("decoder", step, count),
    down: { at: held.layer, count: heads.rows, to: (layer) => ({ layer }) },
  }),
};

export const mountLogitSums = figure(logitSums);
