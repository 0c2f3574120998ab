// Accessibility: attributes for screen readers that the markup of Streamlit lacks, added after every change
// of the page.

import { setAttributes } from "../kit/dom.js";
import { installEarly } from "../kit/keys.js";
import { theStore } from "../kit/store.js";
import { showTouchedTitle } from "./touched_title.js";

const PAUSE = 80; // ms after a change: a page that is being built changes many times

// In Streamlit: once for each tab, whatever page it shows, and before all else of it.
export default function ({ data: [said], parentElement }) {
  const root = parentElement.querySelector(".viz-access");
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
function keepMended(body, root) {
  let waiting = 0;
  const mendSoon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      mend(body, root.said);
    }, PAUSE);
  };
  const watch = new MutationObserver(mendSoon);
  watch.observe(body, { childList: true, subtree: true });
  // one of its own: another part may begin before this one ends
  const click = (event) => {
    closeRail(event);
    skip(event);
    showTouchedTitle(event);
  };
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
  for (const { target } of changed)
    setAttributes(target, { tabindex: target.scrollWidth > target.clientWidth ? 0 : null });
});

// titles: of the pages; replaced: words of Streamlit → what stands in their place.
function mend(body, { titles, replaced }) {
  body.querySelectorAll(".katex-display").forEach((formula) => formulas.observe(formula));
  body.querySelectorAll("[data-testid=stSidebarNavItems]").forEach(listLinks);
  // the rail has room for a short name
  body
    .querySelectorAll("[data-testid=stSidebarNavLink]")
    .forEach((link, at) => setAttributes(link, { title: titles[at], "aria-label": titles[at] }));
  const figure = body.querySelector(FIGURE);
  if (figure) setAttributes(figure, { id: "figure" });
  for (const link of body.querySelectorAll(SKIP)) link.hidden = !figure;
  // it has a scroll bar
  body.querySelectorAll("[data-testid=stCode] pre").forEach((code) => setAttributes(code, { tabindex: "0" }));
  // it has a name
  body
    .querySelectorAll("[data-testid=stFileUploaderDropzone]")
    .forEach((zone) => setAttributes(zone, { role: "group" }));
  if (Object.keys(replaced).length) replaceWords(body, replaced);
}

const [SKIP, FIGURE] = ["a.viz-skip", ".st-key-_page"];

// To the figure, where the next Tab goes on; the address stays.
function skip(event) {
  if (!event.target.closest?.(SKIP)) return;
  event.preventDefault();
  const figure = document.querySelector(FIGURE);
  setAttributes(figure, { tabindex: -1 });
  figure.addEventListener("blur", () => setAttributes(figure, { tabindex: null }), { once: true });
  figure.focus({ preventScroll: true }); // it begins in the window
}

const READ_ALOUD = ["aria-label", "title", "placeholder"];

// Streamlit speaks English alone. What it writes anew it writes in English again, which is a change of the page.
function replaceWords(body, replaced) {
  for (const name of READ_ALOUD)
    for (const node of body.querySelectorAll(`[${name}]`)) {
      const words = replaced[node.getAttribute(name)];
      if (words) node.setAttribute(name, words);
    }
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const words = replaced[node.data];
    if (words) node.data = words;
  }
}

const NARROW = 640; // px of a window over which the rail lies while it is open

// A page was chosen: on a phone the rail lies over it, and goes.
function closeRail(event) {
  if (innerWidth > NARROW || !event.target.closest?.("[data-testid=stSidebarNavLink]")) return;
  document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}

// Streamlit puts the links of a section into a <div> of the <ul>: that <div> is the list, under the section's name.
function listLinks(list) {
  const sections = [...list.children].filter((child) => child.tagName === "DIV");
  if (!sections.length) return;
  setAttributes(list, { role: "group" });
  for (const child of list.children) if (child.tagName === "LI") setAttributes(child, { role: "presentation" });
  for (const section of sections) {
    const head = section.querySelector("header");
    setAttributes(section, { role: "list", "aria-label": head?.querySelector("p")?.textContent ?? null });
    if (head) setAttributes(head, { "aria-hidden": true });
  }
}
