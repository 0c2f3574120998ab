// Basic marks: text, boxes, dots, lines, curves, bars, and marks clipped to a plot.

import { READABLE, textWidth } from "../../../browser/kit/pen";
import { type Box, type Mark, type ShapeStyle, type TextStyle, isWithin, shapeInk, textInk, type Ink } from "./mark";
import { type Linear, type Pair, type Band, range } from "./scale";

export function text(words: string, x: number, y: number, style: TextStyle = {}): Mark {
  return { draw: (pen, theme) => pen.text(words, x, y, textInk(theme, style)) };
}

/** Lines of text, downwards from y. */
export function paragraph(lines: readonly string[], x: number, y: number, line: number, style: TextStyle = {}): Mark {
  return {
    draw(pen, theme) {
      lines.forEach((words, at) => {
        pen.text(words, x, y + (at + 0.5) * line - 1, textInk(theme, style));
      });
    },
  };
}

export function box({ x, y, w, h }: Box, style: ShapeStyle): Mark {
  return { draw: (pen, theme) => pen.box(x, y, w, h, shapeInk(theme, style)) };
}

/** A path in SVG syntax. */
export const path = (d: string, style: ShapeStyle): Mark => ({ draw: (pen, theme) => pen.path(d, shapeInk(theme, style)) });

/** A box between two x and two y, in any order; null if one is unknown. */
export function between([x1, x2]: Pair, [y1, y2]: Pair, style: ShapeStyle): Mark | null {
  const area = { x: Math.min(x1, x2), y: Math.min(y1, y2), w: Math.abs(x2 - x1), h: Math.abs(y2 - y1) };
  return Object.values(area).every(Number.isFinite) ? box(area, style) : null;
}

/** Lines, each [x1, y1, x2, y2]; those with an unknown end are left out. */
export function rules(all: number[][], style: ShapeStyle): Mark {
  const known = all.filter((ends) => ends.every(Number.isFinite));
  return { draw: (pen, theme) => pen.lines(known, shapeInk(theme, style)) };
}

/** Horizontal lines at some values. */
export function levels([from, to]: Pair, y: Linear, values: readonly number[], style: ShapeStyle): Mark {
  return rules(
    values.map((value) => [from, y(value), to, y(value)]),
    style,
  );
}

/** Marks clipped to a plot. */
export function inside([left, right]: Pair, [foot, top]: Pair, marks: readonly (Mark | null)[]): Mark {
  return {
    draw(pen, theme) {
      pen.inside(left, top, right - left, foot - top, () => {
        for (const mark of marks) mark?.draw(pen, theme);
      });
    },
  };
}

/** An invisible area that the pointer can be on. */
export function place<Datum>(area: Box, datum: (x: number, y: number) => Datum | null): Mark<Datum> {
  return { draw: () => {}, under: (x, y) => (isWithin(area, x, y) ? datum(x, y) : null) };
}

/** A name in a box above a point, kept within the width of a plot. */
export function tag(words: string, x: number, y: number, [from, to]: Pair): Mark {
  const half = Math.min(textWidth(words, READABLE, true), MOST_TAG) / 2;
  const middle = Math.min(Math.max(x, from + half), to - half);
  const area = { x: middle - half - 6, y: y - READABLE - 12, w: 2 * half + 12, h: READABLE + 8 };
  const ground = box(area, { fill: "surface", stroke: "ink" });
  const name = text(words, middle, y - READABLE + 1, { bold: true, align: "center", max: MOST_TAG });
  return {
    draw(pen, theme) {
      ground.draw(pen, theme);
      name.draw(pen, theme);
    },
  };
}

const MOST_TAG = 200; // px of its text

export function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

export function dot(x: number, y: number, r: number, style: ShapeStyle): Mark {
  return { draw: (pen, theme) => pen.path(circle(x, y, r), shapeInk(theme, style)) };
}

/** A dot at the value of each column. */
export function dots(x: Band, y: Linear, values: readonly number[], ink: Ink, r = 5.5): Mark {
  return {
    draw(pen, theme) {
      values.forEach((value, at) => {
        if (Number.isFinite(y(value))) pen.path(circle(x(at), y(value), r), shapeInk(theme, { fill: ink }));
      });
    },
  };
}

// Curves through the values of columns; an unknown value leaves a gap.

type Series = readonly ArrayLike<number>[];

