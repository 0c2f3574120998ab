// One drawing interface with two pens: canvasPen for the screen, svgPen of svg_pen.ts for a file. Both take the same calls:
//   box(x, y, w, h, { fill, stroke, width, alpha, dash })
//   lines([[x1, y1, x2, y2], …], { stroke, width, alpha, dash }) curves(…) swing from left to right
//   path(d, { fill, stroke, width, alpha, dash })               d as in SVG
//   text(words, x, y, { size, fill, bold, align, angle, max, halo })  y: middle of the line; max: px, then an ellipsis;
//     halo: a colour around the letters, which sets them off from lines behind them
//   picture(bitmap, sx, sy, sw, sh, x, y, w, h)                 a bitmap of cells.ts, each pixel a sharp cell
//   hatch(x, y, w, h, { fill, stroke })                         for what is masked
//   inside(x, y, w, h, draw)                                    clips what is drawn

import type { Pen, Stroke } from "../../web/src/marks/mark";

export type Ends = [x1: number, y1: number, x2: number, y2: number];

// System fonts for Chinese come last, so that nothing else is set in them.
export const FAMILY =
  '"Source Sans", "Source Sans 3", "Source Sans Pro", sans-serif, "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC"';
export const READABLE = 18; // px of text, the least that is legible on a projector
export const HALO = 4; // px of stroke around letters, half of it outside
export const BASELINE = 0.34; // from the middle of a line to its base line, as a share of the font size
export const BEND = 0.4; // distance of a curve's control points from its ends, as a share of its width
export const TILE = 8; // px between two strokes of a hatch

const widths = new Map<string, number>();
let ruler: CanvasRenderingContext2D | null = null;

