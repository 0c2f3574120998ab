// Which address is shown. The address is the state, and this is its only master: a key, a click, a link or Back changes it here, and
// a run of Python is a function of it.
//
// What the store has (step, layer, head …) shows in the next frame, and the address follows after a rest; Python hears of it only if
// it has drawn something from what changed, or along with what is asked for next. What only Python reads (the sentence, a control of
// a page) is asked for. Streamlit is told of another page by a `popstate`, with which it runs that page's script.

import { afterPause, count } from "../../browser/kit/busy";
import { repeating } from "../../browser/kit/dom";
import { isPreview } from "../../browser/kit/preview";
import {
  type Drawn,
  isCarried,
  isEverywhere,
  type Leads,
  parametersOf,
  sameParameters,
  type Texts,
  textsOf,
  writeAddress,
} from "./address";
import type { Changes, Shown, Store, Visits } from "./ui/store";
import { changedFrom, localPart, START, syncedPart, type View } from "./view";

const REST = 250; // ms without a change until the address follows, and Python where it has to
const PATIENCE = 4000; // ms until what has not come is asked for again
const IMPATIENCE = 900; // the same while a talk is given: somebody waits for it
const LONGER = 2; // times as long each time: that interrupts the run that brings it
const SAID = "_said"; // a parameter of Streamlit's alone; `session.py` reads it
const STAYS = ["predict", "step", "layer", "head", "token"]; // of what was changed while another page was on its way

// Said beside the address, see `Asked` in `session.py`; a link says nothing.
interface Beside {
  dormant: Texts;
  carried: Texts;
  of: Texts;
}

interface Address {
  path: string;
  parameters: Texts;
  beside: Beside | null;
}

// What has been asked for and has not come yet. gone: the server that knew the page is no longer there.
type Wanted = Address & { gone: boolean };