const NEAR = 12; // px from the pointer to a curve that it is on
const valueAt = (values: ArrayLike<number> | undefined, at: number) => values?.[at] ?? Number.NaN;

/** A curve for each series, clipped to the plot. */
export function lines(x: Band, y: Linear, series: Series, style: ShapeStyle): Mark {
  const [left, right] = x.range;
  const [foot, top] = y.range;
  const point = (values: ArrayLike<number>, at: number) => [x(at), y(valueAt(values, at))];
  const pieces = series
    .flatMap((values) => range(values.length - 1).map((at) => [...point(values, at), ...point(values, at + 1)]))
    .filter((ends) => ends.every(Number.isFinite));
  return {
    draw(pen, theme) {
      pen.inside(left, top, right - left, foot - top, () => pen.lines(pieces, shapeInk(theme, style)));
    },
  };
}

/** An invisible mark that finds the curve nearest to the pointer in its column. */
export function nearest<Datum>(x: Band, y: Linear, series: Series, datum: (column: number, series: number) => Datum): Mark<Datum> {
  const [foot, top] = y.range;
  return {
    draw: () => {},
    under(px, py) {
      const column = x.at(px);
      if (column < 0 || py < top || py >= foot) return null;
      const distance = (at: number) => Math.abs(y(valueAt(series[at], column)) - py);
      const near = range(series.length).filter((at) => distance(at) < NEAR);
      const [first] = near.sort((one, other) => distance(one) - distance(other));
      return first === undefined ? null : datum(column, first);
    },
  };
}

// Bars from 0 to the value of each column or row, and numbers at the ends of bars or over dots.

interface Bars {
  ink: Ink;
  picked?: number; // index of the bar in full colour
  outlined?: boolean; // whether that one has an outline, too
  share?: number; // thickness, as a share of the column or row
  faint?: number; // opacity of the other bars
  across?: boolean; // horizontal bars, one per row
}

export function bars(along: Band, value: Linear, values: readonly number[], style: Bars): Mark {
  const { ink, picked = -1, outlined = false, share = 0.62, faint = 0.55, across = false } = style;
  const thick = share * along.step;
  return {
    draw(pen, theme) {
      values.forEach((amount, at) => {
        const [from, to] = [Math.min(value(0), value(amount)), Math.max(value(0), value(amount))];
        if (!Number.isFinite(to - from)) return;
        const own = shapeInk(theme, { fill: ink, ...(at !== picked ? { alpha: faint } : outlined && { stroke: "ink" }) });
        const start = along(at) - thick / 2;
        if (across) pen.box(from, start, to - from, thick, own);
        else pen.box(start, from, thick, to - from, own);
      });
    },
  };
}

/** Bars without gaps, drawn as one shape per colour to avoid seams. */
export function silhouette(x: Band, y: Linear, values: readonly number[], ink: (value: number, at: number) => Ink | null): Mark {
  const shapes = new Map<Ink, string>();
  values.forEach((value, at) => {
    const own = Number.isFinite(value) ? ink(value, at) : null;
    const shape = `M${x.start(at)} ${y(0)}H${x.start(at + 1)}V${y(value)}H${x.start(at)}Z`;
    if (own) shapes.set(own, (shapes.get(own) ?? "") + shape);
  });
  return {
    draw(pen, theme) {
      for (const [own, shape] of shapes) pen.path(shape, shapeInk(theme, { fill: own }));
    },
  };
}

interface Numbers extends TextStyle {
  write: (value: number) => string;
  above: number; // px from the value up to their middle
  room: number; // px of the widest; nothing is written where columns are narrower
  picked?: number; // index of the bold one
  joined?: boolean; // whether a line joins the values: a number to which it falls steeply stands below it
}

export function numbers(
  x: Band,
  y: Linear,
  values: readonly number[],
  { write, above, room, picked, joined, ...style }: Numbers,
): Mark {
  return {
    draw(pen, theme) {
      if (room + 4 > x.step) return;
      values.forEach((value, at) => {
        if (!Number.isFinite(y(value))) return;
        const isBelow = joined && y(value) - y(values[at - 1] ?? value) > x.step;
        pen.text(
          write(value),
          x(at),
          y(value) + (isBelow ? above : -above),
          textInk(theme, { ...style, align: "center", bold: at === picked }),
        );
      });
    },
  };
}
