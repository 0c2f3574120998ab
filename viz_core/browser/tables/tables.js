// A table in whatever state the browser shows: what it is at each step, layer or head, Python has sent along.

import { nodesOfHtml } from "../kit/markup.js";
import { readTensors } from "../kit/payload.js";
import { stateOf } from "../kit/states.js";

const MARKED = ["step", "layer", "head", "token"];

// payload: of viz_core/app/page.py.
export function mountTables(root, payload, store) {
  let { about } = readTensors(payload);
  let drawn = null;
  const show = () => {
    const { view } = store;
    for (const name of MARKED) root.dataset[name] = view[name]; // by which a table's own style sheet marks what is looked at
    const html = about.tables[stateOf(about, view)].map((piece) => about.pieces[piece]).join("");
    if (html === drawn) return;
    drawn = html;
    root.replaceChildren(...nodesOfHtml(html));
  };
  show();
  const off = store.subscribe(show);
  return {
    update(next) {
      ({ about } = readTensors(next));
      show();
    },
    destroy: off,
  };
}
