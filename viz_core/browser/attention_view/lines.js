// Attention as lines between two columns of tokens: queries on the left, keys on the right, width by weight.

import { minus, percentInList, points } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { hasNumber } from "./cells.js";
import { MORE, drawMore } from "./more.js";
import { focusRow } from "./selection.js";

const HEADINGS = 30;
const LEAST_STEP = 20;
const MOST_STEP = 56;
const LONGEST_TOKEN = 200;
const NUMBER_ROOM = 76; // px
const LEVELS = 12; // as many thicknesses: lines of one are drawn at once
const THINNEST = 0.01; // a weight below it is no line
const SPREAD = 420; // px between the columns at most

export function layoutLines(selection, box, whole) {
  const { rows, columns } = selection;
  const widest = (side) =>
    Math.min(LONGEST_TOKEN, Math.max(40, ...side.map(({ label }) => textWidth(label, READABLE, true))));
  const count = Math.max(rows.length, columns.length);
  const space = box.h - HEADINGS;
  let step = Math.min(MOST_STEP, space / count);
  if (step < LEAST_STEP && !whole) step = LEAST_STEP;
  const queries = widest(rows);
  const keys = widest(columns);
  const room = box.w - queries - keys - NUMBER_ROOM - 30;
  const spread = Math.max(120, Math.min(SPREAD, room));
  const left = box.x + (box.w - spread - queries - keys - NUMBER_ROOM) / 2 + queries;
  const all = step * count;
  const h = all <= space + 0.5 ? all : Math.floor((space - MORE) / step) * step; // whole lines of what scrolls
  return { box, left, right: left + spread, y: box.y + HEADINGS, step, queries, keys, h, over: [0, all - h] };
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
  return [
    0,
    Math.min(over[1], Math.max(0, Math.min(Math.max(scroll[1], (row + 2) * step - h), Math.max(0, row - 1) * step))),
  ];
}

// How strong a value is, 0…1, and its colour.
function strength(value, selection, scale) {
  if (Number.isNaN(value)) return 0;
  // else, divided by √d_k, they could hardly be seen
  return selection.weights ? scale.share(value) : Math.sqrt(Math.min(1, Math.abs(value) / scale.high));
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
        pen[method](all, {
          stroke: colour,
          width: Math.max(0.75, thickest * share),
          alpha: (0.16 + 0.84 * share) * faint,
        });
      }
    },
  };
}

// frame: as for a matrix; marks.hover is [row, -1] or [-1, column].
export function drawLines(pen, frame) {
  const {
    selection,
    bitmap,
    layout,
    scroll: [, sy],
    marks,
    scale,
    theme,
    view,
  } = frame;
  const { there, thereColumns, columns } = selection;
  const { left, right, y, step, h } = layout;
  const at = (index) => y + (index + 0.5) * step - sy;
  const [row, column] = marks.hover ?? [focusRow(selection, view), -1];
  const highlighted = (i, j) => (row < 0 && column < 0) || i === row || j === column;
  const strong = bundleOf();
  const weak = bundleOf();
  for (let i = 0; i < there; i += 1) {
    if (selection.covered && i >= selection.row) continue;
    for (let j = 0; j < thereColumns; j += 1) {
      const value = bitmap.values[i * columns.length + j];
      const share = strength(value, selection, scale);
      if (!(share >= THINNEST) || (marks.hover && !highlighted(i, j))) continue;
      (highlighted(i, j) ? strong : weak).add(
        colourOfLine(value, selection, theme),
        Math.max(1, Math.ceil(share * LEVELS)),
        [left, at(i), right, at(j)],
      );
    }
  }
  const thickest = Math.min(16, step * 0.6);
  pen.inside(left - 2, y, right - left + 4, h, () => {
    weak.draw(pen, thickest, 0.35, "curves");
    strong.draw(pen, thickest, 1, "curves");
  });
  headings(pen, frame);
  tokens(pen, frame, at, row, column);
  const inSight = [Math.round(h / step), 0];
  const all = [Math.max(selection.rows.length, columns.length), 0];
  drawMore(pen, frame, { x: left, y: y + h, w: right - left, first: [Math.round(sy / step), 0], seen: inSight, all });
}

