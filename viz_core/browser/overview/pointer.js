// Pointer: what is under it, and the sentence that describes it.

import { fill, grouped, percent } from "../kit/numbers";
import { OPENS, namedPart } from "../kit/operations";
import { toggle } from "./links.js";

// At rest: what this step does.
export function readStep(data, { step }, hidden) {
  const { bars, written } = data.steps[step];
  const { texts } = data;
  const ends = data.output[step] === data.source.at(-1) && step === data.T - 1; // the source ends by the same sign
  const template = hidden
    ? texts.rest_hidden
    : data.given_target
      ? texts.rest_typed
      : ends
        ? texts.rest_end
        : texts.rest;
  return fill(template, { read: data.target[step], next: data.output[step], share: percent(bars[written][1]) });
}

// thing: {kind, query, key} of an attention, {region, index} of a vector or a feed-forward, {bar}, or {block}.
export function readThing(data, thing, view, hideCross) {
  if (thing.said) return thing.said;
  const { texts } = data;
  const { layer, head, step } = view;
  const say = (name, values) => fill(texts.reads[name], values);
  const numbers = {
    layer: layer + 1,
    head: head + 1,
    dims: data.dims,
    units: grouped(data.units),
    vocabulary: grouped(data.vocabulary),
  };
  const length = (...at) => {
    const value = data.length(...at);
    return value < 100 ? value.toPrecision(3) : value.toFixed(0);
  };
  if (thing.kind) {
    const { kind, query } = thing;
    const row = data.weights(kind, layer, head, query);
    const key = thing.key ?? row.indexOf(Math.max(...row));
    const words = { ...numbers, query: data.queries[kind][query], key: data.keys[kind][key] };
    if (kind === "cross" && hideCross && query === step) return say("hidden_source", words);
    if (!data.allowed(kind, query, key)) return say("not_yet", words);
    return say(thing.key === undefined ? "row" : "looks", { ...words, share: percent(row[key]) });
  }
  if (thing.bar !== undefined) {
    const [token, share, before] = data.steps[step].bars[thing.bar];
    const first = before === null;
    return say(first ? "bar_first" : "bar", { token, share: percent(share), before: first ? "" : percent(before) });
  }
  if (thing.block) {
    const own = thing.block.endsWith("ffn") ? "ffn_block" : thing.block === "memory" ? "memory_block" : thing.block;
    return say(namedPart(thing.block) || own, numbers);
  }
  const { region, index, layer: of = layer } = thing;
  const [stack, side] = OF_TARGET.has(region) ? ["decoder", "target"] : ["encoder", "source"];
  const words = { ...numbers, token: data[side][index] };
  if (region.endsWith("ffn")) return say("ffn", { ...words, firing: data.firing(stack, layer, index) });
  if (region.endsWith("stream")) return say("stream", { ...words, layer: of + 1, length: length(region, of, index) });
  if (region === "memory" || region === "keys") return say("memory", { ...words, length: length("memory", index) });
  return say("token", { ...words, length: length(`${side}_input`, index) });
}

const BLOCK = {
  source: "embedding",
  source_input: "embedding",
  self: "encoder",
  encoder_ffn: "encoder_ffn",
  memory: "memory",
  keys: "memory",
  target: "embedding",
  target_input: "embedding",
  masked: "masked",
  cross: "cross",
  ffn: "ffn",
}; // by the region of the layout
const OF_TARGET = new Set(["target", "target_input", "masked", "cross", "ffn", "decoder_stream"]); // also of the lens
const CHOOSES = new Set(["embedding", "encoder_ffn", "memory"]); // blocks that open for the row that is clicked
const HATCHED = 18; // px at the left of masked attention where the mask is drawn

// now: () => { at, data, output, pick }; point(thing) is told what is pointed at, as `readThing` takes it, or
// null.
export function followPointer(flow, scroller, store, now, { point, hides }) {
  let pointed = "null";

  const place = (event) => {
    const box = flow.getBoundingClientRect();
    const { zoom } = now().at;
    return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom };
  };
  const regionAt = (x) => now().at.regions.find(([, from, to]) => x >= from && x < to)?.[0];

  const under = (event) => {
    const { at } = now();
    const { x, y } = place(event);
    if (x >= at.output.x) return inOutput(y);
    if (y < at.head || y > at.head + at.view) return null;
    const region = regionAt(x);
    const top = at.scrolled(scroller.scrollTop)[OF_TARGET.has(region) ? "target" : "source"];
    return event.target.viz ?? inRow(region, Math.floor((y - at.head + top) / at.pitch), x);
  };

  const inOutput = (y) => {
    const { data, output } = now();
    const bar = hides("word") ? null : output.barAt(y);
    return bar !== null && data.steps[store.view.step].bars[bar] ? { bar } : null;
  };

  const inRow = (region, index, x) => {
    const { at, data } = now();
    const { step } = store.view;
    const hatched = region === "masked" && x < at.decoder.masked.x + HATCHED && index < data.T;
    if (hatched && !data.allowed("masked", step, index)) return { kind: "masked", query: step, key: index };
    if (!region || index >= (OF_TARGET.has(region) ? step + 1 : data.S)) return null;
    return at.place[region] ? { kind: region, query: index } : { region, index };
  };

  // Where there is no row: the block of the column, or of what is drawn there.
  const blockAt = (event) => {
    if (scroller.contains(event.target)) return BLOCK[regionAt(place(event).x)];
    return event.target.closest?.("[data-block]")?.dataset.block;
  };

  const move = (event) => {
    const thing = under(event);
    const name = JSON.stringify(thing);
    if (name !== pointed) point(thing);
    pointed = name;
  };
  const leave = () => {
    pointed = "null";
    point(null);
  };
  const click = (event) => {
    const thing = under(event);
    const block = thing ? (OPENS[thing.kind] ?? BLOCK[thing.region] ?? "softmax") : blockAt(event);
    if (!block) return;
    const chosen = CHOOSES.has(block) && thing?.region;
    if (chosen) now().pick(OF_TARGET.has(chosen) ? "target" : "source", thing.index);
    toggle(store, block);
  };
  const focus = (event) => {
    const block = event.target.dataset?.opens;
    if (block) point({ block });
  };

  const heard = { pointermove: move, pointerleave: leave, click, focusin: focus, focusout: leave };
  for (const [name, hear] of Object.entries(heard)) flow.addEventListener(name, hear);
}

const PINCH = 500; // ms that one movement of the camera lasts for two fingers, which send many

// A pinch, which a touchpad sends as the wheel with Ctrl: into what is under the pointer, or out by one level.
export function followPinch(figure, store) {
  let zoomed = -Infinity;
  const pinch = (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { open, cell } = store.view;
    const { clientX, clientY, deltaY } = event;
    if (performance.now() - zoomed < PINCH) return;
    zoomed = performance.now();
    if (deltaY > 0) store.set(cell ? { cell: null } : { open: "" });
    else if (!(open && cell)) event.target.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true }));
  };
  figure.addEventListener("wheel", pinch, { passive: false });
}
