// Letters as outlines, so that a saved file needs no font, whatever its script: each is drawn large on a canvas in the page's own font,
// and the edge of its ink is traced.

import { el, svgEl } from "./dom";
import { contextOf } from "./pen";

type Point = [x: number, y: number];
export interface Outline {
  d?: string;
  pixels?: Inked;
  advance: number; // in OUTLINE_UNITS
}
type Inked = { image: ImageData; left: number; up: number; em: number };

export const OUTLINE_UNITS = 1000; // units of an outline per font size
const EM = 320; // px of a letter while its edge is traced: at this size it is drawn without hinting
const COLOURED_EM = 48; // px of a coloured letter, such as an emoji
const EDGE = 127.5; // of 255: alpha of a half-covered pixel
const OFF = 0.25; // px of EM that a simplified outline may deviate
const LEAST = 1; // px of EM; anything smaller is noise

const outlines = new Map<string, Outline | null>(); // by font and letters

// The outline of letters: { d, advance } in OUTLINE_UNITS, or { pixels, … } for coloured letters; null if nothing is visible. font: a CSS
// font with LETTER_SIZE in place of its size.
export const LETTER_SIZE = "LETTER_SIZE";
export function outlineOf(letters: string, font: string) {
  const key = `${font}|${letters}`;
  const known = outlines.get(key);
  if (known !== undefined) return known;
  const outline = traced(letters, font);
  outlines.set(key, outline);
  return outline;
}

function traced(letters: string, font: string): Outline | null {
  const { ink, advance } = inked(letters, font, EM);
  if (!ink) return null;
  const { image, left, up } = ink;
  if (isColoured(image.data)) {
    const { ink: pixels } = inked(letters, font, COLOURED_EM);
    return pixels ? { pixels, advance } : null;
  }
  const scale = OUTLINE_UNITS / EM;
  const loops = edges(image).map((points) => simplified(points).map(([x, y]): Point => [(x - left) * scale, (y - up) * scale]));
  const d = loops.filter((points) => points.length > 2).map(pathOf);
  return d.length ? { d: d.join(""), advance } : null;
}

// Draws black letters on a canvas just large enough. left, up: their origin on the base line; advance in OUTLINE_UNITS.
function inked(letters: string, font: string, em: number): { ink?: Inked; advance: number } {
  const canvas = el("canvas");
  const context = contextOf(canvas, { willReadFrequently: true });
  const set = () => {
    context.font = font.replace(LETTER_SIZE, `${em}px`);
    context.textRendering = "geometricPrecision";
  };
  set();
  const box = context.measureText(letters);
  const left = Math.ceil(box.actualBoundingBoxLeft) + 3;
  const up = Math.ceil(box.actualBoundingBoxAscent) + 3;
  const width = left + Math.ceil(box.actualBoundingBoxRight) + 3;
  const height = up + Math.ceil(box.actualBoundingBoxDescent) + 3;
  const advance = (box.width * OUTLINE_UNITS) / em;
  if (!(width > 6 && height > 6 && width * height < 4e7)) return { advance };
  Object.assign(canvas, { width, height });
  set(); // resizing a canvas resets its context
  context.fillText(letters, left, up);
  return { ink: { image: context.getImageData(0, 0, width, height), left, up, em }, advance };
}

function isColoured(data: Uint8ClampedArray) {
  const part = (at: number) => data[at] as number;
  for (let at = 0; at < data.length; at += 4) if (part(at + 3) > 200 && part(at) + part(at + 1) + part(at + 2) > 60) return true;
  return false;
}

type Side = "L" | "T" | "R" | "B";
type Turn = [from: Side, to: Side];

// Marching squares: for each pattern of corners with ink (8 top left, 4 top right, 2 bottom right, 1 bottom left), the sides of the
// cell where the edge enters and leaves, with the ink on its right.
const TURNS: Turn[][] = ["", "LB", "BR", "LR", "RT", "LB RT", "BT", "LT", "TL", "TB", "TL BR", "TR", "RL", "RB", "BL", ""].map(
  (all) => (all ? all.split(" ").map((turn) => [...turn] as Turn) : []),
);

