// The pen that draws SVG, with the calls of canvasPen, and the colour scales of both.

import type { Pen, Stroke } from "../../web/src/marks/mark";
import { type Ends, BASELINE, BEND, FAMILY, HALO, READABLE, TILE, clipped, contextOf, textWidth } from "./pen";

const CELLS = 4096; // up to this many cells a bitmap becomes rectangles, which stay sharp at any size

type Values = Record<string, string | number | null | undefined>;

/** finish() returns the whole SVG as text. */
export function svgPen(width: number, height: number, { ground }: { ground: string }): Pen & { finish(): string } {
  const parts: string[] = [];
  const definitions: string[] = [];
  const hatches = new Map<string, string>();
  let clips = 0;
  const round = (value: number) => String(Math.round(value * 100) / 100);
  const attributes = (all: Values) =>
    Object.entries(all)
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([name, value]) => ` ${name}="${typeof value === "number" ? round(value) : escaped(String(value))}"`)
      .join("");
  const put = (name: string, all: Values, inner?: string) =>
    parts.push(inner === undefined ? `<${name}${attributes(all)}/>` : `<${name}${attributes(all)}>${inner}</${name}>`);
  const strokeOf = ({ stroke, width: line = 1, alpha = 1, dash }: Stroke) => ({
    stroke,
    "stroke-width": stroke ? line : null,
    "stroke-dasharray": dash?.join(" "),
    opacity: alpha === 1 ? null : alpha,
  });
  const path = (all: number[][], ink: Stroke, step: (...ends: Ends) => string) => {
    const d = all.map((ends) => step(...(ends as Ends))).join("");
    if (d) put("path", { d, ...strokeOf(ink), fill: "none" });
  };
  return {
    box(x, y, width, height, { fill, ...ink }) {
      put("rect", { x, y, width, height, fill: fill ?? "none", ...strokeOf(ink) });
    },
    lines(all, ink) {
      path(all, ink, (x1, y1, x2, y2) => `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`);
    },
    curves(all, ink) {
      path(all, ink, (x1, y1, x2, y2) => {
        const bend = (x2 - x1) * BEND;
        return `M${round(x1)} ${round(y1)}C${[x1 + bend, y1, x2 - bend, y2, x2, y2].map(round).join(" ")}`;
      });
    },
    path(d, { fill, ...ink }) {
      put("path", { d, ...strokeOf(ink), fill: fill ?? "none" });
    },
    text(words, x, y, { size = READABLE, fill, bold = false, align = "left", angle = 0, max = 0, halo }) {
      const fitting = clipped(words, max, size, bold);
      if (!fitting) return;
      const place = angle
        ? { transform: `translate(${round(x)} ${round(y)}) rotate(${angle})`, y: BASELINE * size }
        : { x, y: y + BASELINE * size };
      const style = {
        "font-size": size,
        "font-weight": bold ? 600 : null,
        fill,
        ...(halo && { stroke: halo, "stroke-width": HALO, "stroke-linejoin": "round", "paint-order": "stroke" }),
        "text-anchor": { left: null, center: "middle", right: "end" }[align],
        "xml:space": "preserve",
        // the width measured here, whatever font the file is opened with
        textLength: textWidth(fitting, size, bold),
        lengthAdjust: "spacingAndGlyphs",
      };
      put("text", { ...place, ...style }, escaped(fitting));
    },
    picture(bitmap, sx, sy, sw, sh, x, y, w, h) {
      if (sw * sh > CELLS) {
        const cut = Object.assign(document.createElement("canvas"), { width: sw, height: sh });
        contextOf(cut).drawImage(bitmap.canvas, sx, sy, sw, sh, 0, 0, sw, sh);
        const style = { preserveAspectRatio: "none", style: "image-rendering:pixelated" };
        put("image", { x, y, width: w, height: h, href: cut.toDataURL(), ...style });
        return;
      }
      const [cw, ch] = [w / sw, h / sh];
      for (let row = 0; row < sh; row += 1) {
        for (let column = 0; column < sw; ) {
          const fill = bitmap.colourAt(sy + row, sx + column);
          const from = column;
          while (column < sw && bitmap.colourAt(sy + row, sx + column) === fill) column += 1;
          const place = { x: x + from * cw, y: y + row * ch, width: (column - from) * cw, height: ch };
          put("rect", { ...place, fill, "shape-rendering": "crispEdges" });
        }
      }
    },
    hatch(x, y, w, h, { fill, stroke }) {
      const key = fill + stroke;
      if (!hatches.has(key)) {
        const id = `hatch${hatches.size}`;
        hatches.set(key, id);
        const tile = attributes({ width: TILE, height: TILE });
        const lines = `M-${TILE} ${TILE}L0 0M0 ${TILE}L${TILE} 0M${TILE} ${TILE}L${2 * TILE} 0`;
        definitions.push(
          `<pattern id="${id}"${tile} patternUnits="userSpaceOnUse"><rect${tile} fill="${escaped(fill)}"/>` +
            `<path d="${lines}" stroke="${escaped(stroke)}" stroke-width="1.2"/></pattern>`,
        );
      }
      put("rect", { x, y, width: w, height: h, fill: `url(#${hatches.get(key)})` });
    },
    inside(x, y, w, h, draw) {
      const id = `clip${clips}`;
      clips += 1;
      definitions.push(`<clipPath id="${id}"><rect${attributes({ x, y, width: w, height: h })}/></clipPath>`);
      parts.push(`<g clip-path="url(#${id})">`);
      draw();
      parts.push("</g>");
    },
    finish() {
      const [w, h] = [round(width), round(height)];
      const size = `viewBox="0 0 ${w} ${h}" width="${w}" height="${h}"`;
      return [
        `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${escaped(FAMILY)}">`,
        `<defs>${definitions.join("")}</defs><rect width="100%" height="100%" fill="${escaped(ground)}"/>`,
        `${parts.join("\n")}</svg>`,
      ].join("");
    },
  };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");

