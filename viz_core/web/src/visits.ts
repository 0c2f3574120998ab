// The address, which is the state. Only this module changes it, on a key, a click, a link or Back; a run of Python is a function of it.
//
// A change of the store (step, layer, head …) shows in the next frame, and the address follows after a rest; Python is told only if it
// has drawn from a changed field, or with the next request. Values that only Python reads (the sentence, a control of a page) need a
// request. A `popstate` event makes Streamlit run another page's script.

import { afterPause, count } from "../../browser/kit/data";
import { repeating } from "../../browser/kit/dom";
import { isPreview } from "../../browser/kit/progress";
import {
  type Address,
  type Beside,
  choicesElsewhere,
  type Drawn,
  isCarried,
  isEverywhere,
  type Leads,
  only,
  parametersOf,
  patched,
  queryOf,
  sameParameters,
  type Texts,
  textsOf,
  writeAddress,
} from "./address";
import type { Changes, Shown, Store, Visits } from "./ui/store";
import { changedFrom, localPart, START, syncedPart, type View } from "./view";

const REST = 250; // ms without a change until the address follows, and Python if necessary
const PATIENCE = 4000; // ms until an unanswered request is repeated
const IMPATIENCE = 900; // the same during a talk, where an audience waits
const LONGER = 2; // factor on the pause each time, since a repetition interrupts the run that would answer
const LATE = 20_000; // ms of such a pause from which on the reader is told, and Streamlit has perhaps lost the messages
const SAID = "_said"; // a parameter for Streamlit only; `session.py` reads it
const STAYS = ["predict", "step", "layer", "head", "token"]; // changes made while another page loads that are kept

