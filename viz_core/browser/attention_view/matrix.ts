// Attention matrix of one head: rows are queries, columns are keys, both with their tokens.

import { isLabelled } from "../../web/src/marks/cells";
import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { READABLE, cross, textWidth, widestText } from "../kit/pen";
import { type Part as Seen, axisOf, cellSize, coverAbsent, drawBitmap, drawCells, drawNote, noteHeight, seenLength } from "./cells";
import type { Entry, Place } from "./data";
import type { MatrixFrame, Shown } from "./picture";

const AXIS_TITLE = 25; // px
const LEAST_CELL = READABLE; // px of a row
const LEAST_NAMED = 14; // px of a row that still has a label, in smaller letters; outside lecture mode
const SCROLLED_CELL = 28; // px of a column when the matrix scrolls: wide enough for its numbers and slanted labels
const SLANT = 48; // degrees, at least
const APART = 17; // px between slanted labels
const LONGEST_ROW = 200;
const LONGEST_COLUMN = 150; // px of a label
const WIDEST = 100;
const HIGHEST = 60; // px of a cell
const SPACE = "▁"; // the space token; slanted it would look like a slash
const CORNER = 48; // px of the two lines that name the layer and the head

// Lays out the matrix in a box. whole: shrinks it as far as necessary, otherwise it scrolls.
export function layoutMatrix({ selection: { rows, columns, cells } }: Shown, box: Box, whole: boolean) {
  const labels = Math.min(labelWidth(rows, 60, LONGEST_ROW), box.w * 0.3) + 12;
  const long = labelWidth(columns, 24, LONGEST_COLUMN) + 6;
  const x = box.x + AXIS_TITLE + labels;
  let room = box.x + box.w - x;
  let cw = Math.min(WIDEST, Math.floor(room / cells));
  let slant = 0;
  if (long > cw) {
    slant = slantOf(cw < LEAST_CELL && !whole ? SCROLLED_CELL : cw);
    const most = Math.max(0, long * Math.cos(slant) - cw / 2);
    cw = Math.min(WIDEST, (room - overhang(columns, (room - most) / cells, slant)) / cells);
    if (cw < LEAST_CELL && !whole) {
      room -= most; // any column may be at the edge
      cw = SCROLLED_CELL;
    }
    slant = slantOf(cw);
  }
  cw = cw >= LEAST_CELL ? Math.floor(cw) : cw;
  const y = box.y + AXIS_TITLE + (slant ? long * Math.sin(slant) : READABLE) + 12;
  const wide = cw * columns.length;
  const note = noteHeight(wide, room);
  const space = box.y + box.h - y - 2;
  const ch = cellSize(space - note, rows.length, { least: LEAST_CELL, most: HIGHEST, whole });
  const high = ch * rows.length;
  const w = seenLength(wide, room, cw, 0);
  const h = note ? seenLength(high, space - note, ch, 0) : seenLength(high, space, ch);
  const least = y - box.y + LEAST_CELL * rows.length + note + 2; // px of height at which no row scrolls
  const axes = [axisOf(columns.length, cw, w), axisOf(rows.length, ch, h)] as const;
  return { box, x, y, cw, ch, labels, long, slant, w, h, axes, least };
}

function labelWidth(side: Entry[], least: number, most: number) {
  return Math.min(most, Math.max(least, widestText(side.map(({ label }) => label))));
}

// Px by which slanted labels extend beyond the last column.
function overhang(columns: Entry[], cw: number, slant: number) {
  const reach = ({ label }: Entry, at: number) =>
    Math.min(LONGEST_COLUMN, textWidth(label, READABLE, true)) * Math.cos(slant) - (columns.length - at - 0.5) * cw;
  return Math.max(0, ...columns.map(reach));
}

// Narrower columns have steeper labels, to keep them apart.
const slantOf = (cw: number) => Math.max((SLANT * Math.PI) / 180, Math.asin(Math.min(1, APART / Math.max(cw, LEAST_CELL))));

// [row, column] under a point; −1 for a label.
export function cellAt({ layout, selection, scroll }: MatrixFrame, px: number, py: number): Place | null {
  const { x, y, cw, ch, w, h, labels } = layout;
  const column = px < x ? -1 : Math.floor((px - x + scroll[0]) / cw);
  const row = py < y ? -1 : Math.floor((py - y + scroll[1]) / ch);
  if (px < x - labels || px >= x + w || py < y - READABLE - 8 || py >= y + h || (row < 0 && column < 0)) return null;
  return row < selection.there && column < selection.thereColumns ? [row, column] : null;
}

