// The parts of the switchboard. The model as a table: a row per layer, the encoder on the left, the decoder on the right,
// with the heads of each attention; a click removes a part or restores it; one Tab stop, inside which the arrow keys move.
// The attention temperature on a logarithmic slider; a token forced at the current step; a word that replaces another.

import { button, el, setAttributes, setText } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";

const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const SET = { layer: "layers", sublayer: "sublayers", head: "heads" }; // of a cell, in the state

// columns: [{ stack, block, kind or null }]; act: { layer(place), sublayer(place), head(place, alone), uniform(kind) };
// corner: the node in its corner. Returns { node, paint }.
export function makeDrawing({ shape: { layers, heads }, columns, texts }, act, corner) {
  const stacks = new Map();
  for (const column of columns) stacks.set(column.stack, [...(stacks.get(column.stack) ?? []), column]);
  const cell = (what, place, facts, words, onclick) => {
    return { what, place, ...facts, button: button(words, onclick, { class: `cell ${what}`, tabindex: "-1" }) };
  };
  const cellsOf = (stack, layer) => {
    const place = `${stack}.${layer}`;
    const cells = [cell("layer", place, { stack, layer }, String(layer + 1), () => act.layer(place))];
    for (const { block, kind } of stacks.get(stack)) {
      const sublayer = `${place}.${block}`;
      const facts = { stack, layer, block, kind };
      cells.push(cell("sublayer", sublayer, facts, "", () => act.sublayer(sublayer)));
      for (let head = 0; kind && head < heads; head += 1) {
        const own = `${kind}.${layer}.${head}`;
        const keep = (event) => act.head(own, event.shiftKey);
        cells.push(cell("head", own, { ...facts, head, sublayer }, String(head + 1), keep));
      }
    }
    return cells;
  };
  const rows = Array.from({ length: Math.max(...Object.values(layers)) }, (_, layer) =>
    [...stacks.keys()].flatMap((stack) => (layer < layers[stack] ? cellsOf(stack, layer) : [])),
  );

  // A row of the grid, with a gap between the stacks. make(stack): its nodes.
  const rowOf = (make) => {
    const gap = () => el("span", { class: "gap", "aria-hidden": true });
    const parts = [...stacks.keys()].flatMap((stack, index) => [...(index ? [gap()] : []), ...make(stack)]);
    return el("div", { role: "row", class: "layer" }, ...parts);
  };
  const header = (stack, kind, span, ...children) => {
    const style = span > 1 ? `grid-column: span ${span}` : null;
    return el("div", { role: "columnheader", class: `${kind} on-${stack}`, style }, ...children);
  };
  const widthOf = ({ kind }) => (kind ? heads + 1 : 1);
  const titleOf = (stack) => {
    const span = stacks.get(stack).reduce((sum, column) => sum + widthOf(column), 1);
    const hint = el("span", { class: "hint" }, texts.hints[stack]);
    return [header(stack, "title", span, el("span", {}, texts.stacks[stack]), hint)];
  };
  const uniform = new Map();
  const nameOf = (column) => {
    const { stack, kind } = column;
    if (!kind) return header(stack, "name", 1, texts.ffn);
    const title = fill(texts.uniform_title, { kind: texts.kinds[kind] });
    const set = button(texts.uniform, () => act.uniform(kind), { class: "set", title, "aria-label": title });
    uniform.set(kind, set);
    return header(stack, "name wide", widthOf(column), el("span", {}, texts.short[kind]), set);
  };
  const namesOf = (stack) => [header(stack, "name", 1, texts.layer), ...stacks.get(stack).map(nameOf)];
  const titles = rowOf(titleOf);
  titles.lastChild.append(corner);
  const widths = [...stacks.values()].map((own) =>
    ["auto", ...own.map(({ kind }) => (kind ? `auto repeat(${heads}, minmax(var(--cell), 1fr))` : "auto"))].join(" "),
  );
  const node = el(
    "div",
    { class: "drawing", role: "grid", "aria-label": texts.drawing, onkeydown: byKey },
    titles,
    rowOf(namesOf),
    ...rows.map((cells) =>
      rowOf((stack) =>
        cells
          .filter((each) => each.stack === stack)
          .map((each) => el("div", { role: "gridcell", class: `on-${stack}` }, each.button)),
      ),
    ),
  );
  node.style.gridTemplateColumns = widths.join(" 0.5rem ");
  let at = [0, 0];

  // [row, column] of a button; null where it is none of the cells.
  function placeOf(target) {
    const row = rows.findIndex((cells) => cells.some((each) => each.button === target));
    return row < 0 ? null : [row, rows[row].findIndex((each) => each.button === target)];
  }

  function byKey(event) {
    const move = MOVES[event.key];
    const from = event.composedPath()[0];
    if (!move || !from.matches(".cell:focus-visible")) return;
    const [row, column] = placeOf(from);
    event.preventDefault();
    stand(
      Math.min(Math.max(row + move[0], 0), rows.length - 1),
      Math.min(Math.max(column + move[1], 0), rows[row].length - 1),
    );
    rows[at[0]][at[1]].button.focus();
  }

  function stand(row, column) {
    rows[at[0]][at[1]].button.tabIndex = -1;
    at = [row, column];
    rows[row][column].button.tabIndex = 0;
  }

  node.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (place) stand(...place);
  });
  stand(0, 0);

  // alone: whether a click on a head keeps that head alone.
  const paint = (state, alone) => {
    const attentions = new Set([...state.only].map((place) => place.slice(0, place.lastIndexOf("."))));
    for (const { what, place, stack, block, kind, sublayer, layer, head, button: node } of rows.flat()) {
      const isHead = what === "head";
      const kept = isHead && state.only.has(place);
      const out = state[SET[what]].has(place);
      const others = isHead && attentions.has(`${kind}.${layer}`) && !kept;
      const gone = what !== "layer" && state.layers.has(`${stack}.${layer}`);
      node.classList.toggle("out", out);
      node.classList.toggle("gone", gone || others || (isHead && state.sublayers.has(sublayer)));
      node.classList.toggle("kept", kept);
      const keeps = alone && isHead;
      const name = fill(texts[keeps ? "keep_head" : `out_${what}`], {
        layer: layer + 1,
        head: head + 1,
        stack: texts.stacks[stack],
        block: texts.kinds[kind] ?? texts.blocks[block],
      });
      setAttributes(node, { "aria-label": name, title: name, "aria-pressed": keeps ? kept : out });
    }
    for (const [kind, set] of uniform) setAttributes(set, { "aria-pressed": state.uniform.has(kind) });
  };
  return { node, paint };
}

