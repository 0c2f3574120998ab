// Ribbons of one attention, from the keys to the query that attends to them. A ribbon is as thick as its weight:
// all that enter a row fill the row, for they add up to 1. Under 2 % only the row's three strongest are drawn.

import { svgEl } from "../kit/dom.js";

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
