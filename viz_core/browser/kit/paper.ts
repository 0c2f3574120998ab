// Turns a drawing into an SVG for print that looks the same in every program: text becomes outlines, images become shapes, style sheets
// become attributes. The words remain as labels for screen readers.

import { el, setAttributes, svgEl } from "./dom";
import { type Outline, outlineOf, LETTER_SIZE, OUTLINE_UNITS, pixelShapes, pixelsOf } from "./outlines";

// Properties that have an SVG attribute, with their initial values.
type Values = Record<string, string>;
const PAINT = { fill: "#000000", "fill-opacity": "1", "fill-rule": "nonzero", stroke: "none", "stroke-opacity": "1" };
const LINE = { "stroke-width": "1", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter" };
const OWN = { opacity: "1", "clip-path": "none", mask: "none", "vector-effect": "none", display: "inline" };
const INHERITED: Values = {
  ...PAINT,
  ...LINE,
  "paint-order": "normal",
  "clip-rule": "nonzero",
  visibility: "visible",
  "shape-rendering": "auto",
};
const GONE = ["style", "class", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "lengthAdjust"];
// Scripts whose letters change with their neighbours, and icon fonts, whose ligatures are names: a word is drawn as a whole.
const JOINED = /[\u0600-\u08ff\u0900-\u0dff\u0e00-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufeff]/;
const ICONS = /Material/;
const LARGE = 4; // scale while measuring, so that the browser does not round the positions of letters to whole px
const NEAR = 0.05; // share by which a text's width may differ before its letters are squeezed: screens round each letter's width

type Glyphs = Map<Outline, string>; // → id

// Changes the drawing, an <svg> with a viewBox, in place. name: its title.
export async function forPaper(drawing: SVGSVGElement, name: string) {
  const host = el("div", {
    style: "all: initial; position: fixed; left: 0; top: 0; width: 0; height: 0; overflow: hidden; opacity: 0",
  });
  document.body.append(host);
  host.attachShadow({ mode: "open" }).append(drawing);
  const [width, height] = ["width", "height"].map((side) => parseFloat(drawing.getAttribute(side) ?? ""));
  Object.assign(drawing.style, { width: `${LARGE * (width ?? 0)}px`, height: `${LARGE * (height ?? 0)}px` });
  try {
    const glyphs: Glyphs = new Map(); // outline → id
    const said: string[] = [];
    const texts = [...drawing.querySelectorAll("text")].map((text) => [text, outlined(text, glyphs, said)] as const);
    const images = [...drawing.querySelectorAll("image")].map(async (image) => [image, await shapesOf(image)] as const);
    const changed = [...texts, ...(await Promise.all(images))];
    flatten(drawing);
    for (const [node, made] of changed) if (made) node.replaceWith(made);
    for (const sheet of drawing.querySelectorAll("style, title, desc, metadata")) sheet.remove();
    const definitions = [...glyphs].map(([glyph, id]) => definition(glyph, id));
    drawing.prepend(
      svgEl("title", {}, name),
      svgEl("desc", {}, [...new Set(said)].join("\n")),
      ...(definitions.length ? [svgEl("defs", {}, ...definitions)] : []),
    );
    drawing.remove();
  } finally {
    host.remove();
  }
}

function definition({ d, pixels }: Outline, id: string) {
  if (!pixels) return svgEl("path", { id, d });
  const { image, left, up, em } = pixels;
  const cells = pixelShapes(image) as SVGElement;
  setAttributes(cells, { id, transform: `scale(${OUTLINE_UNITS / em}) translate(${-left} ${-up})` });
  return svgEl("g", { id }, cells);
}

// The outlines of a text, in a group for each run of one style.
function outlined(text: SVGTextElement, glyphs: Glyphs, said: string[]) {
  const parts = partsOf(text);
  const words = parts.map(({ node }) => node.data).join("");
  if (!words.trim()) return svgEl("g");
  const wanted = parseFloat(text.getAttribute("textLength") ?? "");
  text.removeAttribute("textLength");
  const natural = text.getComputedTextLength();
  const squeezed = wanted && natural && Math.abs(wanted / natural - 1) > NEAR ? wanted / natural : 1;
  const anchor = text.x.baseVal.numberOfItems ? text.x.baseVal.getItem(0).value : 0;
  const groups = parts.map((part) => groupOf(text, part, { squeezed, anchor }, glyphs)).filter((group) => group !== null);
  if (groups.length) said.push(words.trim());
  const { opacity } = getComputedStyle(text);
  const own = { transform: text.getAttribute("transform"), opacity: opacity === "1" ? null : opacity };
  return svgEl("g", { role: "img", "aria-label": words.trim(), ...own }, ...groups);
}

// The text nodes with their offsets. White space is normalized, so that offsets count the letters drawn.
function partsOf(text: SVGTextElement) {
  const keeps = text.getAttribute("xml:space") === "preserve" || /pre|break-spaces/.test(getComputedStyle(text).whiteSpace);
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  let at = 0;
  for (const [index, node] of nodes.entries()) {
    let words = node.data.replace(/[\t\r\n]/g, " ");
    if (!keeps) {
      words = words.replace(/ +/g, " ");
      if (index === 0) words = words.trimStart();
      if (index === nodes.length - 1) words = words.trimEnd();
    }
    node.data = words;
  }
  // Firefox gives no position to the second letter of a ligature.
  for (const node of [text, ...text.querySelectorAll("tspan")])
    Object.assign(node.style, { whiteSpace: "pre", fontVariantLigatures: "none" });
  return nodes.map((node) => {
    const part = { node, from: at };
    at += node.data.length;
    return part;
  });
}

type Part = { node: Text; from: number };

type Fit = Record<"squeezed" | "anchor", number>;

function groupOf(text: SVGTextElement, { node, from }: Part, { squeezed, anchor }: Fit, glyphs: Glyphs) {
  const style = getComputedStyle(node.parentElement ?? text);
  const size = parseFloat(style.fontSize);
  const seen = style.visibility === "visible" && (style.fill !== "none" || style.stroke !== "none");
  if (!seen || !size || !text.getClientRects().length) return null;
  const font = `${style.fontStyle} ${style.fontWeight} ${LETTER_SIZE} ${style.fontFamily}`;
  const [across, down] = [(size / OUTLINE_UNITS) * squeezed, size / OUTLINE_UNITS];
  const uses: Element[] = [];
  for (const { index, segment } of unitsOf(node.data, style.fontFamily)) {
    const outline = outlineOf(segment, font);
    if (!outline) continue;
    const at = from + index;
    const places = Array.from({ length: segment.length }, (_, step) => text.getExtentOfChar(at + step));
    const [first, ...others] = places.filter(({ width }) => width);
    if (!first) continue;
    const box = others.reduce((left, place) => (place.x < left.x ? place : left), first); // some scripts run right to left
    const { y } = text.getStartPositionOfChar(at);
    const room = /tabular/.test(style.fontVariantNumeric) && /^\d$/.test(segment) ? box.width - outline.advance * down : 0;
    const x = anchor + (box.x + room / 2 - anchor) * squeezed;
    if (!glyphs.has(outline)) glyphs.set(outline, `g${glyphs.size}`);
    uses.push(svgEl("use", { href: `#${glyphs.get(outline)}`, x: Math.round(x / across), y: Math.round(y / down) }));
  }
  const stroked = style.stroke !== "none";
  const ink = {
    transform: `scale(${+across.toFixed(6)} ${+down.toFixed(6)})`,
    ...colour("fill", style.fill, style.fillOpacity),
    ...(stroked && colour("stroke", style.stroke, style.strokeOpacity)),
    ...(stroked && { "stroke-width": +(parseFloat(style.strokeWidth) / down).toFixed(1), "stroke-linejoin": "round" }),
    ...(stroked && /^stroke/.test(style.paintOrder) && { "paint-order": "stroke" }),
  };
  return uses.length ? svgEl("g", ink, ...uses) : null;
}

const signs = new Intl.Segmenter(undefined, { granularity: "grapheme" });

// The units drawn as one outline each: [{ index, segment }].
function unitsOf(words: string, family: string) {
  return [...words.matchAll(/\S+/g)].flatMap(({ index: start, 0: word }) => {
    if (JOINED.test(word) || ICONS.test(family)) return [{ index: start, segment: word }];
    return [...signs.segment(word)].map(({ index, segment }) => ({ index: start + index, segment }));
  });
}

async function shapesOf(image: SVGImageElement) {
  const pixels = await pixelsOf(image.href.baseVal);
  const cells = pixelShapes(pixels);
  if (!cells) return null;
  const [x = 0, y = 0, w = 0, h = 0] = [image.x, image.y, image.width, image.height].map(({ baseVal }) => baseVal.value);
  const place = `translate(${x} ${y}) scale(${w / pixels.width} ${h / pixels.height})`;
  setAttributes(cells, { transform: [image.getAttribute("transform"), place].filter(Boolean).join(" ") });
  const { opacity } = getComputedStyle(image);
  return svgEl("g", opacity === "1" ? {} : { opacity }, cells);
}

// A colour as attributes that every program reads.
function colour(name: string, value: string, opacity = "1"): Record<string, string | null> {
  const [, r, g, b, a = "1"] = value.match(/^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/) ?? [];
  if (r === undefined) return { [name]: value.replaceAll('"', "") };
  const hex = [r, g, b].map((part) => Number(part).toString(16).padStart(2, "0")).join("");
  const share = Number(a) * Number(opacity);
  return { [name]: `#${hex}`, [`${name}-opacity`]: share === 1 ? null : String(+share.toFixed(4)) };
}

// Writes computed style into attributes, where it differs from the parent's or from SVG's default.
function flatten(drawing: SVGSVGElement) {
  const nodes: Element[] = [drawing, ...drawing.querySelectorAll("*:not(text, text *, style, title, desc)")];
  const styles = new Map<Element | null, Values>(nodes.map((node) => [node, valuesOf(getComputedStyle(node))]));
  for (const node of nodes) {
    const own = styles.get(node) ?? INHERITED;
    const above = node === drawing ? INHERITED : (styles.get(node.parentElement) ?? INHERITED);
    for (const name of Object.keys(INHERITED)) setAttributes(node, { [name]: own[name] === above[name] ? null : own[name] });
    for (const [name, usual] of Object.entries(OWN)) setAttributes(node, { [name]: own[name] === usual ? null : own[name] });
    for (const name of GONE) node.removeAttribute(name);
    for (const { name } of [...node.attributes]) if (/^(data-|aria-|on|role$|tabindex$)/.test(name)) node.removeAttribute(name);
  }
}

function valuesOf(style: CSSStyleDeclaration): Values {
  const said = (name: string) => style.getPropertyValue(name);
  const names = [...Object.keys(INHERITED), ...Object.keys(OWN)];
  const colours = ["fill", "stroke"].map((name) => colour(name, said(name), said(`${name}-opacity`)));
  const values: Values = Object.assign(Object.fromEntries(names.map((name) => [name, said(name)])), ...colours);
  return {
    ...values,
    "fill-opacity": values["fill-opacity"] ?? "1",
    "stroke-opacity": values["stroke-opacity"] ?? "1",
    "stroke-width": String(parseFloat(said("stroke-width"))),
    "stroke-dasharray": said("stroke-dasharray").replaceAll("px", ""),
    "clip-path": said("clip-path").replaceAll('"', ""),
    mask: said("mask").replaceAll('"', ""),
    display: said("display") === "none" ? "none" : "inline",
  };
}
