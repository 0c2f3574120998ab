// Accessibility: attributes for screen readers that the markup of Streamlit and plotly lacks, added after every change
// of the page.

import { installEarly } from "../kit/keys.js";
import { theStore } from "../kit/store.js";

const PAUSE = 80; // ms after a change: a page that is being built changes many times

// In Streamlit: once for each tab, whatever page it shows, and before all else of it.
export default function ({ parentElement }) {
  const root = parentElement.querySelector(".viz-access");
  root.end ??= keepMended(document.body);
  theStore().early ??= installEarly(theStore());
  return () => {
    if (root.isConnected) return;
    root.end?.();
    root.end = null;
  };
}

// Keeps the page mended from now on. Parts in shadow roots, which repaint often, are not watched. Returns what ends it.
function keepMended(body) {
  let waiting = 0;
  const mendSoon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      mend(body);
    }, PAUSE);
  };
  const watch = new MutationObserver(mendSoon);
  watch.observe(body, { childList: true, subtree: true });
  mendSoon();
  return () => {
    watch.disconnect();
    clearTimeout(waiting);
  };
}

function mend(body) {
  body.querySelectorAll(".js-plotly-plot").forEach(nameFigure);
  body.querySelectorAll("[data-testid=stSidebarNavItems]").forEach(listLinks);
  // it has a scroll bar
  body.querySelectorAll("[data-testid=stCode] pre").forEach((code) => give(code, "tabindex", "0"));
  // it has a name
  body.querySelectorAll("[data-testid=stFileUploaderDropzone]").forEach((zone) => give(zone, "role", "group"));
}

// One picture with what it says, in place of a heap of tick labels.
function nameFigure(plot) {
  const said = plot.layout?.meta?.said;
  if (!said) return;
  give(plot, "role", "img");
  give(plot, "aria-label", said);
  for (const inner of plot.children) give(inner, "aria-hidden", "true"); // Chromium reads the inside of an img too
}

// Streamlit puts the links of a section into a <div> of the <ul>: that <div> is the list, under the section's name.
function listLinks(list) {
  const sections = [...list.children].filter((child) => child.tagName === "DIV");
  if (sections.length) give(list, "role", "group");
  for (const child of list.children) if (child.tagName === "LI" && sections.length) give(child, "role", "presentation");
  for (const section of sections) {
    give(section, "role", "list");
    const head = section.querySelector("header");
    if (!head) continue;
    give(section, "aria-label", head.querySelector("p")?.textContent ?? "");
    give(head, "aria-hidden", "true");
  }
}

function give(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
