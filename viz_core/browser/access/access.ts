// Accessibility: adds attributes for screen readers that Streamlit's markup lacks, after every change of the page.

import type { Root, Store } from "../../web/src/ui/store";
import { setAttributes, el } from "../kit/dom";
import { installEarly } from "../kit/keys";
import { early } from "../kit/payload";
import { dropZonesIn, wideIn } from "../kit/streamlit";

const PAUSE = 80; // ms after a change: a page being built changes many times

// replaced: Streamlit's English words → their translations.
type Data = { replaced: Record<string, string> };

// Mounted once per tab, before all other parts. Parts in shadow roots, which repaint often, are not watched.
export function mountAccess(_root: Root, { replaced }: Data, store: Store) {
  const { body } = document;
  let waiting = 0;
  const mendSoon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      mend(body, replaced);
    }, PAUSE);
  };
  const watch = new MutationObserver(mendSoon);
  watch.observe(body, { childList: true, subtree: true });
  const click = (event: PointerEvent) => showTouchedTitle(event); // a new function: another instance may mount before this one ends
  body.addEventListener("click", click);
  mendSoon();
  installEarly(store);
  return {
    // A later run may have another language.
    update(next: Data) {
      const before = Object.entries(replaced).map(([own, words]) => [words, own]);
      replaced = next.replaced;
      if (!Object.keys(replaced).length) replaceWords(body, Object.fromEntries(before));
    },
    destroy() {
      body.removeEventListener("click", click);
      watch.disconnect();
      clearTimeout(waiting);
    },
  };
}

export default early(mountAccess);

// A formula or a table that is wider than its place scrolls, by the keyboard as well.
const wide = new ResizeObserver((changed) => {
  for (const { target } of changed) setAttributes(target, { tabindex: target.scrollWidth > target.clientWidth ? 0 : null });
});

function mend(body: HTMLElement, replaced: Data["replaced"]) {
  body.querySelectorAll(".katex-display").forEach((formula) => wide.observe(formula));
  for (const node of wideIn(body)) {
    wide.observe(node);
    const { previousElementSibling: above } = node;
    if (above && node.localName === "table") setAttributes(node, { "aria-label": above.textContent });
  }
  body.querySelectorAll("pre").forEach((code) => setAttributes(code, { tabindex: "0" })); // it has a scroll bar
  // it has a name
  for (const zone of dropZonesIn(body)) setAttributes(zone, { role: "group" });
  if (Object.keys(replaced).length) replaceWords(body, replaced);
}

const READ_ALOUD = ["aria-label", "title", "placeholder"];

// Streamlit is in English only. Whatever it renders again is in English again, which the observer sees.
function replaceWords(body: HTMLElement, replaced: Data["replaced"]) {
  for (const name of READ_ALOUD)
    for (const node of body.querySelectorAll(`[${name}]`)) {
      const words = replaced[node.getAttribute(name) ?? ""];
      if (words) node.setAttribute(name, words);
    }
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const words = replaced[node.nodeValue ?? ""];
    if (words) node.nodeValue = words;
  }
}

// Touch: shows the title of a tapped element, which a finger cannot hover, until the next touch. Elements that react to a tap have a
// name instead.
const ACTS = "button, a, select, input, summary, [role=button]";
const APART = 16; // px from the finger
const EDGE = 8; // px to the edges of the window

function showTouchedTitle(event: PointerEvent) {
  if (event.pointerType !== "touch") return;
  const path = event.composedPath().filter((node) => node instanceof Element);
  const titled = path.find((node) => node.getAttribute("title"));
  if (!titled || path.some((node) => node.matches(ACTS))) return;
  const tip = el("div", { class: "viz-tip", "aria-hidden": true }, titled.getAttribute("title"));
  document.body.append(tip);
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(EDGE, Math.min(event.clientX - width / 2, innerWidth - width - EDGE));
  const above = event.clientY - APART - height;
  Object.assign(tip.style, { left: `${left}px`, top: `${above < EDGE ? event.clientY + APART : above}px` });
  for (const ends of ["pointerdown", "scroll"]) addEventListener(ends, () => tip.remove(), { capture: true, once: true });
}
