// A table in whatever state the browser shows: what it is at each step, layer or head, Python has sent along.

import { readPayload, type Nested, stateOf } from "../../web/src/payload";
import type { Root, Store } from "../../web/src/ui/store";

const MARKED = ["step", "layer", "head", "token"] as const;

/** pieces of HTML; of each table which of them; by: names of the view, at: for each of them a list of tables. */
type About = { pieces: string[]; tables: number[][]; by: string[]; at: Nested<number> };

// payload: of `html_each` in viz_core/app/drawing.py.
export function mountTables(root: Root, payload: Uint8Array, store: Store) {
  let { about } = readPayload<About, never>(payload);
  let drawn = "";
  const show = () => {
    const { view } = store;
    for (const name of MARKED) root.dataset[name] = String(view[name]); // by which a table's own style sheet marks what is looked at
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

// Returns the nodes; what is not allowed is left out, with what it holds.
function nodesOfHtml(html: string) {
  const { head, body } = new DOMParser().parseFromString(html, "text/html"); // inert: it runs and loads nothing
  return [...head.childNodes, ...body.childNodes].flatMap(made);
}

function made(node: Node): Node[] {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element)) return [];
  if (node.localName === "style") return [styled(node.textContent)];
  if (!ELEMENTS.has(node.localName)) return [];
  const copy = document.createElement(node.localName);
  for (const { name, value } of node.attributes)
    if (ATTRIBUTES.has(name) || name.startsWith("aria-")) copy.setAttribute(name, value);
  copy.append(...[...node.childNodes].flatMap(made));
  return [copy];
}

function styled(text: string) {
  const style = document.createElement("style");
  style.textContent = text;
  return style;
}
