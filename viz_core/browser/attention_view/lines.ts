// Attention as lines between two columns of tokens: keys on the left, queries on the right, width by weight.

import { isLabelled } from "../../web/src/marks/cells";
import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { clauses, minus, percentInList, points } from "../kit/numbers";
import { READABLE, textWidth, widestText } from "../kit/pen";
import { NO_AXIS, axisOf, cellSize, drawNote, hasNumber, seenLength } from "./cells";
import type { Place } from "./data";
import { type Selection, focusRow } from "./selection";
import type { Frame, GridFrame, LinesFrame, Shown } from "./picture";

const HEADINGS = 30;
const LEAST_STEP = 20;
const MOST_STEP = 56;
const LEAST_TOKEN = 40;
const LONGEST_TOKEN = 200;
const NUMBER_ROOM = 76; // px
const SPREAD = { least: 80, most: 420 }; // px between the columns
const MARGINS = 30; // px beside all
const LEVELS = 12; // thicknesses; lines of the same one are drawn at once
const THINNEST = 0.01; // a smaller weight has no line
const THICKEST = 16; // px of a line of full strength
const THICKEST_THREAD = 5; // and in a grid

export function layoutLines({ selection: { rows, columns } }: Shown, box: Box, whole: boolean) {
  const widest = (side: Selection["rows"]) =>
    Math.min(LONGEST_TOKEN, Math.max(LEAST_TOKEN, widestText(side.map(({ label }) => label))));
  const [wanted, keys] = [widest(rows), widest(columns)];
  const queries = Math.max(LEAST_TOKEN, Math.min(wanted, box.w - NUMBER_ROOM - keys - SPREAD.least - MARGINS));
  const count = Math.max(rows.length, columns.length);
  const space = box.h - HEADINGS;
  const step = cellSize(space, count, { least: LEAST_STEP, most: MOST_STEP, whole });
  const beside = queries + keys + NUMBER_ROOM;
  const spread = Math.max(SPREAD.least, Math.min(SPREAD.most, box.w - beside - MARGINS));
  const left = box.x + (box.w - spread - beside) / 2 + NUMBER_ROOM + keys;
  const h = seenLength(step * count, space, step);
  const axes = [NO_AXIS, axisOf(count, step, h)] as const;
  const least = HEADINGS + LEAST_STEP * count; // px of height in which no token scrolls
  return { box, least, left, right: left + spread, y: box.y + HEADINGS, step, queries, keys, h, axes };
}

// [row, -1] or [-1, column] under a point.
export function tokenAt({ layout, selection, scroll }: LinesFrame, px: number, py: number): Place | null {
  if (py < layout.y || py >= layout.y + layout.h) return null;
  const index = Math.floor((py - layout.y + scroll[1]) / layout.step);
  if (px < (layout.left + layout.right) / 2) return index < selection.thereColumns ? [-1, index] : null;
  return index < selection.there ? [index, -1] : null;
}

// How strong a value is, 0…1. Scores, divided by √d_k, could hardly be seen without the root.
function strengthOf({ selection, scale }: Frame, value: number): number {
  return selection.weights ? scale.share(value) : Math.sqrt(Math.min(1, Math.abs(value) / scale.high));
}

function lineColour({ selection, theme }: Frame, value: number) {
  return selection.weights ? theme.weight : nth(theme.diverging, value < 0 ? 1 : 5);
}

const levelOf = (strength: number) => Math.max(1, Math.ceil(strength * LEVELS));

function inkOfLevel({ layout }: LinesFrame | GridFrame, level: number) {
  const thickest = "step" in layout ? Math.min(THICKEST, layout.step * 0.6) : THICKEST_THREAD;
  const share = level / LEVELS;
  return { width: Math.max(0.75, thickest * share), alpha: 0.16 + 0.84 * share };
}

// How the line of a value is drawn where it is highlighted: { stroke, width, alpha }.
export function lineInk(frame: LinesFrame | GridFrame, value: number) {
  return { stroke: lineColour(frame, value), ...inkOfLevel(frame, levelOf(strengthOf(frame, value))) };
}

// The lines of one picture, of the highlighted and of the other tokens.
function threadsOf(frame: LinesFrame | GridFrame, least: number) {
  const { selection } = frame;
  const width = selection.columns.length;
  const until = selection.covered ? Math.min(selection.row, selection.there) : selection.there;
  type Levels = Map<string, { colour: string; level: number; all: number[][] }>;
  const [strong, weak]: [Levels, Levels] = [new Map(), new Map()];
  const bundle = (levels: Levels, value: number, share: number, line: number[]) => {
    const colour = lineColour(frame, value);
    const level = levelOf(share);
    const key = `${colour} ${level}`;
    const bundled = levels.get(key);
    if (bundled) bundled.all.push(line);
    else levels.set(key, { colour, level, all: [line] });
  };
  return {
    // highlighted: null where there is no line; ends: [x1, y1, x2, y2].
    add(
      values: Float32Array,
      highlighted: (row: number, column: number) => boolean | null,
      ends: (row: number, column: number) => number[],
    ) {
      for (let row = 0; row < until; row += 1) {
        for (let column = 0; column < selection.thereColumns; column += 1) {
          const value = nth(values, row * width + column);
          const share = strengthOf(frame, value);
          const is = share >= least ? highlighted(row, column) : null; // none for NaN, either
          if (is !== null) bundle(is ? strong : weak, value, share, ends(row, column));
        }
      }
    },
    draw(pen: Pen, faint: number, method: "curves" | "lines") {
      const drawAll = (levels: Levels, opacity: number) => {
        for (const { colour, level, all } of [...levels.values()].sort((a, b) => a.level - b.level)) {
          const { width, alpha } = inkOfLevel(frame, level);
          pen[method](all, { stroke: colour, width, alpha: alpha * opacity });
        }
      };
      drawAll(weak, faint);
      drawAll(strong, 1);
    },
  };
}

