// Panel beside the matrix: the arithmetic of one cell, one line more at each stage; and the query's list in the neuron
// view.

import { button, el, setAttributes, setText, td, th, tr } from "../kit/dom.js";
import { fill, minus, percent } from "../kit/numbers.js";
import { canvasPen, sizeCanvas, widestText } from "../kit/pen.js";
import { STAGES } from "../kit/operations.js";
import { MEAN, cellOf, share } from "./data";
import { drawMix, drawParts, drawProduct } from "./vectors.js";

const MOST_PARTS = 10; // so many parts of a derived number are listed
const MOST_HEADS = 16;
const PICK = 42; // px of a line of the lists
const CHROME = 46; // px of a list around its text
const ARROW = 30; // px between the two
const TABLE = 6 * 27 + 8; // px
const LEAST_PICTURE = 76; // px of the bars

// What the panel says of a cell: { kind: "cell", at, rows: [{ stage, name, value }] }, or of a mean or of words
// { kind: "parts", parts, total }.
export function panelOf({ data, selection, view, texts }, [row, column], exact) {
  const queries = selection.rows[row].tokens;
  const keys = selection.columns[column].tokens;
  const { layer, head } = view;
  const mean = view.show === "mean";
  if (!mean && !selection.words) {
    const at = { layer, head, query: queries[0], key: keys[0] };
    return { kind: "cell", at, rows: linesOf(data, texts, { ...cellOf(data, at), ...exact }) };
  }
  const over = (of, some) => share(data.values(layer, of, selection.stage), data.columns, queries, some);
  const heads = () =>
    Array.from({ length: data.heads }, (_, of) => [fill(texts.head, { head: of + 1 }), over(of, keys)]);
  const tokens = () => keys.map((key) => [data.about.columns[key], over(head, [key])]);
  const parts = mean ? heads() : tokens();
  return {
    kind: "parts",
    parts: parts.slice(0, mean ? MOST_HEADS : MOST_PARTS),
    total: mean ? [texts.total_mean, over(MEAN, keys)] : [texts.total_words, over(head, keys)],
    weights: selection.weights,
    limit: selection.weights ? 1 : Math.max(1e-9, ...parts.map(([, value]) => Math.abs(value) || 0)),
  };
}

function linesOf(data, texts, { score, scaled, exp, total, weight, open }) {
  return [
    { stage: "scores", name: texts.line_score, value: minus(score) },
    { stage: "scaled", name: fill(texts.line_scaled, { d_k: data.width }), value: minus(scaled) },
    ...(data.about.kind === "masked"
      ? [{ stage: "mask", name: texts.line_mask, value: open ? texts.line_open : texts.line_closed }]
      : []),
    { stage: "softmax", name: texts.line_exp, value: open ? minus(exp) : "0" },
    { stage: "softmax", name: texts.line_total, value: total ? minus(total) : "0" },
    { stage: "softmax", name: texts.line_weight, value: open ? percent(weight) : texts.masked, bold: true },
  ];
}

function numbered({ place, label }) {
  return `${place}  ${label}`;
}

// The bars of a cell, or of the parts of a derived number.
export function drawNumbers(pen, frame, numbers, box) {
  if (numbers.kind === "parts") drawParts(pen, numbers, frame, box);
  else (frame.view.stage === "mix" ? drawMix : drawProduct)(pen, frame, numbers.at, box);
}

