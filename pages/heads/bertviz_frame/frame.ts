// What both views have around bertviz: the names of the two sides, and in words what its lines show.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import { el, setAttributes } from "../../../viz_core/browser/kit/dom";
import type { Store, Words } from "../../../viz_core/web/src/ui/store";

// What `pages/heads/bertviz.py` sends, as far as the frame reads it. Layers and heads are counted from 1.
export interface Payload {
  params: {
    attention: Attention[];
    include_layers: number[];
    layer?: number; // of the head view alone, as head_names; include_heads: of the model view
    head_names: number[];
    include_heads: number[];
  };
  words: Words<"looks nothing a_query a_key query_side key_side hint"> & Words<"head_name looked_at opened place">;
  letters: number; // px that a token may be wide
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

// The reading keeps its place and its height: nothing below it jumps. hint: what a reader can do; no audience sees it.
export function say(lead: string, entries: (string | (string | Node)[])[] = [], hint = "") {
  const spans = entries.flatMap((entry) => [" ", el("span", {}, ...[entry].flat())]);
  const hints = hint ? [" ", el("span", { class: "hint" }, hint)] : [];
  reading.replaceChildren(entries.length ? el("b", {}, lead) : lead, ...spans, ...hints);
}

// A token that is read out when the pointer or the keyboard reaches it. left: the node that hears when it is left.
export function readable(token: Item, name: string, read: () => void, left = token) {
  setAttributes(token, { role: "img", "aria-label": name });
  token.addEventListener("mouseover", read);
  token.addEventListener("focus", () => token.dispatchEvent(new MouseEvent("mouseover")));
  token.addEventListener("blur", () => left.dispatchEvent(new MouseEvent("mouseleave")));
}

// One Tab stop for all items; from there the arrow keys move among them, `across` to a row.
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

// A token that is too wide is set closer.
export function fit(texts: Iterable<SVGTextElement>) {
  for (const text of texts)
    if (text.getComputedTextLength() > letters) setAttributes(text, { textLength: letters, lengthAdjust: "spacingAndGlyphs" });
}

// bertviz does not name its two columns.
function nameSides() {
  const { queries, keys } = attention();
  inside(".queries").replaceChildren(el("b", {}, words.query_side), " ", queries);
  inside(".keys").replaceChildren(el("b", {}, words.key_side), " ", keys);
}

// bertviz draws anew when another attention or layer is picked.
export function atEachDrawing(run: () => void) {
  const all = () => {
    nameSides();
    run();
  };
  new MutationObserver(all).observe(drawing, { childList: true });
  all();
}

// Calls follow now and with each change of what the page around shows, whose parts may come later than the frame.
export function followPage(follow: (store: Store) => void) {
  const begin = (store: Store) => {
    const each = () => (window.frameElement ? follow(store) : off()); // or the frame has gone
    const off = store.subscribe(each);
    each();
  };
  const onceThere = () => {
    const store = window.around();
    if (store) store.ready(() => begin(store));
    else if (window.parent !== window) setTimeout(onceThere, SOON);
  };
  onceThere();
}

followPage(({ view }) => document.documentElement.toggleAttribute("data-lecture", view.lecture));
