// Above the neuron view: which query asks. A list of all there are, and buttons to the one before and after.

import { el } from "../kit/dom.js";
import { numbered } from "./panel.js";

// pick: (row) => makes it the one that asks. Returns { element, paint(frame) }.
export function mountQuery(texts, pick) {
  const list = el("select", { "aria-label": texts.pick_query, onchange: () => pick(list.selectedIndex) });
  const by = (name, step) =>
    el(
      "button",
      {
        type: "button",
        title: texts[`long_${name}`],
        "aria-label": texts[`long_${name}`],
        onclick: () => pick(list.selectedIndex + step),
      },
      texts[name],
    );
  const back = by("query_back", -1);
  const on = by("query_on", 1);
  const element = el("div", { class: "query pick", hidden: true }, back, list, on);
  let options = "";

  const paint = ({ form, selection, layout, asked }) => {
    element.hidden = form !== "neurons";
    if (element.hidden) return;
    const there = selection.rows.slice(0, selection.there).map(numbered);
    const { box, query, labels } = layout;
    if (there.join("\n") !== options) {
      options = there.join("\n");
      list.replaceChildren(...there.map((words) => el("option", {}, words)));
    }
    list.selectedIndex = asked;
    back.disabled = asked === 0;
    on.disabled = asked === there.length - 1;
    Object.assign(element.style, { left: `${box.x}px`, top: `${query.y}px`, width: `${labels - 6}px` });
  };
  return { element, paint };
}
