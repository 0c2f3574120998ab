// Elements, their theme colours and their room in the window; frames and timers. Text always goes in as text.

import { textsIn } from "../../web/src/texts";
import type { Theme, Store, View } from "../../web/src/ui/store";
import { onKeys } from "./composing";
import { forgetWidths } from "./pen";
import { wholePage } from "./streamlit";

const texts = textsIn("app.frame.scroller");

const SVG = "http://www.w3.org/2000/svg";

type Listeners = {
  [Name in keyof GlobalEventHandlersEventMap as `on${Name}`]?: (event: GlobalEventHandlersEventMap[Name]) => void;
};
type Values = Readonly<Record<string, unknown>>;
type Attributes = Listeners & Values;
type Child = Node | string | null | undefined;
type Html = HTMLElementTagNameMap;
type Svg = SVGElementTagNameMap;

export function el<Name extends keyof Html>(name: Name, attributes: Attributes = {}, ...children: Child[]): Html[Name] {
  return filled(document.createElement(name), attributes, children);
}

export function svgEl<Name extends keyof Svg>(name: Name, attributes: Attributes = {}, ...children: Child[]): Svg[Name] {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled<Filled extends Element>(node: Filled, attributes: Attributes, children: Child[]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onkeydown") onKeys(node, value as (event: KeyboardEvent) => void);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value as EventListener);
    else setAttributes(node, { [name]: value });
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// null, undefined and false remove an attribute, true sets it empty; for aria-…, true and false are values.
export function setAttributes(node: Element, attributes: Values) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = attributeText(name, value);
    if (text === null) node.removeAttribute(name);
    else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

function attributeText(name: string, value: unknown) {
  if (typeof value === "boolean" && !name.startsWith("aria-")) return value ? "" : null;
  return value === null || value === undefined ? null : String(value);
}

// The source of an SVG on a background of one colour; width, height: px.
export function svgText(width: number, height: number, ground: string, attributes: Attributes, ...children: Child[]) {
  const sides = { width, height };
  const back = svgEl("rect", { ...sides, fill: ground });
  const whole = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, ...sides, ...attributes }, back, ...children);
  return new XMLSerializer().serializeToString(whole);
}

export function setText(node: Element, words: string) {
  if (node.textContent !== words) node.textContent = words;
}

// On the document while the focus came by pointer, not by Tab: the keys then stay with the picture.
export const POINTED = "data-pointed";

export const toolbar = (label: string, attributes: Attributes) =>
  el("div", { role: "toolbar", "aria-label": label, ...attributes });

// While an element scrolls, it can be reached by Tab and has a name.
export function nameScroller(scroller: Element, scrolls: boolean, label: string, role = "region") {
  scroller.classList.toggle("scrolls", scrolls);
  setAttributes(scroller, { tabindex: scrolls && 0, role: scrolls && role, "aria-label": scrolls ? label : null });
}

// Calls `resized` when the root, the window, the content above or the bar at the foot (measured after the parts are painted)
// changes size, and `measured` when fonts have loaded and texts change width. Returns a function that ends it.
export function watchSize(root: Element, resized: () => void, measured = resized) {
  const remeasure = () => {
    forgetWidths();
    measured();
  };
  const observer = new ResizeObserver(resized);
  observer.observe(root);
  observer.observe(wholePage() ?? document.body);
  let foot = barHeight();
  const bar = new MutationObserver(() => {
    if (barHeight() === foot) return;
    foot = barHeight();
    resized();
  });
  bar.observe(document.documentElement, { attributeFilter: ["style"] });
  addEventListener("resize", resized);
  document.fonts?.ready.then(remeasure);
  // `ready` may precede the request for a canvas's fonts
  document.fonts?.addEventListener("loadingdone", remeasure);
  return () => {
    observer.disconnect();
    bar.disconnect();
    removeEventListener("resize", resized);
    document.fonts?.removeEventListener("loadingdone", remeasure);
  };
}

// Marks a part that is wider than its place, so that its style shows that it scrolls. Ends with the part.
export function saySideways(node: HTMLElement) {
  node.style.setProperty("--sideways", JSON.stringify(texts.sideways));
  const observer = new ResizeObserver(() => node.toggleAttribute("data-sideways", node.scrollWidth > node.clientWidth + 1));
  for (const element of [node, ...node.children]) observer.observe(element);
}

