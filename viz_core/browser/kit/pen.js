// One way of drawing with two pens: canvasPen for the screen, svgPen for a file. Both take the same calls:
//   box(x, y, w, h, { fill, stroke, width, alpha, dash })       frame(…) is a box without a filling
//   lines([[x1, y1, x2, y2], …], { stroke, width, alpha, dash }) curves(…) swing from left to right
//   text(words, x, y, { size, fill, bold, align, angle, max })  y is the middle of the line; max px, then an ellipsis
//   picture(bitmap, sx, sy, sw, sh, x, y, w, h)                 a bitmap of cells.js, each pixel a sharp cell
//   hatch(x, y, w, h, { fill, stroke })                         strokes across, for what is masked
//   inside(x, y, w, h, draw)                                    nothing outside is drawn

export const FAMILY = '"Source Sans", "Source Sans 3", "Source Sans Pro", sans-serif';
export const READABLE = 18; // px of letters: the projector's floor
const BASE = 0.34; // from the middle of a line to its base, in parts of the letters' size
const TILE = 8; // px between two strokes of a hatching
const CELLS = 4096; // up to so many cells a picture in a file is rectangles, which stay sharp at any size

const widths = new Map();
let ruler = null;

export function textWidth(words, size, bold = false) {
  const key = `${size}${bold}${words}`;
  let width = widths.get(key);
  if (width === undefined) {
    ruler ??= document.createElement("canvas").getContext("2d");
    ruler.font = fontOf(size, bold);
    width = ruler.measureText(words).width;
    if (widths.size > 5000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

// Fonts that have arrived since measure otherwise.
export function forgetWidths() {
  widths.clear();
}

// The longest beginning that fits, with an ellipsis; whole characters only.
export function clipped(words, max, size, bold = false) {
  if (!max || textWidth(words, size, bold) <= max) return words;
  const signs = [...words];
  let low = 0;
  let high = signs.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(`${signs.slice(0, middle).join("")}…`, size, bold) <= max) low = middle;
    else high = middle - 1;
  }
  return `${signs.slice(0, low).join("")}…`;
}

// The end of a text, as much of it as fits, after an ellipsis.
export function ending(text, room, size) {
  if (textWidth(text, size) <= room) return text;
  const signs = [...text];
  let start = 0;
  let over = signs.length; // from `over` on it fits
  while (start < over) {
    const middle = (start + over) >> 1;
    if (textWidth(`…${signs.slice(middle).join("")}`, size) <= room) over = middle;
    else start = middle + 1;
  }
  return `…${signs.slice(over).join("")}`;
}

function fontOf(size, bold) {
  return `${bold ? "600 " : ""}${size}px ${FAMILY}`;
}

// A canvas as sharp as the screen, w × h px; its context draws in px. zoom: how many times larger it is shown.
export function sizeCanvas(canvas, w, h, zoom = 1) {
  const sharp = (globalThis.devicePixelRatio || 1) * zoom;
  const [wide, high] = [Math.round(w * sharp), Math.round(h * sharp)];
  if (canvas.width !== wide || canvas.height !== high) {
    Object.assign(canvas, { width: wide, height: high });
    Object.assign(canvas.style, { width: `${w}px`, height: `${h}px` });
  }
  const context = canvas.getContext("2d");
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  return context;
}

export function canvasPen(context) {
  const tiles = new Map();
  const pen = {
    box(x, y, w, h, { fill = null, stroke = null, width = 1, alpha = 1, dash = null } = {}) {
      context.globalAlpha = alpha;
      if (fill) {
        context.fillStyle = fill;
        context.fillRect(x, y, w, h);
      }
      if (stroke) {
        context.strokeStyle = stroke;
        context.lineWidth = width;
        context.setLineDash(dash ?? []);
        context.strokeRect(x, y, w, h);
      }
      context.globalAlpha = 1;
    },
    lines(all, ink) {
      strokeAll(ink, () => {
        for (const [x1, y1, x2, y2] of all) {
          context.moveTo(x1, y1);
          context.lineTo(x2, y2);
        }
      });
    },
    curves(all, ink) {
      strokeAll(ink, () => {
        for (const [x1, y1, x2, y2] of all) {
          const bend = (x2 - x1) * 0.4;
          context.moveTo(x1, y1);
          context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
        }
      });
    },
    text(words, x, y, { size = 18, fill, bold = false, align = "left", angle = 0, max = 0 } = {}) {
      context.font = fontOf(size, bold);
      context.fillStyle = fill;
      context.textAlign = align;
      const shown = clipped(words, max, size, bold);
      if (!angle) {
        context.fillText(shown, x, y + BASE * size);
        return;
      }
      context.save();
      context.translate(x, y);
      context.rotate((angle * Math.PI) / 180);
      context.fillText(shown, 0, BASE * size);
      context.restore();
    },
    picture(bitmap, sx, sy, sw, sh, x, y, w, h) {
      context.imageSmoothingEnabled = w < sw || h < sh;
      context.drawImage(bitmap.canvas, sx, sy, sw, sh, x, y, w, h);
    },
    hatch(x, y, w, h, { fill, stroke }) {
      const key = fill + stroke;
      if (!tiles.has(key)) tiles.set(key, context.createPattern(tileOf(fill, stroke), "repeat"));
      context.fillStyle = tiles.get(key);
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
  return pen;

  function strokeAll({ stroke, width = 1, alpha = 1, dash = null }, trace) {
    context.globalAlpha = alpha;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash(dash ?? []);
    context.beginPath();
    trace();
    context.stroke();
    context.globalAlpha = 1;
  }
}

function tileOf(fill, stroke) {
  const tile = Object.assign(document.createElement("canvas"), { width: TILE, height: TILE });
  const context = tile.getContext("2d");
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

// Draws into a text: finish() gives the whole SVG.
export function svgPen(width, height, { ground }) {
  const parts = [];
  const definitions = [];
  const hatches = new Map();
  let clips = 0;
  const round = (value) => String(Math.round(value * 100) / 100);
  const attributes = (all) =>
    Object.entries(all)
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([name, value]) => ` ${name}="${typeof value === "number" ? round(value) : escaped(value)}"`)
      .join("");
  const put = (name, all, inner) =>
    parts.push(inner === undefined ? `<${name}${attributes(all)}/>` : `<${name}${attributes(all)}>${inner}</${name}>`);
  const faint = (alpha) => (alpha === 1 ? null : alpha);
  const pen = {
    box(x, y, w, h, { fill = null, stroke = null, width: line = 1, alpha = 1, dash = null } = {}) {
      put("rect", {
        x,
        y,
        width: w,
        height: h,
        fill: fill ?? "none",
        stroke,
        "stroke-width": stroke ? line : null,
        "stroke-dasharray": dash?.join(" "),
        opacity: faint(alpha),
      });
    },
    lines(all, { stroke, width: line = 1, alpha = 1, dash = null }) {
      const d = all
        .map((one) => {
          const [x1, y1, x2, y2] = one.map(round);
          return `M${x1} ${y1}L${x2} ${y2}`;
        })
        .join("");
      if (d)
        put("path", {
          d,
          stroke,
          "stroke-width": line,
          "stroke-dasharray": dash?.join(" "),
          opacity: faint(alpha),
          fill: "none",
        });
    },
    curves(all, { stroke, width: line = 1, alpha = 1, dash = null }) {
      const d = all
        .map(([x1, y1, x2, y2]) => {
          const bend = (x2 - x1) * 0.4;
          return `M${round(x1)} ${round(y1)}C${[x1 + bend, y1, x2 - bend, y2, x2, y2].map(round).join(" ")}`;
        })
        .join("");
      if (d)
        put("path", {
          d,
          stroke,
          "stroke-width": line,
          "stroke-dasharray": dash?.join(" "),
          opacity: faint(alpha),
          fill: "none",
        });
    },
    text(words, x, y, { size = 18, fill, bold = false, align = "left", angle = 0, max = 0 } = {}) {
      const anchor = { left: null, center: "middle", right: "end" }[align];
      const at = angle
        ? { transform: `translate(${round(x)} ${round(y)}) rotate(${angle})`, y: BASE * size }
        : { x, y: y + BASE * size };
      const shown = clipped(words, max, size, bold);
      const wide = textWidth(shown, size, bold);
      if (!shown) return;
      // The width as measured here, whatever letters there are where the file is opened.
      const long = { textLength: wide, lengthAdjust: "spacingAndGlyphs" };
      put(
        "text",
        {
          ...at,
          "font-size": size,
          "font-weight": bold ? 600 : null,
          fill,
          "text-anchor": anchor,
          "xml:space": "preserve",
          ...long,
        },
        escaped(shown),
      );
    },
    picture(bitmap, sx, sy, sw, sh, x, y, w, h) {
      if (sw * sh <= CELLS) {
        const cw = w / sw;
        const ch = h / sh;
        for (let row = 0; row < sh; row += 1) {
          for (let column = 0; column < sw; ) {
            const colour = bitmap.colourAt(sy + row, sx + column);
            const from = column;
            while (column < sw && bitmap.colourAt(sy + row, sx + column) === colour) column += 1;
            put("rect", {
              x: x + from * cw,
              y: y + row * ch,
              width: (column - from) * cw,
              height: ch,
              fill: colour,
              "shape-rendering": "crispEdges",
            });
          }
        }
        return;
      }
      const cut = Object.assign(document.createElement("canvas"), { width: sw, height: sh });
      cut.getContext("2d").drawImage(bitmap.canvas, sx, sy, sw, sh, 0, 0, sw, sh);
      put("image", {
        x,
        y,
        width: w,
        height: h,
        href: cut.toDataURL(),
        preserveAspectRatio: "none",
        style: "image-rendering:pixelated",
      });
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
  return pen;
}

function escaped(value) {
  return String(value).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}
