// What a view shows below its heading: browser-side parts, plotly figures and tables, in the order in which the page drew them.

import { el } from "../kit/dom";

const decode = (bytes) => new TextDecoder().decode(bytes);

// main: where to draw; room: (name, parent) => a root with the part's style; parts: name → { mount }; unpack: (hash) => a
// promise of bytes; texts: { covered, only_server }. Returns { unpacked, draw, clear }.
export function makeStage(main, { room, parts, unpack, plotly, texts }, store) {
  let mounted = [];

  // Runs plotly's script, which the policy knows by its hash, once a figure needs it.
  async function loadPlotly() {
    if (!globalThis.Plotly) document.head.append(el("script", {}, decode(await unpack(plotly))));
    return globalThis.Plotly;
  }

  // All that drawing a view needs, as a promise: then it is drawn at once.
  async function unpacked(view) {
    if (view.drawn.some(({ kind }) => kind === "figure")) await loadPlotly();
    return Promise.all(view.drawn.map(async (each) => ({ ...each, bytes: await unpack(each.content) })));
  }

  const kinds = {
    part({ name, address, bytes }) {
      const root = room(name, main);
      root.address = address;
      mounted.push(parts[name].mount(root, bytes, store));
    },
    html({ bytes }) {
      const table = el("div", { class: "table" });
      table.innerHTML = decode(bytes); // made by our figures, which escape what was typed; the policy lets none of it run
      main.append(table);
    },
    tables({ name, bytes }) {
      const node = el("div", { class: `table viz-${name}` });
      main.append(node);
      return () => {
        mounted.push(parts[name].mount(node, bytes, store));
      };
    },
    // In the file's own document, as plotly's style sheet is.
    figure({ name, bytes, alone }) {
      const before = main.lastElementChild;
      const row = !alone && before?.className === "beside" ? before : el("div", { class: alone ? "whole" : "beside" });
      const node = el("div", { class: `figure viz-${name}` });
      row.append(el("div", {}, node));
      if (row !== before) main.append(row);
      return () => {
        const part = parts[name].mount(node, bytes, store);
        mounted.push(part);
        return part.ready();
      };
    },
  };

  return {
    unpacked,
    // drawn: from unpacked(view). Returns a promise: everything is there.
    draw(view, drawn) {
      main.toggleAttribute("data-open", view.open);
      const plots = drawn.map((each) => kinds[each.kind](each)).filter(Boolean); // once each has its room
      if (!drawn.length) main.append(el("p", { class: "only-server" }, texts.only_server));
      else if (!mounted.length && !view.open) main.prepend(el("p", { class: "covered" }, texts.covered));
      main.prepend(el("p", { class: "covered of-figure" }, texts.covered_figure));
      return Promise.all(plots.map((plot) => plot()));
    },
    clear() {
      for (const part of mounted) part?.destroy();
      mounted = [];
      store.picture = null;
      main.replaceChildren();
    },
  };
}