interface Part extends Seen {
  held: Place | null;
}

// The part in sight.
function partOf({ selection: { rows, columns }, layout, marks, scroll: [sx, sy] }: MatrixFrame): Part {
  const { x, y, cw, ch, w, h } = layout;
  return {
    first: [Math.floor(sy / ch), Math.floor(sx / cw)],
    last: [Math.min(rows.length, Math.ceil((sy + h) / ch)), Math.min(columns.length, Math.ceil((sx + w) / cw))],
    left: (column) => x + column * cw - sx,
    top: (row) => y + row * ch - sy,
    held: marks.hover ?? marks.focus ?? null,
  };
}

// marks.hover and marks.focus are framed.
export function drawMatrix(pen: Pen, frame: MatrixFrame) {
  const { selection, layout, marks, theme } = frame;
  const { x, y, cw, ch, w, h } = layout;
  const { row: current, thereColumns } = selection;
  const [sx] = frame.scroll;
  const part = partOf(frame);
  const { first, last, left, top } = part;
  const frameCell = ([row, column]: Place, ink: Parameters<Pen["box"]>[4]) => pen.box(left(column), top(row), cw, ch, ink);
  pen.inside(x - 3, y - 3, w + 6, h + 6, () => {
    drawBitmap(pen, frame, frame.bitmap, first, last, { x: left(first[1]), y: top(first[0]) });
    drawCells(pen, frame, part);
    coverAbsent(pen, frame, { x: left(0), y: top(0) }, 2);
    absentRows(pen, frame, part);
    if (frame.data.out(frame.view.layer, frame.head)) cross(pen, x, y, w, h, { stroke: theme.ink, width: 3, alpha: 0.5 });
    if (current >= 0)
      pen.box(x - 1, top(current), Math.min(thereColumns * cw - sx, w) + 2, ch, {
        ...(marks.locked && marks.focus && marks.focus[0] !== current
          ? { stroke: theme.quiet, width: 1 }
          : { stroke: theme.q, width: 3 }),
      });
    if (isCell(part.held)) strokes(pen, frame, part, part.held);
    if (marks.focus && !selection.covered)
      frameCell(marks.focus, { stroke: theme.accent, width: 4, dash: marks.locked ? undefined : [5, 4] });
    if (isCell(marks.hover)) frameCell(marks.hover, { stroke: theme.ink, width: 2 });
  });
  axisTitles(pen, frame);
  const { there, ahead } = matrixLabels(frame);
  for (const { words, left: at, middle, ...style } of frame.arriving ? ahead : [...there, ...ahead])
    pen.text(words, at, middle, style);
  drawNote(pen, frame, { x, y: y + h, w });
}

// Whether it is a cell rather than the label of a row or column.
const isCell = (place: Place | null | undefined): place is Place => Boolean(place && place[0] >= 0 && place[1] >= 0);

// A frame for rows that do not exist yet, and question marks in place of weights to be guessed.
function absentRows(pen: Pen, { selection, layout, titles, theme }: MatrixFrame, { left, top }: Part) {
  const { cw, ch } = layout;
  const { rows, columns, row: current, there, growing } = selection;
  const [x, y, right, bottom] = [left(0), top(0), left(columns.length), top(rows.length)];
  if (growing && there < rows.length) {
    const [from, to] = [Math.max(x, layout.x), Math.min(right, layout.x + layout.w)]; // in sight
    pen.box(x + 0.5, y + 0.5, right - x - 1, bottom - y - 1, { stroke: theme.line, width: 1, dash: [4, 5] });
    if ((rows.length - there) * ch > READABLE + 4)
      pen.text(titles.absent, (from + to) / 2, (top(there) + bottom) / 2, { fill: theme.quiet, align: "center", max: to - from });
  }
  if (!selection.covered || current < 0) return;
  const question = { size: Math.min(READABLE + 4, ch), bold: true, fill: theme.ink, align: "center" } as const;
  columns.forEach((_, column) => pen.text("?", left(column) + cw / 2, top(current) + ch / 2, question));
}

