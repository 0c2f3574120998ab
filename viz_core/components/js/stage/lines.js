// The same weights as lines between two columns of tokens: queries left, keys right, the thicker the more.

import { number, percentInList } from "../shared/numbers.js";
import { READABLE, textWidth } from "../shared/pen.js";
import { focusRow } from "./selection.js";

const HEADINGS = 30, LEAST_STEP = 20, MOST_STEP = 56, LONGEST_TOKEN = 170, NUMBER_ROOM = 76; // px
const LEVELS = 12; // as many thicknesses: lines of one are drawn at once
export const THINNEST = 0.01; // a weight below it is no line
const SPREAD = 420; // px between the columns at most

export function layoutLines(selection, box, whole) {
  const { rows, columns } = selection;
  const widest = (side) => Math.min(LONGEST_TOKEN, Math.max(40, ...side.map(({ label }) => textWidth(label, READABLE, true))));
  const count = Math.max(rows.length, columns.length), space = box.h - HEADINGS;
  let step = Math.min(MOST_STEP, space / count);
  if (step < LEAST_STEP && !whole) step = LEAST_STEP;
  const queries = widest(rows), keys = widest(columns), room = box.w - queries - keys - NUMBER_ROOM - 30;
  const spread = Math.max(120, Math.min(SPREAD, room)), left = box.x + (box.w - spread - queries - keys - NUMBER_ROOM) / 2 + queries;
  return { box, left, right: left + spread, y: box.y + HEADINGS, step, queries, keys, h: Math.min(space, step * count), over: [0, Math.max(0, step * count - space)] };
}

// [row, -1] or [-1, column] under a point.
export function tokenAt(layout, selection, scroll, px, py) {
  if (py < layout.y || py >= layout.y + layout.h) return null;
  const index = Math.floor((py - layout.y + scroll[1]) / layout.step);
  if (px < (layout.left + layout.right) / 2) return index < selection.there ? [index, -1] : null;
  return index < selection.thereColumns ? [-1, index] : null;
}

export function rowInSight(layout, scroll, row) {
  if (row < 0) return [0, Math.min(scroll[1], layout.over[1])];
  const { step, h, over } = layout;
  return [0, Math.min(over[1], Math.max(0, Math.min(Math.max(scroll[1], (row + 2) * step - h), Math.max(0, row - 1) * step)))];
}

// How strong a value is, 0…1, and its colour.
function strength(value, selection, scale) {
  if (Number.isNaN(value)) return 0;
  return selection.weights ? scale.share(value) : Math.min(1, Math.abs(value) / scale.high);
}

function colourOfLine(value, selection, theme) {
  return selection.weights ? theme.accent : value < 0 ? theme.diverging[1] : theme.diverging[5];
}

// Sorts lines into levels of one thickness and draws each at once.
function bundleOf() {
  const levels = new Map();
  return {
    add(colour, level, line) {
      const key = `${colour} ${level}`;
      if (!levels.has(key)) levels.set(key, { colour, level, all: [] });
      levels.get(key).all.push(line);
    },
    draw(pen, thickest, faint, method) {
      for (const { colour, level, all } of [...levels.values()].sort((a, b) => a.level - b.level)) {
        const share = level / LEVELS;
        pen[method](all, { stroke: colour, width: Math.max(0.75, thickest * share), alpha: (0.16 + 0.84 * share) * faint });
      }
    },
  };
}

