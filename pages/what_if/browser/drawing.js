// The model as a table: a row per layer, the encoder on the left, the decoder on the right, with the heads of each
// attention. A click removes a part or restores it. One Tab stop, inside which the arrow keys move.

import { el } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";

const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

// columns: [{ stack, block, kind or null }]; act: { layer(place), sublayer(place), head(place, alone), uniform(kind) };
// corner: what stands in its corner. Returns { node, paint }.
export function makeDrawing({ shape: { layers, heads }, columns, texts }, act, corner) {
  const rows = Array.from({ length: layers }, (_, layer) => cellsOf(layer));
  const stacks = [...new Set(columns.map(({ stack }) => stack))];
  const uniform = new Map();
  const widths = stacks.map((stack) =>
    columns
      .filter((column) => column.stack === stack)
      .map(({ kind }) => (kind ? `[handle] auto repeat(${heads}, minmax(1.34rem, 1fr))` : "auto")),
  );
  const node = el("div", { class: "drawing", role: "grid", "aria-label": texts.drawing, onkeydown: byKey });
  node.style.gridTemplateColumns = widths.map((parts) => ["auto", ...parts].join(" ")).join(" 0.5rem ");
  node.append(
    titles(),
    heading(),
    ...rows.map((cells, layer) => el("div", { role: "row", class: "layer" }, ...spread(cells, layer))),
  );
  let at = [0, 0];

  function cellsOf(layer) {
    const cells = [];
    let stack = null;
    for (const column of columns) {
      if (column.stack !== stack)
        cells.push(
          cell("layer", `${column.stack}.${layer}`, column, { layer }, String(layer + 1), () =>
            act.layer(`${column.stack}.${layer}`),
          ),
        );
      stack = column.stack;
      const place = `${stack}.${layer}.${column.block}`;
      cells.push(cell("sublayer", place, column, { layer }, "", () => act.sublayer(place)));
      for (let head = 0; column.kind && head < heads; head += 1) {
        const one = `${column.kind}.${layer}.${head}`;
        cells.push(
          cell("head", one, column, { layer, head }, String(head + 1), (event) => act.head(one, event.shiftKey)),
        );
      }
    }
    return cells;
  }

  function cell(what, place, column, at, sign, onclick) {
    const names = ["cell", what, what === "sublayer" && "handle"].filter(Boolean).join(" ");
    return {
      what,
      place,
      column,
      ...at,
      button: el("button", { type: "button", class: names, tabindex: "-1", onclick }, sign),
    };
  }

  // A row's cells, with a gap between the two stacks.
  function spread(cells) {
    return cells.flatMap(({ what, button, column }, index) => {
      const put = el("div", { role: "gridcell", class: `on-${column.stack}` }, button);
      return what === "layer" && index ? [el("span", { class: "gap", "aria-hidden": "true" }), put] : [put];
    });
  }

  function titles() {
    const parts = stacks.flatMap((stack, index) => {
      const wide =
        1 +
        columns.filter((column) => column.stack === stack).reduce((sum, { kind }) => sum + (kind ? heads + 1 : 1), 0);
      const put = el(
        "div",
        { role: "columnheader", class: `title on-${stack}`, style: `grid-column: span ${wide}` },
        el("span", {}, texts.stacks[stack]),
        el("span", { class: "hint" }, texts.hints[stack]),
      );
      if (index === stacks.length - 1) put.append(corner);
      return index ? [el("span", { class: "gap", "aria-hidden": "true" }), put] : [put];
    });
    return el("div", { role: "row", class: "layer" }, ...parts);
  }

  function heading() {
    const parts = stacks.flatMap((stack, index) => {
      const own = columns.filter((column) => column.stack === stack);
      const gap = index ? [el("span", { class: "gap", "aria-hidden": "true" })] : [];
      return [
        ...gap,
        el("div", { role: "columnheader", class: `name on-${stack}` }, texts.layer),
        ...own.map((column) => nameOf(column)),
      ];
    });
    return el("div", { role: "row", class: "layer" }, ...parts);
  }

  function nameOf({ stack, kind }) {
    if (!kind) return el("div", { role: "columnheader", class: `name on-${stack}` }, texts.ffn);
    const button = el(
      "button",
      {
        type: "button",
        class: "set",
        title: fill(texts.uniform_title, { kind: texts.kinds[kind] }),
        "aria-label": fill(texts.uniform_title, { kind: texts.kinds[kind] }),
        onclick: () => act.uniform(kind),
      },
      texts.uniform,
    );
    uniform.set(kind, button);
    return el(
      "div",
      { role: "columnheader", class: `name wide on-${stack}`, style: `grid-column: span ${heads + 1}` },
      el("span", {}, texts.short[kind]),
      button,
    );
  }

  function byKey(event) {
    const move = MOVES[event.key];
    const from = event.composedPath()[0];
    if (!move || !from.matches(".cell:focus-visible")) return;
    const row = rows.findIndex((cells) => cells.some(({ button }) => button === from));
    const column = rows[row].findIndex(({ button }) => button === from);
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
    const row = rows.findIndex((cells) => cells.some(({ button }) => button === event.target));
    if (row >= 0)
      stand(
        row,
        rows[row].findIndex(({ button }) => button === event.target),
      );
  });
  stand(0, 0);

  // alone: whether a click on a head keeps that one alone.
  const paint = (state, alone) => {
    const attentions = new Set([...state.only].map((place) => place.slice(0, place.lastIndexOf("."))));
    for (const { what, place, column, layer, head, button } of rows.flat()) {
      const gone = what !== "layer" && state.layers.has(`${column.stack}.${layer}`);
      const block = what === "head" && state.sublayers.has(`${column.stack}.${layer}.${column.block}`);
      const others = what === "head" && attentions.has(`${column.kind}.${layer}`) && !state.only.has(place);
      const out = state[{ layer: "layers", sublayer: "sublayers", head: "heads" }[what]].has(place);
      const kept = what === "head" && state.only.has(place);
      button.classList.toggle("out", out);
      button.classList.toggle("gone", gone || block || others);
      button.classList.toggle("kept", kept);
      const keeps = alone && what === "head";
      const values = {
        layer: layer + 1,
        head: head + 1,
        stack: texts.stacks[column.stack],
        block: texts.kinds[column.kind] ?? texts.blocks[column.block],
      };
      const name = fill(texts[keeps ? "keep_head" : `out_${what}`], values);
      button.setAttribute("aria-label", name);
      button.title = name;
      button.setAttribute("aria-pressed", String(keeps ? kept : out));
    }
    for (const [kind, button] of uniform) button.setAttribute("aria-pressed", String(state.uniform.has(kind)));
  };
  return { node, paint };
}
