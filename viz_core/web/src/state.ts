// The store: the current view (step, layer, head, stage …), one per browser tab, shared by all parts of the page.
//
// A change takes effect at once and is painted in the next frame; the address follows after a rest (`visits.ts`).

import { perFrame } from "../../browser/kit/dom";
import { afterLast, isLast, OPENS, operationsOf, isAtEnd, walk, walked } from "../../browser/kit/operations";
import type { Limits, Store, Theme } from "./ui/store";
import { visits } from "./visits";
import { changedFrom, hides, isHere, START, type View } from "./view";

const KEY: unique symbol = Symbol.for("viz_core.store"); // for other windows: the notes, bertviz
type Tab = typeof globalThis & { [KEY]?: Store };

export function theStore(): Store {
  const tab = globalThis as Tab;
  tab[KEY] ??= makeStore();
  return tab[KEY];
}

export function makeStore(): Store {
  let view: Readonly<View> = Object.freeze({ ...START });
  let painted = view;
  let left: Pick<View, "step" | "cell"> | null = null; // the picked cell of the previous step
  const listeners = new Set<(view: View, before: View) => void>();
  const painting = perFrame(() => {
    const before = painted;
    painted = view;
    for (const act of [...listeners]) act(view, before);
  });

  const own = {
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
      picked_by: null, // those of layer and head that affect something; null: see `drawn`
      fixed: null, // { step, … } that no key may change, since the page would not follow
    } as unknown as Limits,
    theme: {} as Theme,
    online: true,
    talk: null,
    given: {},
    picture: null,
    share: null,
    drawn: null,
    exact: null,
    guessedRight: false,
    formulas: "",
    counterpart: null,
    plotly: "",
    talks: null,
    notesPage: "",
    notesWindow: null,
    openNotes: null,
    dismiss: null,
    choose: null,
    send: null,
    bring: null,

    set(patch: Partial<View>, { quiet = false } = {}) {
      const next = within(store, view, patch);
      if (store.limits.cell_of_step && next.step !== view.step && !("cell" in patch)) {
        // the cell goes and returns with its step
        if (view.cell) left = { step: view.step, cell: view.cell };
        next.cell = left?.step === next.step ? left.cell : null;
      } else if ("cell" in patch) left = null;
      const changed = Object.keys(changedFrom(view, next));
      if (!changed.length) return;
      view = Object.freeze(next);
      store.repaint();
      if (!quiet && !changed.every(isHere)) store.later();
    },

    staged: () => stagedOf(store.limits, view),

    subscribe(act: (view: View, before: View) => void) {
      listeners.add(act);
      return () => listeners.delete(act);
    },

    repaint: painting.soon,

    give(name: string, read: unknown) {
      store.given[name] = read;
      painting.soon();
    },

    takeBack(name: string, read: unknown) {
      if (store.given[name] === read) delete store.given[name];
    },

    advance(by: number) {
      if (view.over === "end") store.set(by < 0 ? { over: "" } : {});
      else if (by > 0 && hides(view)) store.set({ revealed: true });
      else if (store.talk) store.turn(store.talk.at + by);
      else if (store.limits.stages === "open" && view.open) store.operate(by);
      else walk(store, by);
    },

    turn(to: number) {
      const { talk, bring } = store;
      if (!talk) return;
      if (to >= talk.titles.length) return store.set({ over: "end" });
      const at = Math.max(to, 0);
      store.set({ over: "" });
      if (at === talk.at) return;
      store.talk = { ...talk, at };
      if (bring) bring(at);
      else store.link(talk.paths[at] ?? "", { talk: talk.name, at: String(at + 1), ...(view.lecture ? { lecture: "on" } : {}) });
      store.repaint();
    },

    stepSnapshot(by: number) {
      const { at = "", steps = [] } = store.limits.snapshot ?? {};
      const named = store.now()["snapshot"] ?? steps.at(-1) ?? ""; // the player's limits may lag behind the address
      const from = steps.indexOf(steps.includes(named) ? named : at);
      const to = steps[Math.min(Math.max(from + by, 0), steps.length - 1)];
      if (to !== undefined && to !== steps[from]) store.ask({ snapshot: to });
    },

    operate(by: number) {
      const { list, at } = operationsOf(store.limits.stages, view);
      const isOver = isAtEnd(store) && isLast({ list, at });
      const next = list[at + by] ?? (by > 0 && !isOver ? afterLast(list, walked(store)) : null);
      if (next) store.set(next.open && next.open !== view.open ? { cell: null, ...next } : next);
    },
  };
  const store: Store = Object.defineProperties({} as Store, {
    ...Object.getOwnPropertyDescriptors(own),
    ...Object.getOwnPropertyDescriptors(visits(() => store)),
  });
  return store;
}

function stagedOf({ stages }: Limits, { open }: View) {
  return stages === "open" ? Object.entries(OPENS).find(([, block]) => block === open)?.[0] : stages;
}

// The view after a patch, within the limits of the page.
function within(store: Store, view: Readonly<View>, patch: Partial<View>): View {
  const next = { ...view, ...patch };
  const staged = stagedOf(store.limits, next);
  // in the encoder, a locked cell's query is the focused token
  if (staged === "self" && next.cell) {
    if (!("token" in patch)) next.token = next.cell[0];
    else if (!("cell" in patch)) next.cell = [next.token, next.cell[1]];
  }
  for (const name of ["step", "layer", "head", "token"] as const)
    next[name] = Math.min(Math.max(Math.round(next[name]) || 0, 0), store.limits[`${name}s`] - 1);
  if ((staged === "self" || staged === "cross") && next.stage === "mask") next.stage = "scaled"; // nothing is masked there
  Object.assign(next, store.limits.fixed);
  if (!next.open) next.code = false; // the code belongs to a block
  if (next.step !== view.step && !("revealed" in patch)) next.revealed = false;
  const isOther = (["step", "layer", "head", "predict"] as const).some((name) => next[name] !== view[name]);
  if (isOther && !("guess" in patch)) next.guess = null;
  return next;
}
