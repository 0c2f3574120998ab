// Which page is shown, at which address: the browser goes there and writes the address; Streamlit is told of another page as it is
// told of Back, by a `popstate`, with which it runs that page's script and hands it the address. Back within a page is ours alone.

import { count } from "../../browser/kit/busy";
import { repeating } from "../../browser/kit/dom";
import { isPreview } from "../../browser/kit/preview";
import { type Drawn, everywhere, parametersOf, sameParameters, writeAddress } from "./address";
import type { Store } from "./ui/store";

const PATIENCE = 4000; // ms until a page or an address that has not come is asked for again
const SHOWN = "_shown"; // a parameter of Streamlit's alone; `session.py` reads it
const LONGER = 2; // times as long each time: that interrupts the run that brings it

// What has been asked for and has not come yet.
interface Wanted {
  path: string;
  query: string;
  said: string; // to Streamlit in its place, where it may be more
  number: number; // of a visit within a page; 0: Streamlit is told
  gone: string | null; // the session of a server that is no longer there
}

type Sent = Pick<Drawn, "session" | "path" | "visited">;
type Leads = { session: string; go: string; parameters: Record<string, string>; number: number };

let drawn: Drawn | null = null;
let wanted: Wanted | null = null;
let isNew = true; // of this entry of the history: it is not yet known what its address will be
let visits = 0;
let followed = ""; // the last time that Python led to another page
let isOurs = false; // the `popstate` under way
let say: ((event: string, value: unknown) => void) | null = null;

const asking = repeating(
  ask,
  () => wanted !== null,
  (times) => PATIENCE * LONGER ** times,
);

// Whether something else has been asked for since the server drew this.
export function isOlder({ session, path, visited }: Sent) {
  return wanted !== null && (path !== wanted.path || visited < wanted.number || session === wanted.gone);
}

export const isWaiting = () => wanted !== null;

// At the end of a run, or where it leads to another page.
export function hear(store: Store, data: Drawn | Leads, send: typeof say) {
  say = send;
  if ("go" in data) {
    const order = `${data.session} ${data.number}`;
    if (order === followed) return; // Streamlit may call once more
    followed = order;
    if (data.go === wanted?.path) asking.begin();
    else goTo(store, data.go, new URLSearchParams(data.parameters));
    return;
  }
  if (isOlder(data)) return;
  giveUp();
  drawn = store.drawn = data;
  store.repaint(); // the top bar shows what layer and head choose
  store.settle();
}

// What has been asked for is there, or no longer wanted.
export function giveUp() {
  wait(null);
  asking.stop();
}

// The address of what is shown, into this entry of the history or into one of its own.
export function write(store: Store) {
  if (!store.drawn) return;
  writeAddress(store.drawn.path, parametersOf(store.view, store.drawn), isNew || isPreview());
  isNew = false;
}

// Another server has taken over, which knows nothing of this session.
export function beginAnew(store: Store) {
  if (!store.drawn) return;
  if (!wanted) store.settle();
  const query = wanted?.query ?? location.search;
  wait({ path: wanted?.path ?? store.drawn.path, query, said: query, number: 0, gone: store.session() });
  asking.begin();
}

// The server is there again: what it may not have heard is said once more.
export function askAgain() {
  if (wanted) asking.begin();
}

// For the whole life of the tab.
export function installVisits(store: Store) {
  addEventListener("popstate", (event) => comeBack(store, event), true); // before Streamlit hears of it
  addEventListener("click", (event) => follow(store, event), true);
}

// shown: of the page that is left, where Python may not know it.
function goTo(store: Store, path: string, parameters: URLSearchParams, shown: unknown = null) {
  if (!wanted && location.pathname === drawn?.path) write(store); // Back leads to the view that is left
  const query = parameters.size ? `?${parameters}` : "";
  const said = new URLSearchParams(parameters);
  if (shown) said.set(SHOWN, JSON.stringify(shown));
  if (isNew || isPreview()) history.replaceState({}, "", path + query);
  else history.pushState({}, "", path + query);
  want(path, query, { said: said.size ? `?${said}` : "" });
  asking.begin();
}

function want(path: string, query: string, more: Partial<Wanted> = {}) {
  isNew = true;
  wait({ path, query, said: query, number: 0, gone: null, ...more });
}

function wait(next: Wanted | null) {
  if (Boolean(next) !== Boolean(wanted)) count(next ? 1 : -1);
  wanted = next;
}

function comeBack(store: Store, event: PopStateEvent) {
  if (isOurs || !store.drawn) return;
  const { pathname, search } = location;
  if (!(pathname in store.drawn.pages)) {
    location.reload(); // the server says what it makes of it
    return;
  }
  if (pathname !== store.drawn.path) {
    store.leave();
    want(pathname, search); // Streamlit hears it, too
    asking.resume(PATIENCE);
    return;
  }
  event.stopImmediatePropagation();
  if (!wanted && sameParameters(search, parametersOf(store.view, store.drawn))) return; // of a heading within the page
  store.leave();
  visits += 1;
  want(pathname, search, { number: visits });
  asking.begin();
}

// A link to a page keeps what is chosen.
function follow(store: Store, event: MouseEvent) {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.classList.contains("to-page"));
  if (!(link instanceof HTMLAnchorElement) || !store.drawn) return;
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab
  event.preventDefault();
  if (!(link.pathname in store.drawn.pages) || link.pathname === (wanted?.path ?? store.drawn.path)) return;
  goTo(store, link.pathname, everywhere(parametersOf(store.view, store.drawn)), store.shown());
  store.leave();
}

function ask() {
  if (!wanted) return;
  const { path, query, said, number, gone } = wanted;
  if (number && drawn?.path === path && !gone && say) {
    say("visit", { number, parameters: Object.fromEntries(new URLSearchParams(query)) });
    return;
  }
  isOurs = true;
  history.replaceState({}, "", path + said); // a server's first run may have shown another page
  dispatchEvent(new PopStateEvent("popstate"));
  history.replaceState({}, "", path + query);
  isOurs = false;
}
