// Saving a picture as SVG or PNG, with the sentence and the model's edits below it; copying a link.

import { el, svgEl } from "./dom.js";
import { FAMILY, READABLE, clipped, ending, textWidth } from "./pen.js";

const LONGEST = 16000; // px a side: what every browser's canvas can hold

// What SVG cannot hold as XML: control characters, and halves of pairs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const HALF_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const FORBIDDEN = new RegExp(`${CONTROL.source}|${HALF_PAIR.source}`, "g");

// The buttons of a part that can draw itself: { svg(), name() }. texts: png, svg, long_png, long_svg.
export function saveButtons(texts, part, store) {
  const button = (name, act) =>
    el("button", { type: "button", title: texts[`long_${name}`], onclick: () => act(part, store) }, texts[name]);
  return el("div", { class: "take" }, button("png", savePng), button("svg", saveSvg));
}

export function saveSvg(part, store) {
  const { text } = standalone(part.svg(), store);
  return save(new Blob([text], { type: "image/svg+xml" }), `${fileName(part.name())}.svg`);
}

// Resolves to the name of the file when the download has begun.
export async function savePng(part, store, scale = 2) {
  const { text, width, height } = standalone(part.svg(), store);
  const real = Math.min(scale, LONGEST / width, LONGEST / height);
  const image = await loaded(text);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * real), Math.round(height * real)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
  if (!blob) throw new Error("the browser could not make a picture of this size");
  return save(blob, `${fileName(part.name())}.png`);
}

// Resolves to whether the address is in the clipboard. Over plain http from another machine there is only the old way.
export async function copyLink(address = location.href) {
  if (navigator.clipboard) {
    const done = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    if (done) return true;
  }
  const field = document.createElement("textarea");
  const focused = document.activeElement;
  field.value = address;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus?.({ preventScroll: true });
  return done;
}

// A name that every file system takes: letters and digits of any script, - and _.
function fileName(name) {
  return (
    name
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}\p{M}_-]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 80) || "view"
  );
}

// The drawing with its namespace and its size in px written out, as programs outside a browser want it.
function standalone(svg, store) {
  const code = (sign) => `⟨${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}⟩`;
  const drawing = new DOMParser().parseFromString(svg.replace(FORBIDDEN, code), "image/svg+xml").documentElement;
  if (drawing.localName !== "svg") throw new Error("the drawing is no SVG");
  const [, , wide, high] = (drawing.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const size = (name, otherwise) => {
    const given = drawing.getAttribute(name) ?? "";
    return /^[\d.]+(px)?$/.test(given) ? parseFloat(given) : otherwise;
  };
  const width = size("width", wide) || 1280;
  const height = captioned(drawing, width, size("height", high) || 720, store);
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`;
  return { text, width, height };
}

async function loaded(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return name;
}

const CAPTION_LINE = 28;
const CAPTION_MARGIN = 16; // px of a line, and beside it
const BETWEEN_SIDES = " → ";

// Puts the lines below a drawing of this size, in px, whose viewBox begins at 0, 0. Returns its new height.
function captioned(drawing, width, height, store) {
  const lines = captionOf(store, width - 2 * CAPTION_MARGIN);
  const high = height + CAPTION_LINE * lines.length + CAPTION_MARGIN / 2;
  if (!lines.length) return height;
  drawing.setAttribute("viewBox", `0 0 ${width} ${high}`);
  drawing.append(svgEl("rect", { y: height, width, height: high - height, fill: store.theme.surface }));
  const style = {
    x: CAPTION_MARGIN,
    "font-family": FAMILY,
    "font-size": READABLE,
    fill: store.theme.quiet,
    lengthAdjust: "spacingAndGlyphs",
  };
  lines.forEach((line, at) =>
    drawing.append(
      svgEl("text", { ...style, y: height + (at + 0.7) * CAPTION_LINE, textLength: textWidth(line, READABLE) }, line),
    ),
  );
  return high;
}

// Where both sides are long each has half of the line: the source shows its beginning, the target its end.
function captionOf({ limits: { source = "", written = [], edited = "" }, view }, room) {
  if (!source) return [];
  const rest = room - textWidth(BETWEEN_SIDES, READABLE);
  const target = `${written
    .slice(0, view.step + 1)
    .join("")
    .trim()} …`.trim();
  const first = clipped(source, Math.max(rest / 2, rest - textWidth(target, READABLE)), READABLE);
  const lines = [first + BETWEEN_SIDES + ending(target, rest - textWidth(first, READABLE), READABLE)];
  return edited ? [...lines, clipped(edited, room, READABLE)] : lines;
}
