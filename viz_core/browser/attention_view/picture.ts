// Composes a picture, for the screen and for a file: its heads, colours, layout and marks; in a file the whole matrix without scrolling,
// with the arithmetic of the cell beside it.

import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Theme, View } from "../../web/src/ui/store";
import { fill } from "../kit/numbers";
import { STAGES } from "../kit/operations";
import { textWidth } from "../kit/pen";
import { svgPen } from "../kit/svg_pen";
import { type Axis, bitmapOf, scaleOf, scrolledTo } from "./cells";
import { type Selection, focusRow, formOf, headsOf, selectionOf, valuesOf } from "./selection";
import { type Attention, MEAN, type Place, type Texts } from "./data";
import { drawGrid, layoutGrid, thumbAt } from "./grid";
import { drawLines, layoutLines, tokenAt } from "./lines";
import { drawLegend } from "./controls";
import { cellAt, drawMatrix, layoutMatrix } from "./matrix";
import { drawNeurons, layoutNeurons, neuronAt, sizeInFile } from "./neurons";
import { type Panel, drawNumbers } from "./panel";

/** All that a picture is drawn from. */
export type Frame<Own extends Layout = Layout> = Composed & { layout: Own };
export type MatrixFrame = Frame<ReturnType<typeof layoutMatrix>>;
export type LinesFrame = Frame<ReturnType<typeof layoutLines>>;
export type GridFrame = Frame<ReturnType<typeof layoutGrid>>;
export type NeuronsFrame = Frame<ReturnType<typeof layoutNeurons>>;
type Composed = ReturnType<typeof compose>;

/** least: px of height at which nothing scrolls. */
type Layout = { box: Box; axes: readonly [across: Axis, down: Axis]; least?: number };

/** What the pointer is on in a grid. */
export type Thumb = { index: number; cell: Place | null };

export type Pointed = Place | Thumb;

/** What is framed; slides: labels are being animated. */
type Marks = { hover?: Place | null; focus?: Place | null; locked?: boolean; thumb?: Thumb | null; tip?: string; slides?: boolean };

/** What a layout depends on. */
export type Shown = { selection: Selection; data: Attention; view: View; texts: Texts };

interface Form {
  layout(shown: Shown, box: Box, whole: boolean): Layout;
  draw(pen: Pen, frame: Frame): void;
  under(frame: Frame, x: number, y: number): Pointed | null;
}

const FORMS: Record<ReturnType<typeof formOf>, Form> = {
  grid: { layout: layoutGrid, draw: drawGrid, under: thumbAt },
  lines: { layout: layoutLines, draw: drawLines, under: tokenAt },
  matrix: { layout: layoutMatrix, draw: drawMatrix, under: cellAt },
  neurons: { layout: layoutNeurons, draw: drawNeurons, under: neuronAt },
};

// whole: nothing scrolls.
export function compose(data: Attention, view: View, theme: Theme, box: Box, whole: boolean) {
  const texts = data.about.texts;
  const selection = selectionOf(data, view);
  const heads = headsOf(data, view);
  const form = formOf(view);
  const head = view.show === "mean" ? MEAN : view.head;
  const limit = Math.max(...heads.map(([layer, index]) => data.limit(layer, index)));
  const scale = scaleOf(selection, limit, theme);
  const { key, log, columns } = selection;
  const bitmap = (layer: number, ofHead: number) => {
    const name = [theme.surface, key, log, limit, layer, ofHead].join(" ");
    return bitmapOf(data, name, columns.length, () => valuesOf(data, selection, layer, ofHead), scale, theme.masked);
  };
  return {
    ...{ data, view, theme, texts, selection, heads, form, scale, head },
    scroll: [0, 0] as [number, number],
    marks: {} as Marks,
    arriving: false, // its numbers and labels are still being animated into place
    grid: form === "grid",
    titles: titlesOf(data, selection, view, head),
    focusedRow: Math.max(0, focusRow(selection, view)), // the focused row
    bitmapOf: (index: number) => bitmap(...nth(heads, index)),
    bitmap: bitmap(view.layer, head),
    layout: FORMS[form].layout({ selection, data, view, texts }, box, whole),
  };
}

function titlesOf({ about: { texts }, out }: Attention, selection: Selection, view: View, head: number) {
  const headName = (at: number): string => fill(texts.head, { head: at + 1 });
  const layerName = (at: number): string => fill(texts.layer, { layer: at + 1 });
  const one = headName(view.head) + (out(view.layer, view.head) ? `, ${texts.out}` : "");
  return {
    rows: selection.words ? texts.rows_words : texts.rows,
    columns: texts.columns,
    absent: texts.absent,
    corner: [layerName(view.layer), head === MEAN ? texts.mean_sign : one],
    head: headName,
    layer: layerName,
  };
}

export const under = (frame: Frame, x: number, y: number) => FORMS[frame.form].under(frame, x, y);

