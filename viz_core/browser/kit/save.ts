// Saves a drawing as SVG or PNG, captioned with the sentence and the model's edits, without instructions; copies a link.

import type { View } from "../../web/src/view";
import { nth } from "../../web/src/payload";
import type { Picture, Store } from "../../web/src/ui/store";
import { FAMILY, READABLE, clipped, contextOf, ending, textWidth } from "./pen";
import { forPaper } from "./paper";
import { el, lettersScale, setAttributes, svgEl } from "./dom";

// Instructions in a text, such as "Click a cell": they mean nothing in a saved picture or to an audience.

const ENGLISH =
  /(?<=^|[.!?] )(?:Click|Press|Select|Tap|Point at) (?:a|an|any|it|its|the|on|one)\b[^.!?]*(?:[.!?]|$)|[^.!?]* is a link: [^.!?]*(?:[.!?]|$)|: (?:click|press|select) [^.!?]*$/g;
const CHINESE = /[^。！？]*(?:点击|单击|点按|点选|指向)[^。！？]*(?:[。！？]|$)/g;

// [start, end] of each sentence that is an instruction. source: the reader's own sentence, which is never taken for one.
export function instructionsIn(words: string, source = "") {
  if (words && source.includes(words.trim())) return [];
  return [ENGLISH, CHINESE].flatMap((kind) =>
    [...words.matchAll(kind)].map(({ index, 0: sentence }) => [index, index + sentence.length] as const),
  );
}

export function withoutInstructions(words: string, source = "") {
  return instructionsIn(words, source).reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), words);
}

// A part's text for the current mode: in lecture mode without instructions, since the audience cannot click.
export const forAudience = (words: string, { lecture }: Pick<View, "lecture">) => (lecture ? withoutInstructions(words) : words);

const SCALE = 2; // px of a PNG per px on the screen
const LONGEST = 16000; // px of a side: what every browser's canvas supports

// Characters that XML cannot hold: control characters and lone surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const HALF_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const FORBIDDEN = new RegExp(`${CONTROL.source}|${HALF_PAIR.source}`, "g");

const offered = new Map<Picture, Element>(); // and where each is drawn

// Offers the drawing of a part to the player's menu; several stand one below the other, in the order of the page. root: of the part.
// Returns a function that withdraws it.
export function offerPicture(part: Picture, store: Store, root: Element) {
  const offer = () => {
    const [only = null, ...others] = offered.keys();
    store.picture = others.length
      ? {
          svg: async () => oneBelowTheOther(await Promise.all(inOrder().map(({ svg }) => svg()))),
          name: () => nth(inOrder(), 0).name(),
        }
      : only;
    store.repaint(); // for the buttons that save it
  };
  offered.set(part, root);
  offer();
  return () => {
    offered.delete(part);
    offer();
  };
}

function inOrder() {
  const placed = [...offered].map(([picture, root]) => ({ picture, place: root.getBoundingClientRect() }));
  return placed.sort(({ place: a }, { place: b }) => a.top - b.top || a.left - b.left).map(({ picture }) => picture);
}

