// What the player does for the page around it: scales figures in lecture mode, watches the server, hides words to be guessed.

import type { Store } from "../../web/src/ui/store";
import { onKeys } from "../kit/composing";
import { el, setText } from "../kit/dom";
import { closeDialogs } from "../kit/streamlit";

// Hides words in tables written by Python, from this step on.
export function hideWords(from: number, steps: number) {
  const rules = document.querySelector("#viz-guessed") ?? document.head.appendChild(el("style", { id: "viz-guessed" }));
  const hidden = Array.from({ length: steps }, (_, step) => `[data-writes="${step}"]`)
    .slice(from)
    .join(", ");
  setText(rules, hidden && `:is(${hidden}) { visibility: hidden; } :is(${hidden})::before { content: "?"; visibility: visible; }`);
}

const WIDTH = 1280; // px of the window that figures are designed for
const HEIGHT = 720;
// Sets --viz-scale to how much larger the window is.
export function growFigures() {
  const scale = () => {
    const times = Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT));
    document.documentElement.style.setProperty("--viz-scale", times.toFixed(3));
  };
  addEventListener("resize", scale);
  scale();
}

const EVERY = 2500; // ms between checks
const BUSY = 10_000; // ms within which even a busy server answers

// Keeps store.online up to date. alive: address that returns the server's process; known: the process of this session.
export function watchServer(store: Store, alive: string, known: string) {
  const ask = async () => {
    const process = await fetch(alive, { cache: "no-store", signal: AbortSignal.timeout(BUSY) })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => ""); // refused or timed out
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
  // Streamlit opens a dialog when the server is gone; it is closed, since the player says so in a line of its own.
  const laid = () => store.online || closeDialogs();
  new MutationObserver(laid).observe(document.body, { childList: true });
  setTimeout(ask, EVERY);
}

const CONTROL = "button, input, select, textarea, label, summary, [role=slider], [role=option], [role=radio], [role=tab]";

// Tells Python the current view before one of Streamlit's own controls triggers a run.
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

// Whether a key presses or moves the focused control.
const isMoved = (control: Element, key: string) =>
  key === "Enter" || key === " " || (control.matches("[role=slider]") && /^(Arrow|Home|End|Page)/.test(key));
