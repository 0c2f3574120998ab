// Rows of vectors with the operations between them: layout, drawing, and what is under the pointer. A vector is a grid with one cell per
// number; for vectors of all heads each line is a head.

import { type Ends, drawScale } from "../../web/src/marks/cells";
import { type Box, type Pen, isWithin } from "../../web/src/marks/mark";
import type { Theme } from "../../web/src/ui/store";
import { READABLE, textWidth } from "../kit/pen";
import { ladder } from "../kit/svg_pen";
import { type Content, type Operation, type Row, type Term, isTerm } from "./blocks";
import { drawFormula, drawPicture, formulaWidth, vectorPicture } from "./ink";
import type { Scene } from "./scene";

/** A number of a vector. */
export type Spot = { row: number; term: number; at: number };

type Sign = Operation & { x: number; y: number };

/** A vector in its place. labelled: whether the current head is named beside it; free: px after it that its name may use. */
interface Placed extends Term {
  across: number;
  labelled: boolean;
  free: number;
  box: Box;
}

export type TermsPlan = ReturnType<typeof termsPlan>;
type PlacedRow = ReturnType<typeof placeRow>;

const PAD = 18;
const NAME = 28; // px of the name above a vector
const KEY = 30; // px of the colour legend below a row
const LINE = 40; // px of the arithmetic at the foot
const BESIDE = 10; // px on either side of an operation
const HEAD = 64; // px on the left for the name of the current head
const HIGHEST = { among: 200, alone: 320 }; // px of a grid, among several rows or alone
const WIDEST_CELL = 14; // px
const SIGN = 24; // px per line of an operation
const VEIL = 0.55;
const LEAST_HIGH = 16; // px of a grid
const LEAST_SCALE = 10;
const SCALE = 44; // px of a legend's colours
const TABLE = 0.27; // share of the height for the vectors when a table follows

export function termsPlan({ rows, table }: Content, box: Box) {
  const x = box.x + PAD;
  const w = box.w - 2 * PAD;
  const top = box.y + 12;
  const all = box.y + box.h - top - (table ? 0 : LINE) - 6;
  const share = table ? all * TABLE : all / rows.length;
  const foot = { x, y: box.y + box.h - LINE - 4, w, h: LINE };
  const placed = rows.map((row, at) =>
    placeRow(row, { x, y: top + at * share, w, h: share }, rows.length > 1 || table ? HIGHEST.among : HIGHEST.alone),
  );
  const under = top + share + 4;
  return { rows: placed, foot, table: table ? { x, y: under, w, h: box.y + box.h - under - 8 } : null };
}

function placeRow({ items, isShared }: Row, { x, y, w, h }: Box, highest: number) {
  const terms = items.filter(isTerm<Term>);
  const named = terms.find(({ heads }) => heads);
  const labels = named ? HEAD : 0;
  const signs = items.filter((item): item is Operation => !isTerm(item));
  const taken = signs.reduce((sum, { sign }) => sum + signWidth(sign), labels);
  const apart = signs.length ? 0 : (terms.length - 1) * 2 * BESIDE;
  const unit = (w - taken - apart) / terms.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const high = Math.max(Math.min(h - NAME - KEY - 6, highest), LEAST_HIGH);
  const row = { terms: [] as Placed[], signs: [] as Sign[], isShared, under: y + NAME + high + KEY / 2 + 2 };
  let left = x + labels;
  const last = terms.at(-1);
  items.forEach((item, at) => {
    if (isTerm(item)) {
      const across = Math.ceil(item.values.length / item.lines);
      const wide = Math.min(unit * (item.weight ?? 1), across * WIDEST_CELL);
      row.terms.push({
        ...item,
        across,
        labelled: item === named,
        free: item === last ? x + w - left + PAD / 2 : 0,
        box: { x: left, y: y + NAME, w: wide, h: high },
      });
      left += wide + (signs.length || at === items.length - 1 ? 0 : 2 * BESIDE);
    } else {
      const wide = signWidth(item.sign);
      row.signs.push({ sign: item.sign, x: left + wide / 2, y: y + NAME + high / 2 });
      left += wide;
    }
  });
  return row;
}

const signWidth = (sign: string) => Math.max(...sign.split("\n").map((line) => formulaWidth(line, 20))) + 2 * BESIDE;

