// Panel beside the matrix: the arithmetic of one cell, one line more at each stage; and the query's list in the neuron
// view.

import { el } from "../kit/dom.js";
import { fill, minus, percent } from "../kit/numbers.js";
import { READABLE, canvasPen, sizeCanvas, textWidth } from "../kit/pen.js";
import { STAGES } from "../kit/store.js";
import { MEAN, cellOf } from "./data.js";
import { drawMix, drawParts, drawProduct } from "./vectors.js";

const MOST_PARTS = 10; // so many parts of a derived number are listed
const PICK = 42;
const CHROME = 46;
const ARROW = 30;
const LEAST_PICTURE = 76; // px: a line of the lists; of a list around its text; between the two; of the bars

// What the panel says of a cell: { kind, rows: [{ stage, name, value }] } or { kind: "parts", parts, total }.
export function panelOf(data, selection, view, texts, place, exact) {
  const [row, column] = place;
  const queries = selection.rows[row].tokens;
  const keys = selection.columns[column].tokens;
  const { layer, head } = view;
  const mean = view.show === "mean";
  if (!mean && !selection.words) {
    const at = { layer, head, query: queries[0], key: keys[0] };
    return {
      kind: "cell",
      at,
      rows: linesOf(data, texts, { ...cellOf(data, layer, head, at.query, at.key), ...exact }),
    };
  }
  const read = (of, query, key) => data.values(layer, of, selection.stage)[query * data.columns + key];
  const over = (of) =>
    selection.words
      ? sum(queries, keys, (query, key) => read(of, query, key)) / queries.length
      : read(of, queries[0], keys[0]);
  const all = mean
    ? Array.from({ length: data.heads }, (_, of) => [fill(texts.head, { head: of + 1 }), over(of)])
    : keys.map((key) => [
        data.about.columns[key],
        sum(queries, [key], (query) => read(head, query, key)) / queries.length,
      ]);
  const limit = selection.weights ? 1 : Math.max(1e-9, ...all.map(([, value]) => Math.abs(value) || 0));
  const name = texts[mean ? "total_mean" : "total_words"];
  return {
    kind: "parts",
    parts: all.slice(0, mean ? 16 : MOST_PARTS),
    total: [name, over(mean ? MEAN : head)],
    weights: selection.weights,
    limit,
  };
}

function sum(queries, keys, value) {
  let total = 0;
  let open = false;
  for (const query of queries)
    for (const key of keys) {
      const one = value(query, key);
      if (Number.isNaN(one)) continue;
      total += one;
      open = true;
    }
  return open ? total : NaN;
}

function linesOf(data, texts, { score, scaled, exp, total, weight, open }) {
  return [
    { stage: "scores", name: texts.line_score, value: minus(score) },
    { stage: "scaled", name: fill(texts.line_scaled, { d_k: data.width }), value: minus(scaled) },
    { stage: "mask", name: texts.line_mask, value: open ? texts.line_open : texts.line_closed, quiet: open },
    { stage: "softmax", name: texts.line_exp, value: open ? minus(exp) : "0" },
    { stage: "softmax", name: texts.line_total, value: total ? minus(total) : "0" },
    { stage: "softmax", name: texts.line_weight, value: open ? percent(weight) : texts.masked, bold: true },
  ];
}

