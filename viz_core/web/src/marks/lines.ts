// Curves through the values of columns; an unknown value leaves a gap.

import { type Mark, type ShapeStyle, shapeInk } from "./mark";
import { type Band, type Linear, range } from "./scale";

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
