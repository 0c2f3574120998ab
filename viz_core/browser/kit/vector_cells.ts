// The pixels of a picture as shapes that stay sharp at any size; equal neighbours are one.

import { svgEl } from "./dom";

export const MOST_SHAPES = 200_000; // shapes; a picture of more stays one, or no program would open the file

// image: pixels as a canvas gives them. Returns a group, 1 unit to a pixel, or null where it would be too many shapes.
export function pixelShapes({ data, width, height }: ImageData): SVGElement | null {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const boxes: { x: number; y: number; w: number; h: number; colour: number }[] = [];
  let above = new Map<string, (typeof boxes)[number]>(); // place and colour of each run of the row above
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

// The pixels of an <image>, whatever it holds.
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