const DECADE = 20; // places of the slider for a factor of 10

// change(temperature), once the slider is released. Returns { nodes, paint }.
export function makeTemperature({ temperature: [least, most], texts }, change) {
  const at = (place) => Math.min(Math.max(Number((10 ** (place / DECADE)).toPrecision(2)), least), most);
  const place = (temperature) => Math.round(DECADE * Math.log10(temperature));
  const show = (temperature) => {
    const words = fill(texts.t, { t: temperature });
    setText(value, words, { disabled: temperature === 1 });
    setAttributes(slider, { "aria-valuetext": words });
  };
  const slider = el("input", {
    type: "range",
    min: place(least),
    max: place(most),
    step: 1,
    "aria-label": texts.temperature,
    oninput: () => show(at(Number(slider.value))),
    onchange: () => change(at(Number(slider.value))),
  });
  const value = button("", () => change(1), { class: "t", title: texts.t_back });
  const node = el("label", { class: "temperature" }, el("span", { class: "label" }, texts.temperature_label), slider);
  return {
    nodes: [node, value],
    paint({ temperature }) {
      if (at(Number(slider.value)) !== temperature) slider.value = place(temperature);
      show(temperature);
    },
  };
}

const LONGEST = 60; // characters, as on the Python side

// change(name, map). Returns { nodes, entries, paint(state), step(step) }.
export function makeTyped({ words, texts }, change) {
  let state = null;
  let at = 0;
  const put = (name, index, text) => {
    const typed = [...text.trim()].slice(0, LONGEST).join("").trim();
    if (typed) change(name, new Map([...state[name], [index, typed]].sort(([one], [other]) => one - other)));
  };
  // name: of the edit; index(): which of its entries the form writes; inside: the nodes before its field.
  const form = (name, index, ...inside) => {
    const input = el("input", {
      type: "text",
      class: "typed",
      "aria-label": texts[`${name}_field`],
      placeholder: texts[`${name}_example`],
      autocomplete: "off",
      spellcheck: "false",
    });
    const onsubmit = (event) => {
      event.preventDefault();
      put(name, index(), input.value);
      input.value = "";
    };
    const title = texts[`${name}_do`];
    const submit = el("button", { type: "submit", "aria-label": title, title }, texts.do);
    return el("form", { class: "form", onsubmit }, ...inside, input, submit);
  };
  const label = el("span", { class: "label" });
  const options = words.map((text, index) => el("option", { value: index }, `${index + 1} ${text}`));
  const word = el("select", { "aria-label": texts.swap_word }, ...options);
  const arrow = el("span", { "aria-hidden": true }, "→");
  const swapLabel = el("span", { class: "label" }, texts.swap_label);
  const force = form("force", () => at, label);
  const swap = form("swap", () => Number(word.value), swapLabel, word, arrow);
  const entries = el("span", { class: "entries" });

  const entryOf = (name, index, text) => {
    const entry = fill(texts[`${name}_entry`], { index: index + 1, text, word: words[index] ?? "" });
    const title = fill(texts.undo, { entry });
    const undo = () => change(name, new Map([...state[name]].filter(([other]) => other !== index)));
    const node = button(entry, undo, { class: "entry", title, "aria-label": title });
    node.append(el("span", { "aria-hidden": true }, " ✕"));
    return node;
  };
  const paint = (next) => {
    state = next;
    const all = ["force", "swap"].flatMap((name) =>
      [...state[name]].map(([index, text]) => entryOf(name, index, text)),
    );
    entries.replaceChildren(...all);
  };
  const step = (now) => {
    at = now;
    setText(label, fill(texts.force_label, { step: now + 1 }));
  };
  return { nodes: [force, swap], entries, paint, step };
}
