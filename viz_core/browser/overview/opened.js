// What a block computes that is no attention, with this sentence's numbers: its page in the lens. And the pages of the app
// to which each block leads.

import { el, td, th, tr } from "../kit/dom.js";
import { fill, grouped, number, percent } from "../kit/numbers.js";
import { gridOf } from "./images.js";

// By the open block. draw(body, scene) fills the panel and returns the sentence above it; links: [words, page] of each.
// Without a drawing: an attention, which the lens draws.
const PANELS = {
  encoder: attention("self"),
  masked: attention("masked"),
  cross: attention("cross"),
  encoder_ffn: feedForward("encoder"),
  embedding: {
    draw: drawEmbedding,
    links: (texts) => ["tokens", "embeddings", "positions"].map((page) => [texts[page], page]),
  },
  memory: { draw: drawMemory, links: (texts) => [[texts.qkv, "qkv?kind=cross"]] },
  ffn: feedForward("decoder"),
  softmax: { draw: drawSoftmax, links: (texts) => [[texts.output, "output"]] },
};

function attention(kind) {
  return { links: (texts) => [[texts.lens.page, `${kind}_attention`]] };
}

function feedForward(stack) {
  const draw = (body, scene) => drawFeedForward(stack, body, scene);
  return { draw, links: (texts) => [[texts.residual, `residual?stack=${stack}&show=ffn`]] };
}

// Opens a block, or closes it.
export function toggle(store, block) {
  store.set({ open: store.view.open === block ? "" : block, cell: null });
}

// Returns { draw, links, pick, row }.
export function makeOpened(data, theme) {
  let picked = null;

  const tokenOf = (view) => {
    const target = { side: "target", index: view.step };
    const there = picked && (picked.side === "source" || picked.index <= view.step);
    const source = { side: "source", index: picked?.side === "source" ? picked.index : 0 };
    return view.open === "encoder_ffn" ? source : there && !view.playing ? picked : target;
  };

  // Fills an element with the block's page.
  const draw = (root, block, view) => {
    const body = el("div", { class: "panel" });
    const sentence = PANELS[block].draw(body, { data, theme, view, token: tokenOf(view) });
    root.replaceChildren(el("h2", {}, data.texts.name[block]), el("p", {}, sentence), body);
  };

  const links = (block) => PANELS[block].links(data.texts);
  const pick = (side, index) => {
    picked = { side, index };
  };
  // the source token whose feed-forward is shown
  const row = () => (picked?.side === "source" ? picked.index : 0);
  return { draw, links, pick, row };
}

const FIRST = 6; // numbers of a vector that are printed

const picture = (values, across, limit, colours, kind, label, from = -1) =>
  el("img", { class: kind, src: gridOf(values, across, limit, colours, from), alt: label });

function drawEmbedding(body, { data, theme, token: { side, index } }) {
  const { texts, limits, dims } = data;
  const rows = ["embedding", "positions", "input"].flatMap((part) => {
    const vector = data.vector(`${side}_${part}`, index);
    const words = texts.opened[`${part}_row`];
    const printed = [...vector.subarray(0, FIRST)].map((value) => td(number(value), { class: "number" }));
    const image = picture(vector, dims, limits.input, theme.diverging, "vector", words);
    const strip = td(image, { colspan: FIRST + 2 });
    return [el("tr", { class: part }, th(words), ...printed, td("…")), tr(strip)];
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
