// The masks of one sentence of a batch: which key each query may look at, and why not at the others. Rows: queries. Columns: keys.

import { grouped, number } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, LINE, UPRIGHT, columnLabels, rowLabels, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { type Grid, cells, rowHeight } from "../../../viz_core/web/src/marks/cells";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { band, range } from "../../../viz_core/web/src/marks/scale";
import { text } from "../../../viz_core/web/src/marks/shapes";
import { nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const [ROOMY, PRINTED] = [9, 16]; // columns up to which a cell has room for two signs, and for one
const [NAME, LEAST, WIDEST] = [120, 640, 1100]; // px of a token at most, and of the figure
const ROW = { least: 30, most: 44, smallest: 22, together: 0 };
const OPEN = { colours: "sequential", domain: [-1, 9] } as const; // 0 is light, and what is no number closed

type About = { sentences: string[][]; lengths: number[]; row: number; which: "both" | "causal" | "padding" };
type Batch = ReturnType<typeof readBatch>;
type Shown = ReturnType<typeof batchAt>;
type Spot = { row: number; column: number };

/** payload: from pages/masked_attention/masks.py. closed: why each cell is, row by row. */
export function readBatch(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "open" | "changes">(
    payload,
    textsIn("masked_attention.batch_masks"),
    textsIn("joined"),
  );
  const { sentences, lengths, row, which } = about;
  const [tokens, length] = [nth(sentences, row), nth(lengths, row)];
  const closed = range(tokens.length ** 2).map((at) => {
    const [query, key] = [Math.floor(at / tokens.length), at % tokens.length];
    const is = { causal: key > query, padding: key >= length };
    if (which !== "both") return is[which] ? [which] : [];
    return nth(tensors.open.data, at) ? [] : (["causal", "padding"] as const).filter((reason) => is[reason]);
  });
  const values = Float32Array.from(closed, (reasons) => (reasons.length ? Number.NaN : 0));
  const grid: Grid = { values, rows: tokens.length, columns: tokens.length, scale: OPEN };
  return { ...about, tokens, length, closed, grid, changes: tensors.changes, say };
}

const batchAt = (batch: Batch, { layer }: View) => ({ ...batch, layer: Math.min(layer, (batch.changes.shape[0] ?? 1) - 1) });

function signOf({ say, tokens }: Shown, reasons: readonly string[]) {
  if (reasons.length > 1 && tokens.length > ROOMY) return say("marks.both");
  return reasons.map((reason) => say(`marks.${reason}`)).join(" ") || "✓";
}

const hidden = ({ closed, say }: Shown) =>
  say("hidden", { hidden: grouped(closed.filter((reasons) => reasons.length).length), cells: grouped(closed.length) });

export const batchMasks: Figure<Batch, Shown, Spot> = {
  heights: [300, 2000],
  read: readBatch,
  at: batchAt,
  scene(shown, { w, h, whole }) {
    const { tokens, closed, grid, say } = shown;
    const count = tokens.length;
    const start = UPRIGHT + Math.min(NAME, widestText(tokens)) + APART;
    const width = Math.max(Math.min(w, WIDEST), LEAST, start + count * READABLE);
    const x = band(count, [start, width - NAME / 2]);
    const level = widestText(tokens) + 6 < x.step;
    const top = 2 * LINE + (level ? 0 : Math.min(NAME, widestText(tokens)) * 0.7);
    const y = band(count, [top, top + count * rowHeight(count, h - top, whole, ROW)]);
    const signs: Mark = {
      draw(pen, theme) {
        for (const [at, reasons] of closed.entries()) {
          const words = signOf(shown, reasons);
          pen.text(words, x(at % count), y(Math.floor(at / count)), { fill: theme.ink, align: "center", max: x.step - 4 });
        }
      },
    };
    return {
      width,
      height: y.range[1] + 4,
      marks: [
        text(say("columns"), (x.range[0] + x.range[1]) / 2, LINE / 2, { align: "center" }),
        uprightTitle(say("rows"), 0, y.range),
        rowLabels(y, tokens, { x: start - APART, align: "right", max: NAME }),
        columnLabels(x, tokens, { y: top - 6, held: -1, max: NAME, level }),
        cells(x, y, grid, { gap: count > 40 ? [0, 0] : [2, 2], datum: (row, column) => ({ row, column }) }),
        count <= PRINTED ? signs : null,
      ],
    };
  },
  reading(shown, spot) {
    if (!spot) return hidden(shown);
    const { tokens, closed, say } = shown;
    const why = nth(closed, spot.row * tokens.length + spot.column).map((reason) => say(`reasons.${reason}`));
    const values = { query: nth(tokens, spot.row), key: nth(tokens, spot.column), why: why.join(say("list")) || say("open") };
    return say("cell", values);
  },
  values: ({ which, say }) => ({ title: say(`titles.${which}`), which }),
  spoken: (shown) => [shown.say(`titles.${shown.which}`), hidden(shown)].join(". "),
  shared: "batch_masks",
  below({ layer, length, tokens, changes }) {
    const [difference, onPadding] = Array.from(sliceOf(changes, layer), (value) => (value ? number(value) : "0"));
    const pads = tokens.length - length;
    return {
      text: pads ? "of_batch" : "of_batch_equal",
      layer: layer + 1,
      length,
      width: tokens.length,
      pads,
      difference,
      on_padding: onPadding,
    };
  },
};

export const mountBatchMasks = figure(batchMasks);