// frame: as for a matrix; marks.hover is [row, -1] or [-1, column].
export function drawLines(pen, frame) {
  const { selection, bitmap, layout, scroll: [, sy], marks, scale, titles, theme, view } = frame;
  const { rows, columns, there, thereColumns } = selection, { left, right, y, step } = layout;
  const at = (index) => y + (index + 0.5) * step - sy, width = columns.length;
  const row = marks.hover ? marks.hover[0] : focusRow(selection, view), column = marks.hover ? marks.hover[1] : -1;
  const lit = (i, j) => (row < 0 && column < 0) || i === row || j === column;
  const strong = bundleOf(), weak = bundleOf();
  for (let i = 0; i < there; i += 1) {
    if (selection.covered && i >= selection.row) continue;
    for (let j = 0; j < thereColumns; j += 1) {
      const value = bitmap.values[i * width + j], share = strength(value, selection, scale);
      if (!(share >= THINNEST) || (marks.hover && !lit(i, j))) continue;
      (lit(i, j) ? strong : weak).add(colourOfLine(value, selection, theme), Math.max(1, Math.ceil(share * LEVELS)), [left, at(i), right, at(j)]);
    }
  }
  const thickest = Math.min(16, step * 0.6);
  pen.inside(left - 2, y, right - left + 4, layout.h, () => {
    weak.draw(pen, thickest, 0.35, "curves");
    strong.draw(pen, thickest, 1, "curves");
  });
  const ends = [textWidth(titles.rows, READABLE, true), textWidth(titles.columns, READABLE, true)].map((width) => Math.min(width, layout.box.w / 2 - 10));
  const from = Math.max(layout.box.x, left - 8 - ends[0]), to = Math.min(layout.box.x + layout.box.w - ends[1], right + 8), head = layout.box.y + 11;
  pen.text(titles.rows, from, head, { size: READABLE, bold: true, fill: theme.q_text, max: ends[0] });
  pen.text(titles.columns, to, head, { size: READABLE, bold: true, fill: theme.k_text, max: ends[1] });
  const place = titles.corner.join(", "), room = to - from - ends[0] - 20;
  if (textWidth(place, READABLE, true) <= room) pen.text(place, (from + ends[0] + to) / 2, head, { size: READABLE, bold: true, fill: theme.ink, align: "center" });
  const thin = Math.ceil(LEAST_STEP / step);
  const label = (index, words, side, here, now, value) => {
    const line = at(index);
    if (line < y || line > y + layout.h || (thin > 1 && index % thin && !now)) return;
    const look = { size: READABLE, bold: now, fill: now ? (side < 0 ? theme.q_text : theme.k_text) : here ? theme.ink : theme.quiet };
    const x = side < 0 ? left - 8 : right + 8, max = side < 0 ? layout.queries : layout.keys;
    pen.text(words, x, line, { ...look, align: side < 0 ? "right" : "left", max });
    if (value !== undefined && !Number.isNaN(value) && !selection.covered) {
      const number = shown(value, selection), from = side < 0 ? left + 6 : x + max + 8;
      if (side < 0) pen.box(from - 4, line - 11, textWidth(number, READABLE) + 8, 22, { fill: theme.surface });
      pen.text(number, from, line, { size: READABLE, fill: theme.ink, max: NUMBER_ROOM });
    }
  };
  for (let i = 0; i < (selection.growing ? there : rows.length); i += 1) {
    const value = column >= 0 ? bitmap.values[i * width + column] : undefined;
    label(i, rows[i].label, -1, i < there, i === row || i === selection.row, i < there ? worth(value, selection) : undefined);
  }
  for (let j = 0; j < thereColumns; j += 1) label(j, columns[j].label, 1, true, j === column, row >= 0 ? worth(bitmap.values[row * width + j], selection) : undefined);
}

function worth(value, selection) {
  return selection.weights && value < 0.005 ? undefined : value;
}

function shown(value, selection) {
  return selection.weights ? percentInList(value) : number(value).replace("-", "−");
}

// The lines of a grid's thumbnails, all of one thickness at once.
export function drawThreads(pen, frame, held) {
  const { selection, heads, layout, scale, theme } = frame, { there, thereColumns, columns, rows } = selection;
  const dense = rows.length > 40 ? 0.1 : 0.03, width = columns.length, stepLeft = layout.h / rows.length, stepRight = layout.h / columns.length;
  const strong = bundleOf(), weak = bundleOf();
  heads.forEach((_, index) => {
    const { x, y } = layout.at(index), { values } = frame.bitmapOf(index);
    for (let i = 0; i < there; i += 1) {
      if (selection.covered && i >= selection.row) break;
      const level = held < 0 || i === held ? strong : weak;
      for (let j = 0; j < thereColumns; j += 1) {
        const value = values[i * width + j], share = strength(value, selection, scale);
        if (share >= dense) level.add(colourOfLine(value, selection, theme), Math.max(1, Math.ceil(share * LEVELS)), [x + 4, y + (i + 0.5) * stepLeft, x + layout.w - 4, y + (j + 0.5) * stepRight]);
      }
    }
  });
  weak.draw(pen, 5, 0.4, "lines");
  strong.draw(pen, 5, 1, "lines");
}
