// The open block, below the flow: what it computes, with this sentence's numbers. An attention opens into the stage,
// which Python brings below; its title and the ways to its pages stand here.

import { el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { openEmbedding, openFeedForward, openMemory, openSoftmax } from "./open_vectors.js";

const PANELS = {
  encoder: attention("encoder", "self"),
  masked: attention("masked", "masked"),
  cross: attention("cross", "cross"),
  encoder_ffn: openFeedForward("encoder"),
  embedding: openEmbedding,
  memory: openMemory,
  ffn: openFeedForward("decoder"),
  softmax: openSoftmax,
};

function attention(block, kind) {
  const panel = () => "";
  panel.staged = true;
  panel.links = [
    [(texts) => fill(texts.page, { name: texts.name[block] }), `${kind}_attention`],
    [(texts) => fill(texts.page, { name: texts.qkv }), `qkv?kind=${kind}`],
  ];
  return panel;
}

// Opens a block, or closes it. Python hears of it at once: it brings the stage.
export function toggle(store, block) {
  store.set({ open: store.view.open === block ? "" : block });
  store.sync();
}

// theme: () => colours; flow: the drawing that it belongs to. Returns { paint, pick }.
export function makeOpened(root, data, theme, store, flow) {
  let picked = null;
  let shown = "";
  let left = 0;

  const paint = (view) => {
    const panel = PANELS[view.open];
    root.hidden = !panel;
    if (shown && !panel) {
      scroller(flow)?.scrollTo({ top: left, behavior: pace() });
      if (root.contains(root.getRootNode().activeElement))
        flow.querySelector(`[data-opens=${shown}]`).focus({ preventScroll: true });
    }
    if (panel) draw(panel, view);
    else root.replaceChildren();
    shown = panel ? view.open : "";
  };

  const draw = (panel, view) => {
    const target = { side: "target", index: view.step };
    const there = picked && (picked.side === "source" || picked.index <= view.step);
    const source = { side: "source", index: picked?.side === "source" ? picked.index : 0 };
    const token = view.open === "encoder_ffn" ? source : there ? picked : target;
    const body = el("div", { class: "panel" });
    const title = el("div", { class: "title" }, el("h2", {}, data.texts.name[view.open]));
    const what = el("p", {});
    const close = el(
      "button",
      { type: "button", class: "close", onclick: () => toggle(store, view.open) },
      data.texts.close,
    );
    const link = ([words, page]) =>
      el(
        "button",
        { type: "button", class: "link", role: "link", onclick: () => store.send?.("go", page) },
        words(data.texts),
      );
    // a file of its own has no pages
    title.append(el("span", { class: "links" }, ...(store.send ? panel.links.map(link) : [])), close, what);
    what.textContent = panel(body, { data, theme: theme(), view, token });
    const focused = root.querySelector(".close:focus");
    root.replaceChildren(title, body);
    if (focused) close.focus({ preventScroll: true });
    if (!shown) left = scroller(flow)?.scrollTop ?? 0;
    root.classList.toggle("staged", Boolean(panel.staged));
    if (panel.staged) return; // the stage comes into view by itself
    // and as much of the flow as there is room for
    if (shown !== view.open) root.scrollIntoView({ block: "nearest", behavior: pace() });
  };

  const pace = () => (theme().still ? "auto" : "smooth");

  return {
    paint,
    pick: (side, index) => {
      picked = { side, index };
    },
  };
}

// What scrolls the page.
function scroller(node) {
  for (let at = node; at; at = at.parentNode ?? at.host) {
    if (
      at instanceof Element &&
      at.scrollHeight > at.clientHeight &&
      /auto|scroll/.test(getComputedStyle(at).overflowY)
    )
      return at;
  }
  return null;
}
