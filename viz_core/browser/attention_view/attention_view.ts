// Attention view: one head, the mean, all heads of a layer, or all layers and heads, at any stage of the computation.

import type { Box } from "../../web/src/marks/mark";
import type { Root, Store, View } from "../../web/src/ui/store";
import { dress, el, perFrame, setAttributes, setText, watchSize } from "../kit/dom";
import { canvasPen, contextOf, sizeCanvas } from "../kit/pen";
import { offerPicture } from "../kit/save";
import { type Axis, endBitmaps } from "./cells";
import { paintLegend, mountControls } from "./controls";
import { formOf, selectionOf, withoutNeurons } from "./selection";
import { type Attention, readAttention } from "./data";
import { patternOf, description, spokenOf, tipOf } from "./reading";
import { type Frame, type Pointed, compose, draw, exported, stillThere, titleAt, under } from "./picture";
import { mountPanel, mountQuery } from "./panel";
import { SHARED_PLACE, fadeOf, makeSize, mountScroller } from "./screen";
import { clicked, marksOf, tokensOf, guessed, fullCell } from "./cell";

const SIDE_WIDTH = 326; // px of the panel with a cell's numbers
const BETWEEN = 16; // px between it and the picture
const NARROW = 700; // px of width below which the panel is below the picture
const QUIET = 300; // ms without a change until the picture's description is updated
const SCROLLBAR = 14; // px
const WORDS = 620; // px for the cell in words beside the legend; with two views side by side they are above it

/** The ends of the colour scales and numbers of columns of all attentions that stand side by side. */
export type Scales = Map<Root, { limit(layer: number, head: number): number; columns(view: View): number }>;

