// The arithmetic of one cell of the attention at the stage that is shown: the locked cell, else what the current row looks at most.
// Its numbers are those that the attention view has.

import { cellOf } from "../attention_view/data.js";
import { mountBelow } from "../kit/below.js";
import { fill, number, percent, threeDigits } from "../kit/numbers.js";
import { greatestOf, readTensors } from "../kit/payload.js";
import { escaped } from "../kit/prose.js";
import { mixTable, softmaxTable, unevenness, unscaled, unscaledTable } from "./tables.js";

const LISTED = { scores: 2, mix: 3 }; // terms of a sum that are written out

// payload: of viz_core/app/attention.py, texts and what stands in their places, whatever the cell.
export function mountAttentionArithmetic(root, payload, store) {
  let { about } = readTensors(payload);
  const below = mountBelow(root, store, (view) => {
    const data = store.given.attention_view;
    return data?.about.kind === about.kind ? sectionsOf(opened(data, view, store.exact), about, view, store.theme) : [];
  });
  return {
    update(next) {
      ({ about } = readTensors(next));
      below.repaint();
    },
    destroy: below.destroy,
  };
}

// The open cell: where it is, its numbers, its row, and the labels of the keys that exist.
function opened(data, view, exact) {
  const { about } = data;
  const rows = about.steps ? view.step + 1 : data.rows;
  const count = about.grows ? Math.min(view.step + 1, data.columns) : data.columns;
  const current = Math.min(about.steps ? view.step : view.token, data.rows - 1);
  const isLocked = view.cell && view.cell[0] < rows && view.cell[1] < count;
  const [layer, head] = [Math.min(view.layer, data.layers - 1), view.head];
  const [query, key] = isLocked ? view.cell : [current, greatestOf(data.raw(layer, head, current))];
  const at = { layer, head, query, key };
  const isExact = exact && Object.entries({ ...at, kind: about.kind }).every(([name, value]) => exact[name] === value);
  const row = (stage) => [...data.values(layer, head, stage).subarray(query * data.columns)].slice(0, count);
  return {
    data,
    at,
    cell: { ...cellOf(data, at), ...(isExact ? sent(exact) : {}) },
    write: data.exact || isExact ? number : threeDigits,
    query: about.writes ? `${about.rows[query]} → ${about.writes[query]}` : about.rows[query],
    keys: about.columns.slice(0, count),
    rows: { scores: row("scores"), scaled: row("scaled"), enters: row("mask"), weights: row("softmax") },
  };
}

// What Python has sent of a cell whose numbers travelled rounded.
function sent(exact) {
  const names = ["score", "scaled", "exp", "total", "weight"].filter((name) => exact[name] !== null);
  return Object.fromEntries(names.map((name) => [name, exact[name]]));
}

function sectionsOf(open, { texts, shared }, view, theme) {
  const { cell, write, query, keys, at } = open;
  const values = {
    ...shared,
    layer: at.layer + 1,
    head: at.head + 1,
    query: escaped(query),
    key: escaped(keys[at.key]),
    i: at.query + 1,
    j: at.key + 1,
    root: number(open.data.root),
    ...Object.fromEntries(["score", "scaled", "exp", "total", "weight"].map((name) => [name, write(cell[name])])),
    percent: percent(cell.weight),
  };
  const arithmetic = (key, more = {}) => ({
    name: "arithmetic",
    heading: fill(texts.heading, values),
    text: fill(texts[key], { ...values, ...more }),
  });
  const table = (name, make) => ({ name, said: [values, keys], nodes: () => make(open, texts, theme) });
  const stages = {
    scores: () => [arithmetic("of_scores", { terms: scoreTerms(open) })],
    scaled: () => {
      const both = unscaled(open);
      return [
        arithmetic("of_scaled"),
        ...(open.data.about.kind === "masked" ? [] : [{ name: "unmasked", text: texts.unmasked }]),
        { name: "unscaled", text: fill(texts.unscaled, { ...values, ...unevenness(both) }) },
        table("unscaled-rows", (...shown) => unscaledTable(both, ...shown)),
      ];
    },
    mask: () => [arithmetic(cell.open ? "of_mask_open" : "of_mask_closed")],
    softmax: () => [arithmetic(cell.open ? "of_softmax" : "of_softmax_masked"), table("softmax-row", softmaxTable)],
    mix: () => {
      return [arithmetic("of_mix", mixOf(open)), table("mix-rows", mixTable)];
    },
  };
  return stages[view.stage]();
}

// The first products of a score, in the order of the dimensions.
function scoreTerms({ data, at }) {
  const [q, k] = ["q", "k"].map((site) => data.vector(site, at.layer, at.head, site === "q" ? at.query : at.key));
  const write = data.exactVectors ? number : threeDigits;
  return sum(
    [...q].map((value, dim) => [value, k[dim]]),
    LISTED.scores,
    write,
  );
}

// The largest terms of the mix in the first dimension.
function mixOf({ data, at, keys }) {
  const weights = [...data.raw(at.layer, at.head, at.query)].slice(0, keys.length);
  const values = data.first("v", at.layer, at.head);
  const order = [...weights.keys()].filter((key) => weights[key] > 0).sort((a, b) => weights[b] - weights[a] || a - b);
  const write = data.exact ? number : threeDigits;
  const terms = sum(
    order.map((key) => [weights[key], values[key]]),
    LISTED.mix,
    write,
  );
  return { terms, mixed: number(data.first("mix", at.layer, at.head)[at.query]) };
}

function sum(pairs, most, write) {
  const terms = pairs.slice(0, most).map((pair) => pair.map((value) => bracketed(write(value))).join(" \\cdot "));
  return [...terms, ...(pairs.length > most ? ["\\cdots"] : [])].join(" + ");
}

function bracketed(text) {
  return text.startsWith("-") ? `(${text})` : text;
}
