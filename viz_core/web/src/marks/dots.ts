// A disc at the value of each column.

import { type Ink, type Mark, type ShapeStyle, shapeInk } from "./mark";
import type { Band, Linear } from "./scale";

export function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

export function dot(x: number, y: number, r: number, style: ShapeStyle): Mark {
  return { draw: (pen, theme) => pen.path(circle(x, y, r), shapeInk(theme, style)) };
}

export function dots(x: Band, y: Linear, values: readonly number[], ink: Ink, r = 5.5): Mark {
  return {
    draw(pen, theme) {
      values.forEach((value, at) => {
        if (Number.isFinite(y(value))) pen.path(circle(x(at), y(value), r), shapeInk(theme, { fill: ink }));
      });
    },
  };
}
