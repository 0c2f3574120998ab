// On every page, receives what Python reports of the address, and writes it; links that ask for another.

import { isBusy } from "../kit/data";
import type { Store } from "../../web/src/ui/store";
import type { Drawn, Leads } from "../../web/src/address";
import { theStore } from "../../web/src/state";

// Links to pages, which keep the current choices.

// For the whole life of the tab.
export function followLinks(store: Store) {
  const follow = (event: MouseEvent) => {
    const node = event.composedPath().find((target) => target instanceof HTMLElement && target.matches("a.to-page"));
    if (node instanceof HTMLAnchorElement) goTo(store, node, event);
  };
  addEventListener("click", follow, true);
}

function goTo(store: Store, link: HTMLAnchorElement, event: MouseEvent) {
  const page = store.drawn?.pages[link.pathname];
  if (!page || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab
  event.preventDefault();
  store.ask({}, page); // also to this page, which then drops the message about an unknown address
}

type Streamlit = { data: [Drawn | Leads]; setTriggerValue: (event: string, value: unknown) => void };

let isInstalled = false;

export default function ({ data: [data], setTriggerValue }: Streamlit) {
  const store = theStore();
  if (!isInstalled) {
    store.install();
    followLinks(store);
  }
  isInstalled = true;
  store.onMessage(data, setTriggerValue);
  if (!document.documentElement.hasAttribute("data-begun")) begin();
}

// Once what the first run has sent is drawn, the page appears, see frame.css.
function begin() {
  let still = 0; // frames in which the page waited for nothing
  const look = () => {
    still = isBusy() ? 0 : still + 1;
    if (still > 2) document.documentElement.toggleAttribute("data-begun", true);
    else requestAnimationFrame(look);
  };
  look();
}
