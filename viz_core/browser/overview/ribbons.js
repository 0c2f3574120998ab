// The ribbons of an attention, from the keys to the query that attends to them. A ribbon is as thick as its weight: all that
// enter a row fill the row, for they add up to 1. Under 2 % only the row's three strongest are drawn.

import { svgEl } from "../kit/dom";
import { ATTENTION_OF } from "../kit/operations";
import { ribbonOutline } from "../lens/travel";
import { KEY_INSET, flowPlan } from "./layout.js";

const OF_TARGET = new Set(["target", "target_input", "ffn"]); // regions
const SPARE = 3; // rows with ribbons above and below those in view
const FAINT = 0.02;
const ALWAYS = 3;
const HAIR = 0.8; // px: thinner cannot be seen

// How much is seen: of the rows, beside the highlighted one in the encoder, beside one that is pointed at; and of a ribbon's
// filling in it.
export const ROWS = { all: 0.3, self: 0.42, beside: 0.13, pointed: 0.1 };
export const FILLS = { all: 0.75, self: 0.5, highlighted: 0.9 };

// Keyed by row and key, updated in place. layout: of the overview; place: {x, end} of this attention; shift: px that the keys
// stand below their rows' own height.
export function makeRibbons(kind) {
  const group = svgEl("g", { class: `ribbons ${kind}` });
  const rows = new Map(); // query → { node, paths: Map key → path }

  // Rows from…to; weightsOf(query): (Tk,); what stands there already changes in place, the rest goes. stamp: another one for
  // other weights or another layout; a row that has it stays as it is.
  const draw = (weightsOf, [from, to], layout, place, stamp, shift = 0) => {
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
      drawRow(row, query, ribbonsOfRow(weightsOf(query), query, layout, place, shift), kind);
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

function drawRow(row, query, ribbons, kind) {
  const seen = new Set(ribbons.map(({ key }) => key));
  for (const [key, path] of row.paths) {
    if (seen.has(key)) continue;
    path.remove();
    row.paths.delete(key);
  }
  for (const ribbon of ribbons) {
    const { key } = ribbon;
    if (!row.paths.has(key)) {
      const path = svgEl("path", {});
      path.viz = { kind, query, key };
      row.paths.set(key, path);
      row.node.append(path);
    }
    row.paths.get(key).setAttribute("d", ribbonOutline(ribbon));
  }
}

// The keys whose ribbons are drawn.
function strong(weights) {
  const order = [...weights.keys()].filter((key) => weights[key] > 0).sort((a, b) => weights[b] - weights[a]);
  return order.filter((key, rank) => rank < ALWAYS || weights[key] >= FAINT);
}

// Those of a query that are drawn, each from the middle of the key's row to its share of the query's row, behind what came
// before it: { query, key, x, end, from, to, size }, where it begins and ends, its middle at both, its thickness.
export function ribbonsOfRow(weights, query, { middle, thick }, { x, end }, shift = 0) {
  const seen = new Set(strong(weights));
  const ribbons = [];
  let sum = 0;
  weights.forEach((weight, key) => {
    const to = middle(query) - thick / 2 + (sum + weight / 2) * thick;
    if (seen.has(key))
      ribbons.push({ query, key, x, end, from: middle(key) + shift, to, size: Math.max(weight * thick, HAIR) });
    sum += weight;
  });
  return ribbons;
}

// How much of a row's ribbons is seen; highlighted: the row that is, or -1; pointed: the one that is pointed at, or null.
export function ribbonAlpha(kind, query, highlighted, pointed) {
  const isLit = query === highlighted;
  const isSelf = kind === "self";
  const filled = isLit ? FILLS.highlighted : isSelf ? FILLS.self : FILLS.all;
  if (query === pointed || (isLit && (isSelf || pointed === null))) return filled;
  if (isSelf && highlighted >= 0) return filled * ROWS.beside;
  if (pointed !== null) return filled * ROWS.pointed;
  return filled * (isSelf ? ROWS.self : ROWS.all);
}

// The rows of an attention that have ribbons: [from, to). inView: of the rows in view.
export function rowsWithRibbons(kind, data, step, [from, to]) {
  const last = kind === "self" ? data.S : step + 1;
  return [Math.min(Math.max(0, from - SPARE), last), Math.min(to + SPARE, last)];
}

// By kind [query, key] of the ribbons that are pointed at: of a token all that enter its row.
export function pointedRibbons(thing, step) {
  if (!thing) return {};
  const { kind, query, key, region, index } = thing;
  if (kind) return { [kind]: [query, key] };
  if (region === "keys" || region === "memory") return { cross: [step, index] };
  return OF_TARGET.has(region) ? { masked: [index], cross: [index] } : { self: [index] };
}

// What the flow draws of an attention, for the lens into which it travels: { panel, view, ribbons, tokens } in px of the flow, as
// `drawTravel` takes them; null for another block. inView: of the rows in view; scrolled: px of the longer side; hides: what the
// step's token looks at across is to be guessed; thing: what is pointed at.
export function flowRibbons(block, { data, at, view: { step, layer, head }, inView, scrolled, hides, thing }) {
  const kind = ATTENTION_OF[block];
  if (!kind) return null;
  const across = hides ? [] : data.weights("cross", layer, head, step);
  const highlighted = kind === "self" ? across.indexOf(Math.max(...across)) : step;
  const [pointed = null] = pointedRibbons(thing, step)[kind] ?? [];
  const { source, target } = at.scrolled(scrolled);
  const rowsAt = (px) => (row) => at.head - px + at.middle(row);
  const [queriesAt, keysAt] = [kind === "self" ? source : target, kind === "masked" ? target : source].map(rowsAt);
  const shift = keysAt(0) - queriesAt(0);
  const place = at.place[kind];
  const layout = { middle: queriesAt, thick: at.thick };
  const ribbons = [];
  const [from, to] = rowsWithRibbons(kind, data, step, inView[kind === "self" ? "source" : "target"]);
  for (let query = from; query < to; query += 1) {
    if (kind === "cross" && hides && query === step) continue;
    const alpha = ribbonAlpha(kind, query, highlighted, pointed);
    const row = ribbonsOfRow(data.weights(kind, layer, head, query), query, layout, place, shift);
    ribbons.push(...row.map((ribbon) => ({ ...ribbon, alpha })));
  }
  const { encoder, decoder, font: size } = at;
  const column = ({ end, width }) => ({ left: end, align: "right", size, max: width, middle: queriesAt });
  const keys = { ...column(decoder.keys), left: decoder.keys.x + KEY_INSET, align: "left", middle: keysAt };
  const query = column((kind === "self" ? encoder : decoder).tokens);
  return {
    panel: flowPlan(at, block, scrolled).focus,
    view: { y: at.head, h: at.view },
    ribbons,
    tokens: { query, key: kind === "cross" ? keys : query },
  };
}
