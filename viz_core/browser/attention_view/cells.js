// Cells of a matrix: values to colours as bitmaps, the numbers printed in them, and the legend.

import { colourAt, inkOn, ladder, packed, pixel } from "../kit/colours.js";
import { percent, points, shareInCell } from "../kit/numbers.js";
import { READABLE, canvasPen, sizeCanvas, textWidth } from "../kit/pen.js";

const DECADES = 4; // the logarithmic scale goes from 10⁻⁴ to 1
const MOST_BITMAPS = 700; // in the cache
const bitmaps = new Map();

// { table, low, high, share(value) }: the colours of a stage. limit: the end of the diverging scale.
export function scaleOf({ weights, log }, limit, theme) {
  if (!weights)
    return {
      table: ladder(theme.diverging),
      colours: theme.diverging,
      low: -limit,
      high: limit,
      share: (value) => (value / limit + 1) / 2,
    };
  const share = log ? (value) => (value > 0 ? 1 + Math.log10(value) / DECADES : 0) : (value) => value;
  return { table: ladder(theme.sequential), colours: theme.sequential, low: log ? 10 ** -DECADES : 0, high: 1, share };
}

// One pixel a cell. key names all that the picture depends on.
export function bitmapOf(key, rows, columns, makeValues, scale, masked) {
  const cache = bitmaps.get(key);
  if (cache) return cache;
  const values = makeValues();
  const hole = packed(masked);
  const canvas = Object.assign(document.createElement("canvas"), { width: columns, height: rows });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < pixels.length; at += 1)
    pixels[at] = Number.isNaN(values[at]) ? hole : pixel(scale.table, scale.share(values[at]));
  context.putImageData(image, 0, 0);
  if (bitmaps.size >= MOST_BITMAPS) bitmaps.clear();
  const css = (row, column) => {
    const value = pixels[row * columns + column];
    return `rgb(${value & 255},${(value >> 8) & 255},${(value >> 16) & 255})`;
  };
  const bitmap = { canvas, values, pixelAt: (row, column) => pixels[row * columns + column], colourAt: css };
  bitmaps.set(key, bitmap);
  return bitmap;
}

const SMALLER = 16; // px of numbers in narrow cells, outside lecture mode
const LEAST_DRAWN = 9; // px of a cell: below it neither gaps nor hatching
const UNPRINTED = 0.005; // a smaller weight has a colour, or a line, but no number

export function hasNumber(value, { weights, signed }) {
  return !Number.isNaN(value) && !((weights || signed) && Math.abs(value) < UNPRINTED);
}

// How the numbers of one picture are printed in cells cw × ch px large: { size, digits }; null where they could not be
// read.
function printing({ data, selection, layout: { cw, ch }, scale, view }) {
  const most = selection.stage === "scores" ? scale.high : Math.ceil(scale.high / data.root);
  const longest = selection.weights
    ? [">99"]
    : selection.signed
      ? [`−${Math.round(100 * scale.high)}`]
      : [`−${most}`, `−${Math.min(most, 99)}.9`];
  const apart = selection.weights ? 1 : 4; // px: scores fill each cell
  for (let digits = longest.length - 1; digits >= 0; digits -= 1) {
    const size = (view.lecture ? [READABLE] : [READABLE, SMALLER]).find(
      (each) => ch >= each && textWidth(longest[digits], each) + apart <= cw,
    );
    if (size) return { size, digits };
  }
  return null;
}

// A score with so many digits behind the point; never 0 when it is not 0.
function scoreInCell(value, digits) {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return "≈0";
  return value.toFixed(Math.abs(value) >= 100 ? 0 : digits).replace("-", "−");
}