// The edge of the ink, as closed loops of points in px.
function edges({ data, width, height }: ImageData) {
  const ink = (x: number, y: number) => data[4 * (y * width + x) + 3] as number;
  const next = new Map<number, number>(); // side → the side that follows; a side is 2 × its first pixel's index, + 1 if it goes down
  for (let y = 0; y + 1 < height; y += 1)
    for (let x = 0; x + 1 < width; x += 1) {
      const corners = [ink(x, y), ink(x + 1, y), ink(x + 1, y + 1), ink(x, y + 1)];
      const turns = TURNS[corners.reduce((code, value) => 2 * code + (value > EDGE ? 1 : 0), 0)];
      if (!turns?.length) continue;
      const at = y * width + x;
      const sides = { T: 2 * at, L: 2 * at + 1, B: 2 * (at + width), R: 2 * (at + 1) + 1 };
      for (const [from, to] of turns) next.set(sides[from], sides[to]);
    }
  const point = (side: number): Point => {
    const [x, y] = [(side >> 1) % width, Math.floor((side >> 1) / width)];
    const down = side & 1;
    const first = ink(x, y);
    const share = (EDGE - first) / (ink(x + 1 - down, y + down) - first);
    return down ? [x + 0.5, y + share + 0.5] : [x + share + 0.5, y + 0.5];
  };
  const loops: Point[][] = [];
  for (const [first] of next) {
    const points: Point[] = [];
    let side = first;
    for (let to = next.get(side); to !== undefined; to = next.get(side)) {
      points.push(point(side));
      next.delete(side);
      side = to;
    }
    if (spread(points) > LEAST) loops.push(points);
  }
  return loops;
}

function spread(points: Point[]) {
  return Math.max(
    ...([0, 1] as const).map((axis) => {
      const all = points.map((point) => point[axis]);
      return Math.max(...all) - Math.min(...all);
    }),
  );
}

// Simplifies a loop to within OFF (Douglas and Peucker 1973).
function simplified(points: Point[]) {
  const first = points[0] as Point;
  const kept = new Uint8Array(points.length + 1);
  const closed = [...points, first];
  const distances = points.map(([x, y]) => Math.hypot(x - first[0], y - first[1]));
  const middle = distances.indexOf(Math.max(...distances));
  kept[0] = kept[middle] = 1;
  const open: [from: number, to: number][] = [
    [0, middle],
    [middle, points.length],
  ];
  for (let part = open.pop(); part; part = open.pop()) {
    const [from, to] = part;
    const [[x0, y0], [x1, y1]] = [closed[from] as Point, closed[to] as Point];
    const [dx, dy] = [x1 - x0, y1 - y0];
    const length = Math.hypot(dx, dy) || 1;
    let [most, at] = [OFF, -1];
    for (let index = from + 1; index < to; index += 1) {
      const [x, y] = closed[index] as Point;
      const away = Math.abs(dx * (y - y0) - dy * (x - x0)) / length;
      if (away > most) [most, at] = [away, index];
    }
    if (at < 0) continue;
    kept[at] = 1;
    open.push([from, at], [at, to]);
  }
  return points.filter((_, at) => kept[at]);
}

function pathOf(points: Point[]) {
  const whole = points.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
  const steps = whole.slice(1).map(([x, y], at) => {
    const [left, up] = whole[at] as Point;
    return `${x - left} ${y - up}`;
  });
  return `M${whole[0]?.join(" ")}l${steps.join(" ")}z`.replaceAll(" -", "-");
}

const MOST_SHAPES = 200_000; // a larger image stays an image: no program would open the file

// An image as coloured rectangles, 1 unit to a pixel; null if there would be too many.
export function pixelShapes({ data, width, height }: ImageData): SVGElement | null {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const boxes: { x: number; y: number; w: number; h: number; colour: number }[] = [];
  let above = new Map<string, (typeof boxes)[number]>(); // the runs of the row above, by place and colour
  for (let y = 0; y < height; y += 1) {
    const row: typeof above = new Map();
    for (let x = 0; x < width; ) {
      const from = x;
      const colour = pixels[y * width + x] ?? 0;
      while (x < width && pixels[y * width + x] === colour) x += 1;
      if (!(colour >>> 24)) continue;
      const key = `${from},${x},${colour}`;
      const box = above.get(key) ?? { x: from, y, w: x - from, h: 0, colour };
      if (!box.h && boxes.push(box) > MOST_SHAPES) return null;
      box.h += 1;
      row.set(key, box);
    }
    above = row;
  }
  const shapes = new Map<number, string>(); // colour → path
  for (const { x, y, w, h, colour } of boxes) shapes.set(colour, `${shapes.get(colour) ?? ""}M${x} ${y}h${w}v${h}h-${w}z`);
  const paths = [...shapes].map(([colour, d]) => {
    const part = (bits: number) => (colour >>> bits) & 255;
    const fill = `#${[0, 8, 16].map((bits) => part(bits).toString(16).padStart(2, "0")).join("")}`;
    return svgEl("path", { d, fill, "fill-opacity": part(24) < 255 ? (part(24) / 255).toFixed(3) : null });
  });
  return svgEl("g", { "shape-rendering": "crispEdges" }, ...paths);
}

// The pixels of an image, given its address.
export async function pixelsOf(address: string) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height);
}
