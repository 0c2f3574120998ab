// A figure of plotly's, in whatever state the browser shows: what it is at each step, layer or head, Python has sent along.

import { readPayload, type States, stateOf } from "../../web/src/payload";
import type { Limits, Root, Store, View } from "../../web/src/ui/store";
import { count } from "../kit/busy";
import { barHeight, el, nameScroller, saySideways, setAttributes, topOf, watchSize, windowScale } from "../kit/dom";
import { linesOf } from "../kit/pen";
import { columnOf } from "../kit/streamlit";
import { hideHover, offerTargets, plainText } from "./targets";

const CONFIG = { displayModeBar: false, scrollZoom: false };
const PHONE = 400; // px of a window in which lecture mode scrolls a figure sideways, too
const NARROW = 900; // px of a window; in a larger one figures have been laid out to fit, also side by side
const ON_STAGE = 385; // px of height that title and strip leave of 720, at least
const BELOW = 8; // px of them that stay free
const LEAST_OF_IT = 0.67; // of its own height, to which it is squeezed for that, or its labels would overlap
const LABEL = 60; // letters of a line of a hover label
const WALKED: readonly string[] = ["step", "layer", "head", "token"];

type Figure = { data: Trace[]; layout: Layout };

type Change = [...path: (string | number)[], value: unknown];

/** clicks: names of what a click sets, of a control of the page with the number of the first; least: px of its width; alone: whether nothing stands on the stage with it. */
type About = {
  figure: Figure;
  states: States<Change[]>[];
  clicks: [name: string, first: number | null][];
  alone: boolean;
  least: number;
  region: string;
};

// payload: of viz_core/app/plot.py.
export function mountPlot(root: Root, payload: Uint8Array, store: Store) {
  let { about } = readPayload<About, never>(payload);
  let drawn = ""; // what is drawn now
  let gone = false;
  let drawing = Promise.resolve(); // one after the other: plotly draws in several frames
  let nameTargets: (() => void) | null = null;
  const plot: PlotElement = el("div");
  const scroller = el("div", { class: "scroll" }, plot);
  root.replaceChildren(scroller);
  saySideways(scroller);

  // handed: by a cell, as many numbers as there are names.
  const pick = (handed: number[]) => {
    const given = about.clicks.map(([name, first], at) => [name, first, handed[at] ?? 0] as const);
    const ofView = given.filter(([name, , to]) => WALKED.includes(name) && to < Number(store.limits[`${name}s` as keyof Limits]));
    store.set(Object.fromEntries(ofView.map(([name, , to]) => [name, to])));
    const ofPage = given.flatMap(([name, first, to]) => (first === null ? [] : [[name, String(first + to)] as const]));
    if (ofPage.length) store.ask(Object.fromEntries(ofPage));
  };

  const show = () => {
    const width = scroller.clientWidth;
    if (!width || gone) return; // not laid out yet
    const { view } = store;
    const scale = view.lecture ? windowScale() : 1;
    const places = about.states.flatMap(({ by }) => by).map((name) => view[name as keyof View]);
    const { lowest } = about.figure.layout.meta;
    const isFitted = about.alone && (view.lecture || (lowest && innerWidth > NARROW));
    const room = isFitted ? Math.floor(roomFor(root, view.lecture) / scale - BELOW) : 0;
    const now = JSON.stringify([places, width, scale, view.lecture, room]);
    if (now === drawn) return;
    drawn = now;
    const figure = figureOf(about, view);
    const own = figure.layout.height;
    const height = room ? heightIn(room, own, lowest, view.lecture) : own;
    const wide = Math.max(width / scale, innerWidth <= (view.lecture ? PHONE : NARROW) ? about.least : 0);
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
    hideHover(plot); // what it says was of the state before
    await plotly.react(plot, data, layout, CONFIG);
    if (gone) return purge();
    setAttributes(plot, { role: "img", "aria-label": layout.meta.description });
    for (const inner of plot.children) setAttributes(inner, { "aria-hidden": true }); // Chromium reads inside an img too
    if (!about.clicks.length) return;
    if (!nameTargets) {
      nameTargets = offerTargets(plot, pick);
      plot.on?.("plotly_click", ({ points }) => {
        const point = points.find(({ customdata }) => Array.isArray(customdata));
        if (point) pick(point.customdata as number[]);
      });
    }
    nameTargets();
  }

  const purge = () => globalThis.Plotly?.purge(plot);
  show();
  const unwatch = watchSize(scroller, show);
  const off = store.subscribe(show);
  return {
    update(next: Uint8Array) {
      ({ about } = readPayload<About, never>(next));
      drawn = "";
      show();
    },
    // Resolves once what is asked for is drawn.
    ready: () => drawing,
    destroy() {
      gone = true;
      unwatch();
      off();
      drawing.then(purge);
    },
  };
}

