// A step's logit, or its lead over another word's, as a sum over the decoder's components: bars, each of which begins where the one above
// ends; and what each head adds to it.

import { number, signed, escaped, latex } from "../../../viz_core/browser/kit/numbers";
import { type View, type Figure, figure, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, FOOT, UPRIGHT, axisAcross, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { entryAt, nth, readPayload, sliceOf, speaker, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { isLabelled, rowHeight } from "../../../viz_core/web/src/marks/cells";
import { between, box, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { hides } from "../../../viz_core/web/src/view";
import { ticksOf } from "./source_words";
import { headFigure } from "../../../viz_core/web/src/marks/heads";
import { range, band, linear } from "../../../viz_core/web/src/marks/scale";

// A step's logit, or its lead over another word's, as a sum over the components of the decoder.

const TERMS = textsIn("why.attribution");
const HEADS = textsIn("why.attributed_heads");
const WRITERS = ["masked", "cross", "ffn"] as const;
const SMALL = 1e-3; // of the value: a greater remainder is not due to rounding

type About = { of: "difference" | "logit"; kind: "masked" | "cross"; written: string[]; rivals: string[]; same: boolean[] };
/** One term: its name, its value, and its layer if it has one. */
export type Term = { name: string; value: number; layer: number | null };
export type Summed = ReturnType<typeof readSummed>;

/** payload: from pages/why/logits.py. below: the values of the texts below. */
export function readSummed(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, "terms" | "value" | "heads">(payload);
  const say = speaker(TERMS[about.of], TERMS, textsIn("joined"));
  const sayOfHeads = speaker(HEADS[about.of], HEADS, { attention: TERMS[about.kind] });
  const [, layers = 1, heads = 1] = tensors.heads.shape;
  const count = about.written.length;
  const logitOf = (step: number) => nth(tensors.value.data, step);
  const remainderOf = (step: number) => logitOf(step) - sum(sliceOf(tensors.terms, step));
  const isExact = (step: number) => Math.abs(remainderOf(step)) <= SMALL * Math.max(Math.abs(logitOf(step)), 1);
  const remains = !range(count).every(isExact); // one step's is a row at all of them, so that they have the same rows

  function at(view: View) {
    const step = Math.min(view.step, count - 1);
    const own = Array.from(sliceOf(tensors.terms, step));
    const components = ["embedding", "positions", ...range(layers).flatMap(() => WRITERS), "constant"];
    const terms = components.map((component, row): Term => {
      const layer = WRITERS.some((writer) => writer === component) ? Math.floor((row - 2) / WRITERS.length) : null;
      const writer = say(component);
      return { name: layer === null ? writer : say("part", { layer: layer + 1, writer }), value: nth(own, row), layer };
    });
    if (remains) terms.push({ name: say("remainder"), value: remainderOf(step), layer: null });
    return {
      say,
      sayOfHeads,
      step,
      count,
      word: entryAt(about.written, step),
      rival: about.rivals[step] ?? "",
      terms,
      value: logitOf(step),
      heads: { values: sliceOf(tensors.heads, step), rows: layers, columns: heads },
      held: { layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) },
    };
  }

  function below(view: View) {
    const { step, word, rival, value } = at(view);
    const own = Array.from(sliceOf(tensors.terms, step));
    const ofWriter = (writer: number) => sum(range(layers).map((layer) => nth(own, 2 + WRITERS.length * layer + writer)));
    const sums = {
      embedding: nth(own, 0),
      positions: nth(own, 1),
      ...Object.fromEntries(WRITERS.map((writer, at) => [writer, ofWriter(at)])),
      constant: nth(own, own.length - 1),
      ...(!isExact(step) && { remainder: remainderOf(step) }),
    };
    const written = Object.entries(sums).map(
      ([component, term]) => `\\underbrace{(${number(term)})}_{\\text{${latex(say(component))}}}`,
    );
    const symbol = (token: string) => `z_{\\text{${latex(token)}}}`;
    return {
      left: rival ? `${symbol(word)} - ${symbol(rival)}` : symbol(word),
      terms: written.join(" + "),
      remainder: number(remainderOf(step)),
      value: number(value),
      word: escaped(word),
      rival: escaped(rival),
      told: isExact(step) ? "exact" : "no_sum",
      same: about.same[step] ? "same_rival" : "",
    };
  }

  return { at, below };
}

const ROWS = { least: 24, most: 34, smallest: 24, together: 400 }; // px
const [LEAST, TALL] = [860, 0.74]; // px of the width; of a row, the height of a bar

function summedAt({ at }: Summed, view: Parameters<Summed["at"]>[0]) {
  const { terms, value, ...shown } = at(view);
  const total: Term = { name: shown.say("total"), value, layer: null };
  return { ...shown, rows: [...terms, total] };
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

/** One term in words; without one, the terms of the current layer and the sum. */
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

// How much each head of one attention adds to a logit, or to its lead.

export const attributedHeads = headFigure({
  read: readSummed,
  at({ at }: Summed, view) {
    const { sayOfHeads: say, heads, ...shown } = at(view);
    const limit = Math.max(1e-9, ...Array.from(heads.values, Math.abs));
    const grid = { ...heads, scale: { colours: "diverging" as const, domain: [-limit, limit] as const } };
    return { ...shown, say, grid, write: (value: number) => signed(value) };
  },
  values: ({ word, rival, step, say }) => ({ word, rival, step: step + 1, attention: say("attention") }),
});

export const mountAttributedHeads = figure(attributedHeads);
