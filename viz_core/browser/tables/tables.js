// A table in whatever state the browser shows: what it is at each step, layer or head, Python has sent along.

import { nodesOfHtml } from "../kit/markup.js";
import { readTensors } from "../kit/payload.js";
import { stateOf } from "../kit/states.js";

// payload: of viz_core/app/page.py.
export function mountTables(root, payload, store) {
  let { about } = readTensors(payload);
  let drawn = null;
  const show = () => {
    const html = about.tables[stateOf(about, store.view)];
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
