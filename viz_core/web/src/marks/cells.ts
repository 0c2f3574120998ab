// Matrix cells: a colour for each number, drawn as a bitmap of one pixel a cell; frames around cells; the colour legend.

import { READABLE, pixelCanvas, textWidth } from "../../../browser/kit/pen";
import { colourAt, cssColour, inkOn, ladder, packed, pixel } from "../../../browser/kit/svg_pen";
import { nth } from "../payload";
import { type Bitmap, type Mark, type Pen, type ShapeStyle, type Theme, isWithin, shapeInk } from "./mark";
import { text } from "./shapes";
import { type Band, type Pair, range } from "./scale";

/** domain: the numbers that get the first and the last colour. */
export type ColourScale = { colours: "sequential" | "diverging"; domain: Pair };

export interface Grid {
  values: ArrayLike<number>; // row by row; its bitmap is cached, so the array must not change
  rows: number;
  columns: number;
  scale: ColourScale;
}

const bitmaps = new WeakMap<ArrayLike<number>, { key: string; bitmap: Bitmap }>();

const tableOf = ({ colours }: ColourScale, theme: Theme) => ladder(theme[colours]);

/** The bitmap of a grid; overflowed numbers have the colour of masked cells. */
export function bitmapOf({ values, rows, columns, scale }: Grid, theme: Theme): Bitmap {
  const key = [rows, columns, scale.domain, theme[scale.colours], theme.masked].join();
  const cached = bitmaps.get(values);
  if (cached?.key === key) return cached.bitmap;
  const [low, high] = scale.domain;
  const [table, hole] = [tableOf(scale, theme), packed(theme.masked)];
  const colour = (value: number) => (Number.isFinite(value) ? pixel(table, (value - low) / (high - low)) : hole);
  const bitmap = painted(values, rows, columns, colour);
  bitmaps.set(values, { key, bitmap });
  return bitmap;
}

/** A bitmap with the packed colour of each number. */
export function painted(values: ArrayLike<number>, rows: number, columns: number, colour: (value: number) => number): Bitmap {
  const canvas = pixelCanvas(columns, rows, (pixels) => {
    for (let at = 0; at < values.length; at += 1) pixels[at] = colour(nth(values, at));
  });
  const pixelAt = (row: number, column: number) => colour(nth(values, row * columns + column));
  return { canvas, pixelAt, colourAt: (row, column) => cssColour(pixelAt(row, column)) };
}

interface Cells<Datum> {
  rows?: number; // draws only the first so many
  gap?: Pair; // px between columns and between rows; with gaps between columns each cell is a box of its own
  datum?: (row: number, column: number) => Datum; // what a cell is under the pointer
}

/** Draws the first columns, as many as `x` has. */
export function cells<Datum = never>(
  x: Band,
  y: Band,
  grid: Grid,
  { rows = grid.rows, gap = [0, 0], datum }: Cells<Datum> = {},
): Mark<Datum> {
  const [left, top] = [x.range[0], y.range[0]];
  const area = { x: left, y: top, w: x.range[1] - left, h: rows * y.step };
  const [across, down] = gap;
  return {
    draw(pen, theme) {
      const bitmap = bitmapOf(grid, theme);
      if (!across && !down) pen.picture(bitmap, 0, 0, x.count, rows, left, top, area.w, area.h);
      else
        for (const row of range(rows)) {
          const [from, high] = [y.start(row), y.step - down];
          if (!across) pen.picture(bitmap, 0, row, x.count, 1, left, from, area.w, high);
          else
            for (const column of range(x.count))
              pen.box(x.start(column), from, x.step - across, high, { fill: bitmap.colourAt(row, column) });
        }
    },
    under: (px, py) => (datum && isWithin(area, px, py) ? datum(y.at(py), x.at(px)) : null),
  };
}

/** The number of each cell, in black or white, whichever is readable on it. */
export function cellNumbers(x: Band, y: Band, grid: Grid, write: (value: number) => string, size = READABLE, gap = 0): Mark {
  return {
    draw(pen, theme) {
      const bitmap = bitmapOf(grid, theme);
      for (const row of range(grid.rows))
        for (const column of range(x.count)) {
          const style = { fill: inkOn(bitmap.pixelAt(row, column)), align: "center" as const, size };
          const words = write(grid.values[row * grid.columns + column] ?? Number.NaN);
          pen.text(words, x(column) - gap / 2, y(row) - gap / 2, style);
        }
    },
  };
}

