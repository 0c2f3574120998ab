// The store: the current view (step, layer, head, stage …), one per browser tab, shared by all parts of the page.
//
// A change is made at once and painted in the next frame. Once nothing changes any more, the address follows; Python hears of it
// only if it has drawn something from what changed, or else before the next thing that is said to it. What
// Python changes (a widget, a link, Back) is adopted from it.

import params from "viz:params";
import { isOlder, isWaiting, write } from "../../web/src/visits";
import { perFrame, repeating } from "./dom.js";
import { OPENS, afterLast, isLast, operationsOf } from "./operations.js";
import { isAtEnd, walk, walked } from "./walk.js";

const REST = 250; // ms without a change until the address follows, and Python where it has to
const UNDER_WAY = 2000; // ms for which a run that was asked for is waited for: it writes the address itself
const PATIENCE = 4000; // ms until what Python has not confirmed is sent again
// ms until a view of the talk, or a step of the training, is asked for again: in lecture mode somebody waits for it
const IMPATIENCE = 900;
const LONGER = 2; // times as long until it is asked for again: that interrupts the run that brings it
const SETTLED = 400; // ms without another message until a snapshot that was asked for is there to stay
const AGAIN = 60; // ms after a run that has not brought the view of the talk that was asked for
const KEY = Symbol.for("viz_core.store");

// Of this tab alone, neither in the address nor sent to Python. guess: which choice was made of what is to be predicted; over: what lies over the page, "share", "black" or
// "end"; notes: "off" where they were closed; scrub: how far the operation is, 0 to 1, while it is held there.
const HERE = {
  revealed: false,
  guess: null,
  playing: "",
  speed: 1,
  help: false,
  over: "",
  notes: "",
  code: false,
  scrub: null,
};
const START = {
  ...Object.fromEntries(Object.values(params.view).map(({ name, default: usual }) => [name, usual])),
  lecture: false, // a switch, which an address writes as a word
  ...HERE,
};

export function theStore() {
  globalThis[KEY] ??= makeStore();
  return globalThis[KEY];
}

