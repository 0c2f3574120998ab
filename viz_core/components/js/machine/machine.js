// The machine: the whole forward pass of one sentence in one screen, live.
//
// What is drawn are values of the trace. Step, layer and head come from the store; one block opens at a time into the room below the
// flow, while the rest steps back. What is pointed at is read out in the strip at the bottom, never over the data.

import { dress, el, setAttributes, svgEl } from "../shared/dom.js";
import { fill } from "../shared/numbers.js";
import { KINDS, OPENS, readMachine } from "./data.js";
import { drawingStyle } from "./dressing.js";
import { makeFlight } from "./flight.js";
import { fitted, machineLayout } from "./layout.js";
import { makeMap } from "./map.js";
import { makeNames } from "./names.js";
import { makeOpened } from "./opened.js";
import { makeOutput } from "./output.js";
import { readStep, readThing } from "./reading.js";
import { makeRows } from "./rows.js";
import { drawBack, lightTabs } from "./scene.js";

const SETTLES = 250; // ms without a change until it is said aloud
const STRIP = 46, AROUND = 8; // px: the reading strip, and what stays free below it
const HEIGHT = [440, 900];
const FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif';
const REGION_BLOCK = { source: "embedding", source_input: "embedding", self: "encoder", encoder_ffn: "encoder", encoder_stream: "encoder", memory: "memory", keys: "memory",
  target: "embedding", target_input: "embedding", masked: "masked", cross: "cross", ffn: "ffn", decoder_stream: "ffn" };

