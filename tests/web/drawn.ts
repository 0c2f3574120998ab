// What figures need outside a browser: widths of letters, a pen that notes what it draws, payloads of made-up numbers.

import assert from "node:assert/strict";
import type { View } from "../../viz_core/web/src/figure";
import type { Mark, Pen, Theme } from "../../viz_core/web/src/marks/mark";

const context = {
  font: "",
  measureText: (words: string) => ({ width: 9 * [...words].length }),
  createImageData: (w: number, h: number) => ({ data: new Uint8ClampedArray(4 * w * h) }),
  putImageData: () => {},
};
const canvas = { getContext: () => context };
Object.assign(globalThis, { document: { createElement: () => canvas, body: null, documentElement: { dataset: {} } } });

export const THEME = {
  dark: false,
  masked: "#888888",
  surface: "#ffffff",
  panel: "#f4f4f6",
  head_roles: Array<string>(11).fill("#3f4e9d"),
  sequential: ["#ffffff", "#000000"],
  diverging: ["#0000ff", "#ffffff", "#ff0000"],
} as unknown as Theme;

export interface Drawn {
  kind: "box" | "lines" | "path" | "text";
  words?: string;
  at: number[]; // px, as the pen got them; of a path all of its numbers
  style: { fill?: string; stroke?: string; bold?: boolean; alpha?: number };
}

/** All that some marks draw, in their order. */
export function drawn(marks: readonly (Pick<Mark, "draw"> | null)[]): Drawn[] {
  const all: Drawn[] = [];
  const pen: Pen = {
    box: (x, y, w, h, style) => void all.push({ kind: "box", at: [x, y, w, h], style: style as Drawn["style"] }),
    lines: (ends, style) => void all.push(...ends.map((at): Drawn => ({ kind: "lines", at, style: style as Drawn["style"] }))),
    curves: () => {},
    path: (d, style) => void all.push({ kind: "path", at: d.match(/[\d.]+/g)?.map(Number) ?? [], style: style as Drawn["style"] }),
    text: (words, x, y, style) => void all.push({ kind: "text", words, at: [x, y], style }),
    picture: () => {},
    hatch: () => {},
    inside: (_x, _y, _w, _h, draw) => draw(),
  };
  for (const mark of marks) mark?.draw(pen, THEME);
  return all;
}

export const ROOM = { w: 1000, h: 500, whole: false };

const FIRST = { step: 0, token: 0, layer: 0, head: 0, cell: null, predict: "", revealed: false, lecture: false };
/** What is looked at: the first of everything, but for what is named. */
export const view = (more: object = {}) => ({ ...FIRST, ...more }) as Partial<View> as View;

/** Rows of numbers: `1 2; 3 4`. */
export const rows = (written: string): number[][] => written.split(";").map((row) => row.trim().split(/\s+/).map(Number));

/** Where a text stands. */
export function placeOf(all: readonly Drawn[], wanted: string) {
  const [x = 0, y = 0] = all.find(({ words }) => words === wanted)?.at ?? assert.fail(`${wanted} is not drawn`);
  return { x, y };
}

export const texts = (all: readonly Drawn[]): string[] => all.flatMap(({ words }) => words ?? []);

/** Bytes as Python sends them: float32 arrays by their names, each a list of its rows, and a description. shapes: of arrays that are no
 * matrices. */
export function payload(tensors: Record<string, number[][]>, about: object, shapes: Record<string, number[]> = {}): Uint8Array {
  let end = 0;
  const header: Record<string, object> = { __metadata__: { about: JSON.stringify(about) } };
  for (const [name, rows] of Object.entries(tensors)) {
    const [from, size] = [end, 4 * rows.flat().length];
    end += size;
    header[name] = { dtype: "F32", shape: shapes[name] ?? [rows.length, rows[0]?.length ?? 0], data_offsets: [from, end] };
  }
  const head = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(new BigUint64Array([BigInt(head.length)]).buffer);
  const body = new Uint8Array(Float32Array.from(Object.values(tensors).flat(2)).buffer);
  return Uint8Array.from([...length, ...head, ...body]);
}
