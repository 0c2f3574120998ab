// Beam search as a tree: at each step the hypotheses that are kept, finished and pruned, with the paths of the best one
// and of greedy decoding.

import { barHeight, dress, el, lettersScale, topOf, windowScale } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { canvasPen, forgetWidths, svgPen } from "../../../viz_core/browser/kit/pen.js";
import { saveButtons } from "../../../viz_core/browser/kit/save.js";
import { guessedFrom } from "../../../viz_core/browser/kit/store.js";
import { readTree } from "./data.js";
import { HEAD, columnsSeen, highOf, layoutOf, nodeUnder, scrolledTo, stepUnder, wholeRows } from "./layout.js";
import { drawTree } from "./picture.js";
import { makeCandidates, makeEndings, readingOfNode, spokenTree } from "./tables.js";

const TALLEST = 480; // px of a tree whose nodes have their scores, outside lecture mode
const BELOW = 84;
const BAR = 12; // px of what stands below the tree in lecture mode; of a scroll bar
const QUIET = 300;
const MARGIN = 16; // ms until what is shown is also read aloud; px around a file

// payload: of pages/decoding/beam_payload.py. A picked candidate is `cell`: [step, rank]. Returns { update(payload),
// destroy(), svg(), name(), shown() }.
export function mountBeamTree(root, payload, store) {
  let tree = readTree(payload);
  let layout = null;
  let size = { w: 0, h: 0, zoom: 1, wide: 0 };
  let hovered = null;
  let scroll = [0, 0];
  let again = 0;
  let telling = 0;
  let fresh = true;
  const canvas = el("canvas", { role: "img", class: "picture" });
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
  let candidates = null;
  let endings = null;
  let take = null;

  function build() {
    const { texts } = tree.about;
    candidates = makeCandidates(texts, { hover, pick });
    endings = makeEndings(texts);
    take = saveButtons(texts, part, store);
    const legend = el(
      "p",
      { class: "legend" },
      ...["best", "greedy", "pruned", "ended"].map((name) =>
        el("span", {}, el("i", { class: name }), texts.legend[name]),
      ),
      el("span", {}, texts.legend.width),
    );
    root.replaceChildren(
      el(
        "div",
        { class: "tree" },
        message,
        scroller,
        reading,
        el("div", { class: "under" }, legend, take),
        el("div", { class: "tables" }, candidates.node, endings.node),
      ),
    );
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
    const { about } = tree;
    const secret = scene.guess < scene.limit;
    if (fresh || view.step !== before.step || view.cell !== before.cell || view.lecture !== before.lecture) {
      const at = Math.min(scene.step, tree.columns.length - 1);
      scroll[0] = scrolledTo(layout, at, fresh ? 0 : scroll[0], size.w);
      scroller.scrollLeft = scroll[0] * size.zoom;
      fresh = false;
    }
    candidates.paint(tree, scene.step, scene.step >= scene.guess, scene.picked);
    endings.paint(tree, secret);
    message.textContent = secret ? about.texts.guess : about.message;
    paint();
  }

  function paint() {
    if (!layout) return;
    const scene = sceneOf(store.view);
    const { w, h, zoom } = size;
    const sharp = (globalThis.devicePixelRatio || 1) * zoom;
    const [wide, high] = [Math.round(w * sharp), Math.round(h * sharp)];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    Object.assign(canvas.style, { width: `${w}px`, height: `${h}px` });
    const context = canvas.getContext("2d");
    canvas.pen ??= canvasPen(context);
    const pen = canvas.pen;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.box(0, 0, w, h, { fill: store.theme.surface });
    context.translate(-scroll[0], -scroll[1]);
    drawTree(pen, scene, ...columnsSeen(tree, layout, scroll[0], w), scroll[1]);
    const {
      about: { texts, steps },
    } = tree;
    const hint = steps > scene.limit ? fill(texts.later, { steps, limit: scene.limit }) : texts.hint;
    const words = scene.path ? readingOfNode(scene.path, tree) : hint;
    root.toggleAttribute("data-highlighted", Boolean(scene.path));
    if (reading.textContent !== words) reading.textContent = words;
    clearTimeout(telling);
    telling = setTimeout(
      () => canvas.setAttribute("aria-label", spokenTree(tree, scene.step, scene.guess, scene.limit)),
      QUIET,
    );
  }

  // In lecture mode as large as the page's letters, or as the window allows. Returns whether there is anything to draw
  // on.
  function fit() {
    const { lecture } = store.view;
    const letters = lecture ? lettersScale() : 1;
    const room = innerHeight - topOf(root) - barHeight();
    const tall = highOf(tree, true) <= (lecture ? room / letters - BELOW : TALLEST);
    const zoom = lecture ? Math.max(windowScale(), Math.min(letters, room / (highOf(tree, tall) + BELOW))) : 1;
    layout = layoutOf(tree, tall, sceneOf(store.view).step, lecture ? Math.floor(room / zoom - BELOW) : Infinity);
    const { height: high } = layout;
    root.style.zoom = zoom;
    const w = Math.floor(root.getBoundingClientRect().width / zoom);
    const over = layout.width > w;
    const h = lecture ? wholeRows(layout, Math.max(room / zoom - BELOW, 200)) : high;
    fresh ||= size.wide !== w;
    size = { w: Math.min(w, layout.width), h, zoom, wide: w };
    Object.assign(scroller.style, { width: `${w}px`, height: `${h + (over ? BAR : 0)}px` });
    Object.assign(spacer.style, { width: `${layout.width}px`, height: `${high}px` });
    scroller.classList.toggle("scrolls", over || high > h);
    if (over || high > h)
      Object.entries({ tabindex: 0, role: "region", "aria-label": tree.about.texts.region }).forEach(([name, value]) =>
        scroller.setAttribute(name, value),
      );
    else ["tabindex", "role", "aria-label"].forEach((name) => scroller.removeAttribute(name));
    return w > 0;
  }

  function soon() {
    again ||= requestAnimationFrame(() => {
      again = 0;
      paint();
    });
  }

  function hover(node) {
    if (node === hovered) return;
    hovered = node;
    soon();
  }

  function pick(node) {
    const { cell } = store.view;
    const same = cell && cell[0] === node.step && cell[1] === node.rank;
    store.set({
      cell: same ? null : [node.step, node.rank],
      ...(node.step < store.limits.steps ? { step: node.step } : {}),
    });
  }

  function pointed({ clientX, clientY }) {
    const { left, top } = canvas.getBoundingClientRect();
    const { zoom } = size;
    const [x, y] = [(clientX - left) / zoom + scroll[0], (clientY - top) / zoom + scroll[1]];
    return { x, y, node: nodeUnder(tree, layout, x, y), head: y - scroll[1] < HEAD };
  }

  canvas.addEventListener("pointermove", (event) => {
    const { node, head } = pointed(event);
    const there = node && node.step < sceneOf(store.view).guess ? node : null;
    canvas.style.cursor = there || head ? "pointer" : "";
    hover(head ? null : there);
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
    const { x, node, head } = pointed(event);
    const { guess, limit } = sceneOf(store.view);
    const step = stepUnder(tree, layout, x);
    if (head && step !== null) {
      if (step < limit) store.set({ step });
      else if (step < guess && tree.columns[step].length) pick(tree.columns[step][0]);
    } else if (!head && node && node.step < guess) pick(node);
  });
  scroller.addEventListener("scroll", () => {
    const { zoom } = size;
    scroll = [scroller.scrollLeft / zoom, scroller.scrollTop / zoom].map((from, at) =>
      Math.min(from, Math.max(0, [layout.width - size.w, layout.height - size.h][at])),
    );
    soon();
  });

  // The whole tree as a drawing of its own.
  function svg() {
    const scene = sceneOf(store.view);
    const pen = svgPen(layout.width + MARGIN, layout.height + MARGIN, { ground: store.theme.surface });
    drawTree(pen, scene, 0, tree.columns.length);
    return pen.finish();
  }

  const resize = () => {
    if (layout) show(store.view);
  };
  const watch = new ResizeObserver(resize);
  build();
  watch.observe(root);
  // what stands above may grow
  watch.observe(document.querySelector("[data-testid=stMainBlockContainer]") ?? document.body);
  addEventListener("resize", resize);
  const measured = () => {
    forgetWidths();
    show(store.view);
  };
  document.fonts?.ready.then(measured);
  document.fonts?.addEventListener("loadingdone", measured);
  const off = store.subscribe(show);
  show(store.view);

  function update(bytes) {
    tree = readTree(bytes);
    [hovered, scroll, fresh] = [null, [0, 0], true];
    build();
    show(store.view);
  }

  function destroy() {
    off();
    watch.disconnect();
    removeEventListener("resize", resize);
    document.fonts?.removeEventListener("loadingdone", measured);
    clearTimeout(telling);
    cancelAnimationFrame(again);
  }

  return part;
}
