// Bars from 0 to the value of each column or row, and numbers at the ends of bars or over dots.

import { type Ink, type Mark, type TextStyle, shapeInk, textInk } from "./mark";
import type { Band, Linear } from "./scale";

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
}

export function numbers(x: Band, y: Linear, values: readonly number[], { write, above, room, picked, ...style }: Numbers): Mark {
  return {
    draw(pen, theme) {
      if (room + 4 > x.step) return;
      values.forEach((value, at) => {
        if (!Number.isFinite(y(value))) return;
        pen.text(write(value), x(at), y(value) - above, textInk(theme, { ...style, align: "center", bold: at === picked }));
      });
    },
  };
}
