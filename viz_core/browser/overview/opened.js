// Panel of the open block, below the flow: what the block computes, with this sentence's numbers. An attention opens
// into the attention view, which Python shows below; its title and the links to its pages stand here.

import { el } from "../kit/dom.js";
import { fill, grouped, number, percent } from "../kit/numbers.js";
import { lengthOf } from "./data.js";
import { gridOf } from "./images.js";

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

// Opens a block, or closes it. Python hears of it at once: it shows the attention view.
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
    if (panel.staged) return; // the attention view scrolls into sight by itself
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

const FIRST = 6; // numbers of a vector that are printed

const strip = (values, across, limit, colours, kind, label, from) =>
  el("img", { class: kind, src: gridOf(values, across, limit, colours, from), alt: label });

function openEmbedding(body, { data, theme, token: { side, index } }) {
  const { texts, limits, dims } = data;
  const token = data[side][index];
  const rows = ["embedding", "positions", "input"].map((part) => {
    const vector = data.vector(`${side}_${part}`, index);
    const words = texts.opened[`${part}_row`];
    const printed = [...vector.subarray(0, FIRST)].map((value) => el("td", { class: "number" }, number(value)));
    const picture = el("td", { class: "fills" }, strip(vector, dims, limits.input, theme.diverging, "vector", words));
    return el("tr", { class: part }, el("th", { scope: "row" }, words), ...printed, el("td", {}, "…"), picture);
  });
  body.append(
    el("table", { class: "sum" }, el("tbody", {}, ...rows)),
    colourKey(theme.diverging, -limits.input, limits.input),
  );
  return fill(texts.opened.embedding_what, { token, dims });
}
openEmbedding.links = ["tokens", "embeddings", "positions"].map((page) => [(texts) => texts[page], page]);

function openMemory(body, { data, theme }) {
  const { texts, limits, dims } = data;
  const rows = data.source.map((label, index) => {
    const vector = data.vector("memory", index);
    const picture = el("td", { class: "fills" }, strip(vector, dims, limits.memory, theme.diverging, "vector", label));
    return el(
      "tr",
      {},
      el("th", { scope: "row", class: "token" }, label),
      picture,
      el("td", { class: "number" }, lengthOf(vector).toPrecision(3)),
    );
  });
  const head = el("thead", {}, el("tr", {}, el("td"), el("td"), el("th", { scope: "col" }, texts.opened.length)));
  const table = el("table", { class: "vectors" }, head, el("tbody", {}, ...rows));
  body.append(
    el("div", { class: "tall", tabindex: 0, role: "region", "aria-label": texts.scroll }, table),
    colourKey(theme.diverging, -limits.memory, limits.memory),
  );
  return fill(texts.opened.memory_what, { rows: data.S, dims });
}
openMemory.links = [[(texts) => fill(texts.page, { name: texts.qkv }), "qkv?kind=cross"]];

// All numbers of the three vectors; the widths are as their dimensions, so that one sees how much wider the hidden one
// is.
function openFeedForward(stack) {
  const panel = (body, { data, theme, view: { layer, step }, token }) => {
    const { texts, limits, dims, units } = data;
    const lines = 16;
    const at = stack === "decoder" ? step : token.index;
    const firing = data.firing(stack, layer, at);
    const parts = [
      ["in", theme.diverging, -1],
      ["hidden", theme.sequential, 0],
      ["out", theme.diverging, -1],
    ];
    const figures = parts.map(([part, colours, from]) => {
      const name = `${stack}_ffn_${part}`;
      const words = fill(texts.opened[`ffn_${part}`], { units: grouped(units), firing, dims });
      const vector = data.vector(name, layer, at);
      const image = strip(vector, Math.ceil(vector.length / lines), limits[name], colours, "grid", words, from);
      image.style.flexGrow = vector.length;
      return el(
        "figure",
        { style: `flex: ${vector.length} 1 0` },
        image,
        el("figcaption", {}, words, colourKey(colours, from * limits[name], limits[name])),
      );
    });
    body.append(el("div", { class: "grids" }, ...figures));
    const label = (stack === "decoder" ? data.target : data.source)[at];
    return fill(texts.opened.ffn_what, { token: label, layer: layer + 1, dims, units: grouped(units) });
  };
  panel.links = [[(texts) => texts.residual, `residual?stack=${stack}&show=ffn`]];
  return panel;
}

// One column an operation: the logit, e to its power, its share of the sum; below the bars' tokens all the others
// together.
function openSoftmax(body, { data, view: { step, predict, revealed } }) {
  const { texts } = data;
  const { bars, written, log_sum: log } = data.steps[step];
  const hidden = predict === "word" && !revealed;
  const sum = Math.exp(log);
  const wordsOf = (name) => texts.opened[`softmax_${name}`];
  const numberCell = (words) => el("td", { class: "number" }, words);
  const row = (kind, label, ...numbers) =>
    el("tr", { class: kind }, el("th", { scope: "row", class: "token" }, label), ...numbers.map(numberCell));
  const rows = bars.map(([label, share, , logit], index) =>
    row(
      index === written && !hidden ? "highlighted" : "",
      hidden ? "?" : label,
      number(logit),
      number(Math.exp(logit)),
      percent(share),
    ),
  );
  const others = Math.max(sum - bars.reduce((total, [, , , logit]) => total + Math.exp(logit), 0), 0);
  rows.push(
    row(
      "others",
      fill(wordsOf("others"), { count: grouped(data.vocabulary - bars.length) }),
      "",
      number(others),
      percent(others / sum),
    ),
  );
  rows.push(row("total", wordsOf("sum"), "", number(sum), percent(1)));
  const heads = ["token", "logit", "power", "share"].map((name) =>
    el("th", { scope: "col" }, ...raised(wordsOf(name))),
  );
  const [label, share, , logit] = bars[written];
  const worked = fill(wordsOf("line"), {
    logit: number(logit),
    power: number(Math.exp(logit)),
    sum: number(sum),
    share: percent(share),
  });
  const lines = hidden ? [] : [[`«${label}»`], raised(worked)].map((words) => el("p", { class: "line" }, ...words));
  const table = el(
    "table",
    { class: "softmax-table" },
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows),
  );
  body.append(el("div", { class: "across" }, table, el("div", {}, ...lines)));
  return fill(texts.opened.softmax_what, { vocabulary: grouped(data.vocabulary) });
}
openSoftmax.links = [[(texts) => fill(texts.page, { name: texts.output }), "output"]];

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
