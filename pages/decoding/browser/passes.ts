// Non-autoregressive decoding: the sentence after each pass. Rows: passes. Columns: positions, shaded by their tokens' probabilities.

import { percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { inkOn } from "../../../viz_core/browser/kit/svg_pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, LINE } from "../../../viz_core/web/src/marks/axis";
import { bitmapOf, cells, type Grid } from "../../../viz_core/web/src/marks/cells";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { type Band, band, range } from "../../../viz_core/web/src/marks/scale";
import { box, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { type Say, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const HEAD = LINE + 10; // px of the numbers of the positions
const GAP = [10, 15] as const; // px between cells
const HIGH = { most: 66, dense: 56, least: 32 }; // px of a row; below `dense` only the shade tells the probability
const COLUMN = { least: 60, most: 180, crowded: 84 }; // px
const SAMPLE = 44; // px of a cell in the legend
const TEXT = 60; // characters of the sentence above the passes in lecture mode
const MARKS = ["hidden", "other", "twin"] as const;

/** Two neighbours: the token that both may get, those with bars, and their probabilities in each series. */
export type Pair = { token: number; ids: number[]; series: number[][] };

type About = {
  words: string[][];
  pairs: Pair[];
  likely: number;
  labels: Record<number, string>;
  vocabulary: number;
  text: string;
  settings: { name: string; masked: boolean; most: number };
  steps: number;
};
/** hidden: masked before the pass, or not as greedy's; other: changed by it; twin: the same as a neighbour. */
type Cell = { label: string; share: number } & Record<(typeof MARKS)[number], boolean>;
export type Passes = ReturnType<typeof readPasses>;
type Spot = { row: number; column: number };

/** payload: from pages/decoding/passes.py. */
export function readPasses(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "ids" | "probabilities" | "hidden">(
    payload,
    textsIn("decoding.passes_figure"),
  );
  const rows = about.words.map((words, pass): Cell[] => {
    const [ids, before] = [pass, Math.max(pass - 1, 0)].map((at) => sliceOf(tensors.ids, at)) as [Int32Array, Int32Array];
    const [shares, hidden] = [sliceOf(tensors.probabilities, pass), sliceOf(tensors.hidden, pass)];
    return words.map((label, at) => ({
      ...{ label, share: nth(shares, at), hidden: hidden[at] === 1, other: ids[at] !== before[at] },
      twin: ids[at] === ids[at - 1] || ids[at] === ids[at + 1],
    }));
  });
  return { ...about, rows, say };
}

/** The first of the two positions that are compared: the picked one, else those that most likely get the same token. */
export const placeOf = ({ pairs, likely }: Passes, { place }: View) => Math.min(place ?? likely, Math.max(pairs.length - 1, 0));

export function passesAt(all: Passes, view: View) {
  const { rows, settings, say } = all;
  const [count, kind] = [rows.length, settings.masked ? "masked" : "plain"];
  const lead = view.lecture ? `on_stage_${kind}` : count === 1 && settings.masked ? "masked_once" : kind;
  const own: Say = (name, values) => say(name === "lead" ? lead : name, values);
  return { ...all, say: own, row: Math.min(view.step, count - 1), place: placeOf(all, view), lecture: view.lecture };
}

type Shown = ReturnType<typeof passesAt>;

const hiddenIn = (row: readonly Cell[]) => row.filter(({ hidden }) => hidden).length;
const nameOf = ({ say }: Shown, pass: number) => say("row", { number: pass + 1 });
const noteOf = ({ settings, say }: Shown, row: Cell[]) =>
  say(settings.masked ? "written" : "agreeing", { hidden: hiddenIn(row), same: row.length - hiddenIn(row), tokens: row.length });

export const passes: Figure<Passes, Shown, Spot> = {
  heights: [240, 1000],
  read: readPasses,
  at: passesAt,
  scene(shown, { w, h, whole }) {
    const { rows, row, place, pairs, settings, say } = shown;
    const [count, columns] = [rows.length, nth(rows, 0).length];
    const [names, notes] = [rows.map((_, at) => nameOf(shown, at)), rows.map((each) => noteOf(shown, each))];
    const high = whole ? Math.min(HIGH.most, Math.max((h - HEAD - LINE - APART) / count, HIGH.least)) : HIGH.most;
    const isDense = high < HIGH.dense;
    const [name, note] = [widestText(names), widestText(notes, false)];
    const left = 2 * APART + (isDense ? name + APART + note : Math.max(name, note)) + 2 * APART;
    const longest = widestText(rows.flatMap((cells) => cells.map(({ label }) => label))) + 2 * APART + GAP[0];
    const fitting = Math.max((w - left) / columns, COLUMN.crowded);
    const x = band(columns, [left, left + columns * Math.min(Math.max(longest, COLUMN.least), COLUMN.most, fitting)]);
    const y = band(count, [HEAD, HEAD + count * high]);
    const values = rows.flatMap((cells) => cells.map(({ share }) => share));
    const grid: Grid = { values, rows: count, columns, scale: { colours: "sequential", domain: [0, 1] } };
    const ends = [x.start(place) + GAP[0] / 2, x.start(place + 2) - 1.5 * GAP[0]] as const;
    const met = MARKS.filter((mark) => rows.some((cells) => cells.some((cell) => cell[mark])));
    const words = { hidden: say(settings.masked ? "mark_hidden" : "mark_open"), other: say("mark_other"), twin: say("mark_twin") };
    let end = 2 * APART;
    const legend = met.flatMap((mark) => {
      const [at, middle] = [end, y.range[1] + APART + LINE / 2];
      end += SAMPLE + 2 * APART + textWidth(words[mark], READABLE) + 3 * APART;
      const sample = { label: "ab", share: 0, hidden: false, other: false, twin: false, [mark]: true };
      const area = { x: at, y: middle - LINE / 2, w: SAMPLE, h: LINE };
      return [
        marked(sample, area),
        text("ab", at + SAMPLE / 2, middle, { bold: true, align: "center" }),
        text(words[mark], at + SAMPLE + 2 * APART, middle),
      ];
    });
    return {
      width: Math.max(w, x.range[1], end),
      height: y.range[1] + 2 * APART + LINE,
      sight: [x.start(place), x.start(place + 2)],
      marks: [
        box({ x: 0, y: y.start(row), w: 5, h: high - GAP[1] }, { fill: "accent" }),
        ...range(count).flatMap((at) => {
          const middle = y(at) - GAP[1] / 2;
          const own = { bold: true, ink: at === row ? "accent" : "ink" };
          const below = isDense ? ([2 * APART + name + APART, middle] as const) : ([2 * APART, middle + LINE / 2] as const);
          return [
            text(nth(names, at), 2 * APART, isDense ? middle : middle - LINE / 2, own),
            text(nth(notes, at), ...below, { ink: "quiet" }),
          ];
        }),
        ...range(columns).map((at) => {
          const isPicked = pairs.length > 0 && (at === place || at === place + 1);
          return text(String(at + 1), x(at) - GAP[0] / 2, LINE / 2, {
            align: "center",
            bold: isPicked,
            ink: isPicked ? "accent" : "quiet",
          });
        }),
        pairs.length ? rules([[ends[0], HEAD - 9, ends[1], HEAD - 9]], { stroke: "accent", width: 3 }) : null,
        cells(x, y, grid, { gap: GAP, datum: (row, column) => ({ row, column }) }),
        written(x, y, grid, rows, isDense),
        ...rows.flatMap((cells, pass) =>
          cells.map((cell, at) => marked(cell, { x: x.start(at), y: y.start(pass), w: x.step - GAP[0], h: high - GAP[1] })),
        ),
        ...legend,
      ],
    };
  },
  reading({ rows, pairs, lecture, say }, spot) {
    const cell = spot && rows[spot.row]?.[spot.column];
    if (cell) return say("cell", { pass: spot.row + 1, place: spot.column + 1, token: cell.label, share: percent(cell.share) });
    return pairs.length > 1 && !lecture ? say("pick") : "";
  },
  values({ rows, settings, text: whole, row, say }) {
    const signs = Array.from(whole);
    return {
      ...{ name: settings.name, tokens: nth(rows, 0).length, step_keys: say("step_keys"), step: row + 1 },
      passes: say(rows.length === 1 ? "one_pass" : "more_passes", { passes: rows.length }),
      text: signs.length > TEXT ? `${signs.slice(0, TEXT).join("")} …` : whole,
    };
  },
  spoken(shown) {
    const row = nth(shown.rows, shown.row);
    const told = { pass: nameOf(shown, shown.row), note: noteOf(shown, row), tokens: row.map(({ label }) => label).join(" ") };
    return shown.say("spoken", told);
  },
  pick: ({ steps, pairs }, { row, column }) => ({
    ...(pairs.length && { place: Math.min(column, pairs.length - 1) }),
    ...(row < steps && { step: row }),
  }),
  keys: ({ row, rows, steps, place, pairs }) => ({
    across: { at: place, count: Math.max(pairs.length, 1), to: (at) => ({ place: at }) },
    down: { at: row, count: Math.min(rows.length, steps), to: (at) => ({ step: at }) },
  }),
};

/** The token of each cell and, unless the rows are dense, its probability. */
function written(x: Band, y: Band, grid: Grid, rows: readonly Cell[][], isDense: boolean): Mark {
  return {
    draw(pen, theme) {
      const bitmap = bitmapOf(grid, theme);
      for (const [pass, cells] of rows.entries())
        for (const [at, { label, share, other }] of cells.entries()) {
          const [middle, from] = [x(at) - GAP[0] / 2, y(pass) - GAP[1] / 2 - (isDense ? 0 : LINE / 2)];
          const style = { fill: inkOn(bitmap.pixelAt(pass, at)), align: "center" as const, size: READABLE };
          const most = x.step - 2 * APART;
          pen.text(label, middle, from, { ...style, bold: true, max: most });
          const half = Math.min(textWidth(label, READABLE, true), most) / 2;
          if (other) pen.lines([[middle - half, from + 11, middle + half, from + 11]], { stroke: style.fill, width: 2 });
          if (!isDense) pen.text(percent(share), middle, from + LINE - 3, style);
        }
    },
  };
}

/** The frame of a masked cell and the line below one like its neighbour; in the legend, also that of a changed one. */
function marked({ label, hidden, other, twin }: Cell, { x, y, w, h }: { x: number; y: number; w: number; h: number }): Mark {
  const half = textWidth(label, READABLE, true) / 2;
  return {
    draw(pen, theme) {
      if (hidden) pen.box(x - 3, y - 3, w + 6, h + 6, { stroke: theme.accent, width: 3, dash: [5, 4] });
      if (twin) pen.lines([[x - 3, y + h + 7, x + w + 3, y + h + 7]], { stroke: theme.k, width: 4 });
      if (other && h === LINE)
        pen.lines([[x + w / 2 - half, y + h - 3, x + w / 2 + half, y + h - 3]], { stroke: theme.ink, width: 2 });
    },
  };
}

export const mountPasses = figure(passes);
