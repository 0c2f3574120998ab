// While an attention opens, the flow's ribbons travel into the cells of its matrix, and the tokens beside them to the labels of its rows
// and columns; closing runs backwards. A cell counts as a ribbon, too: level, as long as the cell is wide and as thick as it is high.

import type { Box, Pen } from "../../web/src/marks/mark";
import type { View } from "../../web/src/ui/store";
import type { Entry } from "../attention_view/data";
import { type Label, matrixLabels } from "../attention_view/matrix";
import type { MatrixFrame } from "../attention_view/picture";
import { blended, packed } from "../kit/svg_pen";
import { textWidth } from "../kit/pen";
import { ease, mixed } from "./stacks";
import type { MatrixScene } from "./scene";

/** x, end: px at which a ribbon begins and ends; from, to: its middle there; size: its thickness. */
export type Ribbon = Record<"x" | "end" | "from" | "to" | "size", number>;
interface Travelling extends Ribbon {
  query: number;
  key: number;
  alpha: number;
}

/** An attention as the flow shows it in `panel`; view: the part of the panel with ribbons. */
export type Flow = { panel: Box; view: { y: number; h: number }; ribbons: Travelling[]; tokens: Record<Label["of"], Names> };

type Names = { left: number; middle(token: number): number; size: number; align: "left" | "center" | "right"; max: number };

const SEEN: [number, number] = [0, 0.2]; // when, as shares of the movement, the lens replaces the flow
const COMES: [number, number] = [0.4, 0.8]; // when the card's content appears
const WITH_RIBBONS: [number, number] = [0.68, 0.82]; // the same where ribbons travel
const TRAVEL: [number, number] = [0.05, 0.8]; // when they do
const STAYS = 0.84; // when the arrived ribbons begin to give way to cells with numbers

const within = (t: number, [start, end]: [number, number]) => Math.min(1, Math.max(0, (t - start) / (end - start)));

// At t of the movement, 0 to 1: the opacity of the lens (seen) and of its card's content (inside), the share of their way that ribbons
// have travelled, and their opacity (left).
export function momentOf(t: number, hasRibbons: boolean) {
  return {
    seen: within(t, SEEN),
    inside: within(t, hasRibbons ? WITH_RIBBONS : COMES),
    share: ease(within(t, TRAVEL)),
    left: 1 - within(t, [STAYS, 1]),
  };
}

// Whether a view shows the flow's ribbons as cells: the weights of one head, between tokens.
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

// (query, key) => the cell of two tokens as a ribbon, with its packed `colour`; null if there is none or it is hidden.
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

// A ribbon after the box around it has changed.
function stretched({ x, end, from, to, size }: Ribbon, before: Box, after: Box): Ribbon {
  const [wide, high] = [after.w / before.w, after.h / before.h];
  const across = (px: number) => after.x + (px - before.x) * wide;
  const down = (px: number) => after.y + (px - before.y) * high;
  return { x: across(x), end: across(end), from: down(from), to: down(to), size: size * high };
}

// The ribbons that have a cell, on their way to it, with the cell's `colour`. ribbons: in the flow's `panel`; cells: in the card at its
// `end`; card: its place now.
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

// The labels of rows and columns on their way.
function labelsOnTheWay(labels: Label[], tokens: Flow["tokens"], share: number): Label[] {
  const before = { left: 0, center: 0.5, right: 1 }; // share of a text's width before its anchor
  return labels.map((label) => {
    const from = tokens[label.of];
    const { align = "left", words, bold } = label;
    const wide = Math.min(textWidth(words, from.size, bold), from.max);
    const left = from.left + (before[align] - before[from.align]) * wide; // the same place for the other anchor
    const at = (start: number, end: number) => mixed(start, end, share);
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
  if (inside === 1) return; // the matrix draws its labels
  const labels = labelsOnTheWay(matrixLabels(attention.frame).there, tokens, share);
  // clipped to the card: a stack keeps its own tokens
  pen.inside(card.x, card.y, card.w, card.h, () => {
    for (const { words, left: x, middle, fill, ...style } of labels)
      pen.text(words, x, middle, { ...style, fill: blended(packed(theme.ink), packed(fill), share) });
  });
}
