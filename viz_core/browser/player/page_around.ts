// What the player does for the page around it: figures that grow with the window in lecture mode, watching whether the server is
// there, and hiding what is to be guessed.

import type { Store } from "../../web/src/ui/store";
import { onKeys } from "../kit/composing";
import { el, setText } from "../kit/dom";
import { closeDialogs } from "../kit/streamlit";

// In tables that Python wrote: what is written at a step from this one on.
export function hideWords(from: number, steps: number) {
  const rules = document.querySelector("#viz-guessed") ?? document.head.appendChild(el("style", { id: "viz-guessed" }));
  const hidden = Array.from({ length: steps }, (_, step) => `[data-writes="${step}"]`)
    .slice(from)
    .join(", ");
  setText(rules, hidden && `:is(${hidden}) { visibility: hidden; } :is(${hidden})::before { content: "?"; visibility: visible; }`);
}

const WIDTH = 1280;
const HEIGHT = 720; // px of the window for which the figures are drawn
// How much larger the window is than that one, as --viz-scale.
export function growFigures() {
  const scale = () => {
    const times = Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT));
    document.documentElement.style.setProperty("--viz-scale", times.toFixed(3));
  };
  addEventListener("resize", scale);
  scale();
}

const EVERY = 2500; // ms
const BUSY = 10_000; // ms within which a server answers that has much to do

// Keeps store.online, from now on. alive: where the server says which process it is; known: that of this session.
export function watchServer(store: Store, alive: string, known: string) {
  const ask = async () => {
    const process = await fetch(alive, { cache: "no-store", signal: AbortSignal.timeout(BUSY) })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => ""); // refused, or no answer in time
    const online = process !== "";
    if (online !== store.online) {
      store.online = online;
      store.repaint();
      if (online) store.askAgain();
    }
    if (online && process !== known) store.beginAnew();
    known = process || known;
    laid();
    setTimeout(ask, EVERY);
  };
  // Streamlit lays a dialog over the page when the server is gone; the player says the same in a line of its own.
  const laid = () => store.online || closeDialogs();
  new MutationObserver(laid).observe(document.body, { childList: true });
  setTimeout(ask, EVERY);
}

const CONTROL = "button, input, select, textarea, label, summary, [role=slider], [role=option], [role=radio], [role=tab]";

// What one of Streamlit's own controls asks for is of what the reader looks at, so Python hears of that first.
export function tellBeforeControls(store: Store) {
  const tell = (event: Event) => {
    const path = event.composedPath().filter((node) => node instanceof Element);
    const isOurs = path.some((node) => node.matches(".viz-part, .asks, .to-page")); // which say it along with what they ask for
    if (isOurs || !path[0]?.closest(CONTROL)) return;
    if (event instanceof KeyboardEvent && !isMoved(path[0], event.key)) return;
    store.sync();
  };
  for (const name of ["pointerdown", "input", "change"]) addEventListener(name, tell, true);
  onKeys(window, tell, true);
}

// Whether a key presses or moves the control that has the focus, and is not the page's.
const isMoved = (control: Element, key: string) =>
  key === "Enter" || key === " " || (control.matches("[role=slider]") && /^(Arrow|Home|End|Page)/.test(key));