export function mountMachine(root, payload, store) {
  let data = readMachine(payload), theme = store.theme, parts = null, at = null, pointed = null, settling = 0, sizes = "";
  const wide = measure();
  const style = el("style"), back = svgEl("svg", { class: "vm back", "aria-hidden": "true" }), rowsSvg = svgEl("svg", { class: "vm rows", "aria-hidden": "true" });
  const foot = svgEl("svg", { class: "vm foot", "aria-hidden": "true" });
  const scroller = el("div", { class: "scroller", role: "group" }, rowsSvg), buttons = el("div", { class: "buttons" });
  const flow = el("div", { class: "flow", role: "figure" }, back, scroller, foot, buttons);
  const wideFlow = el("div", { class: "wide" }, flow);
  const strip = el("div", { class: "reading", "aria-hidden": "true" }), aloud = el("p", { class: "aloud", role: "status" }), room = el("div", { class: "opened" });
  root.replaceChildren(style, wideFlow, strip, aloud, room);
  const flight = makeFlight(flow);

  const build = () => {
    pointed = null;
    dress(root, theme);
    style.textContent = drawingStyle(theme);
    flight.stop();
    for (const svg of [rowsSvg, foot]) svg.replaceChildren();
    const now = () => theme;
    parts = {
      rows: makeRows(rowsSvg, data, now, wide), map: makeMap(foot, data, theme.sequential, wide), output: makeOutput(foot, data, wide),
      names: makeNames(buttons, data, store, wide), opened: makeOpened(room, data, now, store, wide, (thing) => point(thing)),
    };
    scroller.setAttribute("aria-label", data.texts.scroll);
    sizes = "";
    resize();
  };

  const resize = () => {
    const width = Math.floor(wideFlow.clientWidth), top = wideFlow.getBoundingClientRect().top + scrolled(root);
    const height = Math.min(Math.max(innerHeight - top - STRIP - AROUND, HEIGHT[0]), HEIGHT[1]);
    const { lecture } = store.view, wanted = `${width} ${height} ${lecture}`;
    if (!width || sizes === wanted) return;
    sizes = wanted;
    const bars = Math.max(...data.steps.map((step) => step.bars.length));
    at = machineLayout({ width, height, source: data.source, target: data.target, dims: data.dims, layers: data.layers, heads: data.heads, bars, large: lecture, wide });
    Object.assign(flow.style, { width: `${at.width}px`, height: `${at.height}px` });
    Object.assign(scroller.style, { top: `${at.head}px`, height: `${at.view}px`, width: `${at.width}px` });
    if (at.rows * at.pitch > at.view + 1) scroller.tabIndex = 0; else scroller.removeAttribute("tabindex");
    setAttributes(back, { width: at.width, height: at.height });
    setAttributes(foot, { width: at.width, height: at.foot });
    foot.style.top = `${at.head + at.view}px`;
    drawBack(back, at, data);
    for (const part of [parts.rows, parts.map, parts.output, parts.names]) part.place(at);
    paint(store.view, store.view);
  };

  const paint = (view, before) => {
    if (store.theme !== theme) {
      theme = store.theme;
      return build();
    }
    if (!at || view.step >= data.T || store.limits.steps !== data.T) return; // not laid out yet, or the next sentence's payload is on its way
    if (view.lecture !== before.lecture) return resize();
    const { step, layer, head } = view, word = hides("word"), guess = hides("source");
    if (step !== before.step || view === before) reveal(step);
    parts.rows.paint(view, inView(), guess);
    parts.output.paint(step, word);
    parts.map.paint({ masked: "masked", cross: "cross" }[view.open] ?? "self", layer, head);
    lightTabs(back, head, data.heads);
    parts.names.paint(view);
    if (view.open !== before.open || view === before) stepBack(view.open);
    if (Math.abs(step - before.step) === 1 && !theme.still && !word) fly(before.step, step);
    else if (step !== before.step) flight.stop();
    parts.opened.paint(view, before);
    point(pointed);
    clearTimeout(settling);
    settling = setTimeout(settled, SETTLES);
  };

  // All blocks but the open one.
  const stepBack = (open) => {
    for (const node of flow.querySelectorAll("[data-block]")) {
      node.classList.toggle("opened", node.dataset.block === open);
      node.classList.toggle("dimmed", Boolean(open) && node.dataset.block !== open);
    }
    openGradient(open);
  };

  const hides = (what) => store.view.predict === what && !store.view.revealed;

  // The K hue at the keys, the Q hue at the queries of the open attention.
  const openGradient = (open) => {
    const kind = KINDS.find((each) => OPENS[each] === open);
    const place = at.place[kind ?? "self"];
    let gradient = back.querySelector("#vm-open");
    if (!gradient) {
      gradient = svgEl("linearGradient", { id: "vm-open", gradientUnits: "userSpaceOnUse", y1: 0, y2: 0 },
        svgEl("stop", { offset: 0, class: "from-k", "stop-opacity": 0.85 }), svgEl("stop", { offset: 1, class: "to-q", "stop-opacity": 0.95 }));
      back.querySelector("defs").append(gradient);
    }
    setAttributes(gradient, { x1: place.x, x2: place.end });
  };

  const inView = () => [Math.floor(scroller.scrollTop / at.pitch), Math.ceil((scroller.scrollTop + at.view) / at.pitch)];

  // The row of the step into view, with one more below it.
  const reveal = (step) => {
    const top = (step - 1) * at.pitch, bottom = (step + 2) * at.pitch;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + at.view) scroller.scrollTop = bottom - at.view;
  };

  const fly = (from, to) => {
    const row = Math.max(from, to), label = parts.rows.tokenAt("target", row), { choice, decoder } = at;
    const box = { x: choice.x + choice.width / 2, y: at.head + at.view + choice.y + choice.height / 2 };
    const half = wide(label.textContent, at.font) / 2;
    const place = { x: decoder.tokens.end - half, y: at.head + at.middle(row) - scroller.scrollTop };
    if (to > from) flight.fly(label.textContent, box, place, at.font, label);
    else flight.fly(label.textContent, place, box, at.font, foot.querySelector(".chosen"));
  };

  const point = (thing) => {
    pointed = thing;
    parts.rows.point(thing?.kind && !(thing.kind === "cross" && hides("source")) ? thing : null, store.view.step);
    strip.textContent = thing ? readThing(data, thing, store.view, hides("source")) : readStep(data, store.view, hides("word"));
    strip.classList.toggle("rests", !thing);
  };

  const settled = () => {
    resize(); // what stands above may have grown or gone
    const { step, layer, head } = store.view, rest = readStep(data, store.view, hides("word"));
    flow.setAttribute("aria-label", fill(data.texts.figure, { step: step + 1, steps: data.T, layer: layer + 1, head: head + 1, rest }));
    aloud.textContent = strip.textContent;
  };

  // What lies under the pointer, as `readThing` takes it.
  const under = (event) => {
    const box = flow.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    if (y > at.head + at.view) {
      const place = parts.map.under(x, y - at.head - at.view), bar = x > at.bars.labels ? parts.output.barAt(y - at.head - at.view) : null;
      if (place) return place;
      return bar !== null && !hides("word") && data.steps[store.view.step].bars[bar] ? { bar } : null;
    }
    if (y < at.head) return null;
    if (event.target.viz) return event.target.viz;
    const index = Math.floor((y - at.head + scroller.scrollTop) / at.pitch);
    const region = regionAt(x);
    if (!region) return null;
    const decoder = ["target", "target_input", "masked", "cross", "ffn", "decoder_stream"].includes(region), { step } = store.view;
    if (region === "masked" && index < data.T && x < at.decoder.masked.x + 18 && !data.allowed("masked", step, index)) return { kind: "masked", query: step, key: index };
    if (index < 0 || index >= (decoder ? step + 1 : data.S)) return null;
    return at.place[region] ? { kind: region, query: index } : { region, index };
  };

  const regionAt = (x) => at.regions.find(([, from, to]) => x >= from && x < to)?.[0];

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const move = (event) => { const thing = under(event); if (!same(thing, pointed)) point(thing); };
  const leave = () => point(null);
  const click = (event) => {
    const thing = under(event);
    if (thing?.layer !== undefined) return store.set({ layer: thing.layer, head: thing.head });
    const block = thing?.kind ? OPENS[thing.kind] : thing?.bar !== undefined ? "softmax" : thing ? REGION_BLOCK[thing.region] : blockAt(event);
    if (!block) return;
    const index = thing?.index;
    if (block === "embedding" && index !== undefined) {
      parts.opened.pick(thing.region.startsWith("source") ? "source" : "target", index);
      if (store.view.open === block) return store.repaint();
    }
    store.set({ open: store.view.open === block ? "" : block });
  };
  // Where there is no row: the block by its column, or what is drawn there.
  const blockAt = (event) => {
    if (scroller.contains(event.target)) return REGION_BLOCK[regionAt(event.clientX - flow.getBoundingClientRect().left)];
    return event.target.closest?.("[data-block]")?.dataset.block;
  };
  const focus = (event) => { const block = event.target.dataset?.opens; if (block) point({ block }); };
  const scroll = () => parts.rows.paint(store.view, inView(), hides("source"));

  flow.addEventListener("pointermove", move);
  flow.addEventListener("pointerleave", leave);
  flow.addEventListener("click", click);
  flow.addEventListener("focusin", focus);
  flow.addEventListener("focusout", leave);
  scroller.addEventListener("scroll", scroll, { passive: true });
  addEventListener("resize", resize);
  const watch = new ResizeObserver(resize);
  watch.observe(wideFlow);
  const off = store.subscribe(paint);
  document.fonts?.ready.then(() => { sizes = ""; if (root.isConnected) resize(); });
  build();

  return {
    update(bytes) { data = readMachine(bytes); build(); },
    destroy() { off(); watch.disconnect(); removeEventListener("resize", resize); clearTimeout(settling); flight.stop(); root.replaceChildren(); },
    svg: () => together({ back, rowsSvg, foot, scroller, at, names: parts.names, css: style.textContent, reading: strip.textContent, theme }),
    name: () => `machine-step-${store.view.step + 1}-layer-${store.view.layer + 1}-head-${store.view.head + 1}`,
  };
}

