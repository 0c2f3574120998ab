// The open block, below the flow: what it computes, with this sentence's numbers.

import { el } from "../shared/dom.js";
import { openAttention } from "./open_attention.js";
import { openEmbedding, openFeedForward, openMemory, openSoftmax } from "./open_vectors.js";

const PANELS = { encoder: openAttention("self"), masked: openAttention("masked"), cross: openAttention("cross"),
  embedding: openEmbedding, memory: openMemory, ffn: openFeedForward, softmax: openSoftmax };

// theme: () => colours; read: what is pointed at here, to be read out; flow: the drawing that it belongs to. Returns { paint, pick }.
export function makeOpened(root, data, theme, store, wide, read, flow) {
  let picked = null, shown = null;

  const paint = (view, before) => {
    const panel = PANELS[view.open];
    root.hidden = !panel;
    if (!panel) { shown = null; return root.replaceChildren(); }
    const piece = picked && (picked.side === "source" || picked.index <= view.step) ? picked : { side: "target", index: view.step };
    const body = el("div", { class: "panel" });
    const title = el("div", { class: "title" }, el("h2", {}, data.texts.name[view.open])), what = el("p", {});
    const close = el("button", { type: "button", class: "close", onclick: () => store.set({ open: "" }) }, data.texts.close);
    const link = ([words, page]) =>
      el("button", { type: "button", class: "link", role: "link", onclick: () => store.tell?.("go", page) }, words(data.texts));
    const links = panel.links.map(link);
    title.append(el("span", { class: "links" }, ...links), close, what);
    what.textContent = panel(body, { data, theme: theme(), view, piece, store, wide, read, width: root.clientWidth || 900 });
    const focused = root.querySelector(".close:focus");
    root.replaceChildren(title, body);
    if (focused) close.focus({ preventScroll: true });
    // Both in the window, if they can be: the flow at its top, with all its names, and the open block below it.
    const hidden = root.getBoundingClientRect().bottom > innerHeight;
    if (shown !== view.open && hidden) flow.scrollIntoView({ block: "start", behavior: theme().still ? "auto" : "smooth" });
    shown = view.open;
  };

  return { paint, pick: (side, index) => { picked = { side, index }; } };
}
