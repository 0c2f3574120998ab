// Shapes that the lens draws: rounded cards, curves, vectors as small pictures, formulas with sub- and superscripts.

import { painted } from "../../web/src/marks/cells";
import type { Bitmap, Box, Pen } from "../../web/src/marks/mark";
import { ladder, pixel } from "../kit/svg_pen";
import { READABLE, linesOf, textWidth } from "../kit/pen";

const n = (value: number) => value.toFixed(1);

export function rounded({ x, y, w, h }: Box, radius: number) {
  const r = Math.max(0, Math.min(radius, w / 2, h / 2));
  const [right, bottom] = [x + w, y + h];
  const corner = (toX: number, toY: number, overX: number, overY: number) => `Q${n(overX)} ${n(overY)} ${n(toX)} ${n(toY)}`;
  return [
    `M${n(x + r)} ${n(y)}H${n(right - r)}`,
    corner(right, y + r, right, y),
    `V${n(bottom - r)}`,
    corner(right - r, bottom, right, bottom),
    `H${n(x + r)}`,
    corner(x, bottom - r, x, bottom),
    `V${n(y + r)}`,
    `${corner(x + r, y, x, y)}Z`,
  ].join("");
}

// Continues a path from x1, y1 to another point, level at both ends.
export function onTo(x1: number, y1: number, x2: number, y2: number) {
  const middle = (x1 + x2) / 2;
  return `C${n(middle)} ${n(y1)} ${n(middle)} ${n(y2)} ${n(x2)} ${n(y2)}`;
}

export const swing = (x1: number, y1: number, x2: number, y2: number) => `M${n(x1)} ${n(y1)}${onTo(x1, y1, x2, y2)}`;

// A curve from the left to x2, level on to x3, then down to y3.
export function downInto({ x1, y1, x2, y2, x3, y3 }: Record<"x1" | "y1" | "x2" | "y2" | "x3" | "y3", number>) {
  const r = Math.max(0, Math.min(9, y3 - y2, x3 - x2));
  return `${swing(x1, y1, x2, y2)}H${n(x3 - r)}Q${n(x3)} ${n(y2)} ${n(x3)} ${n(y2 + r)}V${n(y3)}`;
}

interface Picture extends Bitmap {
  across: number;
  down: number;
}

const pictures = new Map<string, Picture>();
const MOST_PICTURES = 600;
type Colours = readonly string[];

// A vector as a cached picture, `across` cells per line. limit: the end of the colour scale; about: identifies all else it depends on.
export function vectorPicture(about: string, values: Float32Array, across: number, limit: number, colours: Colours) {
  const key = `${about} ${values.length} ${across}`;
  const cached = pictures.get(key);
  if (cached) return cached;
  const [down, table] = [Math.ceil(values.length / across), ladder(colours)];
  const bitmap = painted(values, down, across, (value) => pixel(table, (value / limit + 1) / 2));
  const picture = { ...bitmap, across, down };
  if (pictures.size >= MOST_PICTURES) pictures.clear();
  pictures.set(key, picture);
  return picture;
}

export function drawPicture(pen: Pen, picture: Picture, { x, y, w, h }: Box) {
  pen.picture(picture, 0, 0, picture.across, picture.down, x, y, w, h);
}

const SCRIPT = 0.7; // size of sub- and superscripts, as a share of the text's
const SHIFT = { raised: -0.33, lowered: 0.22 };

// Splits "W^{O}" or "W_{1}" into runs.
function runsOf(words: string): [words: string, shift: number][] {
  return words
    .split(/([\^_]\{[^}]*\})/)
    .filter(Boolean)
    .map((run) => (/^[\^_]\{/.test(run) ? [run.slice(2, -1), run[0] === "^" ? SHIFT.raised : SHIFT.lowered] : [run, 0]));
}

const sizeOf = (size: number, shift: number) => (shift ? size * SCRIPT : size);

export function formulaWidth(words: string, size = READABLE, bold = false): number {
  return runsOf(words).reduce((sum, [run, shift]) => sum + textWidth(run, sizeOf(size, shift), bold), 0);
}

// The words with sub- and superscripts as plain text.
export const plain = (words: string) => words.replace(/\^\{([^}]*)\}/g, "^$1").replace(/_\{([^}]*)\}/g, "$1");

// Draws text with sub- and superscripts, smaller if it is longer than `max` px; y is the middle of the line.
export function drawFormula(
  pen: Pen,
  words: string,
  x: number,
  y: number,
  { size = READABLE, align = "left", max = 0, ...style }: Parameters<Pen["text"]>[3],
) {
  const wanted = formulaWidth(words, size, style.bold);
  const fitted = max && wanted > max ? (size * max) / wanted : size;
  const wide = (wanted * fitted) / size;
  let left = x - { left: 0, center: wide / 2, right: wide }[align];
  for (const [run, shift] of runsOf(words)) {
    const letters = sizeOf(fitted, shift);
    pen.text(run, left, y + shift * fitted, { ...style, size: letters });
    left += textWidth(run, letters, style.bold);
  }
}

// Wraps a text into lines of at most `max` px.
export function wrapped(words: string, max: number, size: number): string[] {
  return linesOf(words, (line: string) => formulaWidth(line, size) <= max);
}