export function visits(get: () => Store): Visits {
  let session: string | null = null;
  let run = 0;
  let number = 0; // of the last visit
  let answered = ""; // the last visit that Python has shown
  let followed = ""; // the last time that Python led to another page
  let drawn: Drawn | null = null;
  let wanted: Wanted | null = null;
  let since = syncedPart(START); // the store's part of what Python knows
  let send: ((event: string, value: unknown) => void) | null = null;
  let isNew = true; // of this entry of the history: it is not yet known what its address will be
  let isOurs = false; // the `popstate` under way
  let runs = ""; // the path of the page whose script Streamlit runs
  const beside: Beside = { dormant: {}, carried: {}, of: {} };
  const left = new Map<string, Record<"parameters" | "of", Texts>>(); // what was chosen on pages, by their paths
  const waitingFor: (() => void)[] = [];

  const resting = afterPause(rest, REST);
  const asking = repeating(
    say,
    () => wanted !== null,
    (times) => (get().talk ? IMPATIENCE : PATIENCE) * LONGER ** times,
  );
  const shown = () => syncedPart(get().view);
  const isDrawn = () => drawn?.run === run;

  // What is shown, or asked for already and what the reader has changed since.
  function now(): Address {
    if (wanted) return { ...wanted, parameters: patched(wanted.parameters, textsOf(changedFrom(since, shown()))) };
    const { path = "", kept = {} } = drawn ?? {};
    return { path, parameters: drawn ? { ...kept, ...parametersOf(get().view, drawn) } : {}, beside: structuredClone(beside) };
  }

  // The same on another page: what holds everywhere, and what was chosen on that page before.
  function leaving(from: Address, path: string): Address {
    const there = left.get(path);
    const parameters = { ...only(from.parameters, isEverywhere), ...there?.parameters };
    const { carried = {}, of = {} } = from.beside ?? {};
    return { path, parameters, beside: { dormant: {}, carried, of: { ...there?.of, ...only(of, isEverywhere) } } };
  }

  // What is chosen on the page that is left.
  function remember(path: string) {
    if (!drawn || wanted || path === drawn.path) return;
    const { parameters } = now();
    const isOwn = (name: string) => !isEverywhere(name);
    left.set(drawn.path, { parameters: only({ ...beside.dormant, ...parameters }, isOwn), of: only(beside.of, isOwn) });
  }

  function go(next: Address, gone = false) {
    if (!wanted && location.pathname === drawn?.path) write(); // Back leads to the view that is left
    const { path, parameters } = next;
    const isThere = location.pathname === path && sameParameters(location.search, parameters);
    const address = `${path}${queryOf(parameters)}`;
    if (isNew || isPreview()) history.replaceState({}, "", address);
    else if (!isThere) history.pushState({}, "", address);
    isNew ||= !isThere;
    begin(next, gone);
  }

  function begin(next: Address, gone = false) {
    number += 1;
    wait(next, gone);
    asking.begin();
  }

  function wait(next: Address, gone = false) {
    resting.stop();
    since = shown();
    setWanted({ ...next, gone });
  }

  // Whether something else has been asked for since.
  const isOlder = ({ visited, path }: { visited: number; path: string }) =>
    visited < number || (wanted !== null && path !== wanted.path);

  function setWanted(next: Wanted | null) {
    if (Boolean(next) !== Boolean(wanted)) count(next ? 1 : -1);
    wanted = next;
    get().repaint();
  }

  function say() {
    if (!wanted) return;
    const { path, parameters, gone } = wanted;
    const said = { number, ...wanted.beside };
    if (drawn && runs === path && !gone && send) {
      send("visit", { page: drawn.pages[path], parameters, ...said });
      return;
    }
    isOurs = true;
    runs = path;
    history.replaceState({}, "", `${path}${queryOf({ ...parameters, [SAID]: JSON.stringify(said) })}`);
    dispatchEvent(new PopStateEvent("popstate"));
    history.replaceState({}, "", `${path}${queryOf(parameters)}`);
    isOurs = false;
  }

  // The address of what is shown, into this entry of the history or into one of its own.
  function write() {
    if (!drawn || wanted) return;
    writeAddress(drawn.path, now().parameters, isNew || isPreview());
    isNew = false;
  }

  function isFollowed() {
    return Object.keys(changedFrom(since, shown())).some((name) => drawn?.follows.includes(name));
  }

  function rest() {
    if (wanted || !isDrawn()) return;
    write();
    if (isFollowed()) sync();
  }

  function settle() {
    if (wanted || !drawn || (!drawn.is_empty && !isDrawn())) return;
    write();
    if (isFollowed()) resting.begin(); // what the reader did meanwhile
  }

  function sync() {
    resting.stop();
    if (!wanted && send && Object.keys(changedFrom(since, shown())).length) go(now());
  }

  // A server has taken over that knows nothing of this session.
  function beginAnew() {
    if (!drawn) return;
    const next = now();
    if (wanted) begin(next, true);
    else go(next, true);
  }

  function ask(changes: Changes, page = "") {
    if (!drawn) return;
    const from = now();
    const path = Object.entries(drawn.pages).find(([, name]) => name === page)?.[0] ?? from.path;
    remember(path);
    const next = path === from.path ? from : leaving(from, path);
    const { carried, dormant, of } = next.beside ?? { carried: {}, dormant: {}, of: {} };
    if (["text", "target", "model"].some((name) => name in changes))
      for (const { parameters } of left.values()) delete parameters.cell;
    for (const [name, text] of Object.entries(changes)) {
      const into = isCarried(name) ? carried : next.parameters;
      delete dormant[name];
      delete of[name];
      if (text === null) delete into[name];
      else into[name] = text;
    }
    go(next);
  }

  function link(path: string, parameters: Texts) {
    const {
      path: here,
      parameters: { lang },
    } = now();
    remember(path || here);
    go({ path: path || here, parameters: lang ? { ...parameters, lang } : parameters, beside: null });
  }

  // What Python shows in a run, as the player brings it.
  function adopt(from: Shown) {
    const store = get();
    const isOther = session !== null && from.session !== session;
    session = from.session;
    if (isOther) {
      run = 0;
      if (from.visited < number || !wanted) beginAnew(); // what the reader did last stays
    }
    if (isOlder(from) || (from.run ?? 0) < run) return;
    run = from.run ?? 0;
    const isOtherPage = from.limits.page !== store.limits.page;
    const isOtherView =
      from.limits.text !== store.limits.text || from.talk?.at !== store.talk?.at || from.talk?.name !== store.talk?.name;
    store.limits = from.limits;
    store.talk = from.talk && { ...from.talk, shown: from.talk.at };
    store.exact = from.exact ?? null;
    const answer = `${session} ${from.visited} ${from.brought}`;
    if (answer !== answered) {
      answered = answer;
      const newer = changedFrom(since, shown());
      const isKept = (name: string) => name === "lecture" || (!isOtherView && (!isOtherPage || STAYS.includes(name)));
      since = syncedPart({ ...START, ...from.view } as View);
      const own = isOtherPage || isOtherView ? { ...START, ...localPart(store.view), playing: "", over: "" } : store.view;
      const patch = { ...own, ...from.view, ...only(newer, isKept) };
      if (isOtherPage || isOtherView) Object.assign(patch, { revealed: false, guess: null });
      store.set(patch, { quiet: true });
    }
    store.set({}, { quiet: true }); // within the new limits
    store.repaint();
    settle(); // of this run Python may have said the address first
    for (const act of waitingFor.splice(0)) act();
  }

  // What Python says of the address, at the end of a run or where that leads to another page.
  function hear(said: Drawn | Leads, by: typeof send) {
    send = by;
    if ("go" in said) {
      if (said.visited < number) return;
      runs = said.path;
      const order = `${said.session} ${said.visited} ${said.brought}`;
      if (order !== followed) link(said.go, said.parameters); // Streamlit may call once more
      followed = order;
      return;
    }
    if (isOlder(said)) return;
    const asked = { ...(wanted?.beside ?? (wanted ? {} : beside)).dormant, ...(wanted?.parameters ?? drawn?.kept) };
    const isDormant = (name: string) => !isEverywhere(name) && !(name in said.first) && !(name in said.of) && !(name in said.kept);
    beside.dormant = only(asked, isDormant);
    beside.carried = said.carried;
    beside.of = { ...only((wanted?.beside ?? beside).of, (name) => name in beside.dormant), ...said.of };
    drawn = get().drawn = said;
    runs = said.path;
    asking.stop();
    setWanted(null);
    settle();
  }

  function comeBack(event: PopStateEvent) {
    if (isOurs || !drawn) return;
    const { pathname: path, search } = location;
    if (!(path in drawn.pages)) {
      location.reload(); // the server says what it makes of it
      return;
    }
    const there = { path, parameters: Object.fromEntries(new URLSearchParams(search)), beside: null };
    if (path !== drawn.path) {
      remember(path);
      isNew = true;
      wait(there);
      asking.resume(PATIENCE); // Streamlit hears it, too
      return;
    }
    event.stopImmediatePropagation();
    if (!wanted && sameParameters(search, now().parameters)) return; // of a heading within the page
    isNew = true;
    begin(there);
  }

  return {
    adopt,
    ask,
    link,
    hear,
    sync,
    settle,
    beginAnew,
    later: resting.begin,
    session: () => session,
    pending: (name) => (wanted && (wanted.path === drawn?.path || isEverywhere(name)) ? wanted.parameters[name] : null) ?? null,
    now: () => now().parameters,
    isKnown: () => !wanted && isDrawn() && !Object.keys(changedFrom(since, shown())).length,
    askAgain: () => wanted && asking.begin(),

    ready(act) {
      if (session === null && !get().theme.ink) waitingFor.push(act);
      else act();
    },

    // For the whole life of the tab.
    install() {
      addEventListener("popstate", comeBack, true); // before Streamlit hears of it
    },
  };
}

const queryOf = (parameters: Texts) => (Object.keys(parameters).length ? `?${new URLSearchParams(parameters)}` : "");

function only<Value>(from: Record<string, Value>, isWanted: (name: string) => boolean): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name)));
}

// An empty text means none: the parameter goes.
function patched(parameters: Texts, changes: Texts): Texts {
  return only({ ...parameters, ...changes }, (name) => !(name in changes) || changes[name] !== "");
}
