// Colour scales: piecewise linear between the colours of a scale, as plotly interpolates.

const ladders = new Map();
const STEPS = 1024;

function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// A scale as a table of STEPS + 1 packed colours (0xAABBGGRR, as canvas pixels lie in memory), made once.
export function ladder(colours) {
  const key = colours.join();
  if (ladders.has(key)) return ladders.get(key);
  const stops = colours.map(rgb);
  const table = new Uint32Array(STEPS + 1);
  for (let step = 0; step <= STEPS; step += 1) {
    const at = (step / STEPS) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    const part = at - low;
    const [r, g, b] = stops[low].map((from, i) => Math.round(from + (stops[low + 1][i] - from) * part));
    table[step] = pack(r, g, b);
  }
  ladders.set(key, table);
  return table;
}

// share in 0…1 along the scale; outside it the end colours.
export function pixel(table, share) {
  return table[share > 0 ? Math.round(Math.min(share, 1) * STEPS) : 0]; // NaN is not > 0 either
}

export function colourAt(table, share) {
  return cssColour(pixel(table, share));
}

export function cssColour(packedColour) {
  return `rgb(${channels(packedColour).join()})`;
}

function channels(packedColour) {
  return [packedColour & 255, (packedColour >> 8) & 255, (packedColour >> 16) & 255];
}

function pack(r, g, b) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

export function packed(hex) {
  return pack(...rgb(hex));
}

// Black or white ink, whichever can be read on the colour (WCAG relative luminance).
export function inkOn(value) {
  const [r, g, b] = channels(value).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#FFFFFF";
}