// Makes a part a tab stop while it is wider than its place, so that arrow keys can scroll it. Ends with the part.
export function stopSideways(node: Element) {
  const observer = new ResizeObserver(() => setAttributes(node, { tabindex: node.scrollWidth > node.clientWidth + 1 && 0 }));
  for (const element of [node, ...node.children]) observer.observe(element);
}

const COLOURS =
  "ink quiet surface panel line masked accent weight q k v output encoder decoder q_text k_text v_text output_text chip highlight".split(
    " ",
  ) as (keyof Theme)[];

const dressed = new WeakMap<HTMLElement, Theme>();

// The theme's colours as CSS variables of a part, once, since the browser would parse them anew each time.
export function dress(root: HTMLElement, theme: Theme) {
  if (dressed.get(root) === theme) return;
  dressed.set(root, theme);
  for (const name of COLOURS) if (theme[name]) root.style.setProperty(`--${name}`, String(theme[name]));
  root.style.colorScheme = theme.dark ? "dark" : "light";
  root.toggleAttribute("data-still", Boolean(theme.still));
}

const LETTERS = 18; // px outside lecture mode; in lecture mode they grow with the window

// The page's letter size relative to that outside lecture mode.
export const lettersScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS || 1;

// The window's size relative to the one that figures are drawn for: the least growth of letters in lecture mode.
export const windowScale = () => property("--viz-scale") || 1;

// The height of the bar at the foot of the window, in px.
export const barHeight = () => property("--viz-bar");

// Of the document itself, whose computed style would have all styles computed first.
const property = (name: string) => parseFloat(document.documentElement.style.getPropertyValue(name)) || 0;

// Marks the edges at which a sideways scroller goes on, for its style sheet to fade.
export function fadeEdges(node: Element) {
  node.classList.toggle("more-before", node.scrollLeft > 2);
  node.classList.toggle("more-after", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
}

// The distance from the top of the page, regardless of scrolling, through shadow roots; in px.
export function topOf(root: Element) {
  let top = root.getBoundingClientRect().top;
  for (let node: Node | null = root; node; node = node.parentNode ?? (node instanceof ShadowRoot ? node.host : null))
    if (node instanceof Element) top += node.scrollTop;
  return top;
}

// Runs act at most once a frame.
export function perFrame(act: () => void) {
  let frame = 0;
  const run = () => {
    frame = 0;
    act();
  };
  return {
    soon: () => {
      frame ||= requestAnimationFrame(run);
    },
    cancel: () => cancelAnimationFrame(frame),
  };
}

// Sends something, and again while it is pending: the server may be away, or the run that answers may be interrupted.
// times: tries before this one; pause(times): ms until the next one.
export function repeating(send: (times: number) => void, isPending: () => unknown, pause: (times: number) => number) {
  let timer = 0;
  let times = 0;
  const later = (after: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isPending()) sendNow();
    }, after);
  };
  const sendNow = () => {
    send(times);
    later(pause(times));
    times += 1;
  };
  return {
    begin() {
      times = 0;
      sendNow();
    },
    stop: () => clearTimeout(timer),
    resume(after: number) {
      times = 0;
      later(after);
    },
  };
}

// Redraws a part when the view, the theme or its room changes. paint's width and height: px of its room in the window.
// scale(): magnification in lecture mode.
export function keepDrawn(
  root: HTMLElement,
  store: Store,
  paint: (view: Readonly<View>, place: Record<"width" | "height" | "zoom", number>) => void,
  scale: () => number,
) {
  const show = () => {
    const { view, theme } = store;
    const zoom = view.lecture ? scale() : 1;
    root.style.zoom = String(zoom);
    root.toggleAttribute("data-lecture", view.lecture);
    const width = Math.floor(root.getBoundingClientRect().width / zoom);
    if (!width) return; // not laid out yet
    dress(root, theme);
    paint(view, { width, height: (innerHeight - topOf(root) - barHeight()) / zoom, zoom });
  };
  show();
  const unwatch = watchSize(root, show);
  const off = store.subscribe(show);
  return {
    show,
    destroy() {
      unwatch();
      off();
    },
  };
}
