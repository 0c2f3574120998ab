// An HTML table for each state of the view (step, layer, head …), all sent by Python.

import { readPayload, type Nested, stateOf } from "../../web/src/payload";
import type { Root, Store } from "../../web/src/ui/store";

const MARKED = ["step", "layer", "head", "token"] as const;

/** pieces: HTML; tables: for each table its pieces, by index; by, at: the table of each state, see `States` of payload.ts. */
type About = { pieces: string[]; tables: number[][]; by: string[]; at: Nested<number> };

// payload: from `html_each` in viz_core/app/drawing.py.
export function mountTables(root: Root, payload: Uint8Array, store: Store) {
  let { about } = readPayload<About, never>(payload);
  let drawn = "";
  const show = () => {
    const { view } = store;
    for (const name of MARKED) root.dataset[name] = String(view[name]); // the table's style sheet marks the current row with these
    const html = (about.tables[stateOf(about, view)] ?? []).map((piece) => about.pieces[piece]).join("");
    if (html === drawn) return;
    drawn = html;
    root.replaceChildren(...nodesOfHtml(html));
  };
  show();
  const off = store.subscribe(show);
  return {
    update(next: Uint8Array) {
      ({ about } = readPayload<About, never>(next));
      show();
    },
    destroy: off,
  };
}

const ELEMENTS = new Set("table thead tbody tr th td div span p b i mark small br".split(" "));
const ATTRIBUTES = new Set("class style scope role tabindex colspan rowspan title dir lang".split(" "));

// Parses HTML into allowed nodes; the others are dropped with their content.
function nodesOfHtml(html: string) {
  const { head, body } = new DOMParser().parseFromString(html, "text/html"); // inert: no script runs, nothing is loaded
  return [...head.childNodes, ...body.childNodes].flatMap(sanitized);
}

function sanitized(node: Node): Node[] {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element)) return [];
  if (node.localName === "style") return [styled(node.textContent)];
  if (!ELEMENTS.has(node.localName)) return [];
  const copy = document.createElement(node.localName);
  for (const { name, value } of node.attributes)
    if (ATTRIBUTES.has(name) || name.startsWith("aria-")) copy.setAttribute(name, value);
  copy.append(...[...node.childNodes].flatMap(sanitized));
  return [copy];
}

function styled(text: string) {
  const style = document.createElement("style");
  style.textContent = text;
  return style;
}
