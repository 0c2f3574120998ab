// Makes a QR code in the browser; a separate script, loaded only when a code is requested.

import { encode } from "uqr";

const QUIET = 4; // white modules around the code, as the standard requires

/** The code of a link as a data URI, black on white in both themes, for cameras. RangeError: the link is too long for any code. */
export function qrCode(link: string) {
  const { data, size } = encode(link, { ecc: "L", boostEcc: true, border: QUIET });
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${modules.join("")}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
