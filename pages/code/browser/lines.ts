// Source lines as links (`[data-call]` anywhere on the page), followed by click or Enter; the highlighted one is scrolled into view.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import type { Root, Store } from "../../../viz_core/web/src/ui/store";

// Scrolling would move the button away from under a mouse that clicks it again; in lecture mode the buttons stay where they are.
const CLICKED = "html:not([data-lecture]) :is([data-key=code_before], [data-key=code_after]):hover";

interface Lines {
  at: number; // index of the picked call
  last: number; // number in the file of its last line
  calls: Record<string, string[]>; // a line's call in the first layer → the same call in each layer, as an address names it
}

export function mountLines(_root: Root, { at, calls }: Lines, store: Store) {
  let byKeys = false; // whether the last link was followed by the keyboard
  const press = (event: Event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>("[data-call]");
    if (!line) return;
    byKeys = event.type !== "click";
    const call = calls[line.dataset.call ?? ""]?.[store.view.layer];
    if (call) store.ask({ call });
  };
  document.addEventListener("click", press);
  const end = onKeys(document, (event) => {
    if (event.key === "Enter") press(event);
  });
  return {
    update(next: Lines) {
      if (byKeys && next.at !== at) refocus(); // the line that had the focus was drawn anew
      if (next.at !== at && !document.querySelector(CLICKED)) bringIntoSight(next.last);
      ({ at, calls } = next);
    },
    destroy() {
      document.removeEventListener("click", press);
      end();
    },
  };
}

function refocus(tries = 20) {
  const line = document.querySelector<HTMLElement>("[data-call][aria-current]");
  if (line && document.activeElement === document.body) line.focus();
  if (tries && document.activeElement === document.body) setTimeout(() => refocus(tries - 1), 50);
}

// Scrolls to the last highlighted line of a new call, once it is drawn.
function bringIntoSight(last: number, tries = 20) {
  const line = [...document.querySelectorAll(".source.near .highlighted")].at(-1);
  if (line?.querySelector("i")?.textContent === String(last)) line.scrollIntoView({ block: "nearest" });
  else if (tries) setTimeout(() => bringIntoSight(last, tries - 1), 50);
}
