// What the player does for the page around it: one entry of the browser's history for each view, figures that grow with the window in
// lecture mode, watching whether the server is there, and hiding what is to be guessed.

import { sameParameters } from "../kit/address.js";
import { el, setText } from "../kit/dom.js";
import { isPreview } from "../kit/preview.js";
import type { Store } from "../../web/src/ui/store";

// In tables that Python wrote: what is written at a step from this one on.
export function hideWords(from: number, steps: number) {
  const rules = document.querySelector("#viz-guessed") ?? document.head.appendChild(el("style", { id: "viz-guessed" }));
  const hidden = Array.from({ length: steps }, (_, step) => `[data-writes="${step}"]`)
    .slice(from)
    .join(", ");
  setText(
    rules,
    hidden && `:is(${hidden}) { visibility: hidden; } :is(${hidden})::before { content: "?"; visibility: visible; }`,
  );
}

interface Push {
  (state: unknown, unused: string, url?: string | URL | null): void;
  ours?: { halfway: boolean };
}

export function oneEntryForEachView() {
  const push: Push = history.pushState;
  if (push.ours) return;
  const ours = { halfway: !location.search };
  const once: Push = (state, unused, url) => {
    const next = new URL(url ?? "", location.href);
    // the same address twice: of a run that was interrupted and begins anew; or of a talk's view, whose query may come before
    // the page that it is on
    const isSame =
      sameParameters(next.search, location.search) && (next.pathname === location.pathname || isOfTalk(next.search));
    const again = isPreview() || ours.halfway || intoTalk(location.search) || isSame;
    ours.halfway = next.pathname !== location.pathname && !isSame; // else the query has come already
    return (again ? history.replaceState : push).call(history, state, unused, url);
  };
  once.ours = ours;
  history.pushState = once;
  addEventListener("popstate", () => {
    ours.halfway = false;
  });
}

// The address is that of what is shown: nothing more will be written.
export function addressIsRight() {
  const { ours }: Push = history.pushState;
  if (ours) ours.halfway = false;
}

const isOfTalk = (search: string) => new URLSearchParams(search).has("talk");

function intoTalk(search: string) {
  return isOfTalk(search) && !new URLSearchParams(search).has("text");
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

// Keeps store.online, from now on.
export function watchServer(store: Store, health: string) {
  const ask = async () => {
    const online = await fetch(health, { cache: "no-store", signal: AbortSignal.timeout(EVERY) }).then(
      ({ ok }) => ok,
      () => false, // refused, or no answer in time
    );
    if (online !== store.online) {
      store.online = online;
      store.repaint();
    }
    if (!online) closeDialog();
    setTimeout(ask, EVERY);
  };
  // Streamlit lays a dialog over the page when the server is gone; the player says the same in a line of its own.
  const closeDialog = () => {
    for (const dialog of document.querySelectorAll("[role=dialog]")) {
      if (/connection error/i.test(dialog.textContent ?? ""))
        dialog.querySelector<HTMLElement>("button[aria-label], button")?.click();
    }
  };
  const laid = () => {
    if (!store.online) closeDialog();
  };
  new MutationObserver(laid).observe(document.body, { childList: true });
  setTimeout(ask, EVERY);
}