// The names of both sides, and between them, where there is room, which head it is.
function headings(pen, { layout: { box, left, right }, titles, theme }) {
  const style = { size: READABLE, bold: true };
  const y = box.y + 11;
  const [queries, keys] = [titles.rows, titles.columns].map((words) =>
    Math.min(textWidth(words, READABLE, true), box.w / 2 - 10),
  );
  const from = Math.max(box.x, left - 8 - queries);
  const to = Math.min(box.x + box.w - keys, right + 8);
  pen.text(titles.rows, from, y, { ...style, fill: theme.q_text, max: queries });
  pen.text(titles.columns, to, y, { ...style, fill: theme.k_text, max: keys });
  const place = titles.corner.join(", ");
  if (textWidth(place, READABLE, true) <= to - from - queries - 20)
    pen.text(place, (from + queries + to) / 2, y, { ...style, fill: theme.ink, align: "center" });
}

// The tokens of both sides; beside them the numbers of the row, or of the column, that is spoken of.
function tokens(pen, { selection, bitmap, layout, theme }, at, row, column) {
  const { rows, columns, there, thereColumns, growing, covered } = selection;
  const { left, right, y, h, step } = layout;
  const thin = Math.ceil(LEAST_STEP / step);
  const seen = (index, now) => at(index) >= y && at(index) <= y + h && (thin === 1 || index % thin === 0 || now);
  const numberOf = (i, j) => {
    const value = bitmap.values[i * columns.length + j];
    if (i < 0 || j < 0 || i >= there || covered || !hasNumber(value, selection)) return "";
    return selection.weights ? percentInList(value) : selection.signed ? points(value, 1) : minus(value);
  };
  for (let i = 0; i < (growing ? there : rows.length); i += 1) {
    const now = i === row || i === selection.row;
    const number = numberOf(i, column);
    if (!seen(i, now)) continue;
    pen.text(rows[i].label, left - 8, at(i), {
      size: READABLE,
      bold: now,
      fill: now ? theme.q_text : i < there ? theme.ink : theme.quiet,
      align: "right",
      max: layout.queries,
    });
    if (!number) continue;
    pen.box(left + 2, at(i) - 11, textWidth(number, READABLE) + 8, 22, { fill: theme.surface });
    pen.text(number, left + 6, at(i), { size: READABLE, fill: theme.ink });
  }
  for (let j = 0; j < thereColumns; j += 1) {
    const now = j === column;
    if (!seen(j, now)) continue;
    pen.text(columns[j].label, right + 8, at(j), {
      size: READABLE,
      bold: now,
      fill: now ? theme.k_text : theme.ink,
      max: layout.keys,
    });
    pen.text(numberOf(row, j), right + 16 + layout.keys, at(j), { size: READABLE, fill: theme.ink });
  }
}

// The lines of a grid's thumbnails, all of one thickness at once.
export function drawThreads(pen, frame, held) {
  const { selection, heads, layout, scale, theme } = frame;
  const { there, thereColumns, columns, rows } = selection;
  const dense = rows.length > 40 ? 0.1 : 0.03;
  const width = columns.length;
  const stepLeft = layout.h / rows.length;
  const stepRight = layout.h / columns.length;
  const strong = bundleOf();
  const weak = bundleOf();
  heads.forEach((_, index) => {
    const { x, y } = layout.at(index);
    const { values } = frame.bitmapOf(index);
    for (let i = 0; i < there; i += 1) {
      if (selection.covered && i >= selection.row) break;
      const level = held < 0 || i === held ? strong : weak;
      for (let j = 0; j < thereColumns; j += 1) {
        const value = values[i * width + j];
        const share = strength(value, selection, scale);
        if (share >= dense)
          level.add(colourOfLine(value, selection, theme), Math.max(1, Math.ceil(share * LEVELS)), [
            x + 4,
            y + (i + 0.5) * stepLeft,
            x + layout.w - 4,
            y + (j + 0.5) * stepRight,
          ]);
      }
    }
  });
  weak.draw(pen, 5, 0.4, "lines");
  strong.draw(pen, 5, 1, "lines");
}
