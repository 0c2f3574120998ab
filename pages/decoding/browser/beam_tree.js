// Beam search as a tree: at each step the hypotheses that are kept, finished and pruned, with the paths of the best one
// and of greedy decoding.

import {
  barHeight,
  dress,
  el,
  fadeEdges,
  lettersScale,
  nameScroller,
  perFrame,
  setAttributes,
  setText,
  topOf,
  watchSize,
  windowScale,
} from "../../../viz_core/browser/kit/dom.js";
import { forAudience } from "../../../viz_core/browser/kit/instructions.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { canvasPen, sizeCanvas } from "../../../viz_core/browser/kit/pen.js";
import { offerPicture } from "../../../viz_core/browser/kit/save.js";
import { svgPen } from "../../../viz_core/browser/kit/svg_pen.js";
import { guessedFrom } from "../../../viz_core/browser/kit/store.js";
import { HEAD, columnsSeen, highOf, layoutOf, nodeUnder, readTree, scrolledTo, stepUnder, wholeRows } from "./data.js";
import { drawTree } from "./picture.js";
import { makeCandidates, makeEndings, readingOfNode, spokenTree } from "./tables.js";

const TALLEST = 480; // px of a tree whose nodes have their scores, outside lecture mode
const BELOW = 84; // px below the tree in lecture mode
const BAR = 12; // px of a scroll bar
const QUIET = 300; // ms until what is shown is also read aloud
const MARGIN = 16; // px around a file

