// The page as one SVG, if none of its parts offers a drawing of its own: plotly's figures, tables, code. Texts and lines stay such,
// as the browser has laid them out; the server is not involved.

import type { Box } from "../../web/src/marks/mark";
import type { Picture, Store, Theme } from "../../web/src/ui/store";
import { setAttributes, svgEl, svgText } from "./dom";
import { instructionsIn } from "./instructions";
import { FAMILY } from "./pen";

const FIGURES = [".st-key-_page", "main"]; // in the app, and in a file
// The picture leaves out controls and everything below the figure.
const LEFT_OUT = [
  "script, style, noscript, select, input, textarea, dialog, label, details, button[kind], .modebar, .katex-mathml",
  "[class*=st-key-_controls], .st-key-_below, .st-key-_arithmetic",
].join();
const MARGIN = 16; // px
const SIDES = ["Top", "Right", "Bottom", "Left"] as const;
// Properties that a style sheet may set on a drawing, copied into it, since the file has no style sheet.
const INK =
  "fill fill-opacity fill-rule stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity opacity font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing paint-order visibility display".split(
    " ",
  );

// Something on the page with its place, and how to draw it.
type Drawn = Box & { make(): Element | null };

// The picture of a page for the menu to save, or null if there is nothing to draw.
export function pagePicture(store: Store): Picture | null {
  const root = FIGURES.map((place) => document.querySelector(place)).find((node) => node !== null);
  if (!root || !drawnIn(root).length) return null;
  return {
    svg: () => unfolded(root, () => drawing(root, store.theme)),
    name: () => document.querySelector("h1")?.textContent ?? "",
  };
}