// A request without an answer yet. gone: the server that knew the page no longer exists.
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
  let isNew = true; // whether the address of this history entry is not final yet
  let isLate = false; // whether the answer is long overdue
  let isOurs = false; // whether the current `popstate` is our own
  let runs = ""; // path of the page whose script Streamlit runs
  const beside: Beside = { dormant: {}, carried: {}, of: {} };
  const elsewhere = choicesElsewhere();
  const waitingFor: (() => void)[] = [];

  const resting = afterPause(rest, REST);
  const pause = (times: number) => (get().talk ? IMPATIENCE : PATIENCE) * LONGER ** times;
  const asking = repeating(say, () => wanted !== null, pause);
  const shown = () => syncedPart(get().view);
  const isDrawn = () => drawn?.run === run;

  // The shown address, or the requested one with the reader's changes since.
  function now(): Address {
    if (wanted) return { ...wanted, parameters: patched(wanted.parameters, textsOf(changedFrom(since, shown()))) };
    const { path = "", kept = {} } = drawn ?? {};
    return { path, parameters: drawn ? { ...kept, ...parametersOf(get().view, drawn) } : {}, beside: structuredClone(beside) };
  }

  function remember(path: string) {
    if (drawn && !wanted && path !== drawn.path) elsewhere.remember(now(), beside);
  }

  function go(next: Address, gone = false) {
    if (!wanted && location.pathname === drawn?.path) write(); // so that Back leads to the current view
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

  // Whether a newer request has been made since.
  const isOlder = ({ visited, path }: { visited: number; path: string }) =>
    visited < number || (wanted !== null && path !== wanted.path);

  function setWanted(next: Wanted | null) {
    if (Boolean(next) !== Boolean(wanted)) count(next ? 1 : -1);
    wanted = next;
    isLate = false;
    get().repaint();
  }

  function say(times: number) {
    if (!wanted) return;
    isLate = pause(times) > LATE && !document.querySelector(".long-work"); // which the page shows
    get().repaint();
    const { path, parameters, gone } = wanted;
    const extra = { number, ...wanted.beside };
    if (send && !gone && runs === path && drawn?.path === path && !isLate) {
      send("visit", { page: drawn.pages[path], parameters, ...extra });
      return;
    }
    isOurs = true;
    runs = path;
    history.replaceState({}, "", `${path}${queryOf({ ...parameters, [SAID]: JSON.stringify(extra) })}`);
    dispatchEvent(new PopStateEvent("popstate"));
    history.replaceState({}, "", `${path}${queryOf(parameters)}`);
    isOurs = false;
  }

  // Writes the current address, into this history entry or a new one.
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
    if (isFollowed()) resting.begin(); // for changes made meanwhile
  }

  function sync() {
    resting.stop();
    if (!wanted && send && Object.keys(changedFrom(since, shown())).length) go(now());
  }

  // Another server has taken over, which does not know this session.
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
    const next = path === from.path ? from : elsewhere.lead(from, path);
    const { carried, dormant, of } = next.beside ?? { carried: {}, dormant: {}, of: {} };
    if (["text", "target", "model"].some((name) => name in changes)) elsewhere.forget("cell");
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
    const from = now();
    const to = path || from.path;
    remember(to);
    const { lang } = from.parameters;
    go({ path: to, parameters: lang ? { ...parameters, lang } : parameters, beside: null });
  }

  // Takes over Python's view of a run, delivered by the player.
  function adopt(from: Shown) {
    const store = get();
    const isOther = session !== null && from.session !== session;
    session = from.session;
    if (isOther) {
      run = 0;
      if (from.visited < number || !wanted) beginAnew(); // keeps the reader's last changes
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
    settle(); // the run's report may have come before
    for (const act of waitingFor.splice(0)) act();
  }

  // Handles Python's report at the end of a run, or its redirection to another page.
  function onMessage(report: Drawn | Leads, by: typeof send) {
    send = by;
    if ("go" in report) {
      if (report.visited < number) return;
      runs = report.path;
      const order = `${report.session} ${report.visited} ${report.brought}`;
      if (order !== followed) link(report.go, report.parameters); // Streamlit may call twice
      followed = order;
      return;
    }
    if (isOlder(report)) return;
    const requested = { ...(wanted?.beside ?? (wanted ? {} : beside)).dormant, ...(wanted?.parameters ?? drawn?.kept) };
    const isDormant = (name: string) =>
      !isEverywhere(name) && !(name in report.first) && !(name in report.of) && !(name in report.kept);
    beside.dormant = only(requested, isDormant);
    beside.carried = report.carried;
    beside.of = { ...only((wanted?.beside ?? beside).of, (name) => name in beside.dormant), ...report.of };
    drawn = get().drawn = report;
    runs = report.path;
    asking.stop();
    setWanted(null);
    settle();
  }

  function comeBack(event: PopStateEvent) {
    if (isOurs || !drawn) return;
    const { pathname: path, search } = location;
    if (!(path in drawn.pages)) {
      location.reload(); // let the server decide
      return;
    }
    const there = { path, parameters: Object.fromEntries(new URLSearchParams(search)), beside: null };
    if (path !== drawn.path) {
      remember(path);
      isNew = true;
      runs = path; // since Streamlit handles this event, too
      if (wanted) begin(there);
      else {
        wait(there);
        asking.resume(PATIENCE);
      }
      return;
    }
    event.stopImmediatePropagation();
    if (!wanted && sameParameters(search, now().parameters)) return; // a heading within the page
    isNew = true;
    begin(there);
  }

  return {
    adopt,
    ask,
    link,
    onMessage,
    sync,
    settle,
    beginAnew,
    later: resting.begin,
    session: () => session,
    pending: (name) => (wanted && (wanted.path === drawn?.path || isEverywhere(name)) ? wanted.parameters[name] : null) ?? null,
    now: () => now().parameters,
    isKnown: () => !wanted && isDrawn() && !Object.keys(changedFrom(since, shown())).length,
    isLate: () => isLate,
    askAgain: () => wanted && asking.begin(),

    ready(act) {
      if (session === null && !get().theme.ink) waitingFor.push(act);
      else act();
    },

    // For the whole life of the tab.
    install() {
      addEventListener("popstate", comeBack, true); // before Streamlit's handler, except in Chromium, where both act
    },
  };
}
