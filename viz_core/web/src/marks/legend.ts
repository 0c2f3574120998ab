// The colours of a scale with the numbers at its ends.

import { drawScale, scaleWidth } from "../../../browser/attention_view/cells";
import { type ColourScale, tableOf } from "./cells";
import type { Mark } from "./mark";
import type { Pair } from "./scale";
import { text } from "./shapes";

type Ends = [string, string];

const WIDTH = 70; // px of the colours

export const legendWidth = (ends: Ends, width = WIDTH): number => scaleWidth(ends, width);

/** x: px of its left end; y: of its middle. */
export function legend(scale: ColourScale, ends: Ends, x: number, y: number, width = WIDTH): Mark {
  return { draw: (pen, theme) => drawScale(pen, tableOf(scale, theme), ends, x, y, theme, width) };
}

/** The title of columns below their middle, and the scale at the right edge of a figure so wide. */
export function titleAndLegend(title: string, scale: ColourScale, ends: Ends, [x, to]: Pair, y: number, width: number): Mark[] {
  const left = width - legendWidth(ends, BESIDE) - 4;
  const room = left + 4 - x;
  const style = { align: "center" as const, max: room - 20 };
  return [text(title, x + Math.min(to - x, room) / 2, y, style), legend(scale, ends, left, y, BESIDE)];
}

const BESIDE = 90; // px of the colours