// pick: (query, key) => locks a cell. Returns { element, paint(frame, numbers, place, size) }.
export function mountPanel(texts, pick) {
  const onchange = () => pick(Number(query.value), Number(key.value));
  const query = el("select", { "aria-label": texts.pick_query, onchange });
  const key = el("select", { "aria-label": texts.pick_key, onchange });
  const canvas = el("canvas", { role: "img" });
  const body = el("tbody");
  const table = el("table", { class: "lines" }, body);
  const pair = el("div", { class: "pick" });
  pair.append(el("label", { class: "of-q" }, query), el("span", { "aria-hidden": true }, "→"));
  pair.append(el("label", { class: "of-k" }, key));
  const vectors = el("div", { class: "vectors" }, canvas);
  const element = el("aside", { class: "side", "aria-label": texts.panel }, pair, vectors, table);
  let offered = "";

  const offer = ({ rows, columns, there, thereColumns }, width) => {
    const names = [rows, columns].map((all) => all.map(numbered));
    const wanted = JSON.stringify([names, there, thereColumns, width]);
    if (wanted === offered) return;
    offered = wanted;
    const options = (all) => all.map((one) => el("option", { value: one.tokens[0] }, numbered(one)));
    query.replaceChildren(...options(rows.slice(0, there)));
    key.replaceChildren(...options(columns.slice(0, thereColumns)));
    // Side by side as their texts need it; where both do not fit, one below the other.
    const [first, second] = names.map((all) => CHROME + widestText(all, false));
    pair.classList.toggle("stacked", first + second + ARROW > width);
    pair.style.setProperty("--share", `minmax(0, ${first}fr) auto minmax(0, ${second}fr)`);
  };

  const paint = (frame, numbers, [row, column], { w, h, zoom }) => {
    const { selection, view, marks } = frame;
    const isCell = numbers.kind === "cell";
    offer(selection, w);
    query.value = String(selection.rows[row].tokens[0]);
    key.value = String(selection.columns[column].tokens[0]);
    element.toggleAttribute("data-locked", marks.locked);
    table.hidden = !isCell;
    if (isCell) fillTable(body, numbers.rows, view.stage);
    const picks = pair.classList.contains("stacked") ? 2 * PICK : PICK;
    const high = Math.max(LEAST_PICTURE, h - picks - 4 - (isCell ? TABLE : 0));
    const context = sizeCanvas(canvas, w, high, zoom);
    context.clearRect(0, 0, w, high);
    drawNumbers(canvasPen(context), frame, numbers, { x: 0, y: 0, w, h: high });
    const alt = isCell ? (view.stage === "mix" ? "alt_mix" : "alt_product") : "alt_parts";
    setAttributes(canvas, { "aria-label": texts[alt] });
  };
  return { element, paint };
}

// Lines that are not reached keep their room, so that nothing jumps.
function fillTable(body, rows, stage) {
  while (body.rows.length < rows.length) body.append(tr(th(""), td("")));
  rows.forEach((row, index) => {
    const line = body.rows[index];
    setText(line.cells[0], row.name);
    setText(line.cells[1], row.value);
    line.classList.toggle("later", STAGES.indexOf(row.stage) > STAGES.indexOf(stage));
    line.classList.toggle("now", row.stage === stage);
    line.classList.toggle("result", Boolean(row.bold));
  });
}

// pick: (row) => makes it the one that asks. Returns { element, paint(frame) }.
export function mountQuery(texts, pick) {
  const list = el("select", { "aria-label": texts.pick_query, onchange: () => pick(list.selectedIndex) });
  const arrow = (name, step) => {
    const title = texts[`long_${name}`];
    return button(texts[name], () => pick(list.selectedIndex + step), { title, "aria-label": title });
  };
  const back = arrow("query_back", -1);
  const on = arrow("query_on", 1);
  const element = el("div", { class: "query pick", hidden: true }, back, list, on);
  let offered = "";

  const paint = ({ form, selection, layout, asked }) => {
    element.hidden = form !== "neurons";
    if (element.hidden) return;
    const there = selection.rows.slice(0, selection.there).map(numbered);
    if (there.join("\n") !== offered) {
      offered = there.join("\n");
      list.replaceChildren(...there.map((words) => el("option", {}, words)));
    }
    list.selectedIndex = asked;
    back.disabled = asked === 0;
    on.disabled = asked === there.length - 1;
    const { box, query, labels } = layout;
    Object.assign(element.style, { left: `${box.x}px`, top: `${query.y}px`, width: `${labels - 6}px` });
  };
  return { element, paint };
}
