// A table in whatever state the browser shows: what it is at each step, layer or head, Python has sent along.

import { readPayload } from "../../web/src/payload";
import type { Root, Store } from "../../web/src/ui/store";
import { nodesOfHtml } from "../kit/markup";
import { type Nested, stateOf } from "../kit/states";

const MARKED = ["step", "layer", "head", "token"] as const;

/** pieces of HTML; of each table which of them; by: names of the view, at: for each of them a list of tables. */
interface About {
  pieces: string[];
  tables: number[][];
  by: string[];
  at: Nested<number>;
}

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
