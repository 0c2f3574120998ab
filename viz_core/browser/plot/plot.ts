// A plotly figure that stands still, fitted to its room.

import { readPayload } from "../../web/src/payload";
import type { Root, Store } from "../../web/src/ui/store";
import { count } from "../kit/data";
import { barHeight, el, nameScroller, saySideways, setAttributes, topOf, watchSize, windowScale } from "../kit/dom";
import { linesOf } from "../kit/pen";
import { columnOf, scroller as pageScroller } from "../kit/streamlit";
import { offerPicture } from "../kit/save";

const CONFIG = { displayModeBar: false, scrollZoom: false };
const PHONE = 400; // px of a window; in a narrower one lecture mode, too, scrolls figures sideways
const NARROW = 810; // px of the page beside rail and code; in a wider one figures fit, even side by side
const ON_STAGE = 385; // px of height, at least, that title and strip leave of 720
const BELOW = 8; // px of margin below
const LEAST_OF_IT = 0.67; // of its own height, to which a figure may be squeezed before its labels overlap
const LABEL = 60; // letters in a line of a hover label

type Figure = { data: Trace[]; layout: Layout };

/** least: px of width; alone: whether the figure has the stage to itself. */
type About = {
  figure: Figure;
  alone: boolean;
  least: number;
  region: string;
};

// payload: from viz_core/app/plot.py.
export function mountPlot(root: Root, payload: Uint8Array, store: Store) {
  let { about } = readPayload<About, never>(payload);
  let drawn = ""; // key of the room that it is drawn for
  let gone = false;
  let drawing = Promise.resolve(); // one after the other, since plotly draws over several frames
  const plot: PlotElement = el("div");
  const scroller = el("div", { class: "scroll" }, plot);
  root.replaceChildren(scroller);
  saySideways(scroller);

  const show = () => {
    const width = scroller.clientWidth;
    if (!width || gone) return; // not laid out yet
    const { view } = store;
    const scale = view.lecture ? windowScale() : 1;
    const page = pageScroller()?.clientWidth ?? innerWidth;
    const room = about.alone && view.lecture ? Math.floor(roomFor(root) / scale - BELOW) : 0;
    const now = JSON.stringify([width, scale, view.lecture, room]);
    if (now === drawn) return;
    drawn = now;
    const figure = copyOf(about);
    const own = figure.layout.height;
    const height = room ? Math.max(ON_STAGE, room, LEAST_OF_IT * own) : own;
    const wide = Math.max(width / scale, page <= (view.lecture ? PHONE : NARROW) ? about.least : 0);
    Object.assign(figure.layout, { width: wide, height, autosize: false });
    nameScroller(scroller, wide > width, about.region, "group");
    const transform = scale === 1 ? "" : `scale(${scale})`;
    Object.assign(plot.style, { width: `${wide}px`, height: `${height}px`, transform });
    root.style.height = view.lecture ? `${height * scale}px` : "";
    count(1);
    drawing = drawing
      .then(() => draw(figure))
      .catch(console.error)
      .finally(() => count(-1));
  };

  async function draw({ data, layout }: Figure) {
    const plotly = await loadPlotly(store.plotly);
    if (gone) return;
    for (const trace of data) if (trace.hovertext) trace.hovertext = inLines(trace.hovertext);
    hideHover(plot); // its text is of the previous state
    await plotly.react(plot, data, layout, CONFIG);
    // a legend of several lines has its room in the next drawing
    const { width = 0 } = layout;
    if (layout.showlegend && width <= about.least) await plotly.relayout(plot, { width });
    if (gone) return purge();
    setAttributes(plot, { role: "img", "aria-label": layout.meta.description });
    for (const inner of plot.children) setAttributes(inner, { "aria-hidden": true }); // Chromium reads inside an img too
  }

  async function svg() {
    await drawing;
    const [plotly, { width, height }] = [await loadPlotly(store.plotly), plot.layout as Layout];
    const drawn = await plotly.toImage(plot, { format: "svg", width, height, imageDataOnly: true });
    return drawn.replace(">", `><rect width="100%" height="100%" fill="${store.theme.surface}"/>`);
  }

  const purge = () => globalThis.Plotly?.purge(plot);
  show();
  const unwatch = watchSize(scroller, show);
  const off = store.subscribe(show);
  const withdraw = offerPicture({ svg, name: () => document.querySelector("h1")?.textContent ?? "" }, store, root);
  return {
    update(next: Uint8Array) {
      ({ about } = readPayload<About, never>(next));
      drawn = "";
      show();
    },
    // Resolves once everything is drawn.
    ready: () => drawing,
    destroy() {
      gone = true;
      withdraw();
      unwatch();
      off();
      drawing.then(purge);
    },
  };
}

// The room for a figure on the stage in px of height, without what follows in its column.
function roomFor(root: HTMLElement): number {
  const bottom = (node: Element) => node.getBoundingClientRect().bottom;
  const last = columnOf(root)?.lastElementChild;
  const following = last ? bottom(last) - bottom(root) : 0;
  return innerHeight - topOf(root) - barHeight() - following;
}

// A copy that plotly may change, with its description.
function copyOf({ figure }: About): Figure {
  const copy = structuredClone(figure);
  copy.layout.meta = { description: descriptionOf(copy) };
  return copy;
}

// Breaks hover texts, however nested, into lines: a label is as wide as its longest line.
function inLines<Words>(words: Words): Words {
  if (Array.isArray(words)) return words.map(inLines) as Words;
  return typeof words !== "string" || fits(words) ? words : (linesOf(words, fits).join("<br>") as Words);
}

// A Chinese character counts as two letters.
const fits = (line: string) => plainText(line).replace(/[\u2e80-\uffef]/g, "  ").length <= LABEL;

const SIGNS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#36;": "$" };

// A text without plotly's markup.
function plainText(words: string): string {
  return words
    .replace(/(?<![\u2e80-\uffef])<br>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|#36);/g, (sign) => SIGNS[sign] ?? sign);
}

// Acts as if the pointer had left, so that plotly hides its hover text.
function hideHover(plot: HTMLElement): void {
  for (const layer of plot.querySelectorAll(".nsewdrag")) layer.dispatchEvent(new MouseEvent("mouseout"));
}

// A figure in words.
const descriptionOf = ({ layout: { meta } }: Figure): string =>
  [...new Set([meta.titles, ...(meta.says ?? [])])].filter(Boolean).join(". ");

interface Trace {
  hovertext?: string | string[] | string[][];
}

interface Layout {
  width?: number;
  height: number;
  autosize?: boolean;
  showlegend?: boolean;
  meta: { titles?: string; says?: string[]; description?: string };
}

/** The element with a figure drawn by plotly. */
interface PlotElement extends HTMLElement {
  layout?: Layout;
}

interface Plotly {
  react(plot: HTMLElement, data: Trace[], layout: Layout, config: object): Promise<unknown>;
  relayout(plot: HTMLElement, changes: Partial<Layout>): Promise<unknown>;
  purge(plot: HTMLElement): void;
  toImage(plot: HTMLElement, options: object): Promise<string>;
}

declare global {
  var Plotly: Plotly | undefined;
}

let loading: Promise<Plotly> | null = null;

/** address: of plotly on the server; an exported file has loaded its own copy. */
export function loadPlotly(address: string): Promise<Plotly> {
  if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
  loading ??= import(new URL(address, location.origin).href).then(() => globalThis.Plotly as Plotly);
  return loading;
}
