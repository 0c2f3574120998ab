// Accessibility: attributes for screen readers that the markup of Streamlit lacks, added after every change
// of the page.

import { theStore } from "../../web/src/state";
import { setAttributes } from "../kit/dom";
import { installEarly } from "../kit/keys";
import type { Called } from "../kit/payload";
import { dropZonesIn } from "../kit/streamlit";
import { showTouchedTitle } from "./touched_title";

const PAUSE = 80; // ms after a change: a page that is being built changes many times

// replaced: words of Streamlit → what stands in their place.
interface Said {
  replaced: Record<string, string>;
}

interface Root extends HTMLElement {
  said?: Said;
  end?: (() => void) | null;
}

// In Streamlit: once for each tab, whatever page it shows, and before all else of it.
export default function ({ data: [said], parentElement }: Called<[Said]>) {
  const root = parentElement.querySelector<Root>(".viz-access");
  if (!root) return;
  const before = Object.entries(root.said?.replaced ?? {});
  root.said = said; // in another language after another run
  if (!Object.keys(said.replaced).length && before.length)
    replaceWords(document.body, Object.fromEntries(before.map(([own, words]) => [words, own])));
  root.end ??= keepMended(document.body, root);
  installEarly(theStore());
  return () => {
    if (root.isConnected) return;
    root.end?.();
    root.end = null;
  };
}

// Keeps the page mended from now on. Parts in shadow roots, which repaint often, are not watched. Returns what ends it.
function keepMended(body: HTMLElement, root: Root) {
  let waiting = 0;
  const mendSoon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      if (root.said) mend(body, root.said);
    }, PAUSE);
  };
  const watch = new MutationObserver(mendSoon);
  watch.observe(body, { childList: true, subtree: true });
  const click = (event: PointerEvent) => showTouchedTitle(event); // one of its own: another part may begin before this one ends
  body.addEventListener("click", click);
  mendSoon();
  return () => {
    body.removeEventListener("click", click);
    watch.disconnect();
    clearTimeout(waiting);
  };
}

// A formula that is wider than its place scrolls, by the keyboard as well.
const formulas = new ResizeObserver((changed) => {
  for (const { target } of changed) setAttributes(target, { tabindex: target.scrollWidth > target.clientWidth ? 0 : null });
});

function mend(body: HTMLElement, { replaced }: Said) {
  body.querySelectorAll(".katex-display").forEach((formula) => formulas.observe(formula));
  body.querySelectorAll("pre").forEach((code) => setAttributes(code, { tabindex: "0" })); // it has a scroll bar
  // it has a name
  for (const zone of dropZonesIn(body)) setAttributes(zone, { role: "group" });
  if (Object.keys(replaced).length) replaceWords(body, replaced);
}

const READ_ALOUD = ["aria-label", "title", "placeholder"];

// Streamlit speaks English alone. What it writes anew it writes in English again, which is a change of the page.
function replaceWords(body: HTMLElement, replaced: Said["replaced"]) {
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
