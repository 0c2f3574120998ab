// What Python knows of the view. It hears of a change only if it has drawn something from what changed, or else before the next thing
// that is said to it. What Python shows is adopted where it differs from what both sides last agreed on.

import { afterPause } from "../../browser/kit/busy";
import { repeating } from "../../browser/kit/dom";
import type { Agreement, Limits, Shown, Store } from "./ui/store";
import { changedFrom, localPart, START, syncedPart } from "./view";
import { giveUp, isOlder, isWaiting, write } from "./visits";

const REST = 250; // ms without a change until the address follows, and Python where it has to
const UNDER_WAY = 2000; // ms for which a run that was asked for is waited for: its address is another one
const PATIENCE = 4000; // ms until what Python has not confirmed is sent again
// ms until a view of the talk, or a step of the training, is asked for again: in lecture mode somebody waits for it
const IMPATIENCE = 900;
const LONGER = 2; // times as long until it is asked for again: that interrupts the run that brings it
const AGAIN = 60; // ms after a run that has not brought the view of the talk that was asked for

const longer = (times: number) => IMPATIENCE * LONGER ** times;

export function agree(get: () => Store): Agreement {
  let session: string | null = null;
  let run = 0;
  let asked = -Infinity; // when a run was asked for that has not come yet
  let sent = 0; // the number of the last message, and of the last that Python has confirmed
  let heard = 0;
  let agreed: string | null = ""; // null while another page or address is on its way
  let turned: { to: number; lecture: boolean } | null = null; // the view of the talk that has not been brought yet
  let wantedSnapshot: number | null = null; // the same of a snapshot of the training
  const waitingFor: (() => void)[] = [];

  const resting = afterPause(rest, REST);
  // While another page or address is on its way, nothing is said, but it is not forgotten either.
  const messages = repeating(
    () => isWaiting() || get().send?.("view", shown()),
    () => heard < sent,
    () => PATIENCE,
  );
  const turns = repeating(
    () => {
      const { bring, send } = get();
      if (turned && bring) bring(turned.to);
      else if (!isWaiting()) send?.("talk", turned);
    },
    () => turned,
    longer,
  );
  const snapshots = repeating(
    () => get().send?.("snapshot", wantedSnapshot),
    () => wantedSnapshot !== null && get().limits.snapshot?.at !== wantedSnapshot,
    longer,
  );

  const mine = () => JSON.stringify(syncedPart(get().view));
  const shown = () => ({ session, number: sent, page: get().limits.page, view: syncedPart(get().view) });

  // Whether both sides have agreed on a view, and nothing else has been asked for.
  const isAgreed = () => !turned && agreed !== null && !isWaiting() && Boolean(get().send);

  const awaitsRun = () => performance.now() - asked < UNDER_WAY;

  const isDrawn = () => get().drawn?.run === run;

  // Whether Python has drawn something from what it does not know yet.
  function isFollowed() {
    const { view, drawn } = get();
    const changed = Object.keys(changedFrom(agreed ? JSON.parse(agreed) : {}, syncedPart(view)));
    return changed.some((name) => !isDrawn() || drawn?.follows.includes(name));
  }

  function rest() {
    if (!isAgreed()) return;
    if (awaitsRun()) {
      resting.begin(); // it may be of another sentence
      return;
    }
    if (isDrawn()) write(get());
    if (isFollowed()) sync();
  }

  function sync() {
    resting.stop();
    if (mine() === agreed || !isAgreed()) return;
    agreed = mine();
    sent += 1;
    messages.begin();
  }

  function settle() {
    const store = get();
    if (turned) turns.resume(AGAIN); // what was asked while one page followed another may not have arrived
    if (store.drawn?.is_empty) write(store);
    else if (isDrawn() && isAgreed()) {
      write(store);
      if (isFollowed()) resting.begin(); // what the reader did meanwhile
    }
  }

  function awaitSnapshot(brought: Limits["snapshot"]) {
    if (brought?.count !== get().limits.snapshot?.count || brought?.at === wantedSnapshot) wantedSnapshot = null;
    if (wantedSnapshot !== null) snapshots.resume(IMPATIENCE);
  }

  function adopt(from: Shown) {
    const store = get();
    if (isOlder(from)) return;
    const theirs = JSON.stringify(syncedPart({ ...START, ...from.view }));
    if (from.session !== session) {
      // another server: what it has not heard of it is asked for again, and what it shows is older than what the reader did
      [session, run, sent, heard] = [from.session, 0, 0, 0];
      if (agreed) agreed = theirs;
      if (from.talk?.name !== store.talk?.name) turned = null;
    }
    if ((from.run ?? 0) < run) return; // Streamlit may call once more with what it showed before
    if ((from.run ?? 0) > run) asked = -Infinity;
    run = from.run ?? 0;
    heard = Math.max(heard, from.heard);
    if (heard >= sent) messages.stop();
    const brought = turned && from.talk?.at === turned.to && from.talk.page === from.limits.page;
    const turnedThere = !turned && (from.talk?.name !== store.talk?.name || from.talk?.at !== store.talk?.at);
    const isOther = from.limits.page !== store.limits.page || from.limits.text !== store.limits.text;
    const arrived = isOther || brought || turnedThere;
    if (brought || !from.talk) turned = null;
    turns.stop();
    awaitSnapshot(from.limits.snapshot);
    store.limits = from.limits;
    store.talk = from.talk ? { ...from.talk, shown: from.talk.at, at: turned?.to ?? from.talk.at } : null;
    store.exact = from.exact ?? null;
    if (arrived || (heard >= sent && theirs !== agreed)) {
      const base = agreed && JSON.parse(agreed);
      agreed = theirs;
      resting.stop();
      const { view } = store;
      const own = arrived ? { ...START, ...localPart(view), playing: "", over: "" } : view;
      const patch = { ...own, ...(arrived || !base ? from.view : changedFrom(base, from.view)) };
      if (arrived) Object.assign(patch, { revealed: false, guess: null });
      if (brought) patch.lecture = view.lecture;
      store.set(patch, { quiet: true });
      if (brought) resting.begin(); // lecture mode may have been switched on the way
    }
    store.set({}, { quiet: true }); // within the new limits
    if (agreed !== null && mine() !== agreed) resting.begin(); // what the reader did meanwhile stays
    store.repaint();
    settle(); // of this run Python may have said the address first
    for (const act of waitingFor.splice(0)) act();
  }

  return {
    adopt,
    awaitsRun,
    later: resting.begin,
    settle,
    shown,
    sync,
    session: () => session,
    isKnown: () => heard >= sent && mine() === agreed && isDrawn(),

    ready(act) {
      if (session === null && !get().theme.ink) waitingFor.push(act);
      else act();
    },

    flush() {
      asked = performance.now();
      sync();
    },

    leave() {
      resting.stop();
      for (const waiting of [messages, turns, snapshots]) waiting.stop();
      [heard, agreed, turned, wantedSnapshot] = [sent, null, null, null];
    },

    turn(to) {
      const store = get();
      if (!store.talk) return;
      if (to >= store.talk.titles.length) {
        store.set({ over: "end" });
        return;
      }
      const at = Math.max(to, 0);
      store.set({ over: "" });
      if (at === store.talk.at) return;
      resting.stop(); // what is not sent yet is of the view that is left
      store.talk = { ...store.talk, at };
      giveUp(); // the page of another view of the talk
      turned = { to: at, lecture: store.view.lecture };
      turns.begin();
      store.repaint();
    },

    stepSnapshot(by) {
      const { snapshot } = get().limits;
      if (!snapshot) return;
      const from = wantedSnapshot ?? snapshot.at;
      const to = Math.min(Math.max(from + by, 0), snapshot.count - 1);
      if (to === from) return;
      wantedSnapshot = to;
      snapshots.begin();
    },
  };
}
