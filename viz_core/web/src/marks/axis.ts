// Axes: numbers with a title, vertical or horizontal; names below columns, slanted where they would touch; labels beside rows or over
// columns.

import { READABLE, textWidth, widestText } from "../../../browser/kit/pen";
import { isLabelled } from "./cells";
import { type Mark, textInk, type Ink, type TextStyle } from "./mark";
import { type Band, type Linear, type Pair, ticksTo } from "./scale";
import { text } from "./shapes";

// px
export const UPRIGHT = 26; // width of a vertical title
export const APART = 8; // from the numbers to their axis
export const LINE = 26; // height of a line of text
const TICK = 5;
const SLANT = (40 * Math.PI) / 180; // the least angle of slanted names

/** The vertical title of a y axis or of rows, from `edge` rightwards. */
export function uprightTitle(words: string, edge: number, [from, to]: Pair): Mark {
  return text(words, edge + UPRIGHT / 2 - 2, (from + to) / 2, { align: "center", angle: -90 });
}

interface UprightAxis {
  title: string;
  /** px from left to right; the numbers stand to its left. `grid` draws a rule at each number, otherwise there is one vertical line. */
  across: Pair;
  grid?: boolean;
  ticks?: readonly number[];
  write?: (value: number) => string;
  edge?: number; // px of the title's left edge
}

/** How many numbers fit along a vertical axis. */
const roomFor = ({ range: [from, to] }: Linear) => Math.max(2, Math.floor(Math.abs(from - to) / (READABLE + 12)));

export function uprightAxis(y: Linear, { across: [left, right], edge = 0, ...axis }: UprightAxis): Mark {
  const { title, grid = false, write = String } = axis;
  const ticks = axis.ticks ?? ticksTo(y.domain[1], Math.min(roomFor(y), 5));
  const [from, to] = y.range;
  const name = uprightTitle(title, edge, y.range);
  return {
    draw(pen, theme) {
      const ink = { fill: theme.ink };
      const levels = ticks.map((value) => [left, y(value), right, y(value)]);
      pen.lines(grid ? levels : [[left, to, left, from]], { stroke: theme.line, width: 1 });
      for (const value of ticks) pen.text(write(value), left - APART, y(value), { ...ink, align: "right" });
      name.draw(pen, theme);
    },
  };
}

interface AxisAcross {
  title: string;
  y: number; // px
  range: Pair; // px from its left to its right end
  ticks: readonly number[];
  line?: boolean;
  write?: (value: number) => string;
}

/** x: maps a number to px. */
export function axisAcross(x: (value: number) => number, { title, y, range, ticks, ...axis }: AxisAcross): Mark {
  const { line = false, write = String } = axis;
  const [from, to] = range;
  return {
    draw(pen, theme) {
      const style = { fill: theme.ink, align: "center" as const };
      const marks = ticks.map((value) => [x(value), y, x(value), y + TICK]);
      pen.lines(line ? [[from, y, to, y], ...marks] : marks, { stroke: theme.line, width: 1 });
      for (const value of ticks) pen.text(write(value), x(value), y + LINE / 2 + 3, style);
      pen.text(title, (from + to) / 2, y + LINE * 1.5 + 1, style);
    },
  };
}

/** Numbers of every n-th column and of the last, counted from `first`. y: px of their middle. */
export function columnNumbers(x: Band, first: number, y: number): Mark {
  const [from, to] = x.range;
  const every = Math.max(1, Math.ceil((x.count * LEAST_STEP) / (to - from) / 8) * 8);
  const room = textWidth(String(x.count), READABLE) + 12;
  return {
    draw(pen, theme) {
      const style = { fill: theme.ink, align: "center" as const };
      for (let at = 0; at === 0 || (x.count - 1 - at) * x.step > room; at += every) pen.text(String(at + first), x(at), y, style);
      if (x.count > 1) pen.text(String(x.count - 1 + first), to, y, { ...style, align: "right" });
    },
  };
}

