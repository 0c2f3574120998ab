// An open attention: the weights of one head as a matrix, rows are queries, columns are keys; beside it all heads of the layer.

import { colourAt, inkOn, ladder, pixel } from "../shared/colours.js";
import { el, svgEl } from "../shared/dom.js";
import { fill, percent } from "../shared/numbers.js";
import { gridOf } from "./prints.js";
import { fitted } from "./layout.js";

const CELL = [26, 56], NUMBERS = 34; // px of a cell; from so many on its weight is printed, in %
const LABEL = 18, THUMB = 62, SIDE = [118, 150]; // px of the letters, of a head's picture, of the queries' column
const SINGLE = 1600; // so many weights are cells of their own

const NAME = { self: "encoder", masked: "masked", cross: "cross" };
const PAGE = { self: "self_attention", masked: "masked_attention", cross: "cross_attention" };

export function openAttention(kind) {
  const panel = (body, shown) => {
    const { svg, light, at } = matrix(kind, shown), { read, data, view } = shown, { texts } = data;
    svg.addEventListener("pointermove", (event) => {
      const cell = at(event);
      light(cell);
      read(cell && { kind, ...cell });
    });
    svg.addEventListener("pointerleave", () => {
      light(null);
      read(null);
    });
    const scrolls = el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": texts.scroll }, svg);
    svg.setAttribute("aria-label", fill(texts.opened.matrix_what, { name: texts.name[NAME[kind]], layer: view.layer + 1, head: view.head + 1 }));
    body.append(el("div", { class: "across" }, scrolls, heads(kind, shown)));
    return texts.opened.matrix;
  };
  panel.links = [
    [(texts) => fill(texts.page, { name: texts.name[NAME[kind]] }), PAGE[kind]],
    [(texts) => fill(texts.page, { name: texts.qkv }), `qkv?kind=${kind}`],
  ];
  return panel;
}

// The drawing; light({query, key} or null) enlarges both labels; at(event) is the cell under a pointer, or null.
function matrix(kind, { data, theme, view, wide, width }) {
  const { layer, head, step } = view, columns = data.columns[kind], rows = kind === "self" ? data.S : step + 1;
  const longest = (labels) => Math.max(...labels.map((label) => wide(label, LABEL)));
  const side = Math.min(SIDE[1], Math.max(SIDE[0], longest(data.queries[kind]) + 10)), top = Math.min(130, longest(data.keys[kind]) * 0.72 + 26);
  const thumbs = data.heads > 1 ? 4 * (THUMB + 20) + 24 : 0;
  const cell = Math.min(Math.max(Math.floor((width - side - thumbs - 86) / columns), CELL[0]), CELL[1]);
  const line = Math.min(cell, data.rows[kind] > 6 ? 28 : 36);
  const svg = svgEl("svg", { class: "vm matrix", width: side + columns * cell + 48, height: top + data.rows[kind] * line + 8, role: "img" });
  const grid = svgEl("g", { transform: `translate(${side} ${top})` });
  const sizes = { rows, columns, cell, line }, guess = kind === "cross" && view.predict === "source" && !view.revealed;
  const drawn = { data, kind, weights: data.weights(kind, layer, head), table: ladder(theme.sequential), secret: guess ? step : null };
  if (columns * rows <= SINGLE) cells(grid, { ...drawn, ...sizes });
  else grid.append(picture(drawn.weights.subarray(0, rows * columns), sizes, theme));
  if (kind !== "self" && !guess) grid.append(svgEl("rect", { class: "here", x: -1, y: step * line, width: columns * cell + 2, height: line, rx: 3 }));
  const queries = data.queries[kind].slice(0, rows).map((label, row) => {
    const place = { x: side - 8, y: top + (row + 0.5) * line + 6, "text-anchor": "end", "font-size": LABEL };
    return svgEl("text", { ...place, class: row === step && kind !== "self" ? "token query lit" : "token query" }, fitted(label, LABEL, side - 10, wide));
  });
  const keys = data.keys[kind].map((label, column) => {
    const slanted = `translate(${side + (column + 0.5) * cell + 5} ${top - 8}) rotate(-45)`, there = kind !== "masked" || column <= step;
    return svgEl("text", { transform: slanted, "font-size": LABEL, class: "token key" }, there ? fitted(label, LABEL, 128, wide) : "");
  });
  const { query, key } = data.texts.opened, bold = { x: side - 10, "text-anchor": "end", "font-size": LABEL, "font-weight": 600 };
  svg.append(strokes(side, top, columns * cell, rows * line), svgEl("text", { ...bold, y: top - 32, class: "role-k" }, key),
    svgEl("text", { ...bold, y: top - 8, class: "role-q" }, query), ...queries, ...keys, grid);

  const light = (at) => {
    for (const [nodes, index] of [[queries, at?.query], [keys, at?.key]]) {
      nodes.forEach((node, each) => {
        node.classList.toggle("hot", each === index);
        node.setAttribute("font-size", each === index ? LABEL + 3 : LABEL);
      });
    }
  };
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - side) / cell), row = Math.floor((event.clientY - box.top - top) / line);
    return column >= 0 && column < columns && row >= 0 && row < rows ? { query: row, key: column } : null;
  };
  return { svg, light, at };
}

