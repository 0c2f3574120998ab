// An open attention: the weights of one head as a matrix, rows are queries, columns are keys; beside it all heads of the layer.

import { colourAt, inkOn, ladder, pixel } from "../shared/colours.js";
import { el, setAttributes, svgEl } from "../shared/dom.js";
import { fill, percent } from "../shared/numbers.js";
import { gridOf } from "./prints.js";
import { fitted } from "./layout.js";

const CELL = [26, 56], NUMBERS = 34; // px of a cell; from so many on its weight is printed, in %
const LABEL = 18, THUMB = 62;

export function openAttention(kind) {
  const panel = (body, { data, theme, view, store, wide, read, width }) => {
    const { layer, head, step } = view, { texts } = data, columns = data.columns[kind];
    const rows = kind === "self" ? data.S : step + 1, guess = kind === "cross" && view.predict === "source" && !view.revealed;
    const weights = data.weights(kind, layer, head), table = ladder(theme.sequential);
    const side = Math.min(150, Math.max(118, Math.max(...data.queries[kind].map((label) => wide(label, LABEL))) + 10));
    const top = Math.min(130, Math.max(...data.keys[kind].map((label) => wide(label, LABEL))) * 0.72 + 26);
    const thumbs = data.heads > 1 ? 4 * (THUMB + 20) + 24 : 0;
    const cell = Math.min(Math.max(Math.floor((width - side - thumbs - 86) / columns), CELL[0]), CELL[1]), line = Math.min(cell, data.rows[kind] > 6 ? 28 : 36);
    const svg = svgEl("svg", { class: "vm matrix", width: side + columns * cell + 48, height: top + data.rows[kind] * line + 8, role: "img",
      "aria-label": fill(texts.opened.matrix_what, { name: texts.name[kind === "self" ? "encoder" : kind], layer: layer + 1, head: head + 1 }) });
    const grid = svgEl("g", { transform: `translate(${side} ${top})` });
    const queries = data.queries[kind].slice(0, rows).map((label, row) =>
      svgEl("text", { x: side - 8, y: top + (row + 0.5) * line + 6, "text-anchor": "end", "font-size": LABEL, class: `token query ${row === step && kind !== "self" ? "lit" : ""}` }, fitted(label, LABEL, side - 10, wide)));
    const keys = data.keys[kind].map((label, column) => svgEl("text", { transform: `translate(${side + (column + 0.5) * cell + 5} ${top - 8}) rotate(-45)`, "font-size": LABEL,
      class: "token key" }, kind === "masked" && column > step ? "" : fitted(label, LABEL, 128, wide))); // not there yet
    if (columns * rows <= 1600) cells(grid, { data, kind, weights, rows, columns, cell, line, table, guess, step });
    else grid.append(picture(weights.subarray(0, rows * columns), rows, columns, cell, line, theme));
    if (kind !== "self" && !guess) grid.append(svgEl("rect", { class: "here", x: -1, y: step * line, width: columns * cell + 2, height: line, rx: 3 }));
    const corner = [["role-k", texts.opened.key, top - 32], ["role-q", texts.opened.query, top - 8]].map(([role, words, y]) =>
      svgEl("text", { x: side - 10, y, "text-anchor": "end", "font-size": LABEL, "font-weight": 600, class: role }, words));
    svg.append(strokes(side, top, columns * cell, rows * line), ...corner, ...queries, ...keys, grid);
    let hot = [];
    const light = (nodes) => {
      for (const node of hot) { node.classList.remove("hot"); node.setAttribute("font-size", LABEL); }
      hot = nodes.filter(Boolean);
      for (const node of hot) { node.classList.add("hot"); node.setAttribute("font-size", LABEL + 3); }
    };
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect(), key = Math.floor((event.clientX - box.left - side) / cell), query = Math.floor((event.clientY - box.top - top) / line);
      const inside = key >= 0 && key < columns && query >= 0 && query < rows;
      light(inside ? [queries[query], keys[key]] : []);
      read(inside ? { kind, query, key } : null);
    });
    svg.addEventListener("pointerleave", () => { light([]); read(null); });
    body.append(el("div", { class: "across" }, el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": texts.scroll }, svg), heads(kind, { data, theme, view, store, rows })));
    return texts.opened.matrix;
  };
  panel.links = [[(texts) => fill(texts.page, { name: texts.name[kind === "self" ? "encoder" : kind] }), { self: "self_attention", masked: "masked_attention", cross: "cross_attention" }[kind]],
    [(texts) => fill(texts.page, { name: texts.qkv }), `qkv?kind=${kind}`]];
  return panel;
}

function cells(grid, { data, kind, weights, rows, columns, cell, line, table, guess, step }) {
  for (let query = 0; query < rows; query += 1) {
    for (let key = 0; key < columns; key += 1) {
      const allowed = data.allowed(kind, query, key), weight = weights[query * columns + key], secret = guess && query === step;
      const box = { x: key * cell + 0.5, y: query * line + 0.5, width: cell - 1, height: line - 1 };
      const shade = Math.min(1, weight);
      grid.append(svgEl("rect", allowed && !secret ? { ...box, fill: colourAt(table, shade), class: "cell" } : { ...box, class: "hatch" }));
      if (allowed && !secret && cell >= NUMBERS && weight >= 0.01) {
        grid.append(svgEl("text", { x: (key + 0.5) * cell, y: (query + 0.5) * line + 6, "text-anchor": "middle", "font-size": 16, style: `fill: ${inkOn(pixel(table, shade))}` }, percent(weight).replace(" %", "")));
      }
    }
  }
}

// A long sentence: one picture instead of thousands of cells; what is masked is 0 there and stays unpainted.
function picture(weights, rows, columns, cell, line, theme) {
  return svgEl("image", { href: gridOf(weights, columns, 1, theme.sequential, 0), width: columns * cell, height: rows * line, preserveAspectRatio: "none", class: "print" });
}

// Keys run down into the columns, queries across into the rows.
function strokes(x, y, width, height) {
  return svgEl("g", {}, svgEl("path", { class: "stroke-k", d: `M${x} ${y - 3}H${x + width}` }), svgEl("path", { class: "stroke-q", d: `M${x - 3} ${y}V${y + height}` }));
}

function heads(kind, { data, theme, view, store, rows }) {
  const { layer } = view, columns = data.columns[kind];
  const cards = Array.from({ length: data.heads }, (_, head) => {
    const image = el("img", { alt: "", src: gridOf(data.weights(kind, layer, head).subarray(0, rows * columns), columns, 1, theme.sequential, 0), width: THUMB, height: Math.round(THUMB * rows / data.rows[kind]) });
    return el("button", { type: "button", class: "head", "aria-pressed": String(head === view.head), onclick: () => store.set({ head }) }, image, el("span", {}, fill(data.texts.head_of, { head: head + 1 })));
  });
  return el("div", { class: "heads", role: "group", "aria-label": fill(data.texts.layer_of, { layer: layer + 1, layers: data.layers }) }, ...cards);
}