// part: the cells in sight, as [row, column] first and last (without it), and where they lie.
export function drawCells(pen, frame, { first, last, left, top }) {
  const {
    selection,
    bitmap,
    layout: { cw, ch },
    theme,
  } = frame;
  const width = selection.columns.length;
  const print = printing(frame);
  const drawn = cw >= LEAST_DRAWN && ch >= LEAST_DRAWN;
  for (let row = first[0]; row < last[0]; row += 1) {
    for (let column = first[1]; column < last[1]; column += 1) {
      const value = bitmap.values[row * width + column];
      if (Number.isNaN(value)) {
        if (drawn) pen.hatch(left(column), top(row), cw, ch, { fill: theme.masked, stroke: theme.surface });
      } else if (print && row < selection.there && hasNumber(value, selection)) {
        const words = selection.weights
          ? shareInCell(value)
          : selection.signed
            ? points(value, 0)
            : scoreInCell(value, print.digits);
        pen.text(words, left(column) + cw / 2, top(row) + ch / 2, {
          size: print.size,
          fill: inkOn(bitmap.pixelAt(row, column)),
          align: "center",
        });
      }
    }
  }
  if (!drawn) return;
  const gaps = [];
  for (let row = first[0]; row <= last[0]; row += 1) gaps.push([left(first[1]), top(row), left(last[1]), top(row)]);
  for (let column = first[1]; column <= last[1]; column += 1)
    gaps.push([left(column), top(first[0]), left(column), top(last[0])]);
  pen.lines(gaps, { stroke: theme.line, width: 1 });
}

const BAR = 120;
const HIGH = 14;
const SHADES = 60; // px, px, and so many colours

const ROOM = { w: 240, masked: 100, log: 50, points: 70, h: 30 }; // px of the canvas below the picture

// Below the picture; neurons have their scale in it, and say of each key whether it is masked.
export function paintLegend(canvas, frame, zoom) {
  const { selection, theme, texts, scale } = frame;
  const masked = masks(frame);
  canvas.hidden = frame.form === "neurons";
  if (canvas.hidden) return;
  const place = {
    x: 0,
    y: 0,
    w: ROOM.w + (masked ? ROOM.masked : 0) + (selection.log ? ROOM.log : 0) + (selection.signed ? ROOM.points : 0),
    h: ROOM.h,
  };
  const pen = canvasPen(sizeCanvas(canvas, place.w, ROOM.h, zoom));
  pen.box(0, 0, place.w, place.h, { fill: theme.surface });
  drawLegend(pen, scale, selection, place, { masked, texts, theme });
}

// Whether a masked cell can be seen.
function masks({ selection, bitmap }) {
  const width = selection.columns.length;
  return (
    selection.stage !== "scores" &&
    selection.stage !== "scaled" &&
    bitmap.values.some(
      (value, at) =>
        Number.isNaN(value) && Math.floor(at / width) < selection.there && at % width < selection.thereColumns,
    )
  );
}

// Right-aligned in a box w wide; h is its height. masked: whether a masked cell can be seen.
export function drawLegend(pen, scale, { weights, signed, log }, { x, y, w, h }, { masked, texts, theme }) {
  const middle = y + h / 2;
  const end = x + w;
  const [low, high] = weights
    ? [log ? percent(scale.low) : "0 %", "100 %"]
    : signed
      ? [points(-scale.high, 0), `${points(scale.high, 0)} ${texts.points}`]
      : [`−${scale.high}`, String(scale.high)];
  const right = textWidth(high, READABLE);
  const left = textWidth(low, READABLE);
  const bar = end - right - 8 - BAR;
  const table = ladder(scale.colours);
  pen.text(high, end, middle, { size: READABLE, fill: theme.ink, align: "right" });
  for (let part = 0; part < SHADES; part += 1) {
    pen.box(bar + (part * BAR) / SHADES, middle - HIGH / 2, BAR / SHADES + 0.5, HIGH, {
      fill: colourAt(table, part / (SHADES - 1)),
    });
  }
  pen.box(bar - 0.5, middle - HIGH / 2 - 0.5, BAR + 1, HIGH + 1, { stroke: theme.quiet, width: 1 });
  if (!weights)
    pen.lines([[bar + BAR / 2, middle - HIGH / 2 - 4, bar + BAR / 2, middle + HIGH / 2 + 4]], {
      stroke: theme.quiet,
      width: 1,
    });
  pen.text(low, bar - 8, middle, { size: READABLE, fill: theme.ink, align: "right" });
  if (!masked) return;
  const name = textWidth(texts.masked, READABLE);
  const at = bar - 8 - left - 18 - name;
  if (at - 28 < x) return;
  pen.text(texts.masked, at, middle, { size: READABLE, fill: theme.ink });
  pen.hatch(at - 28, middle - 10, 20, 20, { fill: theme.masked, stroke: theme.surface });
}
