// Lines of source code as links (`[data-call]` anywhere on the page), by pointer or by Enter; the highlighted one comes into sight.

import { onKeys } from "../../../viz_core/browser/kit/composing";

// A page that scrolled would take the button away from under a mouse that clicks on; on the stage the buttons stay where they are.
const CLICKED = "html:not([data-lecture]) :is(.st-key-_code_before, .st-key-_code_after) button:hover";

interface Lines extends HTMLElement {
  at?: number;
  keys?: boolean; // whether the last link was followed by the keyboard
  send?: (call: number) => void;
  end?: (() => void) | null;
}

interface Mounted {
  data: [{ at: number; last: number }];
  parentElement: HTMLElement;
  setTriggerValue(name: string, value: number): void;
}

export default function ({ data: [{ at, last }], parentElement, setTriggerValue }: Mounted) {
  const root = parentElement.querySelector<Lines>(".viz-lines");
  if (!root) return;
  root.send = (call) => setTriggerValue("call", call);
  root.end ??= hear(root);
  if (root.keys && at !== root.at) refocus(); // the line that had the focus was drawn anew
  if (root.at !== undefined && at !== root.at && !document.querySelector(CLICKED)) bringIntoSight(last);
  root.at = at;
  return () => {
    if (root.isConnected) return;
    root.end?.();
    root.end = null;
  };
}

function hear(root: Lines) {
  const press = (event: Event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>("[data-call]");
    if (!line) return;
    root.keys = event.type !== "click";
    root.send?.(Number(line.dataset.call));
  };
  document.addEventListener("click", press);
  const end = onKeys(document, (event) => {
    if (event.key === "Enter") press(event);
  });
  return () => {
    document.removeEventListener("click", press);
    end();
  };
}

function refocus(tries = 20) {
  const line = document.querySelector<HTMLElement>("[data-call][aria-current]");
  if (line && document.activeElement === document.body) line.focus();
  if (tries && document.activeElement === document.body) setTimeout(() => refocus(tries - 1), 50);
}

// The last highlighted line of another call, once it is drawn. last: its number in the file.
function bringIntoSight(last: number, tries = 20) {
  const line = [...document.querySelectorAll(".source.near .highlighted")].at(-1);
  if (line?.querySelector("i")?.textContent === String(last)) line.scrollIntoView({ block: "nearest" });
  else if (tries) setTimeout(() => bringIntoSight(last, tries - 1), 50);
}