// The query's strokes run across to the cell, the key's run down.
function strokes(pen: Pen, { layout, theme }: MatrixFrame, { left, top }: Part, [row, column]: Place) {
  const { x, y, cw, ch } = layout;
  const [cellX, cellY] = [left(column), top(row)];
  const across = [cellY, cellY + ch].map((at) => [x, at, cellX, at]);
  const down = [cellX, cellX + cw].map((at) => [at, y, at, cellY]);
  pen.lines(across, { stroke: theme.q, width: 2 });
  pen.lines(down, { stroke: theme.k, width: 2 });
}

function axisTitles(pen: Pen, { layout: { box, x, y, w, h, labels }, titles, theme }: MatrixFrame) {
  const style = { bold: true, align: "center" } as const;
  pen.text(titles.columns, x + w / 2, box.y + 11, { ...style, fill: theme.k_text, max: box.w - labels });
  // a title longer than the matrix extends up to the corner
  const above = textWidth(titles.rows, READABLE, true) > h ? box.y + CORNER : y;
  const upright = { ...style, fill: theme.q_text, angle: -90, max: y + h - above };
  pen.text(titles.rows, box.x + 10, (above + y + h) / 2, upright);
  titles.corner.forEach((words, line) =>
    pen.text(words, box.x + 2, box.y + 11 + line * 22, { bold: true, fill: theme.ink, max: labels + AXIS_TITLE }),
  );
}

/** A row's or column's label, its position and its style. */
export interface Label extends Style {
  token: number;
  of: "query" | "key";
  row?: number;
  words: string;
  left: number;
  middle: number;
  size: number;
  max: number;
}
type Style = Parameters<Pen["text"]>[3];

// Labels of columns and written rows, and those of rows still ahead.
export function matrixLabels(frame: MatrixFrame) {
  const part = partOf(frame);
  const rows = rowLabels(frame, part);
  const isThere = ({ row = 0 }: Label) => row < frame.selection.there;
  return { there: [...rows.filter(isThere), ...columnLabels(frame, part)], ahead: rows.filter((label) => !isThere(label)) };
}

function rowLabels({ selection, layout, marks, theme, view }: MatrixFrame, { first, last, top, held }: Part) {
  const { rows, row: current, there, growing } = selection;
  const { x, y, h, ch, labels } = layout;
  const least = view.lecture ? LEAST_CELL : LEAST_NAMED;
  const size = Math.min(READABLE, Math.max(13, ch));
  const max = labels - 8;
  const heldRow = held ? held[0] : current;
  const labelled: Label[] = [];
  for (let row = first[0]; row < Math.min(last[0], growing ? there : last[0]); row += 1) {
    const now = row === heldRow;
    const middle = top(row) + ch / 2;
    if (!isLabelled(row, heldRow, ch, least, current) || middle < y - 2 || middle > y + h + 2) continue;
    const { label, tokens } = nth(rows, row);
    labelled.push({
      ...{ of: "query", token: tokens[0], row, words: label, left: x - 8, middle },
      size: now && marks.hover && !marks.slides ? grown(label, max, size) : size,
      bold: now || row === current,
      fill: row >= there ? theme.quiet : now ? theme.q_text : theme.ink,
      align: "right",
      max,
    });
  }
  return labelled;
}

function columnLabels({ selection, layout, marks, theme }: MatrixFrame, { first, last, left, held }: Part) {
  const { x, y, w, cw, long, slant } = layout;
  const heldColumn = held ? held[1] : -1;
  const room = slant ? long - 6 : cw - 2;
  const labelled: Label[] = [];
  for (let column = first[1]; column < Math.min(last[1], selection.thereColumns); column += 1) {
    const now = column === heldColumn;
    const middle = left(column) + cw / 2;
    if (!isLabelled(column, heldColumn, cw) || middle < x - 2 || middle > x + w + 2) continue;
    const { label, tokens } = nth(selection.columns, column);
    const large = now && marks.hover && !marks.slides;
    const leans = slant && label !== SPACE;
    labelled.push({
      ...{ of: "key", token: tokens[0], words: label, left: middle },
      size: large ? grown(label, room, READABLE) : READABLE,
      bold: now,
      fill: now ? theme.k_text : theme.ink,
      ...(leans
        ? { middle: y - 9, angle: (-slant * 180) / Math.PI, max: LONGEST_COLUMN }
        : { middle: y - 13, align: "center", max: large ? 0 : room }),
    });
  }
  return labelled;
}

// The font size of a label under the pointer, enlarged if there is room.
const grown = (label: string, room: number, size: number) => (textWidth(label, READABLE + 3, true) <= room ? READABLE + 3 : size);