function cells(grid, { data, kind, weights, rows, columns, cell, line, table, secret }) {
  for (let query = 0; query < rows; query += 1) {
    for (let key = 0; key < columns; key += 1) {
      const weight = weights[query * columns + key], open = data.allowed(kind, query, key) && query !== secret;
      const box = { x: key * cell + 0.5, y: query * line + 0.5, width: cell - 1, height: line - 1 };
      grid.append(svgEl("rect", open ? { ...box, fill: colourAt(table, weight), class: "cell" } : { ...box, class: "hatch" }));
      if (!open || cell < NUMBERS || weight < 0.01) continue;
      const place = { x: (key + 0.5) * cell, y: (query + 0.5) * line + 6, "text-anchor": "middle", "font-size": 16 };
      grid.append(svgEl("text", { ...place, style: `fill: ${inkOn(pixel(table, weight))}` }, percent(weight).replace(" %", "")));
    }
  }
}

// A long sentence: one picture instead of thousands of cells; what is masked is 0 there and stays unpainted.
function picture(weights, { rows, columns, cell, line }, theme) {
  const size = { width: columns * cell, height: rows * line, preserveAspectRatio: "none" };
  return svgEl("image", { href: gridOf(weights, columns, 1, theme.sequential, 0), ...size, class: "print" });
}

// Keys run down into the columns, queries across into the rows.
function strokes(x, y, width, height) {
  const k = svgEl("path", { class: "stroke-k", d: `M${x} ${y - 3}H${x + width}` });
  return svgEl("g", {}, k, svgEl("path", { class: "stroke-q", d: `M${x - 3} ${y}V${y + height}` }));
}

function heads(kind, { data, theme, view, store }) {
  const { layer, head: front, step } = view, { texts } = data, columns = data.columns[kind], rows = kind === "self" ? data.S : step + 1;
  const size = { width: THUMB, height: Math.round((THUMB * rows) / data.rows[kind]) };
  const cards = Array.from({ length: data.heads }, (_, head) => {
    const weights = data.weights(kind, layer, head).subarray(0, rows * columns);
    const image = el("img", { alt: "", src: gridOf(weights, columns, 1, theme.sequential, 0), ...size });
    const act = { "aria-pressed": String(head === front), onclick: () => store.set({ head }) };
    return el("button", { type: "button", class: "head", ...act }, image, el("span", {}, fill(texts.head_of, { head: head + 1 })));
  });
  return el("div", { class: "heads", role: "group", "aria-label": fill(texts.layer_of, { layer: layer + 1, layers: data.layers }) }, ...cards);
}
