// Attention view: one head, the mean, all heads of a layer, or all layers and heads, at any stage of the computation.

import { dress, el, perFrame, setAttributes, setText, watchSize } from "../kit/dom.js";
import { canvasPen, sizeCanvas } from "../kit/pen.js";
import { offerPicture } from "../kit/save.js";
import { paintLegend } from "./legend.js";
import { mountControls } from "./controls.js";
import { formOf, readAttention, selectionOf, withoutNeurons } from "./data";
import { clicked, marksOf, tokensOf } from "./marks.js";
import { patternOf } from "./pattern.js";
import { compose, draw, exported, fullCell, stillThere, titleAt, under } from "./picture.js";
import { mountPanel, mountQuery } from "./panel.js";
import { description, guessed, spokenOf, tipOf } from "./reading.js";
import { SHARED_PLACE, fadeOf, makeSize, mountScroller } from "./screen.js";

const SIDE_WIDTH = 326;
const BETWEEN = 16; // px
const NARROW = 700; // px: below it the numbers stand under the picture
const QUIET = 300; // ms without a change until the picture has another description
const SCROLLBAR = 14; // px
const WORDS = 620; // px of the cell in words, which stands beside the legend; where two views stand side by side, above it
let versions = 0;

// payload: of viz_core/browser/attention_payload.py, or what `readAttention` makes of one. scales: where others decide
// with this view how it looks, a Map that all are given: they have the same colours and cells, and none has controls,
// nor the numbers of one cell; those of Python would be those of one of them. Returns { update(payload), destroy(),
// svg(), name() }.
export function mountAttentionView(root, payload, store, scales = null) {
  const read = (bytes) => {
    const found = bytes instanceof Uint8Array ? readAttention(bytes) : bytes;
    return scales ? shared(scales, root, found) : found;
  };
  let data = read(payload);
  let version = ++versions;
  let frame = null;
  let hover = null;
  let whole = false;
  let describing = 0;
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
  const withdraw = scales ? () => {} : offerPicture(viz, store);
  const panel = mountPanel(texts, (query, key) => store.set({ cell: [query, key] }));
  const asker = mountQuery(texts, ask);
  const canvas = el("canvas", { role: "img", class: "picture" });
  const fade = fadeOf(canvas);
  const painting = perFrame(paintPicture);
  const scroller = mountScroller(canvas, texts.region, scales ? "group" : "region", painting.soon);
  const reading = el("p", { class: "reading", "aria-live": "polite" });
  const legend = el("canvas", { class: "legend", "aria-hidden": true });
  const locked = el("p", { class: "locked", hidden: true }, texts.locked);
  const main = el("div", { class: "main" }, scroller.element, asker.element);
  root.replaceChildren(
    ...(controls ? [controls.bar] : []),
    main,
    el("div", { class: "foot" }, reading, legend, ...(scales ? [] : [locked])),
  );

  const hasPanel = (view) => !scales && ["matrix", "lines"].includes(formOf(view));
  const isWide = () => size.now.w >= NARROW;
  const room = (view) => ({
    x: 0,
    y: 0,
    w: size.now.w - (hasPanel(view) && isWide() ? SIDE_WIDTH + BETWEEN : 0),
    h: size.now.h,
  });

  // All that follows from the view; the picture itself is drawn by paintPicture.
  function show(all, before = all) {
    const view = scales ? withoutNeurons(all) : all;
    if (!size.now.w) return;
    dress(root, store.theme);
    const old = frame;
    const { scrolls, canWhole, place } = composeInRoom(view);
    hover = stillThere(frame, hover);
    scroller.lay(frame, old, place, scrolls);
    if (view.stage !== before.stage && old && !store.theme.still) fade.begin();
    const hasPattern = controls && view.show === "one" && !view.predict;
    controls?.paint(view, { canWhole, isWhole: whole, found: hasPattern && patternOf(data, view.layer, view.head) });
    // what the picture says of the cell that is touched stands right below it
    const beside = isWide() ? main : root;
    if (panel.element.parentNode !== beside) beside.append(panel.element);
    panel.element.hidden = !hasPanel(view);
    asker.paint(frame);
    paintPicture();
    paintWords();
  }

  // Returns whether it scrolls, whether it would if the whole were not wanted, and the room that it has on the page.
  function composeInRoom(view) {
    const composed = (box) => compose(data, version, view, store.theme, box, whole);
    const bars = () => frame.layout.axes.map(({ over }) => (over > 0 ? SCROLLBAR : 0));
    frame = composed(room(view));
    if (size.shrink(frame.layout.least)) frame = composed(room(view));
    const place = room(view);
    let [across, down] = bars();
    // a small window has all rows below each other: there a finger that moves down scrolls the page, not the picture
    if (down && !isWide() && !view.lecture) {
      place.h = frame.layout.least + across;
      frame = composed(place);
      [across, down] = bars();
    }
    const scrolls = across + down > 0;
    // what two scrollbars leave, or one
    if (scrolls) frame = composed({ ...place, w: place.w - down, h: place.h - across });
    return { scrolls, canWhole: scrolls || whole, place };
  }

  function paintPicture() {
    const { w, h } = frame.layout.box;
    const context = sizeCanvas(canvas, w, h, size.now.zoom);
    canvas.pen ??= canvasPen(context);
    frame.marks = frame.grid ? { thumb: hover, tip: tipOf(frame, hover) } : marksOf(frame, hover);
    canvas.pen.box(0, 0, w, h, { fill: store.theme.surface });
    draw(canvas.pen, frame);
    if (fade.draw(context, w, h)) painting.soon();
  }

  // The cell in words, its numbers, the colours' legend.
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
    describing = setTimeout(() => setAttributes(canvas, { "aria-label": description(frame, words) }), QUIET);
  }

  // Python's numbers of the locked cell would be those of one of two views.
  function cellMessage() {
    return spokenOf(frame, hover, scales ? null : store.exact);
  }

  // Locks another query with what it looks at most; the current one is the one that is spoken of while nothing is
  // locked.
  function ask(row) {
    store.set({ cell: row === frame.selection.row ? null : tokensOf(frame, fullCell(frame, [row, -1])) });
  }

  function point(found) {
    if (JSON.stringify(found) === JSON.stringify(hover)) return;
    hover = found;
    canvas.style.cursor = found ? "pointer" : "";
    painting.soon();
    paintWords();
  }

  const placeOn = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [(clientX - left) / size.now.zoom, (clientY - top) / size.now.zoom];
  };

  const pointAt = (event) => {
    const at = placeOn(event);
    point(under(frame, ...at));
    setAttributes(canvas, { title: titleAt(frame, ...at) });
  };

  canvas.addEventListener("pointermove", pointAt);
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    pointAt(event); // a finger has not moved before
    const change = hover && clicked(frame, hover);
    if (change) store.set(change);
  });
  const resize = () => {
    if (size.fit()) show(store.view);
  };
  const unwatch = watchSize(root, resize, () => show(store.view));
  resize();
  const off = store.subscribe(show);

  function update(bytes) {
    data = read(bytes);
    give();
    version = ++versions;
    hover = null;
    fade.end();
    scroller.reset();
    size.reset();
    show(store.view);
  }

  function destroy() {
    withdraw();
    store.takeBack("attention_view", data);
    off();
    unwatch();
    painting.cancel();
    clearTimeout(describing);
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
