// Copying at each step. Left: the copied share of each output token. Right: how much copying each source token contributes to it.

import { percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, FOOT, LINE, UPRIGHT, axisAcross, columnNames, uprightTitle, rowLabels } from "../../../viz_core/web/src/marks/axis";
import { bars, box, place, text } from "../../../viz_core/web/src/marks/shapes";
import { cellNumbers, cells, frame, rowHeight } from "../../../viz_core/web/src/marks/cells";
import { entryAt, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { band, linear } from "../../../viz_core/web/src/marks/scale";

const MOST = 24; // rows, and columns, that leave room for labels and numbers
const WRITTEN = 0.005; // smaller contributions have no number
const GAP = 2; // px between cells
const ROW = { least: 26, most: 34, smallest: 26, together: 0 }; // px
const LEAST = { width: 640, column: 30 }; // px
const NAME = 170; // px of a token, at most

type About = {
  written: string[];
  source: string[];
  titles: string[];
  hovers: string[];
  same: number[][];
  text: string;
  steps: number;
};
type Copied = ReturnType<typeof readCopied>;
type Spot = { row: number; column: number };

/** payload: from pages/decoding/copying_compute.py. */
export function readCopied(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "shares" | "contributions">(payload);
  return { ...about, tensors, say };
}

/** The window of positions that are shown: all, or as many as fit around one of them. */
export function around(at: number, count: number) {
  return { first: Math.max(0, Math.min(at - MOST / 2, count - MOST)), count: Math.min(count, MOST) };
}

/** A share in whole percent: never 0 % or 100 % unless it is. */
export function brief(share: number): string {
  if ((share > 0 && share < WRITTEN) || share === 0 || share === 1) return percent(share);
  return share >= 0.995 ? ">99 %" : `${(100 * share).toFixed(0)} %`;
}

/** The data of the row of the picked cell, or else of the step. */
export function copiedAt(copied: Copied, { cell, step, lecture }: View) {
  const { written, source, tensors } = copied;
  const row = Math.min(cell?.[0] ?? step, written.length - 1);
  const contributions = Array.from(sliceOf(tensors.contributions, row));
  const best = contributions.indexOf(Math.max(...contributions));
  return {
    ...copied,
    row,
    best,
    most: contributions[best] ?? 0,
    lecture,
    rows: around(row, written.length),
    columns: around(best, source.length),
  };
}

type Shown = ReturnType<typeof copiedAt>;

const show = ({ steps }: Shown, { row, column }: Spot) => (row < steps ? { step: row, cell: null } : { cell: [row, column] });

export const copiedTokens: Figure<Copied, Shown, Spot> = {
  heights: [300, 1000],
  read: readCopied,
  at: copiedAt,
  scene({ written, source, same, tensors, row, rows, columns, lecture, say }, { w, h, whole }) {
    const seen = ({ first, count }: typeof rows) => [first, first + count] as const;
    const names = written.slice(...seen(rows));
    const words = source.slice(...seen(columns));
    const start = UPRIGHT + Math.min(NAME, widestText(names)) + APART;
    const shares = Array.from(tensors.shares.data).slice(...seen(rows));
    const room = Math.max(widestText(shares.map(brief)), widestText([say("bars_axis")], false) / 2) + 2 * APART;
    const width = Math.max(w, LEAST.width);
    const p = linear([0, 1], [start, start + 0.13 * width]);
    const left = p.range[1] + room;
    const x = band(words.length, [left, Math.max(width, left + words.length * LEAST.column)]);
    const under = columnNames(words, x.step);
    const below = Math.max(FOOT, under.height + LINE) + APART;
    const y = band(names.length, [0, names.length * rowHeight(names.length, h - below, whole, ROW)]);
    const foot = y.range[1];
    const values = names.flatMap((_, at) => Array.from(sliceOf(tensors.contributions, rows.first + at)).slice(...seen(columns)));
    const scale = { colours: "sequential", domain: [0, 1] } as const;
    const grid = { values, rows: names.length, columns: words.length, scale };
    const axis = (name: string, { first, count }: typeof rows, of: string[]) =>
      say(count === of.length ? name : `${name}_part`, { first: first + 1, last: first + count, count: of.length });
    const across = axis("row_axis", rows, written);
    const own = row - rows.first;
    return {
      width: x.range[1],
      height: foot + below,
      marks: [
        place({ x: 0, y: 0, w: x.range[1], h: foot }, (px, py) => ({
          row: rows.first + y.at(py),
          column: columns.first + Math.max(x.at(px), 0),
        })),
        uprightTitle(lecture ? across : say("row_axis_click", { axis: across }), 0, y.range),
        rowLabels(y, names, { x: start - APART, align: "right", max: NAME, held: own }),
        bars(y, p, shares, { ink: "accent", picked: own, across: true, share: 0.7 }),
        ...shares.map((share, at) => text(brief(share), p(share) + 6, y(at))),
        axisAcross(p, { title: say("bars_axis"), y: foot, range: p.range, ticks: [0, 1], write: percent }),
        box({ x: left, y: 0, w: x.range[1] - left, h: foot }, { fill: "line" }),
        cells(x, y, grid, { gap: [GAP, GAP] }),
        cellNumbers(x, y, grid, (value) => (value >= WRITTEN ? brief(value).replace(" %", "") : ""), READABLE, GAP),
        ...same
          .flatMap((places, at) => places.map((column) => ({ row: at - rows.first, column: column - columns.first })))
          .filter((spot) => y.at(y(spot.row)) >= 0 && x.at(x(spot.column)) >= 0)
          .map((spot) => frame(x, y, spot, { stroke: "ink", width: 2 })),
        frame(x, y, { row: own }, { stroke: "accent", width: 3 }),
        under.at(x, foot, -1),
        text(axis("cells_axis", columns, source), (left + x.range[1]) / 2, foot + below - LINE / 2, { align: "center" }),
      ],
    };
  },
  reading: ({ hovers, row }, spot) => entryAt(hovers, spot?.row ?? row),
  values: ({ titles, row, text: whole, lecture, say }) => {
    const title = entryAt(titles, row);
    return { title: lecture ? say("stage_title", { text: whole, title }) : title, step: row + 1 };
  },
  spoken: ({ titles, source, row, best, most, say }) =>
    `${entryAt(titles, row)}. ${say("bar", { token: source[best], share: brief(most) })}`,
  pick: (shown, spot) => show(shown, spot),
  keys(shown) {
    const walk = { at: shown.row, count: shown.written.length, to: (row: number) => show(shown, { row, column: 0 }) };
    return { across: walk, down: walk };
  },
};

export const mountCopiedTokens = figure(copiedTokens);
