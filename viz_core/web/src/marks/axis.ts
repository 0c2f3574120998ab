// Axes: numbers with their title, upright or across; names below the columns, which slant where they would touch; labels, a text beside
// each row or over each column, such as its token or a number.

import { READABLE, textWidth, widestText } from "../../../browser/kit/pen";
import { isLabelled } from "./cells";
import { type Mark, textInk, type Ink, type TextStyle } from "./mark";
import { type Band, type Linear, type Pair, ticksTo } from "./scale";
import { text } from "./shapes";

// px
export const UPRIGHT = 26; // of an upright title
export const APART = 8; // numbers from their axis
export const LINE = 26; // of letters
const TICK = 5;
const SLANT = (40 * Math.PI) / 180; // at least

/** The title of rows or of an upright axis, beside them from `edge` on. */
export function uprightTitle(words: string, edge: number, [from, to]: Pair): Mark {
  return text(words, edge + UPRIGHT / 2 - 2, (from + to) / 2, { align: "center", angle: -90 });
}

interface UprightAxis {
  title: string;
  /** From where to where it goes, in px: numbers stand before its left end; with `grid` a line across at each of them, else one upright. */
  across: Pair;
  grid?: boolean;
  ticks?: readonly number[];
  write?: (value: number) => string;
  edge?: number; // px where the title's room begins
}

/** How many numbers an upright axis has room for. */
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
  y: number; // px where it stands
  range: Pair; // px from where to where
  ticks: readonly number[];
  line?: boolean;
  write?: (value: number) => string;
}

/** x: from a number to px. */
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

/** The numbers of every n-th column, the first and the last among them; that of the first column is `first`. y: px of their middle. */
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

/** Px below where an axis across stands. */
export const FOOT = 2 * LINE;

/** Names of columns so wide: px of their height, and the mark, from a height on. */
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
  name: (group: number) => string; // in place of one that is too long, the group's number from 1
  top: number;
  foot: number;
  head: number; // px of the names
}

/** Areas behind groups of columns, such as those of a layer, named at the top. of: the group of each column, null of none. */
export function groups(x: Band, of: readonly (number | null)[], { picked, name, top, foot, head }: Groups): Mark {
  const all = [...new Set(of)].filter((group) => group !== null);
  return {
    draw(pen, theme) {
      for (const group of all) {
        const [from, to] = [x.start(of.indexOf(group) + EDGE), x.start(of.lastIndexOf(group) + 1 - EDGE)];
        const here = group === picked;
        const ground = here ? { fill: theme.accent, alpha: 0.18 } : { fill: theme.panel };
        pen.box(from, top, to - from, foot - top, ground);
        const words = textWidth(name(group), READABLE, true) > to - from ? String(group + 1) : name(group);
        pen.text(words, (from + to) / 2, top + head / 2, textInk(theme, { bold: here, align: "center" }));
      }
    },
  };
}

const EDGE = 0.02; // of a column, free between two groups

interface Labels extends Omit<TextStyle, "bold"> {
  x: number | ((at: number) => number); // px across, of all or of each
  held?: number; // written bold, with `heldInk`
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

interface Heads {
  y: number; // px of their feet
  held: number;
  heldInk?: Ink;
  max: number;
  level?: boolean;
}

/** Slanting upwards from a height on, or level where all have room. */
export function columnLabels(x: Band, words: readonly string[], { y, held, heldInk = "accent", max, level = false }: Heads): Mark {
  return {
    draw(pen, theme) {
      words.forEach((label, at) => {
        if (!isLabelled(at, held, x.step)) return;
        const style = textInk(theme, at === held ? { ink: heldInk, bold: true } : {});
        if (level) pen.text(label, x(at), y - READABLE / 2 + 4, { ...style, align: "center" });
        else pen.text(label, x(at), y, { ...style, angle: -40, max });
      });
    },
  };
}
