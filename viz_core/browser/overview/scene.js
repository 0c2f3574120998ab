// What stands behind the rows of the overview: the background, which does not change with the step (lanes, the current
// layer in front of the others, the blocks with their heads, the lines between the stacks), and the ribbons of an attention,
// from the keys to the query that attends to them. A ribbon is as thick as its weight: all that enter a row fill the row, for
// they add up to 1. Under 2 % only the row's three strongest are drawn.

import { setAttributes, svgEl } from "../kit/dom.js";
import { OPENS } from "../kit/operations.js";
import { KINDS } from "./data.js";
import { NEXT_TOP } from "./layout.js";

const box = (x, y, width, height, kind, rx = 6) => svgEl("rect", { x, y, width, height, rx, class: kind });

// What opens as one block.
export function blockGroup(block, ...children) {
  return svgEl("g", { "data-block": block }, ...children);
}

export function drawBack(svg, at, data) {
  const { encoder, decoder, bottom, high } = at;
  svg.replaceChildren(
    definitions(),
    box(encoder.x, 0, encoder.end, high, "lane encoder", 12),
    box(decoder.x, 0, decoder.end - decoder.x, high, "lane decoder", 12),
    ...card(at, encoder, "encoder", bottom),
    ...card(at, decoder, "decoder", bottom),
    ...KINDS.map((kind) => attentionBlock(at, kind, bottom, data.heads)),
    tower(at, encoder.ffn, "encoder_ffn", data.texts.lens.ffn, bottom),
    tower(at, decoder.ffn, "ffn", data.texts.lens.ffn, bottom),
    memoryBus(at),
    toNext(at),
  );
}

