// A mark draws itself with a pen and can tell what the pointer is on. A figure is a list of marks.

import type { Theme as StoreTheme } from "../ui/store";

/** One drawing interface for screen and file; kit/pen.ts describes the calls. */
export interface Pen {
  box(x: number, y: number, w: number, h: number, ink: Stroke & { fill?: string | undefined }): void;
  lines(all: number[][], ink: Stroke): void;
  curves(all: number[][], ink: Stroke): void;
  path(d: string, ink: Stroke & { fill?: string | undefined }): void;
  text(words: string, x: number, y: number, style: Omit<TextStyle, "ink" | "halo"> & { fill: string; halo?: string }): void;
  picture(bitmap: Bitmap, sx: number, sy: number, sw: number, sh: number, x: number, y: number, w: number, h: number): void;
  hatch(x: number, y: number, w: number, h: number, ink: { fill: string; stroke: string }): void;
  inside(x: number, y: number, w: number, h: number, draw: () => void): void;
}

/** A picture of one pixel per cell. */
export interface Bitmap {
  canvas: HTMLCanvasElement;
  pixelAt(row: number, column: number): number;
  colourAt(row: number, column: number): string;
}

/** The palette of viz_core/figures/palette.py. */
export type Theme = StoreTheme & Readonly<Record<string, unknown>>;

export interface Stroke {
  stroke?: string | undefined;
  width?: number | undefined;
  alpha?: number | undefined;
  dash?: readonly number[] | undefined;
}

/** A colour: its name in the theme, `positive` or `negative` of the diverging scale, or CSS. */
export type Ink = string;

export interface TextStyle {
  ink?: Ink;
  size?: number;
  bold?: boolean;
  align?: "left" | "center" | "right";
  angle?: number; // degrees
  max?: number; // px; longer text ends in an ellipsis
  halo?: Ink;
}

export interface ShapeStyle {
  fill?: Ink;
  stroke?: Ink;
  width?: number; // px of the stroke
  alpha?: number;
  dash?: readonly number[];
}

export interface Mark<Datum = never> {
  draw(pen: Pen, theme: Theme): void;
  /** The datum at a point, or null. */
  under?(x: number, y: number): Datum | null;
}

/** px */
export type Box = { x: number; y: number; w: number; h: number };

export function inkOf(theme: Theme, ink: Ink): string {
  if (ink === "positive") return theme.diverging[5] ?? "";
  if (ink === "negative") return theme.diverging[1] ?? "";
  const named = theme[ink];
  return typeof named === "string" ? named : ink;
}

export function shapeInk(theme: Theme, { fill, stroke, ...rest }: ShapeStyle) {
  return { ...rest, ...(fill && { fill: inkOf(theme, fill) }), ...(stroke && { stroke: inkOf(theme, stroke) }) };
}

export function textInk(theme: Theme, { ink = "ink", halo, ...rest }: TextStyle) {
  return { ...rest, fill: inkOf(theme, ink), ...(halo && { halo: inkOf(theme, halo) }) };
}

export const isWithin = ({ x, y, w, h }: Box, px: number, py: number): boolean => px >= x && px < x + w && py >= y && py < y + h;
