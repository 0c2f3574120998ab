// Words of a grid: as many tokens as fit beside its outermost pictures, and the label of the cell under the pointer.

import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { READABLE, textWidth, widestText } from "../kit/pen";
import type { Entry, Place } from "./data";
import type { GridFrame } from "./picture";
import { type Pair, apart } from "../../web/src/marks/scale";

export const WORDS_FOOT = 24; // px of the line of words below matrices
const TICK = 4; // px, from a picture towards the word of a row or a column
const TO_PICTURE = 9; // px between a word and its picture
const LONGEST_WORD = { px: 140, share: 0.14 }; // and share of the grid's width
const LEAST_WORD = 56; // px: with less room there are no words
const WORD_HEIGHT = 20; // px including its padding
const BETWEEN_WORDS = 8; // px
const TIP_PLACE = { pad: 8, h: 28, above: 10, below: 24, beside: 16 }; // px; the pointer itself covers the place below the cell

// Px that the words of a side take, including the gap to the pictures.
export function wordsWidth(side: Entry[], box: Box) {
  const most = Math.min(LONGEST_WORD.px, LONGEST_WORD.share * box.w);
  return most < LEAST_WORD ? 0 : Math.min(most, widestText(side.map(({ label }) => label))) + TO_PICTURE;
}

// Matrices have rows on the left and columns below; lines have keys on the left and queries on the right. held: the row of the
// caption.
export function drawWords(pen: Pen, frame: GridFrame, held: number) {
  const { heads, view, layout } = frame;
  const lines = view.form === "lines";
  for (let line = 0; line < layout.down; line += 1) {
    const first = line * layout.across;
    const last = Math.min(first + layout.across, heads.length) - 1;
    if (layout.words && lines) keyWords(pen, frame, first);
    if (layout.words && !lines) queryWords(pen, frame, first, -1, held);
    if (layout.right) queryWords(pen, frame, last, 1, held);
  }
  if (!lines) columnWords(pen, frame);
}

// Indices with the first and the last before those between.
const fromTheEnds = (count: number) => [0, count - 1, ...Array(count).keys()].filter((place) => place >= 0);

// The words of a side beside one picture, as many as fit, in order of preference. towards: -1 on its left, 1 on its right.
function sideWords(
  pen: Pen,
  { layout, theme }: GridFrame,
  index: number,
  towards: -1 | 1,
  side: Entry[],
  order: number[],
  inkOf: (place: number) => { bold?: boolean; fill: string },
) {
  const { x, y } = layout.at(index);
  const edge = towards < 0 ? x : x + layout.w;
  const align = towards < 0 ? "right" : "left";
  const max = (towards < 0 ? layout.words : layout.right) - TO_PICTURE;
  const step = layout.shownH / side.length;
  const row = (place: number) => y + (place + 0.5) * step;
  const [top, bottom] = [y + WORD_HEIGHT / 2, y + layout.shownH - WORD_HEIGHT / 2];
  const middle = (place: number) => Math.max(top, Math.min(bottom, row(place)));
  const words = apart(order, (place) => [middle(place) - WORD_HEIGHT / 2, middle(place) + WORD_HEIGHT / 2]);
  for (const [place] of words)
    pen.text(nth(side, place).label, edge + towards * TO_PICTURE, middle(place), { ...inkOf(place), align, max });
  const ticks = words.map(([place]) => [edge + towards * 2, row(place), edge + towards * (2 + TICK), row(place)]);
  pen.lines(ticks, { stroke: theme.quiet, width: 1 });
}

function queryWords(pen: Pen, frame: GridFrame, index: number, towards: -1 | 1, held: number) {
  const { rows, there, growing } = frame.selection;
  const { theme } = frame;
  const all = fromTheEnds(growing ? there : rows.length);
  const inkOf = (row: number) => ({
    bold: row === held,
    fill: row === held ? theme.q_text : row < there ? theme.ink : theme.quiet,
  });
  sideWords(pen, frame, index, towards, rows, held < 0 ? all : [held, ...all], inkOf);
}

function keyWords(pen: Pen, frame: GridFrame, index: number) {
  const { columns, thereColumns } = frame.selection;
  sideWords(pen, frame, index, -1, columns, fromTheEnds(thereColumns), () => ({ fill: frame.theme.ink }));
}

// Below the pictures of the last row.
function columnWords(pen: Pen, { selection: { columns, thereColumns }, heads, layout, theme }: GridFrame) {
  const { shownW, shownH, cw, across, at } = layout;
  const max = (shownW - BETWEEN_WORDS) / 2;
  if (max < READABLE) return;
  const label = (column: number) => nth(columns, column).label;
  const span = (column: number): Pair => {
    const wide = Math.min(max, textWidth(label(column), READABLE));
    const left = Math.max(0, Math.min(shownW - wide, (column + 0.5) * cw - wide / 2));
    return [left, left + wide + BETWEEN_WORDS];
  };
  const shown = apart(fromTheEnds(thereColumns), span);
  for (let index = Math.max(0, heads.length - across); index < heads.length; index += 1) {
    const { x, y } = at(index);
    const bottom = y + shownH + 2;
    for (const [column, left] of shown) pen.text(label(column), x + left, bottom + WORDS_FOOT / 2, { fill: theme.ink, max });
    const middles = shown.map(([column]) => x + (column + 0.5) * cw);
    const ticks = middles.map((tick) => [tick, bottom, tick, bottom + TICK]);
    pen.lines(ticks, { stroke: theme.quiet, width: 1 });
  }
}

// The label of the cell under the pointer: above the cell, else below or beside it, never over it.
export function drawTip(pen: Pen, { layout, theme }: GridFrame, tip: string, index: number, [row, column]: Place) {
  const { box, cw, ch, at } = layout;
  const { pad, h, above, below, beside } = TIP_PLACE;
  const { x, y } = at(index);
  const [cellX, cellY] = [x + column * cw, y + row * ch];
  const w = Math.min(box.w - 2, textWidth(tip, READABLE, true) + 2 * pad);
  const end = box.x + box.w - 1 - w; // rightmost place
  let left = Math.max(box.x + 1, Math.min(end, cellX + cw / 2 - w / 2));
  let top = cellY - above - h;
  if (top < box.y) top = cellY + ch + below;
  if (top + h > box.y + box.h) {
    top = Math.max(box.y + 1, cellY + (ch - h) / 2);
    left = cellX + cw + beside <= end ? cellX + cw + beside : Math.max(box.x + 1, cellX - beside - w);
  }
  pen.box(left, top, w, h, { fill: theme.surface, stroke: theme.ink, width: 1.5 });
  pen.text(tip, left + pad, top + h / 2, { bold: true, fill: theme.ink, max: w - 2 * pad });
}
