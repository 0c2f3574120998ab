// The candidates as a list for keyboard and screen reader; one picks from it as from the bars.

import { el } from "../../../viz_core/browser/kit/dom.js";
import { fill, percent } from "../../../viz_core/browser/kit/numbers.js";
import { signed } from "./shown.js";

// act: as of the bars. Returns { node, paint, clear }.
export function makeList(act) {
  const node = el("ol", { class: "list" });
  let items = [];

  const item = () => {
    const button = el("button", {
      type: "button",
      onclick: () => act.pick(button.at),
      onfocus: () => act.hover(button.at),
      onblur: () => act.hover(null),
    });
    node.append(el("li", {}, button));
    return button;
  };
  const paint = ({ rows }, { about }) => {
    node.setAttribute("aria-label", about.texts.list);
    while (items.length < rows.length) items.push(item());
    while (items.length > rows.length) items.pop().parentNode.remove();
    rows.forEach((row, place) => {
      const text = fill(about.texts.item, {
        rank: row.rankText,
        token: row.label,
        percent: percent(row.p),
        logit: signed(row.logit),
      });
      if (items[place].textContent !== text) items[place].textContent = text;
      items[place].at = row.index;
      items[place].setAttribute("aria-pressed", String(row.picked));
    });
  };
  const clear = () => {
    items = [];
    node.replaceChildren();
  };
  return { node, paint, clear };
}
