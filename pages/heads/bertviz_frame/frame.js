// What both views have around bertviz: the names of the two sides, and in words what its lines show.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import { el, setAttributes } from "../../../viz_core/browser/kit/dom";

export const { params, words, letters, colours } = window.payload;
export const root = document.querySelector("#bertviz");
export const drawing = root.querySelector("#vis");
const reading = root.querySelector(".reading");
const SOON = 100; // ms

export function share(weight) {
  return `${Number((100 * weight).toFixed(1))} %`;
}

export function attention() {
  return params.attention[root.querySelector("#filter").value];
}

// The reading keeps its place and its height: nothing below it jumps. hint: what a reader can do; no audience sees it.
export function say(lead, entries = [], hint = "") {
  const spans = entries.flatMap((entry) => [" ", el("span", {}, ...[entry].flat())]);
  const hints = hint ? [" ", el("span", { class: "hint" }, hint)] : [];
  reading.replaceChildren(entries.length ? el("b", {}, lead) : lead, ...spans, ...hints);
}

// A token that is read out when the pointer or the keyboard reaches it. left: the node that hears when it is left.
export function readable(token, name, read, left = token) {
  setAttributes(token, { role: "img", "aria-label": name });
  token.addEventListener("mouseover", read);
  token.addEventListener("focus", () => token.dispatchEvent(new MouseEvent("mouseover")));
  token.addEventListener("blur", () => left.dispatchEvent(new MouseEvent("mouseleave")));
}

// One Tab stop for all items; from there the arrow keys move among them, `across` to a row.
export function rove(items, across = 1) {
  const go = (index) => {
    if (!items[index]) return;
    for (const item of items) setAttributes(item, { tabindex: item === items[index] ? 0 : -1 });
    items[index].focus();
  };
  items.forEach((item, index) => {
    setAttributes(item, { tabindex: index ? -1 : 0 });
    onKeys(item, (event) => {
      const by = { ArrowDown: across, ArrowUp: -across, ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      go(index + by);
    });
  });
}

// A token that is too wide is set closer.
export function fit(texts) {
  for (const text of texts)
    if (text.getComputedTextLength() > letters)
      setAttributes(text, { textLength: letters, lengthAdjust: "spacingAndGlyphs" });
}

// bertviz does not name its two columns.
function nameSides() {
  const { queries, keys } = attention();
  root.querySelector(".queries").replaceChildren(el("b", {}, words.query_side), " ", queries);
  root.querySelector(".keys").replaceChildren(el("b", {}, words.key_side), " ", keys);
}

// bertviz draws anew when another attention or layer is picked.
export function atEachDrawing(run) {
  const all = () => {
    nameSides();
    run();
  };
  new MutationObserver(all).observe(drawing, { childList: true });
  all();
}

// Calls follow now and with each change of what the page around shows, whose parts may come later than the frame.
export function followPage(follow) {
  const begin = (store) => {
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
