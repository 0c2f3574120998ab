// What a view shows below its heading: browser-side parts, plotly figures and tables, in the order in which the page drew them.

import type { Root, Store } from "../../web/src/ui/store";
import { el } from "../kit/dom";
import type { Part } from "../kit/payload";
import type { Drawn, FileData, FileView, Texts, Unpack } from "./data";

// A root with the part's style.
export type Room = (name: string, parent: Element) => Root;

interface With {
  room: Room;
  parts: Record<string, Part>;
  unpack: Unpack;
  plotly: FileData["plotly"];
  texts: Texts;
}

type Unpacked = Drawn & { bytes: Uint8Array };

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

// main: where to draw. Returns { unpacked, draw, clear }.
export function makeStage(main: Element, { room, parts, unpack, plotly, texts }: With, store: Store) {
  let mounted: ReturnType<Part["mount"]>[] = [];

  const mount = (name: string, root: Root, bytes: Uint8Array) => {
    const part = (parts[name] as Part).mount(root, bytes, store);
    mounted.push(part);
    return part;
  };

  // Runs plotly's script, which the policy knows by its hash, once a figure needs it.
  async function loadPlotly() {
    if (!globalThis.Plotly && plotly) document.head.append(el("script", {}, decode(await unpack(plotly))));
  }

  // All that drawing a view needs, as a promise: then it is drawn at once.
  async function unpacked(view: FileView) {
    if (view.drawn.some(({ kind }) => kind === "figure")) await loadPlotly();
    return Promise.all(view.drawn.map(async (each) => ({ ...each, bytes: await unpack(each.content) })));
  }

  // Each returns what is to be done once all have their room, if anything.
  const kinds: Record<Drawn["kind"], (drawn: Unpacked) => (() => unknown) | null> = {
    part({ name, address, bytes }) {
      mount(name, Object.assign(room(name, main), { address }), bytes);
      return null;
    },
    html({ bytes }) {
      const table = el("div", { class: "table" });
      table.innerHTML = decode(bytes); // made by our figures, which escape what was typed; the policy lets none of it run
      main.append(table);
      return null;
    },
    tables({ name, bytes }) {
      const node = el("div", { class: `table viz-${name}` });
      main.append(node);
      return () => void mount(name, node, bytes);
    },
    // In the file's own document, as plotly's style sheet is.
    figure({ name, bytes, alone }) {
      const before = main.lastElementChild;
      const isBeside = !alone && before?.className === "beside";
      const row = isBeside ? before : el("div", { class: alone ? "whole" : "beside" });
      const node = el("div", { class: `figure viz-${name}` });
      row.append(el("div", {}, node));
      if (row !== before) main.append(row);
      return () => mount(name, node, bytes).ready?.();
    },
  };

  return {
    unpacked,
    // drawn: from unpacked(view). Returns a promise: everything is there.
    draw(view: FileView, drawn: Unpacked[]) {
      main.toggleAttribute("data-open", view.open);
      const waiting = drawn.map((each) => kinds[each.kind](each));
      if (!drawn.length) main.append(el("p", { class: "only-server" }, texts.only_server));
      else if (!mounted.length && !view.open) main.prepend(el("p", { class: "covered" }, texts.covered));
      main.prepend(el("p", { class: "covered of-figure" }, texts.covered_figure));
      return Promise.all(waiting.map((begin) => begin?.()));
    },
    clear() {
      for (const part of mounted) part.destroy();
      mounted = [];
      store.picture = null;
      main.replaceChildren();
    },
  };
}