// marks.hover is [row, -1] or [-1, column].
export function drawLines(pen: Pen, frame: LinesFrame) {
  const { selection, bitmap, layout, marks, view } = frame;
  const { left, right, y, step, h } = layout;
  const middle = (index: number) => y + (index + 0.5) * step - frame.scroll[1];
  const [row, column] = marks.hover ?? [focusRow(selection, view), -1];
  const highlighted = (i: number, j: number) =>
    (row < 0 && column < 0) || i === row || j === column || (marks.hover ? null : false);
  const threads = threadsOf(frame, THINNEST);
  threads.add(bitmap.values, highlighted, (i, j) => [left, middle(j), right, middle(i)]);
  pen.inside(left - 2, y, right - left + 4, h, () => threads.draw(pen, 0.35, "curves"));
  headings(pen, frame);
  tokens(pen, frame, middle, row, column);
  drawNote(pen, frame, { x: left, y: y + h, w: right - left });
}

// The names of both sides, and between them, where there is room, which head it is.
function headings(pen: Pen, { layout: { box, left, right }, titles, theme }: LinesFrame) {
  const y = box.y + 11;
  const wide = (words: string) => Math.min(textWidth(words, READABLE, true), box.w / 2 - 10);
  const [keys, queries] = [wide(titles.columns), wide(titles.rows)];
  const from = Math.max(box.x, left - 8 - keys);
  const to = Math.min(box.x + box.w - queries, right + 8);
  pen.text(titles.columns, from, y, { bold: true, fill: theme.k_text, max: keys });
  pen.text(titles.rows, to, y, { bold: true, fill: theme.q_text, max: queries });
  const place = clauses(titles.corner);
  if (textWidth(place, READABLE, true) <= to - from - keys - 20)
    pen.text(place, (from + keys + to) / 2, y, { bold: true, fill: theme.ink, align: "center" });
}

// The tokens of both sides; beside them the numbers of the highlighted row or column.
function tokens(pen: Pen, frame: LinesFrame, middle: (index: number) => number, row: number, column: number) {
  const { selection, bitmap, layout, theme } = frame;
  const { rows, columns, row: current, there, thereColumns, growing, covered } = selection;
  const { left, right, y, h, step } = layout;
  const isSeen = (index: number) => middle(index) >= y && middle(index) <= y + h;
  const numberOf = (i: number, j: number): string => {
    const value = bitmap.values[i * columns.length + j];
    if (value === undefined || i < 0 || j < 0 || i >= there || covered || !hasNumber(value, selection)) return "";
    return selection.weights ? percentInList(value) : selection.signed ? points(value, 1) : minus(value);
  };
  rows.slice(0, growing ? there : rows.length).forEach(({ label }, i) => {
    const now = i === row || i === current;
    if (!isSeen(i) || !isLabelled(i, row < 0 ? current : row, step, LEAST_STEP, current)) return;
    const fill = now ? theme.q_text : i < there ? theme.ink : theme.quiet;
    pen.text(label, right + 8, middle(i), { bold: now, fill, max: layout.queries });
    const number = numberOf(i, column);
    if (!number) return;
    const wide = textWidth(number, READABLE) + 8;
    pen.box(right - 2 - wide, middle(i) - 11, wide, 22, { fill: theme.surface });
    pen.text(number, right - 6, middle(i), { fill: theme.ink, align: "right" });
  });
  columns.slice(0, thereColumns).forEach(({ label }, j) => {
    const now = j === column;
    if (!isSeen(j) || !isLabelled(j, column, step, LEAST_STEP)) return;
    const fill = now ? theme.k_text : theme.ink;
    pen.text(label, left - 8, middle(j), { bold: now, fill, align: "right", max: layout.keys });
    const beside = left - 20 - Math.min(layout.keys, textWidth(label, READABLE, now));
    pen.text(numberOf(row, j), beside, middle(j), { fill: theme.ink, align: "right" });
  });
}

// The lines of a grid's thumbnails, all of one thickness at once.
export function drawThreads(pen: Pen, frame: GridFrame, held: number) {
  const { selection, heads, layout } = frame;
  const dense = selection.rows.length > 40 ? 0.1 : 0.03;
  const [stepLeft, stepRight] = [layout.h / selection.columns.length, layout.h / selection.rows.length];
  const threads = threadsOf(frame, dense);
  heads.forEach((_, index) => {
    const { x, y } = layout.at(index);
    const ends = (i: number, j: number) => [x + 4, y + (j + 0.5) * stepLeft, x + layout.w - 4, y + (i + 0.5) * stepRight];
    threads.add(frame.bitmapOf(index).values, (i) => held < 0 || i === held, ends);
  });
  threads.draw(pen, 0.4, "lines");
}
