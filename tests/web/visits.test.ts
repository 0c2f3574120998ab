// A model of what lies between the browser's store and Python: Streamlit, which runs a page's script for a message or a `popstate`
// event, and a server that may lose, hold, interrupt or fail each of the first runs. Whatever happens to them, the page comes to rest
// on the address that was asked for last.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Texts } from "../../viz_core/web/src/address";
import { makeStore } from "../../viz_core/web/src/state";
import type { Shown, Store } from "../../viz_core/web/src/ui/store";

type Said = { number: number } & Partial<Record<"parameters" | "dormant" | "carried" | "of", Texts>>;
type Visit = Said & { page: string };
type Message = { path: string; query: Texts; visits: Visit[] };

// lost: never arrives; fails: ends with an exception before, and half: after its first part; turned: the report comes first;
// held: all that it sends comes late; slow: a repetition may interrupt it; forgotten: another session answers; deaf: from now on
// Python hears no message.
const FATES = ["well", "lost", "fails", "half", "turned", "held", "slow", "forgotten", "deaf"] as const;
type Fate = (typeof FATES)[number];
const HOW: Partial<Record<Fate, [wait: number, parts: number]>> = {
  fails: [0, 1],
  half: [0, 2],
  held: [13_000, 3],
  slow: [6000, 3],
};
const COUNTS = { steps: 5, layers: 1, heads: 1, tokens: 5 };
const REST = { carried: {}, of: {}, first: { step: "1" }, follows: ["step"] };
const PAGES: Texts = { "/": "overview", "/b": "b" };

function world(fates: readonly Fate[]) {
  let now = 0;
  const timers = new Map<number, { at: number; act: () => void }>();
  let [nextTimer, next] = [1, 0];
  const later = (act: () => void, after = 0) => {
    timers.set(nextTimer, { at: now + after, act });
    nextTimer += 1;
    return nextTimer - 1;
  };
  const pass = (ms: number) => {
    const end = now + ms;
    for (;;) {
      const [soonest] = [...timers].filter(([, { at }]) => at <= end).sort(([a, one], [b, other]) => one.at - other.at || a - b);
      if (!soonest) break;
      timers.delete(soonest[0]);
      now = soonest[1].at;
      soonest[1].act();
    }
    now = end;
  };

  const entries = ["/"];
  let at = 0;
  const place = () => new URL(entries[at] as string, "http://app");
  const replaceState = (_state: unknown, _title: string, to: string) => void entries.splice(at, 1, to);
  const pushState = (_state: unknown, _title: string, to: string) => void entries.splice(++at, Infinity, to);
  const location = {
    get: () => ({ pathname: place().pathname, search: place().search, origin: "http://app" }),
    configurable: true,
  };
  const root = { isBusy: false, toggleAttribute: (_name: string, is: boolean) => (root.isBusy = is) };
  const hear: ((event: unknown) => void)[] = [() => send({ path: place().pathname, query: query(), visits: [] })]; // Streamlit's own
  const popstate = () => hear.forEach((act) => act({ stopImmediatePropagation: () => {} }));
  const go = (by: number) => {
    at += by;
    popstate();
  };
  Object.defineProperty(globalThis, "location", location);
  Object.assign(globalThis, {
    window: globalThis,
    setTimeout: later,
    clearTimeout: (timer: number) => timers.delete(timer),
    requestAnimationFrame: later,
    history: { replaceState, pushState },
    document: { documentElement: root, querySelector: () => null },
    PopStateEvent: class {},
    addEventListener: (_name: string, act: () => void) => hear.push(act),
    dispatchEvent: popstate,
  });
  const query = () => Object.fromEntries(place().searchParams);

  const store: Store = makeStore();
  const python = { session: 1, path: "", number: 0, brought: 0, parameters: {} as Texts, run: 0, knows: false, hears: true };
  const streamlit = { path: "/", visits: [] as Visit[] };
  let sending: number[] = []; // timers of what the current run still sends
  let arrives = 0; // when the last of it arrives

  const visit = (_event: string, value: unknown) => {
    if (!streamlit.visits.length) later(() => send({ path: streamlit.path, query: query(), visits: streamlit.visits.splice(0) }));
    streamlit.visits.push(value as Visit);
  };
  const send = (message: Message) => {
    const fate = fates[next] ?? "well";
    next += 1;
    if (fate !== "lost") later(() => run(message, fate), 20);
  };
  function run({ path, query: { _said: said = "null", ...parameters }, visits }: Message, fate: Fate) {
    if (fate === "forgotten") Object.assign(python, { session: python.session + 1, path: "", number: 0, run: 0, knows: false });
    if (fate === "deaf") python.hears = false;
    const beside: Said | null = JSON.parse(said);
    for (const { page, number, parameters } of visits)
      if (python.hears && python.knows && page === PAGES[python.path]) Object.assign(python, { number, parameters });
    if (path !== python.path || (beside?.number ?? 0) > python.number) {
      const { number = python.number } = beside ?? {};
      Object.assign(python, { path, parameters, number, brought: python.brought + Number(!beside) });
    }
    const ofRun = { session: String(python.session), visited: python.number, brought: python.brought, path };
    const { step = "1", ...kept } = python.parameters;
    const limits = { page: PAGES[path], text: "", ...COUNTS, fixed: null } as unknown as Shown["limits"];
    const number = python.run + 1;
    const begins = () => (streamlit.path = path);
    const view = () => {
      python.run = number;
      store.adopt({ ...ofRun, run: number, limits, view: { step: Number(step) - 1 }, talk: null });
    };
    const report = () => {
      python.knows = true;
      store.onMessage({ ...ofRun, run: number, page: PAGES[path] as string, pages: PAGES, kept, ...REST }, visit);
    };
    const leads = () => store.onMessage({ ...ofRun, go: "/b", parameters: { talk: "one", at: "2" } }, visit);
    const drawn = fate === "turned" ? [begins, report, view] : [begins, view, report];
    const parts = kept.talk && path === "/" ? [begins, leads] : drawn;
    for (const timer of sending) timers.delete(timer);
    const [wait, most] = HOW[fate] ?? [0, parts.length];
    sending = parts.slice(0, most).map((part, order) => {
      arrives = Math.max(arrives, now + wait + 50 * order); // after all that was sent before
      return later(part, arrives - now);
    });
    if (fate === "held") sending = [];
  }

  store.install();
  send({ path: "/", query: {}, visits: [] });
  return { store, pass, go, root, place, asked: () => next };
}