// payload: from viz_core/browser/attention_payload.py, or the result of `readAttention`. scales: a Map shared by views side by side, which
// gives them the same colours and cell sizes; they have no controls and no panel, and use no numbers from Python, which would be those of
// one of them. Returns { update(payload), destroy(), svg(), name() }.
export function mountAttentionView(root: Root, payload: Uint8Array | Attention, store: Store, scales: Scales | null = null) {
  const read = (bytes: Uint8Array | Attention) => {
    const attention = bytes instanceof Uint8Array ? readAttention(bytes) : bytes;
    return scales ? shared(scales, root, attention) : attention;
  };
  let data = read(payload);
  let frame: Frame;
  let hover: Pointed | null = null;
  let whole = false;
  let describing: ReturnType<typeof setTimeout> | undefined;
  const give = () => {
    if (!scales) store.give("attention_view", data);
  };
  give();
  const texts = data.about.texts;
  const size = makeSize(root, store, scales ? SHARED_PLACE : undefined);
  const viz = { update, destroy, svg: () => exported(frame, cellMessage()), name };
  const toggleWhole = () => {
    whole = !whole;
    show(store.view);
  };
  const controls = scales ? null : mountControls(texts, store, toggleWhole);
  const withdraw = scales ? () => {} : offerPicture(viz, store, root);
  const panel = mountPanel(texts, (query, key) => store.set({ cell: [query, key] }));
  const queryList = mountQuery(texts, pickQuery);
  const canvas = el("canvas", { role: "img", class: "picture" });
  const pen = canvasPen(contextOf(canvas));
  const fade = fadeOf(canvas);
  const painting = perFrame(paintPicture);
  const scroller = mountScroller(canvas, texts.region, scales ? "group" : "region", painting.soon);
  const reading = el("p", { class: "reading", "aria-live": "polite" });
  const legend = el("canvas", { class: "legend", "aria-hidden": true });
  const locked = el("p", { class: "locked", hidden: true }, texts.locked);
  const main = el("div", { class: "main" }, scroller.element, queryList.element);
  root.replaceChildren(
    ...(controls ? [controls.bar] : []),
    main,
    el("div", { class: "foot" }, reading, legend, ...(scales ? [] : [locked])),
  );

  const hasPanel = (view: View) => !scales && ["matrix", "lines"].includes(formOf(view));
  const isWide = () => size.now.w >= NARROW;
  const room = (view: View) => ({
    x: 0,
    y: 0,
    w: size.now.w - (hasPanel(view) && isWide() ? SIDE_WIDTH + BETWEEN : 0),
    h: size.now.h,
  });

  // Applies the view; the picture itself is drawn by paintPicture.
  function show(all: View, before = all) {
    const view = scales ? withoutNeurons(all) : all;
    if (!size.now.w) return;
    dress(root, store.theme);
    const old: Frame | undefined = frame;
    const { scrolls, canWhole, place } = composeInRoom(view);
    hover = stillThere(frame, hover);
    scroller.lay(frame, old, place, scrolls);
    if (view.stage !== before.stage && old && !store.theme.still) fade.begin();
    const hasPattern = controls && view.show === "one" && !view.predict;
    const pattern = hasPattern ? patternOf(data, view.layer, view.head) : null;
    controls?.paint(view, { canWhole, isWhole: whole, pattern });
    // the panel about a touched cell is right below the picture
    const beside = isWide() ? main : root;
    if (panel.element.parentNode !== beside) beside.append(panel.element);
    panel.element.hidden = !hasPanel(view);
    queryList.paint(frame);
    paintPicture();
    paintWords();
    if (old && old.data !== data) endBitmaps(old.data);
  }

  // Composes the frame. Returns whether it scrolls, whether it could, and its place on the page.
  function composeInRoom(view: View) {
    const composed = (box: Box) => compose(data, view, store.theme, box, whole);
    const barOf = ({ over }: Axis) => (over > 0 ? SCROLLBAR : 0);
    const bars = () => [barOf(frame.layout.axes[0]), barOf(frame.layout.axes[1])] as const;
    frame = composed(room(view));
    if (size.shrink(frame.layout.least)) frame = composed(room(view));
    const place = room(view);
    let [across, down] = bars();
    // a narrow window shows all rows, so that moving a finger down scrolls the page and not the picture
    if (down && !isWide() && !view.lecture) {
      place.h = (frame.layout.least ?? 0) + across;
      frame = composed(place);
      [across, down] = bars();
    }
    const scrolls = across + down > 0;
    // what the scroll bars leave
    if (scrolls) frame = composed({ ...place, w: place.w - down, h: place.h - across });
    return { scrolls, canWhole: scrolls || whole, place };
  }

  function paintPicture() {
    const { w, h } = frame.layout.box;
    const context = sizeCanvas(canvas, w, h, size.now.zoom);
    const [cell, thumb] = Array.isArray(hover) ? [hover, null] : [null, hover];
    frame.marks = frame.grid ? { thumb, tip: tipOf(frame, thumb) } : marksOf(frame, cell);
    pen.box(0, 0, w, h, { fill: store.theme.surface });
    draw(pen, frame);
    if (fade.draw(context, w, h)) painting.soon();
  }

  // Writes the cell in words, its numbers and the legend.
  function paintWords() {
    const { words, place, panel: numbers } = cellMessage();
    const { w, h, zoom } = size.now;
    setText(reading, words);
    locked.hidden = !frame.marks.locked || store.view.lecture;
    const room = scales ? w : w + (isWide() ? SIDE_WIDTH : 0) - WORDS;
    paintLegend(legend, frame, zoom, room);
    panel.element.classList.toggle("guess", guessed(frame, place));
    if (numbers && !scales) panel.paint(frame, numbers, place, { w: isWide() ? SIDE_WIDTH : w, h, zoom });
    clearTimeout(describing);
    const name = () => setAttributes(canvas, { "aria-label": description(frame, words) });
    if (canvas.hasAttribute("aria-label")) describing = setTimeout(name, QUIET);
    else name(); // the focus may come at once
  }

  // Views side by side ignore Python's exact numbers, which belong to one of them.
  function cellMessage() {
    return spokenOf(frame, hover, scales ? null : store.exact);
  }

  // Locks another query with its strongest key; the current query is focused while nothing is locked.
  function pickQuery(row: number) {
    store.set({ cell: row === frame.selection.row ? null : tokensOf(frame, fullCell(frame, [row, -1])) });
  }

  function point(pointed: Pointed | null) {
    if (JSON.stringify(pointed) === JSON.stringify(hover)) return;
    hover = pointed;
    canvas.style.cursor = pointed ? "pointer" : "";
    painting.soon();
    paintWords();
  }

  const pointAt = ({ clientX, clientY }: MouseEvent) => {
    const { left, top } = canvas.getBoundingClientRect();
    const [x, y] = [(clientX - left) / size.now.zoom, (clientY - top) / size.now.zoom];
    point(under(frame, x, y));
    setAttributes(canvas, { title: titleAt(frame, x, y) });
  };

  canvas.addEventListener("pointermove", pointAt);
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    pointAt(event); // a finger sends no pointermove before
    const change = hover && clicked(frame, hover);
    if (change) store.set(change);
  });
  const resize = () => {
    if (size.fit()) show(store.view);
  };
  const unwatch = watchSize(root, resize, () => show(store.view));
  resize();
  const off = store.subscribe(show);

  function update(bytes: Uint8Array | Attention) {
    data = read(bytes);
    give();
    canvas.removeAttribute("aria-label"); // it was of the other data
    hover = null;
    fade.end();
    scroller.reset();
    size.reset();
    store.repaint();
  }

  function destroy() {
    withdraw();
    store.takeBack("attention_view", data);
    off();
    unwatch();
    painting.cancel();
    clearTimeout(describing);
    if (frame) endBitmaps(frame.data);
  }

  function name() {
    const { layer, head, show: what, stage } = store.view;
    return [data.about.kind, `layer${layer + 1}`, what === "one" ? `head${head + 1}` : what, stage].join("-");
  }

  return viz;
}

// An attention with the colour scale and column count of all that stand side by side.
function shared(scales: Scales, root: Root, own: Attention): Attention {
  scales.set(root, {
    limit: (layer, head) => (layer < own.layers && head < own.heads ? own.limit(layer, head) : 0),
    columns: (view) => selectionOf(own, { ...view, order: "sentence" }).columns.length,
  });
  const all = () => [...scales.values()];
  return {
    ...own,
    limit: (layer, head) => Math.max(...all().map((other) => other.limit(layer, head))),
    widest: (view) => Math.max(...all().map((other) => other.columns(view))),
  };
}
