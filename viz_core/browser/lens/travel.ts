// While an attention opens, the ribbons of the flow travel into the cells of its matrix, and the tokens beside them to the
// names of its rows and columns; closing runs backwards. A cell is a ribbon, too: level, as long as the cell is wide, as thick
// as it is high. Places and a share of the way go in, shapes come out.

import type { Box, Pen } from "../../web/src/marks/mark";
import type { View } from "../../web/src/ui/store";
import type { Entry } from "../attention_view/data";
import { type Label, matrixLabels } from "../attention_view/matrix";
import type { MatrixFrame } from "../attention_view/picture";
import { blended, packed, textWidth } from "../kit/pen";
import { ease, mixed } from "./plan";
import type { MatrixScene } from "./scene";

/** x, end: px where a ribbon begins and ends; from, to: its middle there; size: its thickness. */
export type Ribbon = Record<"x" | "end" | "from" | "to" | "size", number>;
interface Travelling extends Ribbon {
  query: number;
  key: number;
  alpha: number;
}

/** What the flow shows of an attention, in its `panel`; view: the box of the panel in which it shows ribbons. */
export type Flow = { panel: Box; view: { y: number; h: number }; ribbons: Travelling[]; tokens: Record<Label["of"], Names> };

type Names = { left: number; middle(token: number): number; size: number; align: "left" | "center" | "right"; max: number };

const SEEN: [number, number] = [0, 0.2]; // of the movement, in which the lens takes the place of the flow
const COMES: [number, number] = [0.4, 0.8]; // in which comes what stands in the card
const WITH_RIBBONS: [number, number] = [0.68, 0.82]; // and where ribbons travel
const TRAVEL: [number, number] = [0.05, 0.8];
const STAYS = 0.84; // from here on what has arrived gives way to the cells with their numbers

const within = (t: number, [start, end]: [number, number]) => Math.min(1, Math.max(0, (t - start) / (end - start)));

// At t of the movement, 0 to 1, how much is seen of the lens, and inside its card; what share of their way the ribbons have
// gone, and how much is seen of them.
export function momentOf(t: number, hasRibbons: boolean) {
  return {
    seen: within(t, SEEN),
    inside: within(t, hasRibbons ? WITH_RIBBONS : COMES),
    share: ease(within(t, TRAVEL)),
    left: 1 - within(t, [STAYS, 1]),
  };
}

// Whether a view of an attention shows as cells what the flow shows as ribbons: the weights of one head, of tokens.
export const travels = ({ show, form, stage, unit }: View) =>
  show === "one" && form === "matrix" && (stage === "softmax" || stage === "mix") && unit !== "words";

export function ribbonOutline({ x, end, from, to, size }: Ribbon) {
  const bend = (x + end) / 2;
  const half = size / 2;
  const n = (value: number) => value.toFixed(1);
  const there = `C${n(bend)} ${n(from - half)} ${n(bend)} ${n(to - half)} ${n(end)} ${n(to - half)}`;
  const andBack = `C${n(bend)} ${n(to + half)} ${n(bend)} ${n(from + half)} ${n(x)} ${n(from + half)}`;
  return `M${n(x)} ${n(from - half)}${there}V${n(to + half)}${andBack}Z`;
}

// (query, key) => the cell of two tokens as a ribbon, with its packed `colour`; null where there is none, or it is hidden.
export function cellsOf({ selection, layout: { x, y, cw, ch }, bitmap }: MatrixFrame) {
  const { rows, columns, row: current, there, thereColumns, covered } = selection;
  const placeOf = (all: Entry[]) => new Map(all.map(({ tokens: [token] }, at) => [token, at]));
  const shownRows = placeOf(rows.slice(0, covered ? Math.max(current, 0) : there));
  const shownColumns = placeOf(columns.slice(0, thereColumns));
  return (query: number, key: number) => {
    const [row, column] = [shownRows.get(query), shownColumns.get(key)];
    if (row === undefined || column === undefined) return null;
    const middle = y + (row + 0.5) * ch;
    const colour = bitmap.pixelAt(row, column);
    return { x: x + column * cw, end: x + (column + 1) * cw, from: middle, to: middle, size: ch, colour };
  };
}

// A ribbon where it lies once the box around it has become another.
function stretched({ x, end, from, to, size }: Ribbon, before: Box, after: Box): Ribbon {
  const [wide, high] = [after.w / before.w, after.h / before.h];
  const across = (px: number) => after.x + (px - before.x) * wide;
  const down = (px: number) => after.y + (px - before.y) * high;
  return { x: across(x), end: across(end), from: down(from), to: down(to), size: size * high };
}

// ribbons: in the flow's `panel`; cells: as `cellsOf` finds them in the card when it is at its `end`; card: where it is now.
// Returns those that have a cell, on their way, with the cell's `colour`.
export function travelled(
  ribbons: Travelling[],
  cells: ReturnType<typeof cellsOf>,
  { panel, end, card, share }: { panel: Box; end: Box; card: Box; share: number },
) {
  return ribbons.flatMap(({ query, key, alpha, ...ribbon }) => {
    const cell = cells(query, key);
    if (!cell) return [];
    const [from, to] = [stretched(ribbon, panel, card), stretched(cell, end, card)];
    const mix = (side: keyof Ribbon) => mixed(from[side], to[side], share);
    const shape = { x: mix("x"), end: mix("end"), from: mix("from"), to: mix("to"), size: mix("size") };
    return [{ query, key, ...shape, alpha: mixed(alpha, 1, share), colour: cell.colour }];
  });
}

// The names of rows and columns on their way.
function labelsOnTheWay(labels: Label[], tokens: Flow["tokens"], share: number): Label[] {
  const before = { left: 0, center: 0.5, right: 1 }; // of a text's width, what stands before its anchor
  return labels.map((label) => {
    const from = tokens[label.of];
    const { align = "left", words, bold } = label;
    const wide = Math.min(textWidth(words, from.size, bold), from.max);
    const left = from.left + (before[align] - before[from.align]) * wide; // the same place, by the other anchor
    const at = (one: number, other: number) => mixed(one, other, share);
    const most = label.max ? at(from.max, label.max) : 0;
    const place = { left: at(left, label.left), middle: at(from.middle(label.token), label.middle) };
    return { ...label, ...place, size: at(from.size, label.size), angle: (label.angle ?? 0) * share, max: most };
  });
}

export function drawTravel(pen: Pen, { travel, plan, theme, attention, inside }: MatrixScene) {
  if (!travel) return;
  const { panel, view, ribbons, tokens, end, share, left } = travel;
  const card = plan.focus;
  const shapes = travelled(ribbons, cellsOf(attention.frame), { panel, end, card, share });
  const ink = packed(theme.weight);
  const rows = { y: card.y + ((view.y - panel.y) * card.h) / panel.h, h: (view.h * card.h) / panel.h };
  const [y, h] = [mixed(rows.y, card.y, share), mixed(rows.h, card.h, share)];
  pen.inside(card.x, y, card.w, h, () => {
    for (const shape of shapes)
      pen.path(ribbonOutline(shape), { fill: blended(ink, shape.colour, share), alpha: shape.alpha * left });
  });
  if (inside === 1) return; // the matrix has its names
  const labels = labelsOnTheWay(matrixLabels(attention.frame).there, tokens, share);
  // those that come out of a stack are seen once they are in the card: the stack keeps its own
  pen.inside(card.x, card.y, card.w, card.h, () => {
    for (const { words, left: x, middle, fill, ...style } of labels)
      pen.text(words, x, middle, { ...style, fill: blended(packed(theme.ink), packed(fill), share) });
  });
}