function oneBelowTheOther(drawings: readonly string[]) {
  let [width, height] = [0, 0];
  const placed = drawings.map((drawing, at) => {
    const [w = 0, h = 0] = (/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(drawing) ?? []).slice(1).map(Number);
    const own = drawing.replace(/( id="|url\(#)/g, `$1${at}-`); // names are those of one drawing
    const inner = own.replace("<svg", `<svg y="${height}"`);
    [width, height] = [Math.max(width, w), height + h];
    return inner;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${placed.join("")}</svg>`;
}

export async function saveSvg(part: Picture, store: Store) {
  const { text } = await standalone(part, store);
  return save(new Blob([text], { type: "image/svg+xml" }), `${fileName(part.name())}.svg`);
}

// Resolves to the file's name once the download has begun.
export async function savePng(part: Picture, store: Store) {
  const { text, width, height } = await standalone(part, store);
  const real = Math.min(SCALE, LONGEST / width, LONGEST / height);
  const image = await loaded(text);
  const canvas = el("canvas", { width: Math.round(width * real), height: Math.round(height * real) });
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  return save(blob as Blob, `${fileName(part.name())}.png`);
}

// Resolves to whether the address is in the clipboard. Plain http from another machine has no Clipboard API.
export async function copyLink(address: string) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return copyFromField(address);
  }
}

function copyFromField(address: string) {
  const field = el("textarea", { style: "position: fixed; opacity: 0" });
  const focused = document.activeElement as HTMLElement | null;
  field.value = address;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus?.({ preventScroll: true });
  return done;
}

// A name that every file system takes: letters and digits of any script, - and _.
function fileName(name: string) {
  const safe = name.normalize("NFC").replace(/[^\p{L}\p{N}\p{M}_-]+/gu, "-");
  return safe.replace(/^-+|-+$/g, "").slice(0, 80);
}

// The drawing as a file for programs other than browsers, with its size in px.
async function standalone(part: Picture, store: Store) {
  const code = (sign: string) => `⟨${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}⟩`;
  const text = (await part.svg()).replace(FORBIDDEN, code);
  const root: Element = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const drawing = root as SVGSVGElement;
  const [, , width = 0, high = 0] = (drawing.getAttribute("viewBox") ?? "").split(" ").map(Number);
  leaveOutInstructions(drawing, store);
  const height = captioned(drawing, width, high, store);
  setAttributes(drawing, { width, height });
  await forPaper(drawing, part.name().replace(FORBIDDEN, code));
  const whole = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`;
  return { text: whole, width, height };
}

function leaveOutInstructions(drawing: Element, store: Store) {
  for (const text of drawing.querySelectorAll("text, tspan")) {
    const [inner, ...more] = text.childNodes;
    if (more.length || !(inner instanceof Text)) continue;
    const words = withoutInstructions(inner.data, store.limits.source);
    if (words === inner.data) continue;
    text.removeAttribute("textLength");
    inner.data = words;
  }
}

async function loaded(text: string) {
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

function save(blob: Blob, name: string) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return name;
}

const CAPTION_LINE = 28; // px
const CAPTION_MARGIN = 16; // px
const BETWEEN_SIDES = " → ";

// Adds the caption below a drawing of this size in px, whose viewBox begins at 0, 0; in lecture mode also the page's title above, both in
// letters of the projector's size. Returns the new height.
function captioned(drawing: Element, width: number, height: number, store: Store) {
  const scale = store.view.lecture ? lettersScale() : 1;
  const line = CAPTION_LINE * scale;
  const room = (width - 2 * CAPTION_MARGIN) / scale;
  const title = store.view.lecture ? clipped(document.querySelector("h1")?.textContent ?? "", room, READABLE, true) : "";
  const lines = captionOf(store, room);
  const above = title ? 1.5 * line : 0;
  const below = lines.length ? lines.length * line + CAPTION_MARGIN / 2 : 0;
  drawing.setAttribute("viewBox", `0 ${-above} ${width} ${above + height + below}`);
  const ground = (y: number, high: number) => {
    if (high) drawing.append(svgEl("rect", { y, width, height: high, fill: store.theme.surface }));
  };
  ground(-above, above);
  ground(height, below);
  const write = (words: string, y: number, bold: boolean) => {
    const letters = { "font-family": FAMILY, "font-size": READABLE * scale, "font-weight": bold ? 600 : null };
    const fitted = { textLength: textWidth(words, READABLE, bold) * scale, lengthAdjust: "spacingAndGlyphs" };
    const fill = bold ? store.theme.ink : store.theme.quiet;
    drawing.append(svgEl("text", { x: CAPTION_MARGIN, y, ...letters, fill, ...fitted }, words));
  };
  if (title) write(title, -above + line, true);
  lines.forEach((words, at) => write(words, height + (at + 0.7) * line, false));
  return above + height + below;
}

// If both sentences are long each gets half of the line: the beginning of the source, the end of the target.
function captionOf({ limits: { source = "", written = [], edited = "" }, view }: Store, room: number) {
  if (!source) return [];
  const rest = room - textWidth(BETWEEN_SIDES, READABLE);
  const output = written
    .slice(0, view.step + 1)
    .join("")
    .trim();
  const target = `${output} …`.trim();
  const first = clipped(source, Math.max(rest / 2, rest - textWidth(target, READABLE)), READABLE);
  const lines = [first + BETWEEN_SIDES + ending(target, rest - textWidth(first, READABLE), READABLE)];
  return edited ? [...lines, clipped(edited, room, READABLE)] : lines;
}