const LEAST_STEP = 70; // px between two numbers

/** Px that a horizontal axis needs below its line. */
export const FOOT = 2 * LINE;

/** Names of columns of width `step`: the height they need in px, and a function that makes the mark at a given y. */
export function columnNames(names: readonly string[], step: number) {
  const long = widestText(names) + 6;
  const slant = long + 4 > step ? Math.max(SLANT, Math.asin(Math.min(1, READABLE / step))) : 0;
  const height = (slant ? long * Math.sin(slant) : READABLE) + 14;
  const at = (x: Band, y: number, picked: number): Mark => ({
    draw(pen, theme) {
      names.forEach((name, index) => {
        if (!isLabelled(index, picked, step)) return;
        const held = index === picked;
        const style = textInk(theme, { ink: held ? "accent" : "ink", bold: held });
        if (slant) pen.text(name, x(index) + 4, y + 10, { ...style, align: "right", angle: (-slant * 180) / Math.PI });
        else pen.text(name, x(index), y + READABLE - 2, { ...style, align: "center" });
      });
    },
  });
  return { height, at };
}

interface Groups {
  picked: number | null;
  name: (group: number) => string; // replaced by the group's number, from 1, where it is too long
  top: number;
  foot: number;
  head: number; // px of the row of names
}

/** Shaded areas behind groups of columns, such as the columns of a layer, named at the top. of: the group of each column, or null. */
export function groups(x: Band, of: readonly (number | null)[], { picked, name, top, foot, head }: Groups): Mark {
  const all = [...new Set(of)].filter((group) => group !== null);
  return {
    draw(pen, theme) {
      for (const group of all) {
        const [from, to] = [x.start(of.indexOf(group) + EDGE), x.start(of.lastIndexOf(group) + 1 - EDGE)];
        const isPicked = group === picked;
        const ground = isPicked ? { fill: theme.accent, alpha: 0.18 } : { fill: theme.panel };
        pen.box(from, top, to - from, foot - top, ground);
        const words = textWidth(name(group), READABLE, true) > to - from ? String(group + 1) : name(group);
        pen.text(words, (from + to) / 2, top + head / 2, textInk(theme, { bold: isPicked, align: "center" }));
      }
    },
  };
}

const EDGE = 0.02; // gap at each end of a group, as a share of a column

interface Labels extends Omit<TextStyle, "bold"> {
  x: number | ((at: number) => number); // px, for all or for each
  held?: number; // the index that is bold, in `heldInk`
  heldInk?: Ink;
}

export function rowLabels(y: Band, words: readonly string[], { x, held = -1, heldInk = "accent", ...style }: Labels): Mark {
  return {
    draw(pen, theme) {
      words.forEach((label, at) => {
        if (!isLabelled(at, held, y.step)) return;
        const own = at === held ? { ink: heldInk, bold: true } : {};
        pen.text(label, typeof x === "number" ? x : x(at), y(at), textInk(theme, { ...style, ...own }));
      });
    },
  };
}

interface ColumnLabels {
  y: number; // px of the lower end of the text
  held: number;
  heldInk?: Ink;
  max: number;
  level?: boolean;
}

const SLANT_OVER = 40; // degrees
/** The height of a slanting label over a column, as a share of its length. */
export const RISE = Math.sin((SLANT_OVER * Math.PI) / 180);

/** Labels over columns, slanting upwards from `y`, or level where all fit. */
export function columnLabels(
  x: Band,
  words: readonly string[],
  { y, held, heldInk = "accent", max, level = false }: ColumnLabels,
): Mark {
  return {
    draw(pen, theme) {
      words.forEach((label, at) => {
        if (!isLabelled(at, held, x.step)) return;
        const style = textInk(theme, at === held ? { ink: heldInk, bold: true } : {});
        if (level) pen.text(label, x(at), y - READABLE / 2 + 4, { ...style, align: "center" });
        else pen.text(label, x(at), y, { ...style, angle: -SLANT_OVER, max });
      });
    },
  };
}
