// Panel of the open block, below the flow: what the block computes, with this sentence's numbers. An attention opens
// into the attention view, which Python shows below; its title and the links to its pages stand here.

import { button, el, td, th, tr } from "../kit/dom.js";
import { fill, grouped, number, percent } from "../kit/numbers.js";
import { gridOf } from "./images.js";

// By the open block. draw(body, scene) fills the panel and returns the sentence above it; links: [words, page] of each.
// Without a drawing: an attention, which Python shows.
const PANELS = {
  encoder: attention("encoder", "self"),
  masked: attention("masked", "masked"),
  cross: attention("cross", "cross"),
  encoder_ffn: feedForward("encoder"),
  embedding: {
    draw: drawEmbedding,
    links: (texts) => ["tokens", "embeddings", "positions"].map((page) => [texts[page], page]),
  },
  memory: { draw: drawMemory, links: (texts) => [[fill(texts.page, { name: texts.qkv }), "qkv?kind=cross"]] },
  ffn: feedForward("decoder"),
  softmax: { draw: drawSoftmax, links: (texts) => [[fill(texts.page, { name: texts.output }), "output"]] },
};

function attention(block, kind) {
  const links = (texts) => [
    [fill(texts.page, { name: texts.name[block] }), `${kind}_attention`],
    [fill(texts.page, { name: texts.qkv }), `qkv?kind=${kind}`],
  ];
  return { links };
}

function feedForward(stack) {
  const draw = (body, scene) => drawFeedForward(stack, body, scene);
  return { draw, links: (texts) => [[texts.residual, `residual?stack=${stack}&show=ffn`]] };
}

// Opens a block, or closes it. Python hears of it at once: it shows the attention view.
export function toggle(store, block) {
  store.set({ open: store.view.open === block ? "" : block });
  store.sync();
}