type World = ReturnType<typeof world>;
type Act = (world: World) => void;
const asks =
  (changes: Texts, page = ""): Act =>
  ({ store }) =>
    store.ask(changes, page);
const back: Act = ({ go }) => go(-1);
const forward: Act = ({ go }) => go(1);
const steps: Act = ({ store }) => store.set({ step: 2 });

// What was shown before, one after the other; what happens then, at once; where it ends.
const SCENES: [name: string, before: Act[], acts: Act[], ends: string][] = [
  ["a control", [], [asks({ size: "6" })], "/?size=6"],
  ["a key that Python follows", [], [steps], "/?step=3"],
  ["a key and a control", [], [steps, asks({ size: "6" })], "/?size=6&step=3"],
  ["another page", [], [asks({}, "b")], "/b"],
  ["a talk that leads to another page", [], [asks({ talk: "one" })], "/b?at=2&talk=one"],
  ["Back within the page", [asks({ size: "6" })], [back], "/"],
  ["Back to another page", [asks({}, "b")], [back], "/"],
  ["Back and forward", [asks({}, "b")], [back, forward], "/b"],
  ["Back, forward and Back", [asks({}, "b")], [back, forward, back], "/"],
  ["Back twice", [asks({}, "b"), asks({ size: "3" }), asks({ size: "4" }), asks({}, "overview")], [back, back], "/b?size=3"],
];
const MOST = 2; // runs to which something happens
const GAP = 60; // ms between two acts
const SOON = 1000; // ms, if nothing happens to them
const ENOUGH = 40_000;

const orders = (most: number): Fate[][] => (most ? orders(most - 1).flatMap((rest) => FATES.map((fate) => [fate, ...rest])) : [[]]);

for (const [name, before, acts, ends] of SCENES)
  test(`whatever happens to its first runs, the page comes to rest: ${name}`, () => {
    for (const fates of orders(MOST)) {
      const told: Fate[] = [];
      const here = world(told);
      here.pass(10_000);
      for (const act of before) {
        act(here);
        here.pass(10_000);
      }
      for (let at = 0; at < here.asked(); at += 1) told.push("well");
      told.push(...fates);
      for (const act of acts) {
        act(here);
        here.pass(GAP);
      }
      here.pass(fates.every((fate) => fate === "well") ? SOON : ENOUGH);
      const { pathname, searchParams } = here.place();
      searchParams.sort();
      const search = searchParams.size ? `?${searchParams}` : "";
      const shown = `${pathname}${search}${here.store.isKnown() ? "" : ", not known"}${here.root.isBusy ? ", busy" : ""}`;
      assert.equal(shown, ends, fates.join(" "));
    }
  });

test("an answer that does not come is missed, and asked for by an event, which Streamlit does not lose", () => {
  const here = world(["well", "deaf"]);
  here.pass(10_000);
  here.store.ask({ size: "6" });
  here.pass(27_000);
  const before = here.store.isLate();
  here.pass(1010);
  assert.deepEqual([before, here.store.isLate()], [false, true]);
  here.pass(SOON);
  assert.deepEqual([here.store.isLate(), here.store.isKnown()], [false, true]);
});
