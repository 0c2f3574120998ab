// The pixels of a picture as shapes that stay sharp at any size; equal neighbours are one.

import { svgEl } from "./dom.js";

export const MOST_SHAPES = 200_000; // shapes; a picture of more stays one, or no program would open the file

// image: pixels as a canvas gives them. Returns a group, 1 unit to a pixel, or null where it would be too many shapes.
export function pixelShapes({ data, width, height }) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const shapes = new Map(); // colour → path
  let above = new Map(); // place and colour of each run of the row above → its box
  let count = 0;
  const boxes = [];
  for (let y = 0; y < height; y += 1) {
    const row = new Map();
    for (let x = 0; x < width; ) {
      const from = x;
      const colour = pixels[y * width + x];
      while (x < width && pixels[y * width + x] === colour) x += 1;
      if (!(colour >>> 24)) continue;
      const key = `${from},${x},${colour}`;
      const box = above.get(key) ?? { x: from, y, w: x - from, h: 0, colour };
      if (!box.h) {
        count += 1;
        if (count > MOST_SHAPES) return null;
        boxes.push(box);
      }
      box.h += 1;
      row.set(key, box);
    }
    above = row;
  }
  for (const { x, y, w, h, colour } of boxes)
    shapes.set(colour, `${shapes.get(colour) ?? ""}M${x} ${y}h${w}v${h}h-${w}z`);
  const paths = [...shapes].map(([colour, d]) => {
    const [r, g, b, a] = [0, 8, 16, 24].map((bits) => (colour >>> bits) & 255);
    const fill = `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    return svgEl("path", { d, fill, "fill-opacity": a < 255 ? (a / 255).toFixed(3) : null });
  });
  return svgEl("g", { "shape-rendering": "crispEdges" }, ...paths);
}

// The pixels of an <image>, whatever it holds.
export async function pixelsOf(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: image.naturalWidth,
    height: image.naturalHeight,
  });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