// payload: of pages/decoding/beam.py. A picked candidate is `cell`: [step, rank]. Returns { update(payload),
// destroy(), svg(), name(), shown() }.
export function mountBeamTree(root, payload, store) {
  let tree = readTree(payload);
  let layout = null;
  let size = { w: 0, h: 0, zoom: 1, room: 0 };
  let hovered = null;
  let scroll = [0, 0];
  let telling = 0;
  let fresh = true;
  let candidates = null;
  let endings = null;
  const canvas = el("canvas", { role: "img", class: "picture" });
  const pen = canvasPen(canvas.getContext("2d"));
  const spacer = el("div", { class: "spacer" }, canvas);
  const scroller = el("div", { class: "scroll" }, spacer);
  const reading = el("p", { class: "reading" });
  const message = el("p", { class: "message" });
  const part = {
    update,
    destroy,
    svg,
    name: () => fill(tree.about.texts.file, { size: tree.about.size }),
    shown: () => sceneOf(store.view),
  };
  const withdraw = offerPicture(part, store);

  function build() {
    const { texts } = tree.about;
    candidates = makeCandidates(texts, { hover, pick });
    endings = makeEndings(texts);
    const signs = ["best", "greedy", "pruned", "ended"].map((name) =>
      el("span", {}, el("i", { class: name }), texts.legend[name]),
    );
    const legend = el("p", { class: "legend" }, ...signs, el("span", {}, texts.legend.width));
    const foot = el("div", { class: "under" }, legend);
    const tables = el("div", { class: "tables" }, candidates.node, endings.node);
    root.replaceChildren(el("div", { class: "tree" }, message, scroller, reading, foot, tables));
  }

  // Nothing of a step that is to be guessed; once the last one is revealed, nothing is left to guess.
  function sceneOf(view) {
    const { steps: limit } = store.limits;
    const from = guessedFrom(view);
    const guess = from >= limit ? Infinity : from;
    const known = (node) => (node && node.step < guess ? node : null);
    const picked = known(tree.at(view.cell));
    const step = picked && picked.step >= limit ? picked.step : view.step;
    return { tree, layout, theme: store.theme, step, guess, limit, picked, path: known(hovered) ?? picked };
  }

  function show(view, before = view) {
    if (view.step !== before.step && view.cell?.[0] >= store.limits.steps) {
      store.set({ cell: null }); // a column that the keys do not reach
      return;
    }
    if (!fit()) return;
    dress(root, store.theme);
    root.toggleAttribute("data-lecture", view.lecture);
    const scene = sceneOf(view);
    const hidden = scene.guess < scene.limit;
    if (fresh || view.step !== before.step || view.cell !== before.cell || view.lecture !== before.lecture) {
      const at = Math.min(scene.step, tree.columns.length - 1);
      scroll[0] = scrolledTo(layout, at, fresh ? 0 : scroll[0], size.w);
      scroller.scrollLeft = scroll[0] * size.zoom;
      fresh = false;
    }
    candidates.paint(tree, scene.step, scene.step >= scene.guess, scene.picked);
    endings.paint(tree, hidden);
    setText(message, hidden ? tree.about.texts.guess : tree.about.message);
    paint();
  }

  function paint() {
    const scene = sceneOf(store.view);
    const { w, h, zoom } = size;
    const { texts, steps } = tree.about;
    fadeEdges(scroller);
    const context = sizeCanvas(canvas, w, h, zoom);
    pen.box(0, 0, w, h, { fill: store.theme.surface });
    context.translate(-scroll[0], -scroll[1]);
    drawTree(pen, scene, ...columnsSeen(tree, layout, scroll[0], w), scroll[1]);
    const hint = steps > scene.limit ? fill(texts.later, { steps, limit: scene.limit }) : texts.hint;
    setText(reading, scene.path ? readingOfNode(scene.path, tree) : forAudience(hint, store.view));
    root.toggleAttribute("data-highlighted", Boolean(scene.path));
    clearTimeout(telling);
    const spoken = { "aria-label": spokenTree(tree, scene.step, scene.guess, scene.limit) };
    telling = setTimeout(setAttributes, QUIET, canvas, spoken);
  }

  // Sets zoom and layout: in lecture mode as large as the page's letters, or as the window allows. Returns whether there is
  // room to draw.
  function fit() {
    const { lecture } = store.view;
    const letters = lecture ? lettersScale() : 1;
    const room = innerHeight - topOf(root) - barHeight();
    const tall = highOf(tree, true) <= (lecture ? room / letters - BELOW : TALLEST);
    const zoom = lecture ? Math.max(windowScale(), Math.min(letters, room / (highOf(tree, tall) + BELOW))) : 1;
    layout = layoutOf(tree, tall, sceneOf(store.view).step, lecture ? Math.floor(room / zoom - BELOW) : Infinity);
    const { width, height } = layout;
    root.style.zoom = zoom;
    const w = Math.floor(root.getBoundingClientRect().width / zoom);
    const h = lecture ? wholeRows(layout, Math.max(room / zoom - BELOW, 200)) : height;
    fresh ||= size.room !== w;
    size = { w: Math.min(w, width), h, zoom, room: w };
    Object.assign(scroller.style, { width: `${w}px`, height: `${h + (width > w ? BAR : 0)}px` });
    Object.assign(spacer.style, { width: `${width}px`, height: `${height}px` });
    nameScroller(scroller, width > w || height > h, tree.about.texts.region);
    return w > 0;
  }

  const frame = perFrame(paint);

  function hover(node) {
    if (node === hovered) return;
    hovered = node;
    frame.soon();
  }

  function pick({ step, rank }) {
    const { cell } = store.view;
    const same = cell && cell[0] === step && cell[1] === rank;
    store.set({ cell: same ? null : [step, rank], ...(step < store.limits.steps ? { step } : {}) });
  }

  // What is under the pointer: a step's number at the head of its column, or a node.
  function pointed({ clientX, clientY }) {
    const { left, top } = canvas.getBoundingClientRect();
    const { guess } = sceneOf(store.view);
    const [x, y] = [(clientX - left) / size.zoom + scroll[0], (clientY - top) / size.zoom];
    if (y < HEAD) return { head: true, step: stepUnder(tree, layout, x), node: null };
    const node = nodeUnder(tree, layout, x, y + scroll[1]);
    return { head: false, node: node && node.step < guess ? node : null };
  }

  canvas.addEventListener("pointermove", (event) => {
    const { node, head } = pointed(event);
    canvas.style.cursor = node || head ? "pointer" : "";
    hover(node);
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
    const { node, head, step } = pointed(event);
    const { guess, limit } = sceneOf(store.view);
    if (node) pick(node);
    if (!head || step === null) return;
    if (step < limit) store.set({ step });
    else if (step < guess && tree.columns[step].length) pick(tree.columns[step][0]);
  });
  scroller.addEventListener("scroll", () => {
    const { w, h, zoom } = size;
    scroll = [
      Math.min(scroller.scrollLeft / zoom, Math.max(0, layout.width - w)),
      Math.min(scroller.scrollTop / zoom, Math.max(0, layout.height - h)),
    ];
    frame.soon();
  });

  // The whole tree as a drawing of its own.
  function svg() {
    const whole = svgPen(layout.width + MARGIN, layout.height + MARGIN, { ground: store.theme.surface });
    drawTree(whole, sceneOf(store.view), 0, tree.columns.length);
    return whole.finish();
  }

  build();
  show(store.view);
  const unwatch = watchSize(root, () => show(store.view));
  const off = store.subscribe(show);

  function update(bytes) {
    tree = readTree(bytes);
    [hovered, scroll, fresh] = [null, [0, 0], true];
    build();
    show(store.view);
  }

  function destroy() {
    withdraw();
    off();
    unwatch();
    clearTimeout(telling);
    frame.cancel();
  }

  return part;
}
