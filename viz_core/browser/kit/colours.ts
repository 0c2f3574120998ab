// Colour scales: packed colours (0xAABBGGRR, the memory layout of canvas pixels), and which ink is readable on them.

type Rgb = [red: number, green: number, blue: number];
const ladders = new Map<string, Uint32Array>();
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
  const table = new Uint32Array(STEPS + 1);
  for (let step = 0; step <= STEPS; step += 1) {
    const at = (step / STEPS) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    table[step] = pack(...mixed(stops[low] as Rgb, stops[low + 1] as Rgb, at - low));
  }
  ladders.set(key, table);
  return table;
}

// The colour at a share, 0 to 1, of the scale; outside it the end colours.
export function pixel(table: Uint32Array, share: number) {
  return table[share > 0 ? Math.round(Math.min(share, 1) * STEPS) : 0] as number; // NaN is not > 0 either
}

export const colourAt = (table: Uint32Array, share: number) => cssColour(pixel(table, share));

export const cssColour = (packedColour: number) => `rgb(${channels(packedColour).join()})`;

const channels = (packedColour: number): Rgb => [packedColour & 255, (packedColour >> 8) & 255, (packedColour >> 16) & 255];

function mixed(from: Rgb, to: Rgb, share: number) {
  return from.map((part, at) => Math.round(part + ((to[at] as number) - part) * share)) as Rgb;
}

const pack = (r: number, g: number, b: number) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

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