// On the stage a figure fills its room; elsewhere one that may be as low as `lowest` is squeezed where it then ends above the bar.
function heightIn(room: number, own: number, lowest: number | undefined, isOnStage: boolean): number {
  if (isOnStage) return Math.max(ON_STAGE, room, LEAST_OF_IT * own);
  return lowest !== undefined && room >= lowest ? Math.min(own, room) : own;
}

// What the window has for a figure, in px of height; the stage without what follows in its column.
function roomFor(root: HTMLElement, isOnStage: boolean): number {
  const column = isOnStage ? columnOf(root) : null;
  const bottom = (node: Element) => node.getBoundingClientRect().bottom;
  const last = column?.lastElementChild;
  const following = last ? bottom(last) - bottom(root) : 0;
  return innerHeight - topOf(root) - barHeight() - following;
}

// The figure of this view: the first one, changed where this view's is another.
function figureOf({ figure, states }: About, view: View): Figure {
  const copy = structuredClone(figure);
  for (const state of states)
    for (const change of stateOf(state, view)) {
      const path = change.slice(0, -2) as string[];
      const [name, value] = change.slice(-2) as [string, unknown];
      const inner = path.reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], copy) as Record<string, unknown>;
      if (value === null && !Array.isArray(inner))
        delete inner[name]; // it has none in this state
      else inner[name] = value;
    }
  hideCovered(copy.layout.annotations ?? []);
  copy.layout.meta = { description: descriptionOf(copy) };
  return copy;
}

// Hover texts, however nested, in lines: a label is as wide as its longest one.
function inLines<Words>(words: Words): Words {
  if (Array.isArray(words)) return words.map(inLines) as Words;
  return typeof words !== "string" || fits(words) ? words : (linesOf(words, fits).join("<br>") as Words);
}

// A Chinese character is as wide as two letters.
const fits = (line: string) => plainText(line).replace(/[\u2e80-\uffef]/g, "  ").length <= LABEL;

// Of equal words at one place the last are seen: which of them are highlighted may change with other names than where they stand.
function hideCovered(notes: NonNullable<Layout["annotations"]>) {
  const seen = new Map<string, (typeof notes)[number]>(); // place and words → the note
  for (const note of notes) {
    if (note.visible === false) continue;
    const place = JSON.stringify([note.x, note.y, plainText(note.text)]);
    const covered = seen.get(place);
    if (covered) covered.visible = false;
    seen.set(place, note);
  }
}

// A figure in words; a number among what it says stands for the hover of that click target.
function descriptionOf({ data, layout: { meta } }: Figure): string {
  const hovers = data.findLast((trace) => trace.customdata && trace.hovertext)?.hovertext ?? [];
  const spoken = meta.says?.map((each) =>
    typeof each === "number" ? plainText(String(hovers[each])).trim().replace(/\.$/, "") : each,
  );
  return [...new Set([meta.titles, ...(spoken ?? [])])].filter(Boolean).join(". ");
}

/** An axis as plotly has drawn it: px from a number, and where it begins. */
export type Axis = { d2p(value: unknown): number; _offset: number };

export interface Trace {
  type?: string;
  customdata?: ArrayLike<ArrayLike<number>>;
  hovertext?: string | string[] | string[][];
  visible?: boolean | string;
  hoverinfo?: string;
  orientation?: string;
  xaxis?: string;
  yaxis?: string;
  x?: unknown[];
  y?: unknown[];
}

export interface Layout {
  width?: number;
  height: number;
  autosize?: boolean;
  annotations?: { x?: unknown; y?: unknown; text?: string; visible?: boolean }[];
  meta: { titles?: string; says?: (string | number)[]; lowest?: number; description?: string };
}

/** The element in which it has drawn a figure. */
export interface PlotElement extends HTMLElement {
  layout?: Layout;
  _fullData?: Trace[];
  _fullLayout?: Record<string, Axis>;
  on?(name: "plotly_click", act: (event: { points: { customdata?: unknown }[] }) => void): void;
}

interface Plotly {
  react(plot: HTMLElement, data: Trace[], layout: Layout, config: object): Promise<unknown>;
  purge(plot: HTMLElement): void;
}

declare global {
  var Plotly: Plotly | undefined;
}

let loading: Promise<Plotly> | null = null;

/** address: where the server has it; a file has loaded it by itself. */
export function loadPlotly(address: string): Promise<Plotly> {
  if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
  loading ??= import(new URL(address, location.origin).href).then(() => globalThis.Plotly as Plotly);
  return loading;
}
