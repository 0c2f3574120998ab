// Lines of source code as links (`[data-call]` anywhere on the page), by pointer or by Enter; the highlighted one comes into sight.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import type { Root, Store } from "../../../viz_core/web/src/ui/store";

// A page that scrolled would take the button away from under a mouse that clicks on; on the stage the buttons stay where they are.
const CLICKED = "html:not([data-lecture]) :is([data-key=code_before], [data-key=code_after]):hover";

interface Lines {
  at: number; // the call
  last: number; // of its lines, by its number in the file
  calls: Record<string, string[]>; // of the first layer, where a line leads → the same in each layer, as an address names it
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

// The last highlighted line of another call, once it is drawn.
function bringIntoSight(last: number, tries = 20) {
  const line = [...document.querySelectorAll(".source.near .highlighted")].at(-1);
  if (line?.querySelector("i")?.textContent === String(last)) line.scrollIntoView({ block: "nearest" });
  else if (tries) setTimeout(() => bringIntoSight(last, tries - 1), 50);
}