function definitions() {
  const tile = { width: 7, height: 7 };
  const style = { id: "vm-hatch", ...tile, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svgEl("defs", {}, svgEl("pattern", style, svgEl("rect", tile), svgEl("path", { d: "M1 0V7" })));
}

// The layer on display; the others stand behind it.
function card({ card: top, deck, decks }, lane, stack, bottom) {
  const { x, end } = lane.card;
  const cards = [];
  for (let behind = decks; behind >= 0; behind -= 1) {
    const kind = behind ? `deck ${stack}` : `card ${stack}`;
    cards.push(box(x + behind * 6, top - behind * deck, end - x - behind * 12, bottom - top + behind * deck, kind, 8));
  }
  return cards;
}

// An attention, its heads as the tabs of a card index; the one on display is highlighted (`highlightTabs`).
function attentionBlock({ place, tabs, tab }, kind, bottom, heads) {
  const { x, end } = place[kind];
  const wide = (end - x) / heads;
  const gap = wide > 8 ? 2 : 0.5;
  const flat = Math.max(wide - gap - 6, 0);
  const up = tab - 2;
  const shape = (index) => `M${x + index * wide + gap / 2} ${tabs + tab + 1}v-${up}q0 -3 3 -3h${flat}q3 0 3 3v${up}z`;
  const all = Array.from({ length: heads }, (_, index) => svgEl("path", { class: "tab", d: shape(index) }));
  return blockGroup(OPENS[kind], ...all, box(x, tabs + tab, end - x, bottom - 4 - tabs - tab, "block", 3));
}

export function highlightTabs(svg, head, heads) {
  svg.querySelectorAll(".tab").forEach((tab, index) => tab.classList.toggle("highlighted", index % heads === head));
}

// A block that works on each row by itself, with the active ones of its hidden units.
function tower({ text, names }, { x, width }, opens, name, bottom) {
  return blockGroup(
    opens,
    box(x, names + text + 8, width, bottom - names - text - 12, "block", 3),
    svgEl(
      "text",
      { x: x + width / 2, y: names + text, "text-anchor": "middle", "font-size": text, "font-weight": 600 },
      name,
    ),
  );
}

// From every row of the memory up, over to the decoder, and down to every key of cross attention.
function memoryBus({ encoder, decoder, head, view }) {
  const from = encoder.memory.end - encoder.memory.width / 2;
  const to = decoder.bus.x + 3;
  const top = 14;
  const over = `Q${from} ${top} ${from + 12} ${top}H${to - 12}Q${to} ${top} ${to} ${top + 12}`;
  const d = `M${from} ${head - 8}V${top + 12}${over}V${head + view - 6}`;
  return blockGroup("memory", svgEl("path", { d, class: "bus", "stroke-width": 3 }));
}

// Out of the decoder, to the next token: dashed where layers come between (`highlightLayer`).
function toNext({ decoder, output }) {
  const y = NEXT_TOP + 16;
  const line = svgEl("path", { class: "wire strong to-next", d: `M${decoder.end} ${y}H${output.x - 10}` });
  const tip = svgEl("path", { class: "end-of-wire", d: `M${output.x - 3} ${y}l-9 -5v10z` });
  return blockGroup("softmax", line, tip);
}

export function highlightLayer(svg, layer, layers) {
  setAttributes(svg.querySelector(".to-next"), { "stroke-dasharray": layer === layers - 1 ? null : "3 3" });
}

const FAINT = 0.02;
const ALWAYS = 3;
const HAIR = 0.8; // px: thinner cannot be seen

// Keyed by row and key, updated in place. layout: of the overview; place: {x, end} of this attention.
export function makeRibbons(kind) {
  const group = svgEl("g", { class: `ribbons ${kind}` });
  const rows = new Map(); // query → { node, paths: Map key → path }

  // Rows from…to; weightsOf(query): (Tk,); what stands there already changes in place, the rest goes. stamp: another one for
  // other weights or another layout; a row that has it stays as it is.
  const draw = (weightsOf, [from, to], layout, place, stamp) => {
    for (const [query, row] of rows) {
      if (query >= from && query < to) continue;
      row.node.remove();
      rows.delete(query);
    }
    for (let query = from; query < to; query += 1) {
      if (!rows.has(query)) {
        const node = svgEl("g", { "data-query": query });
        group.append(node);
        rows.set(query, { node, paths: new Map() });
      }
      const row = rows.get(query);
      if (row.stamp === stamp) continue;
      row.stamp = stamp;
      drawRow(row, query, weightsOf(query), layout, place, kind);
    }
  };

  const highlight = (query) => {
    for (const [index, row] of rows) row.node.classList.toggle("highlighted", index === query);
  };

  // One row, or one ribbon of it, in front of all others; query null: none.
  const point = (query, key = null) => {
    group.classList.toggle("pointed", query !== null);
    for (const [index, { node, paths }] of rows) {
      node.classList.toggle("hot", index === query);
      for (const [column, path] of paths) path.classList.toggle("hot", index === query && column === key);
    }
  };

  return { group, draw, highlight, point };
}

function drawRow(row, query, weights, layout, place, kind) {
  const seen = new Set(strong(weights));
  for (const [key, path] of row.paths) {
    if (seen.has(key)) continue;
    path.remove();
    row.paths.delete(key);
  }
  let sum = 0;
  weights.forEach((weight, key) => {
    if (seen.has(key)) {
      if (!row.paths.has(key)) {
        const path = svgEl("path", {});
        path.viz = { kind, query, key };
        row.paths.set(key, path);
        row.node.append(path);
      }
      row.paths.get(key).setAttribute("d", ribbon(layout, place, query, key, weight, sum));
    }
    sum += weight;
  });
}

// The keys whose ribbons are drawn.
function strong(weights) {
  const order = [...weights.keys()].filter((key) => weights[key] > 0).sort((a, b) => weights[b] - weights[a]);
  return order.filter((key, rank) => rank < ALWAYS || weights[key] >= FAINT);
}

// From the middle of the key's row to its share of the query's row, behind what came before it.
function ribbon({ middle, thick }, { x, end }, query, key, weight, before) {
  const size = Math.max(weight * thick, HAIR);
  const half = size / 2;
  const from = middle(key);
  const to = middle(query) - thick / 2 + (before + weight / 2) * thick;
  const bend = (x + end) / 2;
  const n = (value) => value.toFixed(1);
  const [upper, lower] = [-half, half].map((by) => [n(from + by), n(to + by)]);
  const there = `C${n(bend)} ${upper[0]} ${n(bend)} ${upper[1]} ${n(end)} ${upper[1]}`;
  const andBack = `C${n(bend)} ${lower[1]} ${n(bend)} ${lower[0]} ${n(x)} ${lower[0]}`;
  return `M${n(x)} ${upper[0]}${there}V${lower[1]}${andBack}Z`;
}
