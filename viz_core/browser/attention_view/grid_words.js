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

// Beside matrices rows on the left, below them columns; beside lines keys on the left, queries on the right. held: the row
// that is spoken of.
export function drawWords(pen, frame, held) {
  const { heads, view, layout } = frame;
  const [left, right] = view.form === "lines" ? [keyWords, queryWords] : [queryWords, null];
  for (let line = 0; line < layout.down; line += 1) {
    const first = line * layout.across;
    const last = Math.min(first + layout.across, heads.length) - 1;
    if (layout.words) left(pen, frame, first, -1, held);
    if (layout.right) right(pen, frame, last, 1, held);
  }
  if (!right) columnWords(pen, frame);
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

// towards: -1 for the words on the left of a picture, 1 for those on its right.
function sideWords(pen, { layout, theme }, index, towards, side, order, inkOf) {
  const { x } = layout.at(index);
  const edge = towards < 0 ? x : x + layout.w;
  const [align, room] = towards < 0 ? ["right", layout.words] : ["left", layout.right];
  const ticks = [];
  stackWords(layout, index, side, order, (place, middle, tick) => {
    pen.text(side[place].label, edge + towards * TO_PICTURE, middle, {
      ...inkOf(place),
      align,
      max: room - TO_PICTURE,
    });
    ticks.push([edge + towards * 2, tick, edge + towards * (2 + TICK), tick]);
  });
  pen.lines(ticks, { stroke: theme.quiet, width: 1 });
}

function queryWords(pen, frame, index, towards, held) {
  const { rows, there, growing } = frame.selection;
  const { theme } = frame;
  const all = fromTheEnds(growing ? there : rows.length);
  const inkOf = (row) => ({
    bold: row === held,
    fill: row === held ? theme.q_text : row < there ? theme.ink : theme.quiet,
  });
  sideWords(pen, frame, index, towards, rows, held < 0 ? all : [held, ...all], inkOf);
}

function keyWords(pen, frame, index, towards) {
  const { columns, thereColumns } = frame.selection;
  sideWords(pen, frame, index, towards, columns, fromTheEnds(thereColumns), () => ({ fill: frame.theme.ink }));
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
