// The pointer: the thing under it, the sentence that describes that thing, and where a block leads.

import type { Store, View } from "../../web/src/ui/store";
import { type Overview, KINDS, type Kind, type Side, type Thing, sideOf, stepOf } from "./data";
import { OPENS, namedPart } from "../kit/operations";
import { nth } from "../../web/src/payload";
import { fill, grouped, percent } from "../kit/numbers";
import type { Drawn } from "./layout";
import { barAt } from "./output";

// Where a block leads: into the lens and to its pages; and the block that contains a page's quantity.

// Opens a block, or closes it.
export function toggle(store: Store, block: string) {
  store.set({ open: store.view.open === block ? "" : block, cell: null });
}

const sublayer = (stack: string, block: string) => [`residual?stack=${stack}&show=norm&sublayer_${stack}=${stack}_${block}`];

const PAGES: Record<string, string[]> = {
  embedding: ["tokens", "embeddings", "positions"],
  encoder_qkv: ["qkv?kind=self"],
  masked_qkv: ["qkv?kind=masked"],
  cross_qkv: ["qkv?kind=cross"],
  encoder: ["self_attention"],
  masked: ["masked_attention"],
  cross: ["cross_attention"],
  encoder_ffn: ["residual?stack=encoder&show=ffn"],
  memory: ["qkv?kind=cross"],
  ffn: ["residual?stack=decoder&show=ffn"],
  encoder_out: sublayer("encoder", "self_attn"),
  masked_out: sublayer("decoder", "self_attn"),
  cross_out: sublayer("decoder", "cross_attn"),
  softmax: ["output"],
};

// The pages of a block.
export function linksOf(texts: Overview["texts"], block: string) {
  const nameOf = (address: string) => texts[address.replace(/\?.*/, "") as "tokens"];
  return (PAGES[block] ?? []).map((address): [name: string, address: string] => [nameOf(address), address]);
}

const blockWith = (end: string) => Object.keys(PAGES).find((block) => PAGES[block]?.some((address) => address.endsWith(end)));

// The block of a page; undefined for a page without one. parameters: of the page's address.
export function blockOf(page: string, parameters = new URLSearchParams()) {
  if (page === "qkv") return `${(OPENS as Record<string, string>)[parameters.get("kind") ?? "self"] ?? "encoder"}_qkv`;
  if (page !== "residual") return blockWith(page);
  const stack = parameters.get("stack") === "decoder" ? "decoder" : "encoder";
  const withSublayer = (name: string) =>
    blockWith(name === `${stack}_ffn` ? `residual?stack=${stack}&show=ffn` : `sublayer_${stack}=${name}`);
  return (
    withSublayer(parameters.get(`sublayer_${stack}`) ?? "") ??
    withSublayer(`${stack}_${parameters.get("show") === "ffn" ? "ffn" : "self_attn"}`)
  );
}

// The sentence at rest, about the step.
export function readStep(data: Overview, { step }: View, hidden: boolean): string {
  const { bars, written } = stepOf(data, step);
  const { texts } = data;
  const ends = data.output[step] === data.source.at(-1) && step === data.T - 1; // the source ends with the same token
  const template = hidden ? texts.rest_hidden : data.given_target ? texts.rest_typed : ends ? texts.rest_end : texts.rest;
  return fill(template, { read: data.target[step], next: data.output[step], share: percent(nth(bars, written)[1]) });
}

export function readThing(data: Overview, thing: Thing, view: View, hideCross: boolean): string {
  if ("said" in thing) return thing.said;
  const { texts } = data;
  const { layer, head, step } = view;
  const say = (name: string, values: Record<string, unknown>) => fill(texts.reads[name] ?? "", values);
  const numbers = {
    layer: layer + 1,
    head: head + 1,
    dims: data.dims,
    units: grouped(data.units),
    vocabulary: grouped(data.vocabulary),
  };
  const length = (name: string, ...at: number[]) => {
    const value = data.length(name, ...at);
    return value < 100 ? value.toPrecision(3) : value.toFixed(0);
  };
  if ("kind" in thing) {
    const { kind, query } = thing;
    const row = data.weights(kind, layer, head, query);
    const key = thing.key ?? row.indexOf(Math.max(...row));
    const words = { ...numbers, query: data.queries[kind][query], key: data.keys[kind][key] };
    if (kind === "cross" && hideCross && query === step) return say("hidden_source", words);
    if (!data.allowed(kind, query, key)) return say("not_yet", words);
    return say(thing.key === undefined ? "row" : "looks", { ...words, share: percent(nth(row, key)) });
  }
  if ("bar" in thing) {
    const [token, share, before] = nth(stepOf(data, step).bars, thing.bar);
    const words = { token, share: percent(share) };
    return before === null ? say("bar_first", words) : say("bar", { ...words, before: percent(before) });
  }
  if ("block" in thing) {
    const own = thing.block.endsWith("ffn") ? "ffn_block" : thing.block === "memory" ? "memory_block" : thing.block;
    return say(namedPart(thing.block) || own, numbers);
  }
  const { region, index, layer: of = layer } = thing;
  const side = sideOf(region);
  const stack = side === "target" ? "decoder" : "encoder";
  const words = { ...numbers, token: data[side][index] };
  if (region.endsWith("ffn")) return say("ffn", { ...words, firing: data.firing(stack, layer, index) });
  if (region.endsWith("stream")) return say("stream", { ...words, layer: of + 1, length: length(region, of, index) });
  if (region === "memory" || region === "keys") return say("memory", { ...words, length: length("memory", index) });
  return say("token", { ...words, length: length(`${side}_input`, index) });
}