// Colour scales: packed colours (0xAABBGGRR, the memory layout of canvas pixels; signed, since V8 would box a number above 2 ** 30), and
// which ink is readable on them.

type Rgb = [red: number, green: number, blue: number];
const ladders = new Map<string, Int32Array>();
const STEPS = 1024;

function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// A colour scale as a table of STEPS + 1 packed colours, cached. Linear between the colours, as plotly interpolates.
export function ladder(colours: readonly string[]) {
  const key = colours.join();
  const cached = ladders.get(key);
  if (cached) return cached;
  const stops = colours.map(rgb);
  const table = new Int32Array(STEPS + 1);
  for (let step = 0; step <= STEPS; step += 1) {
    const at = (step / STEPS) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    table[step] = pack(...mixed(stops[low] as Rgb, stops[low + 1] as Rgb, at - low));
  }
  ladders.set(key, table);
  return table;
}

// The colour at a share, 0 to 1, of the scale; outside it the end colours.
export function pixel(table: Int32Array, share: number) {
  return table[share > 0 ? Math.round(Math.min(share, 1) * STEPS) : 0] as number; // NaN is not > 0 either
}

export const colourAt = (table: Int32Array, share: number) => cssColour(pixel(table, share));

export const cssColour = (packedColour: number) => `rgb(${channels(packedColour).join()})`;

const channels = (packedColour: number): Rgb => [packedColour & 255, (packedColour >> 8) & 255, (packedColour >> 16) & 255];

function mixed(from: Rgb, to: Rgb, share: number) {
  return from.map((part, at) => Math.round(part + ((to[at] as number) - part) * share)) as Rgb;
}

const pack = (r: number, g: number, b: number) => (255 << 24) | (b << 16) | (g << 8) | r;

export const packed = (hex: string) => pack(...rgb(hex));

// A mixture of two packed colours.
export const blended = (from: number, to: number, share: number) => cssColour(pack(...mixed(channels(from), channels(to), share)));

// Black or white ink, whichever is readable on the colour (WCAG relative luminance).
export function inkOn(value: number) {
  const [r, g, b] = channels(value).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#FFFFFF";
}