// t: progress of the computation, 0 to 1.
export function drawTerms(pen: Pen, scene: Scene, plan: TermsPlan, content: Content, hover: Spot | null, t = 1) {
  const { theme, data } = scene;
  const count = plan.rows.reduce((sum, { terms }) => sum + terms.length, 0);
  const dim = dimOf(plan, content, hover);
  let before = 0;
  plan.rows.forEach((row, rowAt) => {
    const isRead = row.isShared || (plan.rows.length === 1 && !plan.table); // the arithmetic at the foot is about this row
    row.signs.forEach(({ sign, x, y }, at) => {
      if (t * count < before + at + 1) return;
      const lines = sign.split("\n");
      lines.forEach((words, line) => {
        const middle = y + (line - (lines.length - 1) / 2) * SIGN;
        drawFormula(pen, words, x, middle, { fill: theme.ink, align: "center", size: 20 });
      });
    });
    row.terms.forEach((term, at) => {
      const part = Math.min(1, Math.max(0, t * count - before - at));
      if (part > 0) drawTerm(pen, scene, term, part);
      const isHot = hover?.row === rowAt && hover.term === at;
      if (part === 1) markCell(pen, theme, term, isHot ? hover.at : isRead && term.values.length === data.dims ? dim : -1, isHot);
    });
    before += row.terms.length;
    if (t === 1) drawKeys(pen, theme, row);
  });
  if (t === 1 && !plan.table) {
    const line = content.line(dim);
    drawFormula(pen, line, plan.foot.x, plan.foot.y + LINE / 2, { fill: theme.ink, size: 20, max: plan.foot.w });
  }
}

function drawTerm(pen: Pen, { theme, version, view, texts }: Scene, term: Placed, part: number) {
  const { box, id, name, short, values, limit, lines, across, ink, heads } = term;
  const key = `${version} ${id} ${limit} ${theme.surface}`;
  const room = Math.max(box.w, term.free);
  const letters = { fill: ink ?? theme.ink, bold: true, max: room };
  const fits = formulaWidth(name, READABLE, true) <= room;
  drawFormula(pen, fits ? name : (short ?? name), box.x, box.y - NAME / 2, letters);
  const picture = vectorPicture(key, values, across, limit, theme.diverging);
  pen.box(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1, { fill: theme.surface, stroke: theme.line, width: 1 });
  if (part === 1) drawPicture(pen, picture, box);
  else pen.inside(box.x, box.y, box.w * part, box.h, () => drawPicture(pen, picture, box));
  if (!heads || part < 1) return;
  const high = box.h / lines;
  const gaps = Array.from({ length: lines - 1 }, (_, at) => at + 1).map((at) => [
    box.x,
    box.y + at * high,
    box.x + box.w,
    box.y + at * high,
  ]);
  pen.lines(gaps, { stroke: theme.surface, width: 2 });
  const veil = { fill: theme.surface, alpha: term.veils ? VEIL : 0 }; // dims the other heads
  pen.box(box.x, box.y, box.w, view.head * high, veil);
  pen.box(box.x, box.y + (view.head + 1) * high, box.w, box.h - (view.head + 1) * high, veil);
  pen.box(box.x - 1, box.y + view.head * high, box.w + 2, high, { stroke: theme.accent, width: 2.5 });
  const words = `${texts.head} ${view.head + 1}`;
  if (term.labelled)
    pen.text(words, box.x - 10, box.y + (view.head + 0.5) * high, { fill: theme.accent, align: "right", bold: true });
}

function markCell(pen: Pen, theme: Theme, { box, lines, across }: Placed, at: number, isHot: boolean) {
  if (at < 0) return;
  const [w, h] = [box.w / across, box.h / lines];
  const place = { x: box.x + (at % across) * w, y: box.y + Math.floor(at / across) * h };
  pen.box(place.x - 1, place.y - 1, Math.max(w, 4) + 2, h + 2, { stroke: isHot ? theme.accent : theme.ink, width: 2 });
}

// Colour legends: one for a row of signed vectors that share their scale, otherwise one below each vector.
function drawKeys(pen: Pen, theme: Theme, { terms, isShared, under }: PlacedRow) {
  terms.forEach(({ box, limit, isPositive }, at) => {
    if (isShared && at) return;
    const write = (end: number) => String(Number(end.toPrecision(2))).replace("-", "−");
    const [low, high]: Ends = [write(isPositive ? 0 : -limit), write(limit)];
    const room = box.w - textWidth(low, READABLE) - textWidth(high, READABLE) - 16;
    const wide = isShared ? SCALE : Math.min(SCALE, Math.max(room, LEAST_SCALE));
    const colours = isPositive ? theme.diverging.slice((theme.diverging.length - 1) / 2) : theme.diverging;
    drawScale(pen, ladder(colours), [low, high], box.x, under, theme, wide);
  });
}

// The cell under a point.
export function termUnder({ rows }: TermsPlan, { x, y }: { x: number; y: number }): Spot | null {
  for (const [row, { terms }] of rows.entries())
    for (const [term, { box, lines, across, values }] of terms.entries()) {
      if (!isWithin(box, x, y)) continue;
      const at = Math.floor(((y - box.y) / box.h) * lines) * across + Math.floor(((x - box.x) / box.w) * across);
      if (at < values.length) return { row, term, at };
    }
  return null;
}

// The dimension of the arithmetic: the one under the pointer, or else the content's first.
function dimOf({ rows }: TermsPlan, { dim = 0 }: Content, hover: Spot | null) {
  const term = hover && rows[hover.row]?.terms[hover.term];
  return term && term.values.length === rows[0]?.terms[0]?.values.length ? hover.at : dim;
}