// flow: the drawing that it belongs to. Returns { paint, pick }.
export function makeOpened(root, data, theme, store, flow) {
  let picked = null;
  let shown = "";
  let left = 0;
  const behavior = theme.still ? "auto" : "smooth";

  const paint = (view) => {
    const panel = PANELS[view.open];
    root.hidden = !panel;
    if (shown && !panel) {
      scroller(flow)?.scrollTo({ top: left, behavior });
      if (root.contains(root.getRootNode().activeElement))
        flow.querySelector(`[data-opens=${shown}]`).focus({ preventScroll: true });
    }
    if (panel) draw(panel, view);
    else root.replaceChildren();
    shown = panel ? view.open : "";
  };

  const draw = ({ draw: fillPanel, links }, view) => {
    const { texts } = data;
    const target = { side: "target", index: view.step };
    const there = picked && (picked.side === "source" || picked.index <= view.step);
    const source = { side: "source", index: picked?.side === "source" ? picked.index : 0 };
    const token = view.open === "encoder_ffn" ? source : there ? picked : target;
    const body = el("div", { class: "panel" });
    const close = button(texts.close, () => toggle(store, view.open), { class: "close" });
    const link = ([words, page]) => button(words, () => store.send("go", page), { class: "link", role: "link" });
    const title = el(
      "div",
      { class: "title" },
      el("h2", {}, texts.name[view.open]),
      // a file of its own has no pages
      el("span", { class: "links" }, ...(store.send ? links(texts).map(link) : [])),
      close,
      el("p", {}, fillPanel?.(body, { data, theme, view, token })),
    );
    const focused = root.querySelector(".close:focus");
    root.replaceChildren(title, body);
    if (focused) close.focus({ preventScroll: true });
    if (!shown) left = scroller(flow)?.scrollTop ?? 0;
    root.classList.toggle("staged", !fillPanel);
    if (!fillPanel) return; // the attention view scrolls into sight by itself
    // and as much of the flow as there is room for
    if (shown !== view.open) root.scrollIntoView({ block: "nearest", behavior });
  };

  const pick = (side, index) => {
    picked = { side, index };
  };
  return { paint, pick };
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

const FIRST = 6; // numbers of a vector that are printed

const picture = (values, across, limit, colours, kind, label, from = -1) =>
  el("img", { class: kind, src: gridOf(values, across, limit, colours, from), alt: label });

function drawEmbedding(body, { data, theme, token: { side, index } }) {
  const { texts, limits, dims } = data;
  const rows = ["embedding", "positions", "input"].map((part) => {
    const vector = data.vector(`${side}_${part}`, index);
    const words = texts.opened[`${part}_row`];
    const printed = [...vector.subarray(0, FIRST)].map((value) => td(number(value), { class: "number" }));
    const strip = td(picture(vector, dims, limits.input, theme.diverging, "vector", words), { class: "fills" });
    return el("tr", { class: part }, th(words), ...printed, td("…"), strip);
  });
  body.append(
    el("table", { class: "sum" }, el("tbody", {}, ...rows)),
    colourKey(theme.diverging, -limits.input, limits.input),
  );
  return fill(texts.opened.embedding_what, { token: data[side][index], dims });
}

function drawMemory(body, { data, theme }) {
  const { texts, limits, dims } = data;
  const rows = data.source.map((label, index) => {
    const vector = data.vector("memory", index);
    const strip = picture(vector, dims, limits.memory, theme.diverging, "vector", label);
    const length = Math.hypot(...vector).toPrecision(3); // ‖x‖₂; derived
    return tr(th(label, { class: "token" }), td(strip, { class: "fills" }), td(length, { class: "number" }));
  });
  const head = el("thead", {}, tr(td(""), td(""), th(texts.opened.length, { scope: "col" })));
  const table = el("table", { class: "vectors" }, head, el("tbody", {}, ...rows));
  body.append(
    el("div", { class: "tall", tabindex: 0, role: "region", "aria-label": texts.scroll }, table),
    colourKey(theme.diverging, -limits.memory, limits.memory),
  );
  return fill(texts.opened.memory_what, { rows: data.S, dims });
}

const LINES = 16; // of a grid

// All numbers of the three vectors; the widths are as their dimensions, so that one sees how much wider the hidden one
// is.
function drawFeedForward(stack, body, { data, theme, view: { layer, step }, token }) {
  const { texts, limits, dims } = data;
  const at = stack === "decoder" ? step : token.index;
  const units = grouped(data.units);
  const firing = data.firing(stack, layer, at);
  const parts = [
    ["in", theme.diverging, -1],
    ["hidden", theme.sequential, 0],
    ["out", theme.diverging, -1],
  ];
  const figures = parts.map(([part, colours, from]) => {
    const vector = data.vector(`${stack}_ffn_${part}`, layer, at);
    const limit = limits[`${stack}_ffn_${part}`];
    const words = fill(texts.opened[`ffn_${part}`], { units, firing, dims });
    const grid = picture(vector, Math.ceil(vector.length / LINES), limit, colours, "grid", words, from);
    const caption = el("figcaption", {}, words, colourKey(colours, from * limit, limit));
    return el("figure", { style: `flex: ${vector.length} 1 0` }, grid, caption);
  });
  body.append(el("div", { class: "grids" }, ...figures));
  const label = (stack === "decoder" ? data.target : data.source)[at];
  return fill(texts.opened.ffn_what, { token: label, layer: layer + 1, dims, units });
}

// One column an operation: the logit, e to its power, its share of the sum; below the bars' tokens all the others
// together.
function drawSoftmax(body, { data, view: { step, predict, revealed } }) {
  const { texts } = data;
  const { bars, written, log_sum: log } = data.steps[step];
  const hidden = predict === "word" && !revealed;
  const sum = Math.exp(log);
  const others = Math.max(
    bars.reduce((rest, [, , , logit]) => rest - Math.exp(logit), sum),
    0,
  );
  const row = (kind, label, ...numbers) =>
    el("tr", { class: kind }, th(label, { class: "token" }), ...numbers.map((words) => td(words, { class: "number" })));
  const rows = bars.map(([label, share, , logit], index) => {
    const kind = index === written && !hidden ? "highlighted" : "";
    return row(kind, hidden ? "?" : label, number(logit), number(Math.exp(logit)), percent(share));
  });
  const rest = fill(texts.opened.softmax_others, { count: grouped(data.vocabulary - bars.length) });
  rows.push(row("others", rest, "", number(others), percent(others / sum)));
  rows.push(row("total", texts.opened.softmax_sum, "", number(sum), percent(1)));
  const heads = ["token", "logit", "power", "share"].map((name) =>
    el("th", { scope: "col" }, ...raised(texts.opened[`softmax_${name}`])),
  );
  const [label, share, , logit] = bars[written];
  const numbers = { logit: number(logit), power: number(Math.exp(logit)), sum: number(sum), share: percent(share) };
  const lines = [[`«${label}»`], raised(fill(texts.opened.softmax_line, numbers))];
  const worked = hidden ? [] : lines.map((words) => el("p", { class: "line" }, ...words));
  const parts = [el("thead", {}, tr(...heads)), el("tbody", {}, ...rows)];
  const table = el("table", { class: "softmax-table" }, ...parts);
  body.append(el("div", { class: "across" }, table, el("div", {}, ...worked)));
  return fill(texts.opened.softmax_what, { vocabulary: grouped(data.vocabulary) });
}

// "e^{z}" with the z raised.
function raised(words) {
  return words.split(/\^\{([^}]*)\}/).map((part, index) => (index % 2 ? el("sup", {}, part) : part));
}

// The end of a scale: two digits that count.
const bound = (value) => String(Number(value.toPrecision(3)));

// Which colour is which number.
function colourKey(colours, low, high) {
  const scale = el("i", { style: `background: linear-gradient(to right, ${colours.join()})` });
  return el("span", { class: "key" }, bound(low), scale, bound(high));
}
