// Non-autoregressive decoding: the sentence after each pass. Rows: passes. Columns: positions, shaded by their tokens' probabilities.

import { beginning, percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { cssColour, inkOn, ladder, pixel } from "../../../viz_core/browser/kit/svg_pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, LINE } from "../../../viz_core/web/src/marks/axis";
import type { Box, Mark } from "../../../viz_core/web/src/marks/mark";
import { band, range } from "../../../viz_core/web/src/marks/scale";
import { place as area, box, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { type Say, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const HEAD = LINE + 10; // px of the numbers of the positions
const GAP = 10; // px between cells, half as much again between rows
const HIGH = { most: 66, dense: 40, least: 32 }; // px of a row; in a cell of at most `dense` only the shade tells the probability
const COLUMN = { least: 60, most: 180, crowded: 84 }; // px
const SAMPLE = 44; // px of a cell in the legend
const TEXT = 60; // characters of the sentence above the passes in lecture mode
const MARKS = ["hidden", "other", "twin"] as const;

/** Two neighbours: the token that both may get, those with bars, and their probabilities in each series. */
export type Pair = { token: number; ids: number[]; series: number[][] };

/** tried: tokens and text of each length; beside: of the model that decodes token by token, whether it has the same shape. */
export type About = {
  words: string[][];
  pairs: Pair[];
  likely: number;
  labels: Record<number, string>;
  vocabulary: number;
  text: string;
  settings: { name: string; masked: boolean; most: number; whole: boolean; ignored: boolean };
  steps: number;
  tried: [length: number, text: string][];
  beside: { name: string; text: string; steps: number; alike: boolean };
};
/** hidden: masked before the pass, or not as greedy's; other: changed by it; twin: the same as a neighbour. */
type Cell = { label: string; share: number } & Record<(typeof MARKS)[number], boolean>;
const NOTHING: Cell = { label: "ab", share: Number.NaN, hidden: false, other: false, twin: false };
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
    const [names, notes] = [rows.map((_, at) => nameOf(shown, at)), rows.map((cells) => noteOf(shown, cells))];
    const beside = 2 * APART + widestText(names) + APART;
    const left = beside + widestText(notes, false) + APART;
    const longest = widestText(rows.flatMap((cells) => cells.map(({ label }) => label))) + 2 * APART + GAP;
    const width = Math.min(Math.max(longest, COLUMN.least), COLUMN.most, Math.max((w - left) / columns, COLUMN.crowded));
    const high = whole ? Math.min(HIGH.most, Math.max((h - HEAD - LINE - 3 * APART) / count, HIGH.least)) : HIGH.most;
    const [x, y] = [band(columns, [left, left + columns * width]), band(count, [HEAD, HEAD + count * high])];
    const areaOf = (pass: number, at: number) => ({
      x: x.start(at) + GAP / 2,
      y: y.start(pass),
      w: x.step - GAP,
      h: y.step - 1.5 * GAP,
    });
    const isPicked = (at: number) => pairs.length > 0 && (at === place || at === place + 1);
    const said = { hidden: settings.masked ? "mark_hidden" : "mark_open", other: "mark_other", twin: "mark_twin" };
    let end = 2 * APART;
    const legend = MARKS.filter((mark) => rows.flat().some((cell) => cell[mark])).flatMap((mark) => {
      const [area, words] = [{ x: end, y: y.range[1] + APART, w: SAMPLE, h: LINE }, say(said[mark])];
      end += SAMPLE + 1.5 * APART + textWidth(words, READABLE) + 2 * APART;
      return [token({ ...NOTHING, [mark]: true }, area), text(words, area.x + SAMPLE + 1.5 * APART, area.y + LINE / 2)];
    });
    return {
      width: Math.max(w, x.range[1], end - 2 * APART),
      height: y.range[1] + 3 * APART + LINE,
      sight: [x.start(place), x.start(place + 2)],
      marks: [
        area({ x: left, y: HEAD, w: columns * width, h: count * high }, (px, py) => ({ row: y.at(py), column: x.at(px) })),
        box({ ...areaOf(row, 0), x: 0, w: 5 }, { fill: "accent" }),
        ...rows.flatMap((cells, pass) => {
          const middle = y(pass) - 0.75 * GAP;
          return [
            text(nth(names, pass), 2 * APART, middle, { bold: true, ink: pass === row ? "accent" : "ink" }),
            text(nth(notes, pass), beside, middle, { ink: "quiet" }),
            ...cells.map((cell, at) => token(cell, areaOf(pass, at))),
          ];
        }),
        ...range(columns).map((at) => {
          const style = isPicked(at) ? { bold: true, ink: "accent" } : { ink: "quiet" };
          return text(String(at + 1), x(at), LINE / 2, { align: "center", ...style });
        }),
        pairs.length
          ? rules([[x.start(place) + GAP, HEAD - 9, x.start(place + 2) - GAP, HEAD - 9]], { stroke: "accent", width: 3 })
          : null,
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
    return {
      ...{ name: settings.name, tokens: nth(rows, 0).length, step_keys: say("step_keys"), step: row + 1 },
      passes: say(rows.length === 1 ? "one_pass" : "more_passes", { passes: rows.length }),
      text: beginning(whole, TEXT),
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

/** A cell with its marks and, where there is room, its probability; that of the legend has no colour. */
function token({ label, share, hidden, other, twin }: Cell, { x, y, w, h }: Box): Mark {
  const [middle, most, isHigh] = [x + w / 2, w - APART, h > HIGH.dense];
  const [line, half] = [y + h / 2 - (isHigh ? LINE / 2 : 0), Math.min(textWidth(label, READABLE, true), most) / 2];
  return {
    draw(pen, theme) {
      const colour = pixel(ladder(theme.sequential), share);
      const ink = { fill: Number.isNaN(share) ? theme.ink : inkOn(colour), align: "center" as const, size: READABLE };
      if (!Number.isNaN(share)) pen.box(x, y, w, h, { fill: cssColour(colour) });
      pen.text(label, middle, line, { ...ink, bold: true, max: most });
      if (isHigh) pen.text(percent(share), middle, line + LINE - 3, ink);
      if (hidden) pen.box(x - 3, y - 3, w + 6, h + 6, { stroke: theme.accent, width: 3, dash: [5, 4] });
      if (other) pen.lines([[middle - half, line + 11, middle + half, line + 11]], { stroke: ink.fill, width: 2 });
      if (twin) pen.lines([[x - 3, y + h + 7, x + w + 3, y + h + 7]], { stroke: theme.k, width: 4 });
    },
  };
}

export const mountPasses = figure(passes);
