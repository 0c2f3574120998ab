// Words of a grid: the tokens beside its outermost pictures, as many as fit, and what the cell under the pointer says.

import { READABLE, textWidth, widestText } from "../kit/pen.js";

export const WORDS_FOOT = 24; // px of the line of words below matrices
const TICK = 4; // px, from a picture towards the word of a row or a column
const TO_PICTURE = 9; // px between a word and its picture
const LONGEST_WORD = [140, 0.14]; // px, and in parts of the grid's width
const LEAST_WORD = 56; // px: with less room there are no words
const WORD_HEIGHT = 20; // px with the room around it
const BETWEEN_WORDS = 8; // px
const TIP_PLACE = { pad: 8, h: 28, above: 10, below: 24, beside: 16 }; // px; below the cell stands the pointer itself

// Px that the words of a side take, with what stands between them and the pictures.
export function wordsWidth(side, box) {
  const most = Math.min(LONGEST_WORD[0], LONGEST_WORD[1] * box.w);
  return most < LEAST_WORD ? 0 : Math.min(most, widestText(side.map(({ label }) => label))) + TO_PICTURE;
}

// Rows on the left; columns below, of lines on the right. held: the row that is spoken of.
export function drawWords(pen, frame, held) {
  const { heads, view, layout } = frame;
  const lines = view.form === "lines";
  for (let line = 0; line < layout.down; line += 1) {
    const first = line * layout.across;
    if (layout.words) rowWords(pen, frame, first, held);
    if (layout.right) keyWords(pen, frame, Math.min(first + layout.across, heads.length) - 1);
  }
  if (!lines) columnWords(pen, frame);
}

// Which words are shown, [place, from, to]: the first ones of `order` that do not touch one before them.
function fittingWords(order, spanOf) {
  const found = [];
  for (const place of new Set(order)) {
    const [from, to] = spanOf(place);
    if (found.every(([, left, right]) => to <= left || from >= right)) found.push([place, from, to]);
  }
  return found;
}

// The first and the last of so many before what is between them.
function fromTheEnds(count) {
  return [0, count - 1, ...Array(count).keys()].filter((place) => place >= 0);
}

// Words of a side below each other, beside one picture: calls put(place, y of the word, y of its row).
function stackWords(layout, index, side, order, put) {
  const { y } = layout.at(index);
  const step = layout.shownH / side.length;
  const [top, bottom] = [y + WORD_HEIGHT / 2, y + layout.shownH - WORD_HEIGHT / 2];
  const middle = (place) => Math.max(top, Math.min(bottom, y + (place + 0.5) * step));
  const span = (place) => [middle(place) - WORD_HEIGHT / 2, middle(place) + WORD_HEIGHT / 2];
  for (const [place] of fittingWords(order, span)) put(place, middle(place), y + (place + 0.5) * step);
}

function rowWords(pen, { selection: { rows, there, growing }, layout, theme }, index, held) {
  const { x } = layout.at(index);
  const ticks = [];
  const put = (row, middle, tick) => {
    const fill = row === held ? theme.q_text : row < there ? theme.ink : theme.quiet;
    const max = layout.words - TO_PICTURE;
    pen.text(rows[row].label, x - TO_PICTURE, middle, { bold: row === held, fill, align: "right", max });
    ticks.push([x - 2 - TICK, tick, x - 2, tick]);
  };
  const all = fromTheEnds(growing ? there : rows.length);
  stackWords(layout, index, rows, held < 0 ? all : [held, ...all], put);
  pen.lines(ticks, { stroke: theme.quiet, width: 1 });
}

function keyWords(pen, { selection: { columns, thereColumns }, layout, theme }, index) {
  const x = layout.at(index).x + layout.w;
  const style = { fill: theme.ink, max: layout.right - TO_PICTURE };
  const ticks = [];
  const put = (column, middle, tick) => {
    pen.text(columns[column].label, x + TO_PICTURE, middle, style);
    ticks.push([x + 2, tick, x + 2 + TICK, tick]);
  };
  stackWords(layout, index, columns, fromTheEnds(thereColumns), put);
  pen.lines(ticks, { stroke: theme.quiet, width: 1 });
}

// Below each picture that has none below it.
function columnWords(pen, { selection: { columns, thereColumns }, heads, layout, theme }) {
  const { shownW, shownH, cw, across, at } = layout;
  const max = (shownW - BETWEEN_WORDS) / 2;
  if (max < READABLE) return;
  const width = (column) => Math.min(max, textWidth(columns[column].label, READABLE));
  const span = (column) => {
    const wide = width(column);
    const left = Math.max(0, Math.min(shownW - wide, (column + 0.5) * cw - wide / 2));
    return [left, left + wide + BETWEEN_WORDS];
  };
  const shown = fittingWords(fromTheEnds(thereColumns), span);
  for (let index = Math.max(0, heads.length - across); index < heads.length; index += 1) {
    const { x, y } = at(index);
    const bottom = y + shownH + 2;
    for (const [column, left] of shown)
      pen.text(columns[column].label, x + left, bottom + WORDS_FOOT / 2, { fill: theme.ink, max });
    const ticks = shown.map(([column]) => x + (column + 0.5) * cw);
    pen.lines(
      ticks.map((tick) => [tick, bottom, tick, bottom + TICK]),
      { stroke: theme.quiet, width: 1 },
    );
  }
}

// Above the cell under the pointer, else below or beside it: never over it.
export function drawTip(pen, { layout, marks: { thumb, tip }, theme }) {
  const { box, cw, ch, at } = layout;
  const { pad, h, above, below, beside } = TIP_PLACE;
  const { x, y } = at(thumb.index);
  const [row, column] = thumb.cell;
  const [cellX, cellY] = [x + column * cw, y + row * ch];
  const w = Math.min(box.w - 2, textWidth(tip, READABLE, true) + 2 * pad);
  const end = box.x + box.w - 1 - w; // the last place for it
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