export function makeStore() {
  let view = Object.freeze({ ...START });
  let painted = view;
  let restTimer = 0;
  let session = null;
  let run = 0;
  let asked = -Infinity; // when a run was asked for that has not come yet
  let sent = 0; // the number of the last message, and of the last that Python has confirmed
  let heard = 0;
  let agreed = ""; // null while Back is on its way
  let turned = null; // the view of the talk that Python was asked for and has not brought yet
  let wantedSnapshot = null; // the same of a snapshot of the training
  let settling = 0;
  let left = null; // the cell that was picked at the step that was left, { step, cell }
  const listeners = new Set();
  const waitingFor = [];
  const painting = perFrame(() => {
    const before = painted;
    painted = view;
    for (const fn of [...listeners]) fn(view, before);
  });
  const messages = repeating(
    () => store.send?.("view", store.shown()),
    () => heard < sent && !isWaiting(),
    () => PATIENCE,
  );
  const turns = repeating(
    () => {
      if (store.bring) store.bring(turned.to);
      else store.send?.("talk", { to: turned.to, lecture: turned.lecture });
    },
    () => turned && !isWaiting(),
    (times) => IMPATIENCE * LONGER ** times,
  );
  const snapshots = repeating(
    () => store.send?.("snapshot", wantedSnapshot),
    () => wantedSnapshot !== null && store.limits.snapshot?.at !== wantedSnapshot,
    (times) => IMPATIENCE * LONGER ** times,
  );

  const store = {
    get view() {
      return view;
    },
    limits: {
      page: "",
      text: "",
      steps: 1,
      layers: 1,
      heads: 1,
      tokens: 1,
      walks: "step",
      stages: "",
      cell_of_step: false,
      question: { asked: "word" },
      picked_by: null, // of layer and head, what chooses something; null: see `share`
      fixed: null, // { step, … } that no key changes: what is on the page would not follow
    },
    theme: {},
    online: true,
    // { at, shown, titles, … } while a talk is given: at is the view that was asked for, shown the one that is there,
    // from 0
    talk: null,
    given: {}, // what parts have read of their payloads, by their names
    picture: null, // the part of the page that can be saved, see offerPicture
    share: null, // { link, … } of the view that Python knows
    drawn: null, // what Python has drawn from, and what the address is made of, see `address.ts`
    exact: null, // the numbers of the locked cell as the trace has them, once Python has sent them
    guessedRight: false, // whether the last answer to what Predict asks was right
    formulas: "", // where what sets formulas is; a file has none
    plotly: "", // where what draws figures of plotly's is; a file has its own
    notesPage: "", // where the page of the notes window is; a file has none
    notesWindow: null,
    openNotes: null, // opens that window, or says that the browser forbids it; set by the bar
    dismiss: null, // () => closes what lies over the page for a moment, while something does
    choose: null, // (index) => answers what Predict asks, if it asks; set by the player
    send: null, // (name, value) => to Python, set by the player
    bring: null, // (at) => adopts this view of the talk; set by a file that holds all of them

    set(patch, { quiet = false } = {}) {
      const next = { ...view, ...patch };
      // in the encoder, the query of a cell that is locked is the token that one looks at
      if (store.staged() === "self" && next.cell) {
        if (!("token" in patch)) next.token = next.cell[0];
        else if (!("cell" in patch)) next.cell = [next.token, next.cell[1]];
      }
      for (const name of ["step", "layer", "head", "token"])
        next[name] = Math.min(Math.max(Math.round(next[name]) || 0, 0), store.limits[`${name}s`] - 1);
      if (["self", "cross"].includes(store.staged()) && next.stage === "mask") next.stage = "scaled"; // nothing is masked there
      Object.assign(next, store.limits.fixed);
      if (!next.open) next.code = false; // which is a block's
      if (store.limits.cell_of_step && next.step !== view.step && !("cell" in patch)) {
        // it goes with its step, and comes back with it
        if (view.cell) left = { step: view.step, cell: view.cell };
        next.cell = left?.step === next.step ? left.cell : null;
      } else if ("cell" in patch) left = null;
      if (next.step !== view.step && !("revealed" in patch)) next.revealed = false;
      if (["step", "layer", "head", "predict"].some((name) => next[name] !== view[name]) && !("guess" in patch))
        next.guess = null;
      const changed = Object.keys(next).filter((name) => !same(next[name], view[name]));
      if (!changed.length) return;
      view = Object.freeze(next);
      store.repaint();
      if (!quiet && changed.some((name) => !(name in HERE))) later();
    },

    // Calls fn as soon as the view is known: parts of a page may be mounted in any order.
    ready(fn) {
      if (session === null && !store.theme.ink) waitingFor.push(fn);
      else fn();
    },

    // The kind of attention whose stages are on the page, or nothing: limits.stages, or with "open" the open block's.
    staged() {
      const { stages } = store.limits;
      return stages === "open" ? Object.keys(OPENS).find((kind) => OPENS[kind] === view.open) : stages;
    },

    // fn(view, before) at most once for each frame, after all of the frame's changes.
    subscribe(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },

    repaint: painting.soon,

    // What a part has read of its payload, for others.
    give(name, read) {
      store.given[name] = read;
      painting.soon();
    },

    takeBack(name, read) {
      if (store.given[name] === read) delete store.given[name];
    },

    // One press of a clicker: reveals what is hidden, else the next view of the talk, else the next operation where a block
    // of the overview is open, else the next step.
    advance(by) {
      if (view.over === "end") store.set(by < 0 ? { over: "" } : {});
      else if (by > 0 && hides(view)) store.set({ revealed: true });
      else if (store.talk) store.turn(store.talk.at + by);
      else if (store.limits.stages === "open" && view.open) store.operate(by);
      else walk(store, by);
    },

    // One operation on, or back; behind the last one of a step comes the next step.
    operate(by) {
      const { stages } = store.limits;
      const { list, at } = operationsOf(stages, view);
      const isOver = isAtEnd(store) && isLast({ list, at });
      const next = list[at + by] ?? (by > 0 && !isOver ? afterLast(list, walked(store)) : null);
      if (next) store.set(next.open && next.open !== view.open ? { cell: null, ...next } : next);
    },

    // To a view of the talk, counted from 0; past the last one the talk has ended. Shown when Python brings it.
    turn(to) {
      if (to >= store.talk.titles.length) {
        store.set({ over: "end" });
        return;
      }
      const at = Math.max(to, 0);
      store.set({ over: "" });
      if (at === store.talk.at) return;
      clearTimeout(restTimer); // what is not sent yet is of the view that is left
      store.talk = { ...store.talk, at };
      turned = { to: at, lecture: view.lecture };
      turns.begin();
      store.repaint();
    },

    // The model so many snapshots further in its training, or earlier; limits.snapshot is { at, count } where there
    // are any.
    stepSnapshot(by) {
      const { snapshot } = store.limits;
      if (!snapshot) return;
      const from = wantedSnapshot ?? snapshot.at;
      const to = Math.min(Math.max(from + by, 0), snapshot.count - 1);
      if (to === from) return;
      wantedSnapshot = to;
      snapshots.begin();
    },

    // What Python shows: adopted where it differs from what both sides last agreed on.
    adopt(from) {
      const theirs = JSON.stringify(syncedPart({ ...START, ...from.view }));
      if (isOlder(from)) return;
      if (from.session !== session) {
        // another server: what it has not heard of it is asked for again, and what it shows is older than what the reader did
        [session, run, sent, heard] = [from.session, 0, 0, 0];
        if (agreed) agreed = theirs;
        if (from.talk?.name !== store.talk?.name) turned = null;
      }
      if (from.run < run) return; // Streamlit may call once more with what it showed before
      run = from.run;
      asked = -Infinity;
      heard = Math.max(heard, from.heard);
      if (heard >= sent) messages.stop();
      const brought = turned && from.talk?.at === turned.to && from.talk.page === from.limits.page;
      const turnedThere = !turned && (from.talk?.name !== store.talk?.name || from.talk?.at !== store.talk?.at);
      const arrived =
        from.limits.page !== store.limits.page || from.limits.text !== store.limits.text || brought || turnedThere;
      if (brought || !from.talk) turned = null;
      turns.stop();
      if (turned) turns.resume(AGAIN); // what was asked while one page followed another may not have arrived
      awaitSnapshot(from.limits.snapshot);
      store.limits = from.limits;
      store.talk = from.talk ? { ...from.talk, shown: from.talk.at, at: turned?.to ?? from.talk.at } : null;
      store.exact = from.exact ?? null;
      if (arrived || (heard >= sent && theirs !== agreed)) {
        const base = agreed && JSON.parse(agreed);
        agreed = theirs;
        clearTimeout(restTimer);
        const own = arrived ? { ...START, ...localPart(view), playing: "", over: "" } : view;
        const patch = { ...own, ...(arrived || !base ? from.view : changedFrom(base, from.view)) };
        if (arrived) Object.assign(patch, { revealed: false, guess: null });
        if (brought) patch.lecture = view.lecture;
        store.set(patch, { quiet: true });
        if (brought) later(); // lecture mode may have been switched on the way
      }
      store.set({}, { quiet: true }); // within the new limits
      if (agreed !== null && JSON.stringify(syncedPart(view)) !== agreed) later(); // what the reader did meanwhile stays
      store.repaint();
      store.settle(); // of this run Python may have said the address first
      for (const fn of waitingFor.splice(0)) fn();
    },

    session: () => session,

    // What is said to Python.
    shown: () => ({ session, number: sent, page: store.limits.page, view: syncedPart(view) }),

    // Another page or address is asked for: what was still to be said is of the view that is left.
    leave() {
      clearTimeout(restTimer);
      for (const waiting of [messages, turns, snapshots]) waiting.stop();
      [heard, agreed, turned, wantedSnapshot] = [sent, null, null, null];
    },

    // Before anything else is said to Python: what it does not know yet.
    flush() {
      asked = performance.now();
      store.sync();
    },

    // Whether Python knows, and the page has, what is shown.
    isKnown: () => heard >= sent && JSON.stringify(syncedPart(view)) === agreed && store.drawn?.run === run,

    // At the end of a run: the address of what it has shown.
    settle() {
      if (store.drawn?.is_empty) write(store);
      else if (store.drawn?.run === run && isAgreed()) {
        write(store);
        if (isFollowed()) later(); // what the reader did meanwhile
      }
    },

    // Nothing changes any more.
    rest() {
      if (!isAgreed()) return;
      if (performance.now() - asked < UNDER_WAY) return later(); // it may be of another sentence
      if (store.drawn?.run === run) write(store);
      if (isFollowed()) store.sync();
    },

    sync() {
      clearTimeout(restTimer);
      const mine = JSON.stringify(syncedPart(view));
      if (mine === agreed || !isAgreed()) return;
      agreed = mine;
      sent += 1;
      messages.begin();
    },
  };

  // A message of Streamlit's own that was on its way brings the slider's old place once more: then it is asked for again.
  function awaitSnapshot(brought) {
    clearTimeout(settling);
    if (brought?.count !== store.limits.snapshot?.count) wantedSnapshot = null;
    if (wantedSnapshot === null) return;
    if (brought.at !== wantedSnapshot) snapshots.resume(IMPATIENCE);
    else
      settling = setTimeout(() => {
        wantedSnapshot = null;
      }, SETTLED);
  }

  function later() {
    clearTimeout(restTimer);
    restTimer = setTimeout(store.rest, REST);
  }

  // Whether both sides have agreed on a view, and nothing else has been asked for.
  const isAgreed = () => !turned && agreed !== null && session !== null && !isWaiting() && Boolean(store.send);

  // Whether Python has drawn something from what it does not know yet.
  function isFollowed() {
    const changed = changedSince(agreed);
    if (store.drawn?.run !== run) return changed.length > 0; // not known yet what it has drawn from
    return changed.some((name) => store.drawn.follows.includes(name));
  }

  const changedSince = (then) => Object.keys(changedFrom(then ? JSON.parse(then) : {}, syncedPart(view)));

  return store;
}

const part = (view, names) => Object.fromEntries(Object.keys(names).map((name) => [name, view[name]]));
const localPart = (view) => part(view, HERE);
const syncedPart = (view) => part(view, params.view);

// The values that are not those of before.
function changedFrom(before, now) {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, before[name])));
}

function same(one, other) {
  return one === other || (Array.isArray(one) && Array.isArray(other) && one.join() === other.join());
}

// The first step whose word is still to be guessed, while words are guessed at all. A key reveals one word, and no
// later one.
export function guessedFrom({ predict, revealed, step }) {
  return predict === "word" ? step + Number(revealed) : Infinity;
}

// Whether something is hidden that the next key reveals.
export function hides({ predict, revealed }) {
  return Boolean(predict) && !revealed;
}
