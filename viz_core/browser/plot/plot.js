// A figure of plotly's, in whatever state the browser shows: what it is at each step, layer or head, Python has sent along.

import { count } from "../kit/busy.ts";
import { barHeight, el, nameScroller, saySideways, setAttributes, topOf, watchSize, windowScale } from "../kit/dom.js";
import { readTensors } from "../kit/payload.js";
import { linesOf } from "../kit/pen.js";
import { stateOf } from "../kit/states.ts";
import { loadPlotly } from "./plotly.ts";
import { handedBy, hideHover, offerTargets, plainText } from "./targets.ts";

const CONFIG = { displayModeBar: false, scrollZoom: false };
const PHONE = 400; // px of a window in which lecture mode scrolls a figure sideways, too
const NARROW = 900; // px of a window; in a larger one figures have been laid out to fit, also side by side
const ON_STAGE = 385; // px of height that title and strip leave of 720, at least
const BELOW = 8; // px of them that stay free
const LEAST_OF_IT = 0.67; // of its own height, to which it is squeezed for that, or its labels would overlap
const LABEL = 60; // letters of a line of a hover label
const WALKED = ["step", "layer", "head", "token"];

// payload: of viz_core/app/plot.py.
export function mountPlot(root, payload, store) {
  let { about, cells } = readPlot(payload);
  let drawn = ""; // what is drawn now
  let gone = false;
  let drawing = Promise.resolve(); // one after the other: plotly draws in several frames
  const plot = el("div");
  const scroller = el("div", { class: "scroll" }, plot);
  root.replaceChildren(scroller);
  saySideways(scroller);

  // handed: by a cell, as many numbers as there are names; what the view has no name for, or no room, is a cell, or Python is told.
  const pick = (handed) => {
    const given = about.clicks.map((name, at) => [name, handed[at]]);
    const ofView = given.filter(([name, to]) => WALKED.includes(name) && to < store.limits[`${name}s`]);
    const isPlace = given.length > 0 && ofView.length === given.length;
    const cell = about.cells && { cell: isPlace ? null : Array.from(handed).slice(0, 2) };
    store.set({ ...Object.fromEntries(ofView), ...cell });
    if (!isPlace && !about.cells) root.send?.("picked", Array.from(handed));
  };
  let nameTargets = null;
  let picked = null; // the cell that is drawn as picked, [row, column]

  const show = () => {
    const width = scroller.clientWidth;
    if (!width || gone) return; // not laid out yet
    const view = { ...store.view, ...cells?.cell(store.view) };
    picked = cells && [view.row, view.column];
    const scale = view.lecture ? windowScale() : 1;
    const places = about.states.flatMap(({ by }) => by).map((name) => view[name]);
    const { lowest } = about.figure.layout.meta;
    const isFitted = about.alone && (view.lecture || (lowest && innerWidth > NARROW));
    const room = isFitted ? Math.floor(roomFor(root, view.lecture) / scale - BELOW) : 0;
    const now = JSON.stringify([places, width, scale, view.lecture, room]);
    if (now === drawn) return;
    drawn = now;
    const figure = figureOf(about, view);
    const height = room ? heightIn(room, figure.layout.height, lowest, view.lecture) : figure.layout.height;
    const wide = Math.max(width / scale, innerWidth <= (view.lecture ? PHONE : NARROW) ? about.least : 0);
    Object.assign(figure.layout, { width: wide, height, autosize: false });
    nameScroller(scroller, wide > width, about.region, "group");
    Object.assign(plot.style, {
      width: `${wide}px`,
      height: `${height}px`,
      transform: scale === 1 ? "" : `scale(${scale})`,
    });
    root.style.height = view.lecture ? `${height * scale}px` : "";
    count(1);
    drawing = drawing
      .then(() => draw(figure))
      .catch(console.error)
      .finally(() => count(-1));
  };

  async function draw({ data, layout }) {
    const plotly = await loadPlotly(store.plotly);
    if (gone) return;
    for (const trace of data) if (trace.hovertext) trace.hovertext = inLines(trace.hovertext);
    hideHover(plot); // what it says was of the state before
    await plotly.react(plot, data, layout, CONFIG);
    if (gone) return purge();
    setAttributes(plot, { role: "img", "aria-label": layout.meta.description });
    for (const inner of plot.children) setAttributes(inner, { "aria-hidden": true }); // Chromium reads inside an img too
    if (!about.clicks.length && !about.cells) return;
    if (!nameTargets) {
      nameTargets = offerTargets(plot, pick, () => picked);
      plot.on("plotly_click", ({ points }) => {
        const found = points.find(handedBy);
        if (found) pick(handedBy(found));
      });
    }
    nameTargets();
  }

  const purge = () => globalThis.Plotly?.purge(plot);
  const give = () => cells && store.give("plot", cells);
  give();
  show();
  const unwatch = watchSize(scroller, show);
  const off = store.subscribe(show);
  return {
    update(next) {
      store.takeBack("plot", cells);
      ({ about, cells } = readPlot(next));
      give();
      drawn = "";
      show();
    },
    // Resolves once what is asked for is drawn.
    ready: () => drawing,
    destroy() {
      gone = true;
      store.takeBack("plot", cells);
      unwatch();
      off();
      drawing.then(purge);
    },
  };
}