// The drawings of all visible nodes, in order.
function drawnIn(root: Element) {
  const drawings: Drawn[] = [];
  const visit = (node: Node) => {
    if (node instanceof Text) drawings.push(...wordsOf(node));
    if (!(node instanceof Element) || node.matches(LEFT_OUT)) return;
    const seen = node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const draw = drawerOf(node);
    if (seen) drawings.push(...boxOf(node));
    if (draw) {
      if (seen) drawings.push({ ...placeOf(node), make: draw });
      return;
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return drawings.filter(({ w, h }) => w > 0 && h > 0);
}

// Runs a function while every vertical scroller is as high as its content.
function unfolded<Result>(root: Element, act: () => Result) {
  const folded = scrollersIn(root);
  const before = folded.map((node) => node.style.cssText);
  for (const node of folded) Object.assign(node.style, { maxHeight: "none", height: "auto", overflow: "visible" });
  try {
    return act();
  } finally {
    folded.forEach((node, at) => {
      node.style.cssText = before[at] ?? "";
    });
  }
}

function scrollersIn(node: Node): HTMLElement[] {
  if (!(node instanceof Element)) return [];
  const isHigh = node.scrollHeight > node.clientHeight + 1;
  const scrolls = isHigh && ["auto", "scroll"].includes(getComputedStyle(node).overflowY);
  return [...(scrolls && node instanceof HTMLElement ? [node] : []), ...[...childrenOf(node)].flatMap(scrollersIn)];
}

function childrenOf(node: Element): ArrayLike<Node> & Iterable<Node> {
  if (node.shadowRoot) return node.shadowRoot.childNodes;
  const given = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
  return given.length ? given : node.childNodes;
}

// Draws an element as a whole; null for one whose children are drawn instead.
function drawerOf(node: Element): Drawn["make"] | null {
  const image = (href: string) => svgEl("image", { href, ...sides(node) });
  if (node instanceof SVGSVGElement) return () => copied(node);
  if (node instanceof HTMLCanvasElement) return () => (node.width && node.height ? image(node.toDataURL()) : null);
  if (node instanceof HTMLImageElement) return () => (node.src.startsWith("data:") ? image(node.src) : null);
  return null;
}

function placeOf(node: Element): Box {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left, y: top, w: width, h: height };
}

function sides(node: Element) {
  const { x, y, w, h } = placeOf(node);
  return { x, y, width: w, height: h };
}

// A copy of a drawing with its computed style.
function copied(node: SVGSVGElement) {
  const copy = node.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  [node, ...node.querySelectorAll("*")].forEach((original, at) => {
    const clone = copies[at] as SVGElement;
    const style = getComputedStyle(original);
    for (const name of INK) clone.style.setProperty(name, style.getPropertyValue(name));
    clone.removeAttribute("class");
    if (original instanceof SVGTextContentElement && !original.childElementCount && clone.textContent)
      setAttributes(clone, { textLength: original.getComputedTextLength() || null, lengthAdjust: "spacingAndGlyphs" });
  });
  const overflow = node.closest(".katex") ? "hidden" : "visible"; // KaTeX draws root signs longer than needed
  setAttributes(copy, { ...sides(node), style: null, overflow });
  if (!copy.hasAttribute("viewBox")) setAttributes(copy, { viewBox: `0 0 ${node.clientWidth} ${node.clientHeight}` });
  return copy;
}

const clear = (colour: string) => /^rgba\(.*, 0\)$|^transparent$/.test(colour);

// An element's background and borders.
function boxOf(node: Element) {
  const style = getComputedStyle(node);
  const { x, y, w, h } = placeOf(node);
  const rx = parseFloat(style.borderTopLeftRadius) || null;
  const boxes: Drawn[] = [];
  const put = (box: Box, ink: Record<string, string | number | null>) =>
    boxes.push({ ...box, make: () => svgEl("rect", { x: box.x, y: box.y, width: box.w, height: box.h, ...ink }) });
  if (!clear(style.backgroundColor)) put({ x, y, w, h }, { fill: style.backgroundColor, rx });
  const edges = SIDES.map((side) => {
    const [px, colour] = [parseFloat(style[`border${side}Width`]), style[`border${side}Color`]];
    return px && style[`border${side}Style`] !== "none" && !clear(colour) ? { px, colour } : null;
  });
  const [top] = edges;
  if (top && edges.every((edge) => edge?.px === top.px && edge.colour === top.colour)) {
    const { px, colour } = top;
    const inner = { x: x + px / 2, y: y + px / 2, w: w - px, h: h - px };
    put(inner, { fill: "none", stroke: colour, "stroke-width": px, rx });
    return boxes;
  }
  const strips = [
    (edge: number) => ({ x, y, w, h: edge }),
    (edge: number) => ({ x: x + w - edge, y, w: edge, h }),
    (edge: number) => ({ x, y: y + h - edge, w, h: edge }),
    (edge: number) => ({ x, y, w: edge, h }),
  ];
  strips.forEach((strip, side) => {
    const edge = edges[side];
    if (edge) put(strip(edge.px), { fill: edge.colour });
  });
  return boxes;
}

// The lines of a text, where the browser has set them.
function wordsOf(node: Text): Drawn[] {
  const parent = node.parentElement ?? (node.parentNode as ShadowRoot).host;
  if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
  const style = getComputedStyle(parent);
  const size = parseFloat(style.fontSize);
  return wrappedLines(node).map(({ words, x, y, w, h }) => ({
    ...{ x, y, w, h },
    make() {
      const letters = { "font-size": size, "font-weight": style.fontWeight, "font-style": style.fontStyle };
      const base = y + h / 2 + size * 0.34; // from the middle of the line to its baseline, as in the pens
      const fitted = { textLength: w, lengthAdjust: "spacingAndGlyphs", "xml:space": "preserve" };
      const family = style.fontFamily.replaceAll('"', "'");
      return svgEl("text", { x, y: base, ...letters, "font-family": family, fill: style.color, ...fitted }, words);
    },
  }));
}

function wrappedLines(node: Text) {
  const range = document.createRange();
  const lines: (Box & { words: string })[] = [];
  const left = instructionsIn(node.data);
  for (const { index, 0: piece } of node.data.matchAll(/\s*\S+/gu)) {
    if (left.some(([start, end]) => index + piece.length > start && index < end)) continue;
    const from = index + piece.length - piece.trimStart().length;
    range.setStart(node, lines.length ? index : from);
    range.setEnd(node, index + piece.length);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    const box = boxes.at(-1);
    if (!box) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.y - box.top) < box.height / 2) {
      last.words += piece;
      last.w = box.right - last.x;
    } else {
      const inside = { x: box.left, y: box.top, w: box.width, h: box.height };
      lines.push({ words: piece.trimStart(), ...inside });
    }
  }
  return lines;
}

function drawing(root: Element, theme: Theme) {
  const drawings = drawnIn(root);
  const left = Math.min(...drawings.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...drawings.map(({ y }) => y)) - MARGIN;
  const width = Math.max(...drawings.map(({ x, w }) => x + w)) + MARGIN - left;
  const height = Math.max(...drawings.map(({ y, h }) => y + h)) + MARGIN - top;
  const all = svgEl("g", { transform: `translate(${-left} ${-top})` }, ...drawings.map(({ make }) => make()));
  return svgText(width, height, theme.surface, { "font-family": FAMILY }, all);
}
