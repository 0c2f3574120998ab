// Attention view: one head, the mean, all heads of a layer, or all layers and heads, at any stage of the computation.

import { dress, el } from "../kit/dom.js";
import { canvasPen, forgetWidths, sizeCanvas } from "../kit/pen.js";
import { OPENS } from "../kit/store.js";
import { paintLegend } from "./cells.js";
import { mountControls } from "./controls.js";
import { readAttention } from "./data.js";
import { exported } from "./file.js";
import { guessed, spokenOf } from "./message.js";
import { mountPanel, mountQuery } from "./panel.js";
import { compose, draw, follow, fullCell, spokenCell, stillThere, under } from "./picture.js";
import { description } from "./reading.js";
import { formOf, placeOf, selectionOf, withoutNeurons } from "./selection.js";
import { SHARED_PLACE, makeSize } from "./size.js";

const SIDE_WIDTH = 326;
const BETWEEN = 16; // px
const NARROW = 700; // px: below it the numbers stand under the picture
const FADE = 300; // ms
const SCROLLBAR = 14; // px
const COMES_IN = [30, 600]; // ms: as soon as it is drawn, and once more when what stands above has found its size
let versions = 0;

// payload: of viz_core/browser/attention_payload.py, or what `readAttention` makes of one. scales: where others decide
// with this view how it looks, a Map that all are given: they have the same colours and cells, and none has controls,
// nor the numbers of one cell; those of Python would be those of one of them. Returns { update(payload), destroy(),
// svg(), name() }.
export function mountAttentionView(root, payload, store, scales = null) {
  let data = read(payload);
  versions += 1;
  let version = versions;
  let frame = null;
  let hover = null;
  let whole = false;
  let away = true;
  let scroll = [0, 0];
  let fade = null;
  let again = 0;
  let telling = 0;
  let fresh = true;
  const texts = data.about.texts;
  const size = makeSize(root, store, scales ? SHARED_PLACE : undefined);
  const viz = { update, destroy, svg: () => exported(frame, cellMessage()), name };
  const controls = scales
    ? null
    : mountControls(texts, store, viz, () => {
        whole = !whole;
        show(store.view);
      });
  const panel = mountPanel(texts, (query, key) => store.set({ cell: [query, key] }));
  const asker = mountQuery(texts, ask);
  const canvas = el("canvas", { role: "img", class: "picture" });
  const spacer = el("div", { class: "spacer" }, canvas);
  const scroller = el("div", { class: "scroll" }, spacer);
  const strip = el("p", { class: "reading", "aria-live": "polite" });
  const legend = el("canvas", { class: "legend", "aria-hidden": "true" });
  root.replaceChildren(
    ...(controls?.rows ?? []),
    el("div", { class: "main" }, scroller, panel.element, asker.element),
    el("div", { class: "foot" }, strip, legend),
  );

  const paneled = (view) => !scales && ["matrix", "lines"].includes(formOf(view));
  const box = () => ({
    x: 0,
    y: 0,
    w: size.now.w - (paneled(store.view) && size.now.w >= NARROW ? SIDE_WIDTH + BETWEEN : 0),
    h: size.now.h,
  });

  // All that follows from the view; the picture itself is drawn by paintPicture.
  function show(all, before = all) {
    const view = scales ? withoutNeurons(all) : all;
    const comes = store.limits.stages === "open"; // and goes with the open block
    root.hidden = comes && OPENS[data.about.kind] !== view.open;
    if (root.hidden) away = true;
    if (root.hidden || !size.now.w) return;
    if (away && comes) for (const after of COMES_IN) setTimeout(intoView, after);
    away = false;
    dress(root, store.theme);
    const old = frame;
    frame = compose(data, version, view, store.theme, box(), whole);
    if (size.shrink(frame.layout.least)) frame = compose(data, version, view, store.theme, box(), whole);
    const over = frame.layout.over ?? [0, 0];
    const scrolls = Math.max(...over) > 0;
    const canWhole = scrolls || whole;
    if (scrolls) frame = compose(data, version, view, store.theme, withoutBars(over), whole);
    hover = stillThere(frame, hover);
    reach(scrolls, old, view);
    if (view.stage !== before.stage && old && !store.theme.still)
      fade = { from: copyOf(canvas), start: performance.now() };
    controls?.paint(view, { canWhole, isWhole: whole });
    panel.element.hidden = !paneled(view);
    asker.paint(frame);
    paintPicture();
    paintWords();
  }

  // What two scrollbars leave, or one.
  function withoutBars([overX, overY]) {
    const place = box();
    return { ...place, w: place.w - (overY > 0 ? SCROLLBAR : 0), h: place.h - (overX > 0 ? SCROLLBAR : 0) };
  }

  function intoView() {
    if (!root.hidden) root.scrollIntoView({ block: "nearest", behavior: store.theme.still ? "auto" : "smooth" });
  }

  // The room to scroll in; in sight the locked cell, else the current row and what it looks at most.
  function reach(scrolls, old, view) {
    const [overX, overY] = frame.layout.over ?? [0, 0];
    const { w, h } = box();
    scroller.classList.toggle("scrolls", scrolls);
    Object.assign(scroller.style, { width: `${w}px`, height: `${h}px` });
    // what scrolls has enough to scroll where scrollbars take no room; what does not, none
    const inner = frame.layout.box;
    Object.assign(spacer.style, {
      width: `${overX ? w + overX : inner.w}px`,
      height: `${overY ? h + overY : inner.h}px`,
    });
    if (scrolls) {
      scroller.setAttribute("tabindex", "0");
      scroller.setAttribute("role", scales ? "group" : "region");
      scroller.setAttribute("aria-label", texts.region);
    } else for (const each of ["tabindex", "role", "aria-label"]) scroller.removeAttribute(each);
    if (!scrolls) scroll = [0, 0];
    else if (
      fresh ||
      !old ||
      ["step", "cell", "layer", "head", "revealed"].some((name) => old.view[name] !== view[name]) ||
      old.layout.over?.join() !== frame.layout.over.join()
    ) {
      const { row: current, covered } = frame.selection;
      const strongest = current >= 0 && !covered ? spokenCell(frame, null)[1] : -1;
      const [row, column] = placeOf(frame.selection, view.cell) ?? [current, strongest];
      scroll = follow(frame, scroll, row, column);
      scroller.scrollTo(scroll[0], scroll[1]);
    }
    frame.scroll = scroll;
    fresh = false;
  }

  function paintPicture() {
    const {
      box: { w, h },
    } = frame.layout;
    const context = sizeCanvas(canvas, w, h, size.now.zoom);
    canvas.pen ??= canvasPen(context);
    const pen = canvas.pen;
    const locked = placeOf(frame.selection, frame.view.cell);
    frame.marks = frame.grid
      ? { thumb: hover }
      : { hover, focus: locked ?? (hover ? null : spokenCell(frame, null)), locked: Boolean(locked) };
    if (guessed(frame, frame.marks.focus)) frame.marks.focus = null;
    pen.box(0, 0, w, h, { fill: store.theme.surface });
    draw(pen, frame);
    const left = fade ? 1 - (performance.now() - fade.start) / FADE : 0;
    if (left <= 0) fade = null;
    else {
      context.globalAlpha = left;
      context.drawImage(fade.from, 0, 0, w, h);
      context.globalAlpha = 1;
      soon();
    }
  }

  function soon() {
    again ||= requestAnimationFrame(() => {
      again = 0;
      paintPicture();
    });
  }

  // The cell in words, its numbers, the colours' legend.
  function paintWords() {
    const { words, place: at, panel: numbers } = cellMessage();
    const { w, h, zoom } = size.now;
    if (strip.textContent !== words) strip.textContent = words;
    paintLegend(legend, frame, zoom);
    panel.element.classList.toggle("guess", guessed(frame, at));
    if (numbers && !scales) panel.paint(frame, numbers, at, { w: w >= NARROW ? SIDE_WIDTH : w, h, zoom });
    clearTimeout(telling);
    telling = setTimeout(
      () => canvas.setAttribute("aria-label", description(texts, data, frame.selection, frame.view, words)),
      300,
    );
  }

  // Python's numbers of the locked cell would be those of one of two views.
  function cellMessage() {
    return spokenOf(frame, hover, scales ? null : store.exact);
  }

  // Locks another query with what it looks at most; the current one is the one that is spoken of while nothing is
  // locked.
  function ask(row) {
    const { rows, columns, row: current } = frame.selection;
    const [, column] = fullCell(frame, [row, -1]);
    store.set({ cell: row === current ? null : [rows[row].tokens[0], columns[column].tokens[0]] });
  }

  function point(event) {
    const { left, top } = canvas.getBoundingClientRect();
    const found = under(frame, (event.clientX - left) / size.now.zoom, (event.clientY - top) / size.now.zoom);
    if (JSON.stringify(found) === JSON.stringify(hover)) return;
    hover = found;
    canvas.style.cursor = found ? "pointer" : "";
    soon();
    paintWords();
  }

  function click(event) {
    if (!frame) return;
    point(event);
    if (!hover) return;
    if (frame.grid) {
      const [layer, head] = frame.heads[hover.index];
      store.set({ layer, head, show: "one" });
      return;
    }
    const [row, column] = fullCell(frame, hover);
    const cell = [frame.selection.rows[row].tokens[0], frame.selection.columns[column].tokens[0]];
    if (guessed(frame, [row, column])) return;
    const locked = placeOf(frame.selection, frame.view.cell);
    store.set({ cell: locked && locked[0] === row && locked[1] === column ? null : cell });
  }

  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerleave", () => {
    hover = null;
    soon();
    paintWords();
  });
  canvas.addEventListener("click", click);
  scroller.addEventListener("scroll", () => {
    scroll = [scroller.scrollLeft, scroller.scrollTop].map((from, at) => Math.min(from, frame.layout.over?.[at] ?? 0));
    frame.scroll = scroll;
    soon();
  });
  const resize = () => {
    if (size.fit()) show(store.view);
  };
  const watch = new ResizeObserver(resize);
  watch.observe(root);
  // what stands above may grow
  watch.observe(document.querySelector("[data-testid=stMainBlockContainer]") ?? document.body);
  addEventListener("resize", resize);
  const measured = () => {
    forgetWidths();
    show(store.view);
  };
  document.fonts?.ready.then(measured);
  // ready may have come before the letters of the canvas were asked for
  document.fonts?.addEventListener("loadingdone", measured);
  resize();
  const off = store.subscribe(show);

  function read(bytes) {
    const found = bytes instanceof Uint8Array ? readAttention(bytes) : bytes;
    return scales ? shared(scales, root, found) : found;
  }

  function update(bytes) {
    data = read(bytes);
    version = versions += 1;
    [hover, fade, scroll, fresh] = [null, null, [0, 0], true];
    size.reset();
    show(store.view);
  }

  function destroy() {
    off();
    watch.disconnect();
    removeEventListener("resize", resize);
    document.fonts?.removeEventListener("loadingdone", measured);
    cancelAnimationFrame(again);
    clearTimeout(telling);
  }

  function name() {
    const { layer, head, show: what, stage } = store.view;
    return [data.about.kind, `layer${layer + 1}`, what === "one" ? `head${head + 1}` : what, stage].join("-");
  }

  return viz;
}

// An attention on the scale of all that stand side by side.
function shared(scales, root, found) {
  const most = (what, ...of) => Math.max(...[...scales.values()].map((one) => one[what](...of)));
  scales.set(root, {
    limit: (layer, head) => (layer < found.layers && head < found.heads ? found.limit(layer, head) : 0),
    columns: (view) => selectionOf(found, { ...view, order: "sentence" }).columns.length,
  });
  return { ...found, limit: (layer, head) => most("limit", layer, head), widest: (view) => most("columns", view) };
}

function copyOf(canvas) {
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  if (canvas.width && canvas.height) copy.getContext("2d").drawImage(canvas, 0, 0);
  return copy;
}