const CHOOSES = new Set(["embedding", "encoder_ffn", "memory"]); // blocks that open for the clicked row
const HATCHED = 18; // px of the mask at the left of masked attention

interface Acts {
  point(thing: Thing | null): void; // gets the hovered thing
  pick(side: Side, index: number): void;
}

// now: the current drawing.
export function followPointer(flow: HTMLElement, now: () => Drawn & { zoom: number }, { point, pick }: Acts) {
  let pointed = "null";

  const place = (event: MouseEvent) => {
    const box = flow.getBoundingClientRect();
    const { zoom } = now();
    return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom };
  };
  const regionAt = (x: number) => now().at.regions.find(([, from, to]) => x >= from && x < to);

  const under = (event: MouseEvent): Thing | null => {
    const { at, top } = now();
    const { x, y } = place(event);
    if (x >= at.output.x) return barAt(now(), y);
    if (y < at.head || y > at.head + at.view) return null;
    const [region = ""] = regionAt(x) ?? [];
    const { kind, query, key } = (event.target as SVGElement).dataset; // of a ribbon
    if (key) return { kind: kind as Kind, query: Number(query), key: Number(key) };
    return inRow(region, Math.floor((y - at.head + at.scrolled(top)[sideOf(region)]) / at.pitch), x);
  };

  const inRow = (region: string, index: number, x: number): Thing | null => {
    const { at, data, store } = now();
    const { step } = store.view;
    const hatched = region === "masked" && x < at.decoder.masked.x + HATCHED && index < data.T;
    if (hatched && !data.allowed("masked", step, index)) return { kind: "masked", query: step, key: index };
    if (!region || index >= (sideOf(region) === "target" ? step + 1 : data.S)) return null;
    const kind = KINDS.find((name) => name === region);
    return kind ? { kind, query: index } : { region, index };
  };

  // The block of the column, for places without a row.
  const blockAt = (event: MouseEvent) => {
    const { x, y } = place(event);
    const { output, names, bottom } = now().at;
    if ((event.target as Element).closest("button")) return; // it opens its own block
    return x >= output.x || (y >= names && y < bottom) ? regionAt(x)?.[3] : undefined;
  };
  const blockOf = (thing: Thing) => {
    const of = "kind" in thing ? thing.kind : "region" in thing ? thing.region : "output";
    return now().at.regions.find(([name]) => name === of)?.[3];
  };

  const move = (event: PointerEvent) => {
    const thing = under(event);
    const name = JSON.stringify(thing);
    if (name !== pointed) point(thing);
    pointed = name;
  };
  const leave = () => {
    pointed = "null";
    point(null);
  };
  const click = (event: MouseEvent) => {
    const thing = under(event);
    const block = thing ? blockOf(thing) : blockAt(event);
    if (!block) return;
    if (CHOOSES.has(block) && thing && "region" in thing) pick(sideOf(thing.region), thing.index);
    toggle(now().store, block);
  };
  const focus = (event: FocusEvent) => {
    const block = (event.target as HTMLElement).dataset.opens;
    if (block) point({ block });
  };

  flow.addEventListener("pointermove", move);
  flow.addEventListener("pointerleave", leave);
  flow.addEventListener("click", click);
  flow.addEventListener("focusin", focus);
  flow.addEventListener("focusout", leave);
}

const PINCH = 500; // ms in which the many events of a pinch count as one

// A pinch, which a touchpad sends as Ctrl + wheel, goes into the thing under the pointer, or out by one level.
export function followPinch(figure: HTMLElement, store: Store) {
  let zoomed = -Infinity;
  const pinch = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { open, cell } = store.view;
    const { clientX, clientY, deltaY } = event;
    if (performance.now() - zoomed < PINCH) return;
    zoomed = performance.now();
    if (deltaY > 0) store.set(cell ? { cell: null } : { open: "" });
    else if (!(open && cell)) event.target?.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true }));
  };
  figure.addEventListener("wheel", pinch, { passive: false });
}

const OPENERS = ".name:not(.lane), .opens, .vm-box";

// Fetches a block's data early: when pointer or focus reaches an opener, or a mouse button goes down anywhere in the flow.
export function anticipate(figure: HTMLElement, bring: () => void) {
  const near = ({ target }: Event) => target instanceof Element && target.closest(OPENERS) && bring();
  for (const name of ["pointerover", "focusin"]) figure.addEventListener(name, near);
  figure.addEventListener("pointerdown", ({ pointerType }) => pointerType === "mouse" && bring());
}
