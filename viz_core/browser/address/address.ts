// On every page, receives what Python reports of the address, and writes it; links and buttons that ask for another.

import { isBusy } from "../kit/data";
import type { Changes, Store } from "../../web/src/ui/store";
import type { View } from "../../web/src/view";
import { scroller } from "../kit/streamlit";
import type { Drawn, Leads } from "../../web/src/address";
import { theStore } from "../../web/src/state";

// Links to pages, which keep the current choices, and buttons that ask for another address (`draw_link` in Python).

// For the whole life of the tab.
export function followLinks(store: Store) {
  const follow = (event: MouseEvent) => {
    const node = event.composedPath().find((target) => target instanceof HTMLElement && target.matches("a.to-page, button.asks"));
    if (node instanceof HTMLAnchorElement) goTo(store, node, event);
    else if (node instanceof HTMLElement) press(store, node);
  };
  addEventListener("click", follow, true);
}

function goTo(store: Store, link: HTMLAnchorElement, event: MouseEvent) {
  const page = store.drawn?.pages[link.pathname];
  if (!page || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab
  event.preventDefault();
  store.ask({}, page); // of this page, too, without what was said of an address
}

// asks: changes; each: names of the view, and further changes for each of its states, nested; up: the change shows further up.
function press(store: Store, { dataset: { asks = "{}", each = "[[], {}]", page, up } }: HTMLElement) {
  const [names, states] = JSON.parse(each) as [(keyof View)[], unknown];
  const here = names.reduce((from, name) => (from as unknown[])[Number(store.view[name])], states);
  if (up !== undefined) scroller()?.scrollTo({ top: 0, behavior: store.theme.still ? "instant" : "smooth" });
  store.ask({ ...(JSON.parse(asks) as Changes), ...(here as Changes) }, page);
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