// pick: (query, key) => locks a cell, or null for none. Returns { paint, element }.
export function mountPanel(texts, pick) {
  const query = el("select", { "aria-label": texts.pick_query, onchange: () => locked() });
  const key = el("select", { "aria-label": texts.pick_key, onchange: () => locked() });
  const canvas = el("canvas", { role: "img" });
  const body = el("tbody");
  const table = el("table", { class: "lines" }, body);
  const picture = el("div", { class: "vectors" }, canvas);
  const pair = el(
    "div",
    { class: "pick" },
    el("label", { class: "of-q" }, query),
    el("span", { "aria-hidden": "true" }, "→"),
    el("label", { class: "of-k" }, key),
  );
  const element = el("aside", { class: "side", "aria-label": texts.panel }, pair, picture, table);
  const locked = () => pick(Number(query.value), Number(key.value));
  let options = "";

  const offer = (select, all) => {
    select.replaceChildren(...all.map((one) => el("option", { value: one.tokens[0] }, numbered(one))));
  };
  // Side by side as their texts need it; where both do not fit, one below the other.
  const divide = (rows, columns, width) => {
    const [first, second] = [rows, columns].map(
      (all) => CHROME + Math.max(...all.map((one) => textWidth(numbered(one), READABLE))),
    );
    pair.classList.toggle("stacked", first + second + ARROW > width);
    pair.style.setProperty("--share", `minmax(0, ${first}fr) auto minmax(0, ${second}fr)`);
  };

  return {
    element,
    paint(frame, numbers, place, size) {
      const { selection, view, theme } = frame;
      const there = selection.rows.slice(0, selection.there);
      const keys = selection.columns.slice(0, selection.thereColumns);
      const labels = JSON.stringify([there.map(numbered), keys.map(numbered), selection.rows.map(numbered), size.w]);
      if (labels !== options) {
        options = labels;
        offer(query, there);
        offer(key, keys);
        divide(selection.rows, selection.columns, size.w);
      }
      query.value = String(selection.rows[place[0]].tokens[0]);
      key.value = String(selection.columns[place[1]].tokens[0]);
      element.toggleAttribute("data-locked", frame.marks.locked);
      const cell = numbers.kind === "cell";
      const reached = STAGES.indexOf(view.stage);
      table.hidden = !cell;
      if (cell) grow(body, numbers.rows, reached, view.stage);
      const high = Math.max(
        LEAST_PICTURE,
        size.h - (pair.classList.contains("stacked") ? 2 : 1) * PICK - 4 - (cell ? 6 * 27 + 8 : 0),
      );
      const context = sizeCanvas(canvas, size.w, high, size.zoom);
      const box = { x: 0, y: 0, w: size.w, h: high };
      context.clearRect(0, 0, size.w, high);
      if (!cell) drawParts(canvasPen(context), numbers, { texts, theme }, box);
      else if (view.stage === "mix") drawMix(canvasPen(context), frame, numbers.at, box);
      else drawProduct(canvasPen(context), frame, numbers.at, box);
      canvas.setAttribute("aria-label", texts[cell ? (view.stage === "mix" ? "alt_mix" : "alt_product") : "alt_parts"]);
    },
  };
}

export function numbered({ place, label }) {
  return `${place}  ${label}`;
}

// Lines that are not reached keep their room, so that nothing jumps.
function grow(body, rows, reached, stage) {
  while (body.rows.length < rows.length) body.append(el("tr", {}, el("th", { scope: "row" }), el("td")));
  rows.forEach((row, index) => {
    const line = body.rows[index];
    const [name, value] = line.cells;
    if (name.textContent !== row.name) name.textContent = row.name;
    if (value.textContent !== row.value) value.textContent = row.value;
    line.className = [
      STAGES.indexOf(row.stage) > reached && "later",
      row.stage === stage && "now",
      row.bold && "result",
    ]
      .filter(Boolean)
      .join(" ");
  });
}

// pick: (row) => makes it the one that asks. Returns { element, paint(frame) }.
export function mountQuery(texts, pick) {
  const list = el("select", { "aria-label": texts.pick_query, onchange: () => pick(list.selectedIndex) });
  const by = (name, step) =>
    el(
      "button",
      {
        type: "button",
        title: texts[`long_${name}`],
        "aria-label": texts[`long_${name}`],
        onclick: () => pick(list.selectedIndex + step),
      },
      texts[name],
    );
  const back = by("query_back", -1);
  const on = by("query_on", 1);
  const element = el("div", { class: "query pick", hidden: true }, back, list, on);
  let options = "";

  const paint = ({ form, selection, layout, asked }) => {
    element.hidden = form !== "neurons";
    if (element.hidden) return;
    const there = selection.rows.slice(0, selection.there).map(numbered);
    const { box, query, labels } = layout;
    if (there.join("\n") !== options) {
      options = there.join("\n");
      list.replaceChildren(...there.map((words) => el("option", {}, words)));
    }
    list.selectedIndex = asked;
    back.disabled = asked === 0;
    on.disabled = asked === there.length - 1;
    Object.assign(element.style, { left: `${box.x}px`, top: `${query.y}px`, width: `${labels - 6}px` });
  };
  return { element, paint };
}