// The title attribute at a point: the note of a label's token; on a later row, which is paler or not drawn, that it cannot be chosen yet.
export function titleAt(frame: Frame, x: number, y: number) {
  const { selection, texts } = frame;
  const { rows, columns } = selection;
  const place = under({ ...frame, selection: { ...selection, there: rows.length } }, x, y);
  if (!Array.isArray(place)) return null;
  const [row, column] = place;
  const note = row < 0 ? columns[column]?.note : column < 0 ? rows[row]?.note : "";
  return [note, row >= selection.there && texts.later_row].filter(Boolean).join("\n") || null;
}

// The scroll position that brings a cell into sight.
export function follow({ form, layout: { axes } }: Frame, scroll: [number, number], [row, column]: Place) {
  const at = [column, form === "neurons" ? column : row];
  return axes.map((axis, i) => scrolledTo(nth(at, i), nth(scroll, i), axis)) as [number, number];
}

export function draw(pen: Pen, frame: Frame) {
  FORMS[frame.form].draw(pen, frame);
}

// What the pointer is on, if it exists in this frame.
export function stillThere(frame: Frame, what: Pointed | null): Pointed | null {
  if (!what || frame.grid === Array.isArray(what)) return null;
  const { there, thereColumns } = frame.selection;
  const exists = ([row, column]: Place) => row < there && column < thereColumns;
  if (!Array.isArray(what))
    return what.index < frame.heads.length ? { ...what, cell: what.cell && exists(what.cell) ? what.cell : null } : null;
  if (!exists(what)) return null;
  const [row, column, dim = -1] = what;
  return frame.form === "neurons" ? [frame.focusedRow, column, dim] : [row, column];
}

const MARGIN = 24;
const HEADING = 44;
const FOOT = 44;
const SIDE_BOX = 330;
const LEGEND = 400;
const ROW = 24;
const SIGNED = 44; // px of a cell with a difference
const LEAST_SIZE = { w: 640, h: 420 };
const LINE_HIGH = 28;
const SIDE_HIGH = 600; // px

// shown: the frame on the screen; words, panel: the reading of its cell.
export function exported(shown: Frame, { words, panel }: { words: string; panel: Panel | null }) {
  const { data, view, theme, texts } = shown;
  const neurons = shown.form === "neurons";
  const { w, h } = sizeOf(shown);
  const width = w + (panel ? SIDE_BOX + MARGIN : 0) + 2 * MARGIN;
  const height = h + HEADING + FOOT + 2 * MARGIN;
  const pen = svgPen(width, height, { ground: theme.surface });
  const frame = compose(data, view, theme, { x: MARGIN, y: MARGIN + HEADING, w, h }, true);
  frame.marks = { ...shown.marks, hover: null, thumb: null, tip: "" };
  const heading = fill(texts.heading, { kind: texts.kind, stage: texts[`long_${view.stage}`] });
  pen.text(heading, MARGIN, MARGIN + 12, { size: 22, bold: true, fill: theme.ink, max: width - 2 * MARGIN });
  draw(pen, frame);
  const side = { x: MARGIN + w + MARGIN, y: MARGIN + HEADING, w: SIDE_BOX, h: Math.min(h, SIDE_HIGH) };
  if (panel) drawSide(pen, frame, panel, side);
  const foot = height - MARGIN - 16;
  const legend = neurons ? 0 : LEGEND;
  pen.text(words, MARGIN, foot, { fill: theme.ink, max: width - legend - 3 * MARGIN });
  const masked = frame.bitmap.values.some(Number.isNaN);
  if (!neurons) drawLegend(pen, frame, { x: width - MARGIN - legend, w: legend, middle: foot }, masked);
  return pen.finish();
}

// The size of the picture in a file.
function sizeOf({ grid, form, selection, data }: Frame) {
  const { rows, columns, signed } = selection;
  if (form === "neurons") {
    const wanted = sizeInFile(selection, data);
    return { w: Math.max(LEAST_SIZE.w, wanted.w), h: wanted.h };
  }
  if (grid) return { w: LEAST_SIZE.w * 1.8, h: LEAST_SIZE.h };
  const across = columns.length * (signed ? SIGNED : ROW) + 320;
  return { w: Math.max(LEAST_SIZE.w, across), h: Math.max(LEAST_SIZE.h, rows.length * ROW + 200) };
}

// The arithmetic of a cell up to the current stage, or the parts of a derived number.
export function drawSide(pen: Pen, frame: Frame, panel: Panel, { x, y, w, h }: Box) {
  if (panel.kind === "parts") {
    drawNumbers(pen, frame, panel, { x, y, w, h });
    return;
  }
  const reached = STAGES.indexOf(frame.view.stage);
  const lines = panel.rows.filter(({ stage }) => STAGES.indexOf(stage) <= reached);
  const high = h - 6 * LINE_HIGH - 20;
  drawNumbers(pen, frame, panel, { x, y, w, h: high });
  lines.forEach(({ name, value, bold }, line) => {
    const middle = y + high + 20 + (line + 0.5) * LINE_HIGH;
    const style = { fill: frame.theme.ink, bold };
    pen.text(name, x, middle, { ...style, max: w - textWidth(value, 20, bold) - 12 });
    pen.text(value, x + w, middle, { ...style, size: 20, align: "right" });
  });
}