// All that is drawn as one drawing of its own.
function together({ back, rowsSvg, foot, at, scroller, names, css, reading, theme }) {
  const whole = svgEl("svg", { class: "vm", viewBox: `0 0 ${at.width} ${at.height + 40}`, width: at.width, height: at.height + 40 });
  const rows = rowsSvg.cloneNode(true), below = foot.cloneNode(true);
  setAttributes(rows, { x: 0, y: at.head, height: at.view, viewBox: `0 ${scroller.scrollTop} ${at.width} ${at.view}` });
  setAttributes(below, { x: 0, y: at.head + at.view, viewBox: `0 0 ${at.width} ${at.foot}` });
  const words = names.drawn().map(({ x, y, text, size }) => svgEl("text", { x, y, "font-size": size, "font-weight": 600, "text-anchor": "middle" }, text));
  whole.append(svgEl("style", {}, css), svgEl("rect", { width: at.width, height: at.height + 40, fill: theme.surface }),
    ...[...back.cloneNode(true).childNodes], rows, below, ...words, svgEl("text", { x: 10, y: at.height + 26, "font-size": 18 }, reading));
  return new XMLSerializer().serializeToString(whole);
}

function measure() {
  const pen = document.createElement("canvas").getContext("2d"), known = new Map();
  document.fonts?.ready.then(() => known.clear());
  return (text, px) => {
    const key = `${px} ${text}`;
    if (!known.has(key)) {
      pen.font = `600 ${px}px ${FONT}`;
      known.set(key, pen.measureText(text).width);
    }
    return known.get(key);
  };
}

// How far what holds the part has been scrolled, through shadow roots.
function scrolled(node) {
  let sum = window.scrollY;
  for (let each = node; each; each = each.parentElement ?? each.getRootNode().host) if (each instanceof Element) sum += each.scrollTop || 0;
  return sum - (document.documentElement.scrollTop || 0);
}