// cells: where the picked cell is, cell(view) → { row, column }; nothing where none is picked.
function readPlot(payload) {
  const { about } = readTensors(payload);
  const cell = ({ cell: picked, step }) => ({ row: picked ? picked[0] : step, column: picked ? picked[1] : 0 });
  return { about, cells: about.cells ? { cell } : null };
}

// On the stage a figure fills its room; elsewhere one that may be as low as `lowest` is squeezed where it then ends above the bar.
function heightIn(room, own, lowest, isOnStage) {
  if (isOnStage) return Math.max(ON_STAGE, room, LEAST_OF_IT * own);
  return room >= lowest ? Math.min(own, room) : own;
}

// What the window has for a figure, in px of height; the stage without what follows in its column.
function roomFor(root, isOnStage) {
  const column = isOnStage && root.closest("[data-testid=stColumn] > [data-testid=stVerticalBlock]");
  const bottom = (node) => node.getBoundingClientRect().bottom;
  const following = column ? bottom(column.lastElementChild) - bottom(root) : 0;
  return innerHeight - topOf(root) - barHeight() - following;
}

// The figure of this view: the first one, changed where this view's is another.
function figureOf({ figure, states }, view) {
  const copy = structuredClone(figure);
  for (const state of states)
    for (const change of stateOf(state, view)) {
      const path = change.slice(0, -2);
      const inner = path.reduce((from, name) => from[name], copy);
      const [name, value] = change.slice(-2);
      if (value === null && !Array.isArray(inner))
        delete inner[name]; // it has none in this state
      else inner[name] = value;
    }
  hideCovered(copy.layout.annotations ?? []);
  for (const trace of copy.data) spread(trace);
  copy.layout.meta = { description: descriptionOf(copy) };
  return copy;
}

// A heatmap says the same of all cells of a row where it has one text for it.
function spread(trace) {
  if (trace.type !== "heatmap" || typeof trace.hovertext?.[0] !== "string") return;
  const width = trace.z.shape ? Number(trace.z.shape.split(",")[1]) : trace.z[0].length;
  trace.hovertext = trace.hovertext.map((words) => Array(width).fill(words));
}

// Hover texts, however nested, in lines: a label is as wide as its longest one.
function inLines(words) {
  if (Array.isArray(words)) return words.map(inLines);
  return typeof words !== "string" || fits(words) ? words : linesOf(words, fits).join("<br>");
}

// A Chinese character is as wide as two letters.
const fits = (line) => plainText(line).replace(/[\u2e80-\uffef]/g, "  ").length <= LABEL;

// Of equal words at one place the last are seen: which of them are highlighted may change with other names than where they stand.
function hideCovered(notes) {
  const seen = new Map(); // place and words → the note
  for (const note of notes) {
    if (note.visible === false) continue;
    const place = JSON.stringify([note.x, note.y, plainText(note.text)]);
    if (seen.has(place)) seen.get(place).visible = false;
    seen.set(place, note);
  }
}

// A figure in words; a number among what it says stands for the hover of that click target.
function descriptionOf({ data, layout }) {
  const { titles, says } = layout.meta;
  const { hovertext } = data.findLast((trace) => trace.customdata && trace.hovertext) ?? {};
  const spoken = says.map((each) =>
    Number.isInteger(each) ? plainText(hovertext[each]).trim().replace(/\.$/, "") : each,
  );
  return [...new Set([titles, ...spoken])].filter(Boolean).join(". ");
}
