// What both views add to bertviz: the names of the two sides, and a reading of its lines in words.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import { el, setAttributes } from "../../../viz_core/browser/kit/dom";
import type { Store, Words } from "../../../viz_core/web/src/ui/store";

// The part of the payload of `pages/heads/bertviz.py` that the frame reads. Layers and heads count from 1.
export interface Payload {
  params: {
    attention: Attention[];
    include_layers: number[];
    layer?: number; // head view only, like head_names; include_heads: model view only
    head_names: number[];
    include_heads: number[];
  };
  words: Words<"looks nothing a_query a_key query_side key_side hint"> & Words<"head_name looked_at opened place">;
  letters: number; // px, the greatest width of a token
  colours: { heads: string[] };
}

interface Attention {
  attn: number[][][][]; // layer, head, query, key
  left_text: string[];
  right_text: string[];
  queries: string;
  keys: string;
}

type Item = HTMLElement | SVGElement;

export const { params, words, letters, colours } = window.payload;
const root = document.querySelector("#bertviz") as HTMLElement;
export const inside = <Found extends Item = HTMLElement>(selector: string) => root.querySelector(selector) as Found;
export const drawing = inside("#vis");
const reading = inside(".reading");
const SOON = 100; // ms

export const share = (weight: number) => `${Number((100 * weight).toFixed(1))} %`;

export const attention = () => params.attention[inside<HTMLSelectElement>("#filter").selectedIndex] as Attention;

// Shows a reading, whose place and height stay the same. hint: what a reader can do; hidden from an audience.
export function say(lead: string, entries: (string | (string | Node)[])[] = [], hint = "") {
  const spans = entries.flatMap((entry) => [" ", el("span", {}, ...[entry].flat())]);
  const hints = hint ? [" ", el("span", { class: "hint" }, hint)] : [];
  reading.replaceChildren(entries.length ? el("b", {}, lead) : lead, ...spans, ...hints);
}

// Makes a token read out when the pointer or keyboard reaches it. left: the node that hears when it is left.
export function readable(token: Item, name: string, read: () => void, left = token) {
  setAttributes(token, { role: "img", "aria-label": name });
  token.addEventListener("mouseover", read);
  token.addEventListener("focus", () => token.dispatchEvent(new MouseEvent("mouseover")));
  token.addEventListener("blur", () => left.dispatchEvent(new MouseEvent("mouseleave")));
}

// Roving tabindex: one Tab stop for all items, among which arrow keys move; `across` items make a row.
export function rove(items: Item[], across = 1) {
  const moves: Record<string, number> = { ArrowDown: across, ArrowUp: -across, ArrowRight: 1, ArrowLeft: -1 };
  const go = (index: number) => {
    const to = items[index];
    if (!to) return;
    for (const item of items) setAttributes(item, { tabindex: item === to ? 0 : -1 });
    to.focus();
  };
  items.forEach((item, index) => {
    setAttributes(item, { tabindex: index ? -1 : 0 });
    onKeys(item, (event: KeyboardEvent) => {
      const by = moves[event.key];
      if (!by) return;
      event.preventDefault();
      go(index + by);
    });
  });
}

// Squeezes tokens that are too wide.
export function fit(texts: Iterable<SVGTextElement>) {
  for (const text of texts)
    if (text.getComputedTextLength() > letters) setAttributes(text, { textLength: letters, lengthAdjust: "spacingAndGlyphs" });
}

// Names the two columns, which bertviz does not.
function nameSides() {
  const { queries, keys } = attention();
  inside(".queries").replaceChildren(el("b", {}, words.query_side), " ", queries);
  inside(".keys").replaceChildren(el("b", {}, words.key_side), " ", keys);
}

// Runs after each redraw by bertviz, which follows the choice of an attention or layer.
export function atEachDrawing(run: () => void) {
  const all = () => {
    nameSides();
    run();
  };
  new MutationObserver(all).observe(drawing, { childList: true });
  all();
}

// Calls `follow` now and on each change of the surrounding page's view; its store may appear later than the frame.
export function followPage(follow: (store: Store) => void) {
  const begin = (store: Store) => {
    const paint = () => (window.frameElement ? follow(store) : off()); // unsubscribes once the frame is gone
    const off = store.subscribe(paint);
    paint();
  };
  const onceThere = () => {
    const store = window.around();
    if (store) store.ready(() => begin(store));
    else if (window.parent !== window) setTimeout(onceThere, SOON);
  };
  onceThere();
}

followPage(({ view }) => document.documentElement.toggleAttribute("data-lecture", view.lecture));