/** A frame around a cell; without `row` or `column` around the whole column, row or matrix. */
export function frame(x: Band, y: Band, at: { row?: number | undefined; column?: number | undefined }, style: ShapeStyle): Mark {
  const span = (scale: Band, index?: number) =>
    index === undefined ? [scale.range[0], scale.range[1] - scale.range[0]] : [scale.start(index), scale.step];
  const [[left = 0, w = 0], [top = 0, h = 0]] = [span(x, at.column), span(y, at.row)];
  return { draw: (pen, theme) => pen.box(left, top, w, h, shapeInk(theme, style)) };
}

interface Rows {
  least: number; // px of a labelled row
  most: number;
  smallest: number; // px of a row, where there are more than `LABELLED` and only some have a label
  together: number; // px of all such rows
}

const LABELLED = 24;

/** Px of a row, given how many share the room. whole: all must be visible. */
export function rowHeight(count: number, room: number, whole: boolean, { least, most, smallest, together }: Rows): number {
  if (whole) return Math.min(most, Math.max(room, 0) / count);
  if (count > LABELLED) return Math.max(smallest, together / count);
  return Math.min(most, Math.max(least, room / count));
}

/** Where rows or columns are narrower than `least` px, every n-th has its label; that of the held one, then of the current one, in
 * place of those near it. */
export function isLabelled(at: number, held: number, step: number, least = READABLE, current = -1): boolean {
  const thin = Math.ceil(least / step);
  const near = (one: number) => thin > 1 && one >= 0 && Math.abs(at - one) < thin;
  return at === held || (!near(held) && (at === current || (!near(current) && at % thin === 0)));
}

export type Ends = [low: string, high: string];

export const SCALE_BAR = { w: 120, h: 14 }; // px, of a large one
const WIDTH = 70; // px of a usual one
const SHADES = 60; // so many colours of it are drawn

/** The colours of a scale, from x on; its ends as they are written beside it. Returns where the right one ends. */
export function drawScale(
  pen: Pen,
  table: Int32Array,
  [low, high]: Ends,
  x: number,
  middle: number,
  theme: Pick<Theme, "ink" | "quiet">,
  w = WIDTH,
): number {
  const left = x + textWidth(low, READABLE) + 8;
  const { h } = SCALE_BAR;
  pen.text(low, x, middle, { fill: theme.ink });
  for (let shade = 0; shade < SHADES; shade += 1) {
    const fill = colourAt(table, shade / (SHADES - 1));
    pen.box(left + (shade * w) / SHADES, middle - h / 2, w / SHADES + 0.5, h, { fill });
  }
  pen.box(left - 0.5, middle - h / 2 - 0.5, w + 1, h + 1, { stroke: theme.quiet, width: 1 });
  pen.text(high, left + w + 8, middle, { fill: theme.ink });
  return left + w + 8 + textWidth(high, READABLE);
}

export function scaleWidth([low, high]: Ends, w = WIDTH): number {
  return w + 16 + textWidth(low, READABLE) + textWidth(high, READABLE);
}

/** The colours of a scale between the numbers at its ends. x: px of its left end; y: px of its middle. */
export function legend(scale: ColourScale, ends: Ends, x: number, y: number, width = WIDTH): Mark {
  return { draw: (pen, theme) => drawScale(pen, tableOf(scale, theme), ends, x, y, theme, width) };
}

/** The title of columns below their middle, and the colour legend at the figure's right edge. */
export function titleAndLegend(title: string, scale: ColourScale, ends: Ends, [x, to]: Pair, y: number, width: number): Mark[] {
  const left = width - scaleWidth(ends, BESIDE) - 4;
  const room = left + 4 - x;
  const style = { align: "center" as const, max: room - 20 };
  return [text(title, x + Math.min(to - x, room) / 2, y, style), legend(scale, ends, left, y, BESIDE)];
}

const BESIDE = 90; // px of the colours
