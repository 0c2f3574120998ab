// Basic marks: text, boxes, dots, lines, and marks clipped to a plot.

import { READABLE, textWidth } from "../../../browser/kit/pen";
import { type Box, type Mark, type ShapeStyle, type TextStyle, isWithin, shapeInk, textInk, type Ink } from "./mark";
import type { Linear, Pair, Band } from "./scale";

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