export function textWidth(words: string, size: number, bold = false) {
  const key = `${size}${bold}${words}`;
  let width = widths.get(key);
  if (width === undefined) {
    ruler ??= makeRuler();
    ruler.font = fontOf(size, bold);
    width = ruler.measureText(words).width;
    if (widths.size > 5000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

// The ruler is in the page, though hidden: which font "sans-serif" is depends on the page's language.
function makeRuler() {
  const canvas = Object.assign(document.createElement("canvas"), { hidden: true });
  document.body?.append(canvas);
  return contextOf(canvas);
}

// Px of the widest of some texts at readable size.
export function widestText(texts: readonly string[], bold = true) {
  return Math.max(0, ...texts.map((words) => textWidth(words, READABLE, bold)));
}

// Called when fonts load, which changes widths.
export function forgetWidths() {
  widths.clear();
}

// The longest beginning that fits, with an ellipsis; never splits a character.
export function clipped(words: string, max: number, size: number, bold = false) {
  if (!max || textWidth(words, size, bold) <= max) return words;
  const characters = [...words];
  const cut = (count: number) => `${characters.slice(0, count).join("")}…`;
  return cut(mostFitting(characters.length, (count) => textWidth(cut(count), size, bold) <= max));
}

// The longest end that fits, after an ellipsis.
export function ending(text: string, room: number, size: number) {
  if (textWidth(text, size) <= room) return text;
  const characters = [...text];
  const cut = (count: number) => `…${characters.slice(characters.length - count).join("")}`;
  return cut(mostFitting(characters.length, (count) => textWidth(cut(count), size) <= room));
}

// Where a line may break: after a space, and after a Chinese character with its closing punctuation, which never begins a line.
const PIECES = /[（“《«]*[\u3400-\u9fff][，。；：？！、）”》»…]*\s*|[^ \n\u3400-\u9fff]+\s*/gu;

// Breaks a text into lines, each as long as fits.
export function linesOf(text: string, fits: (line: string) => boolean) {
  const lines = [""];
  for (const piece of text.match(PIECES) ?? []) {
    const longer = lines.at(-1) + piece;
    if (lines.at(-1) && !fits(longer.trimEnd())) lines.push(piece);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => line.trimEnd());
}

// The largest count, 0 or more, that fits.
function mostFitting(count: number, fits: (count: number) => boolean) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const fontOf = (size: number, bold: boolean) => `${bold ? "600 " : ""}${size}px ${FAMILY}`;

export function contextOf(canvas: HTMLCanvasElement, settings?: CanvasRenderingContext2DSettings) {
  return canvas.getContext("2d", settings) as CanvasRenderingContext2D;
}

// Sizes a canvas to w × h px at the screen's resolution; its context draws in px. zoom: the scale at which it is shown.
export function sizeCanvas(canvas: HTMLCanvasElement, w: number, h: number, zoom = 1) {
  const sharp = (globalThis.devicePixelRatio || 1) * zoom;
  const [wide, high] = [Math.round(w * sharp), Math.round(h * sharp)];
  if (canvas.width !== wide || canvas.height !== high) {
    Object.assign(canvas, { width: wide, height: high });
    Object.assign(canvas.style, { width: `${w}px`, height: `${h}px` });
  }
  const context = contextOf(canvas);
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  return context;
}

export function canvasPen(context: CanvasRenderingContext2D): Pen {
  const tiles = new Map<string, CanvasPattern>();
  const strokeAs = ({ stroke, width = 1, dash }: Stroke) => {
    if (stroke) context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash([...(dash ?? [])]);
  };
  const shape = (ink: Stroke & { fill?: string | undefined }, draw: { fill(): void; stroke(): void }) => {
    context.globalAlpha = ink.alpha ?? 1;
    if (ink.fill) {
      context.fillStyle = ink.fill;
      draw.fill();
    }
    if (ink.stroke) {
      strokeAs(ink);
      draw.stroke();
    }
    context.globalAlpha = 1;
  };
  const strokeAll = (ink: Stroke, all: number[][], trace: (...ends: Ends) => void) => {
    context.globalAlpha = ink.alpha ?? 1;
    strokeAs(ink);
    context.beginPath();
    for (const ends of all) trace(...(ends as Ends));
    context.stroke();
    context.globalAlpha = 1;
  };
  return {
    box(x, y, w, h, ink) {
      shape(ink, { fill: () => context.fillRect(x, y, w, h), stroke: () => context.strokeRect(x, y, w, h) });
    },
    lines(all, ink) {
      strokeAll(ink, all, (x1, y1, x2, y2) => {
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      });
    },
    curves(all, ink) {
      strokeAll(ink, all, (x1, y1, x2, y2) => {
        const bend = (x2 - x1) * BEND;
        context.moveTo(x1, y1);
        context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      });
    },
    path(d, ink) {
      const outline = new Path2D(d);
      shape(ink, { fill: () => context.fill(outline), stroke: () => context.stroke(outline) });
    },
    text(words, x, y, { size = READABLE, fill, bold = false, align = "left", angle = 0, max = 0, halo }) {
      context.font = fontOf(size, bold);
      context.fillStyle = fill;
      context.textAlign = align;
      const fitting = clipped(words, max, size, bold);
      if (!angle) {
        if (halo) {
          context.strokeStyle = halo;
          context.lineWidth = HALO;
          context.lineJoin = "round";
          context.setLineDash([]);
          context.strokeText(fitting, x, y + BASELINE * size);
        }
        context.fillText(fitting, x, y + BASELINE * size);
        return;
      }
      context.save();
      context.translate(x, y);
      context.rotate((angle * Math.PI) / 180);
      context.fillText(fitting, 0, BASELINE * size);
      context.restore();
    },
    picture(bitmap, sx, sy, sw, sh, x, y, w, h) {
      context.imageSmoothingEnabled = w < sw || h < sh;
      context.drawImage(bitmap.canvas, sx, sy, sw, sh, x, y, w, h);
    },
    hatch(x, y, w, h, { fill, stroke }) {
      const key = fill + stroke;
      const tile = tiles.get(key) ?? (context.createPattern(tileOf(fill, stroke), "repeat") as CanvasPattern);
      tiles.set(key, tile);
      context.fillStyle = tile;
      context.fillRect(x, y, w, h);
    },
    inside(x, y, w, h, draw) {
      context.save();
      context.beginPath();
      context.rect(x, y, w, h);
      context.clip();
      draw();
      context.restore();
    },
  };
}

// A box's diagonals, over what an edit removed.
export function cross(pen: Pen, x: number, y: number, w: number, h: number, ink: Stroke) {
  const down = [x, y, x + w, y + h];
  pen.lines([down, [x, y + h, x + w, y]], ink);
}

function tileOf(fill: string, stroke: string) {
  const tile = Object.assign(document.createElement("canvas"), { width: TILE, height: TILE });
  const context = contextOf(tile);
  context.fillStyle = fill;
  context.fillRect(0, 0, TILE, TILE);
  context.strokeStyle = stroke;
  context.lineWidth = 1.2;
  context.beginPath();
  for (const at of [-TILE, 0, TILE]) {
    context.moveTo(at, TILE);
    context.lineTo(at + TILE, 0);
  }
  context.stroke();
  return tile;
}

export const CELLS = 16; // numbers that a small picture of a vector shows: its first ones

const spare: HTMLCanvasElement[] = []; // of pictures that are shown no more; a browser frees a canvas late
const MOST_SPARE = 128;

// Takes the canvas of a picture back, for another one.
export function takeBack(canvas: HTMLCanvasElement) {
  if (spare.length < MOST_SPARE) spare.push(canvas);
}

let image: ImageData | null = null; // the last one: the next picture usually has its size

// A canvas of one pixel per number. paint(pixels) fills in packed colours, row by row.
export function pixelCanvas(width: number, height: number, paint: (pixels: Int32Array) => void) {
  const canvas = Object.assign(spare.pop() ?? document.createElement("canvas"), { width, height });
  const context = contextOf(canvas);
  if (image?.width !== width || image.height !== height) image = context.createImageData(width, height);
  paint(new Int32Array(image.data.buffer).fill(0));
  context.putImageData(image, 0, 0);
  return canvas;
}
