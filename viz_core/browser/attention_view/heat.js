// Values as colours: the scale of a stage, and bitmaps with one pixel for each cell.

import { ladder, packed, pixel } from "../kit/colours.js";

const DECADES = 4; // the logarithmic scale goes from 10⁻⁴ to 1
const KEPT = 700; // bitmaps that are cache
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
  if (bitmaps.size >= KEPT) bitmaps.clear();
  const css = (row, column) => {
    const value = pixels[row * columns + column];
    return `rgb(${value & 255},${(value >> 8) & 255},${(value >> 16) & 255})`;
  };
  const bitmap = { canvas, values, pixelAt: (row, column) => pixels[row * columns + column], colourAt: css };
  bitmaps.set(key, bitmap);
  return bitmap;
}
