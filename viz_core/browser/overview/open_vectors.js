// Open blocks that are vectors: embedding + position = input, the memory, the feed-forward, and the last softmax.

import { el } from "../kit/dom.js";
import { fill, number, percent } from "../kit/numbers.js";
import { grouped, lengthOf } from "./data.js";
import { gridOf } from "./prints.js";

const FIRST = 6; // numbers of a vector that are printed

const strip = (values, across, limit, colours, kind, label, from) =>
  el("img", { class: kind, src: gridOf(values, across, limit, colours, from), alt: label });

export function openEmbedding(body, { data, theme, token: { side, index } }) {
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

export function openMemory(body, { data, theme }) {
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
export function openFeedForward(stack) {
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
export function openSoftmax(body, { data, view: { step, predict, revealed } }) {
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
