// Keyboard and clicker: keys act on the store, except while one types. No key is lost, however fast they come.

import { onKeys, shieldComposing } from "./composing";
import { isLast, operationsOf, partOf, playFrom, isAtEnd, walk, walkTo, walked } from "./operations";
import { isCovered } from "./streamlit";
import type { Store } from "../../web/src/ui/store";
import { type View, hides } from "../../web/src/view";
import { POINTED } from "./dom";

const PACE: Record<string, number> = { stages: 1600, steps: 1100 }; // ms at speed 1

export function installPlayer(store: Store) {
  let timer = 0;
  const tick = () => {
    const { view } = store;
    if (!view.playing) return; // stopped, but not painted yet
    if (view.playing === "stages") store.operate(1);
    else walk(store, 1);
    if (played(store)) store.set({ playing: "" });
  };
  store.subscribe((view, before) => {
    if (view.playing === before.playing && view.speed === before.speed) return;
    clearInterval(timer);
    if (view.playing) timer = setInterval(tick, (PACE[view.playing] ?? 0) / view.speed);
  });
}

// Whether playing has reached the end.
function played(store: Store) {
  const { view, limits } = store;
  if (view.playing === "steps") return isAtEnd(store);
  return isLast(operationsOf(limits.stages, view)) && isAtEnd(store);
}

// Plays or pauses: the operations of each step where the page shows them, otherwise the steps or source tokens. At the end it restarts.
export function play(store: Store) {
  const { view, limits } = store;
  const operations = operationsOf(limits.stages, view);
  const atEnd = isAtEnd(store);
  const { name } = walked(store);
  if (view.playing) store.set({ playing: "" });
  else if (operations.at < 0) store.set({ playing: "steps", [name]: atEnd ? 0 : view[name] });
  else {
    const again = atEnd && isLast(operations);
    store.set({ playing: "stages", ...(again ? { [name]: 0, ...operations.list[0] } : playFrom(operations)) });
  }
}

// A lesson takes along what its last card asked, and the block that it opened.
export function leaveTalk(store: Store, lecture: boolean) {
  const opened = store.limits.page === "overview" ? { open: null, cell: null } : {};
  const patch = store.talk?.lesson ? { predict: null, ...opened } : {};
  store.ask({ talk: null, at: null, lecture: lecture ? "on" : null, ...patch });
}

export function switchLecture(store: Store) {
  store.set({ lecture: !store.view.lecture, notes: "" });
}

// Never on the projector, since notes hold the answers; outside lecture mode unless closed.
export const notesShown = ({ notes, lecture }: Pick<View, "notes" | "lecture">) => !lecture && notes !== "off";

export function switchNotes(store: Store) {
  if (!store.talk) return;
  if (store.view.lecture) store.openNotes?.();
  else store.set({ notes: notesShown(store.view) ? "off" : "on" });
}

export function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {}); // the browser may refuse; nothing else depends on it
}

export function cover(store: Store, what: string) {
  store.set({ over: store.view.over === what ? "" : what });
}

// The key → and its button: reveals what is hidden, otherwise goes one step on.
export function stepOn(store: Store) {
  if (hides(store.view)) store.set({ revealed: true });
  else walk(store, 1);
}

const WITH_ARROWS = new Set("slider radio option menuitem tab spinbutton combobox listbox menu treeitem gridcell".split(" "));
const SLIDER = "input[type=range]"; // not a figure with the role of a slider: after a click on it, arrow keys step
const SLIDES = /^(Arrow|Home$|End$)/; // keys that move a slider

const DRAWER = ".st-key-_code details"; // the page's code; an open block has a drawer of its own
const toggleCode = () => document.querySelector<HTMLElement>(`${DRAWER} > summary`)?.click();

const CLICKER = new Set(["PageDown", "PageUp", "b", "B", "."]); // what a clicker sends
const LINE = "input:not([type=range],[type=checkbox],[type=radio],[type=button])"; // one-line text fields
const TEXT = "textarea, [contenteditable]:not([contenteditable=false])";

const LATE = 60000; // ms after which an early key is forgotten

type Action = (store: Store) => void;
const ACTIONS: Record<string, Action> = {
  ArrowRight: (store) => stepOn(store),
  ArrowLeft: (store) => walk(store, -1),
  ArrowDown: (store) => store.set({ layer: store.view.layer + 1 }),
  ArrowUp: (store) => store.set({ layer: store.view.layer - 1 }),
  "]": (store) => store.set({ head: store.view.head + 1 }),
  "[": (store) => store.set({ head: store.view.head - 1 }),
  PageDown: (store) => store.advance(1),
  PageUp: (store) => store.advance(-1),
  Home: (store) => walkTo(store, 0),
  End: (store) => walkTo(store, walked(store).count - 1),
  " ": (store) => play(store),
  Escape: (store) => back(store),
  "?": (store) => store.set({ help: !store.view.help }),
  "/": (store) => store.typeSentence?.(),
  l: (store) => switchLecture(store),
  f: () => fullScreen(),
  c: (store) => {
    if (store.view.open) store.set({ code: !store.view.code });
    else toggleCode();
  },
  q: (store) => {
    if (store.share) cover(store, "share");
  },
  a: (store) => {
    store.send?.("add", store.limits.page); // the view on the page is what is added
  },
  n: (store) => switchNotes(store),
  "+": (store) => store.stepSnapshot(1),
  "-": (store) => store.stepSnapshot(-1),
  b: (store) => cover(store, "black"),
  ".": (store) => cover(store, "black"), // a clicker's "black screen" button
};

// Brackets are typed with AltGr or Option on many keyboards, which counts as Alt, on Windows as Ctrl and Alt.
const hasModifier = ({ ctrlKey, metaKey, altKey, key }: KeyboardEvent) =>
  metaKey || ((ctrlKey || altKey) && !(altKey && /^[[\]]$/.test(key)));

// The key of an English keyboard: elsewhere digits may need Shift (AZERTY) and letters be others (Cyrillic).
function englishKey({ key, code, shiftKey }: KeyboardEvent) {
  const [, kind, sign = ""] = code.match(/^(Digit|Key)(.)$/) ?? [];
  const isOther = kind === "Digit" ? !shiftKey && !(key in ACTIONS) : /^[^\0-\x7f]$/.test(key);
  return kind && isOther ? sign.toLowerCase() : key;
}

const ONCE = /^([a-z ?/.]|Escape)$/i; // keys that act once however long they are held

// Performs clicker keys pressed before the page knows its view as soon as it does, unless that takes long.
export function installEarly(store: Store) {
  if (store.early) return; // called with each message of Streamlit: a press would count twice
  store.early = true;
  shieldComposing(window);
  const press = (event: KeyboardEvent) => {
    if (hasModifier(event) || elsewhere(store, event)) return;
    if (event.key === "/" && store.typeSentence && !store.player?.isConnected) {
      event.preventDefault(); // without a sentence there is no player, but a field to type one
      store.typeSentence();
      return;
    }
    if (store.alive || !event.key.startsWith("Page")) return;
    event.preventDefault();
    const pressed = performance.now();
    store.ready(() => {
      if (performance.now() - pressed < LATE) ACTIONS[event.key]?.(store);
    });
  };
  onKeys(window, press, true);
}

// there: whether there is anything for the keys to act on.
export function installKeys(store: Store, target: Window = window, there = () => true) {
  shieldComposing(target);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Tab") document.documentElement.toggleAttribute(POINTED, false);
    if (hasModifier(event) || event.defaultPrevented || !there()) return;
    if (elsewhere(store, event)) {
      if (event.key === "Enter" || event.key === "Escape") release(event);
      return;
    }
    const key = englishKey(event);
    const action = uncover(store, event) ?? ACTIONS[key] ?? ACTIONS[key.toLowerCase()] ?? digit(key);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat && ONCE.test(key)) return;
    if (CLICKER.has(event.key)) closeList(event);
    action(store);
  };
  onKeys(target, press, true);
  target.addEventListener("pointerdown", () => document.documentElement.toggleAttribute(POINTED, true), true);
}

// Any key removes what covers the whole page.
function uncover({ view: { over, lecture } }: Store, { key }: KeyboardEvent): Action | null {
  const covered = over === "black" || (over === "share" && lecture);
  return covered && !/^(Shift|Control|Alt|Meta|CapsLock)$/.test(key) ? (store) => store.set({ over: "" }) : null;
}

const WIDER: Record<string, string> = { one: "layer", mean: "layer", layer: "model" };

// Escape goes out by one level: a pop-over, help, the cover, playing, the code, a locked cell, all heads of an open block, the block,
// the paper's drawing; then, in the frame of a figure alone, back to the document around it, such as slides, whose keys work again; else
// from one head to the layer's, to all; then lecture mode; and last, in the frame of a whole page, back as well.
function back(store: Store) {
  const { help, over, playing, code, cell, open, drawing, show, lecture } = store.view;
  const wider = store.staged() && WIDER[show];
  if (store.dismiss) store.dismiss();
  else if (help) store.set({ help: false });
  else if (over) store.set({ over: "" });
  else if (playing) store.set({ playing: "" });
  else if (code) store.set({ code: false });
  else if (document.querySelector(`${DRAWER}[open]`)) toggleCode();
  else if (cell) store.set({ cell: null });
  else if (open && store.staged() && show !== "one") store.set({ show: "one" });
  else if (open) store.set({ open: partOf(open) === open ? "" : partOf(open) });
  else if (drawing === "paper") store.set({ drawing: "flow" });
  else if (document.documentElement.hasAttribute("data-embed")) parent.focus();
  else if (wider) store.set({ show: wider });
  else if (lecture) switchLecture(store);
  else parent.focus();
}

function digit(key: string): Action | null {
  const goTo = (store: Store) => {
    if (store.choose?.(Number(key) - 1)) return;
    if (Number(key) <= store.limits.heads) store.set({ head: Number(key) - 1 });
  };
  return /^[1-9]$/.test(key) ? goTo : null;
}

// Enter and Escape take the focus off a text field, so that keys step at once, unless it is focused again before.
function release(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  if (target instanceof HTMLSelectElement && event.key === "Escape") target.blur();
  const isLine = target instanceof HTMLInputElement && target.type === "text";
  if (!isLine || target.closest("[role=combobox]") || target.role === "combobox") return;
  const again = new AbortController();
  target.addEventListener("focus", () => again.abort(), { signal: again.signal });
  setTimeout(() => {
    if (!again.signal.aborted) target.blur();
    again.abort();
  });
}

// During a talk a clicker's keys belong to the talk even if a list or number field has the focus. A field being typed in keeps letters,
// and only a text of several lines keeps PageUp and PageDown.
function ofTheTalk(store: Store, { key }: KeyboardEvent, target: Element) {
  if (!CLICKER.has(key) || !(store.view.lecture || store.talk) || target.closest(TEXT)) return false;
  return key.startsWith("Page") || !(target.matches(`${LINE}:not([role=combobox])`) || target.ariaExpanded === "true");
}

// Closes an open list, which would stay over the next view.
function closeList(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  if (target instanceof HTMLElement && target.ariaExpanded === "true" && target.role === "combobox") target.blur();
}

// Whether the key belongs to the focused element: text being typed, an open dialog of the page, a control that the key moves.
function elsewhere(store: Store, event: KeyboardEvent) {
  const target = event.composedPath()[0];
  // the share dialog has buttons of its own
  if (store.view.over === "share" && !store.view.lecture && !["Escape", "q", "Q"].includes(event.key)) return true;
  if (!(target instanceof Element) || ofTheTalk(store, event, target)) return false;
  if (target.matches(`${LINE}, select, ${TEXT}`) || target.closest("[role=dialog], [role=menu], [role=listbox]")) return true;
  if (event.key === "Escape" && isCovered(target.ownerDocument)) return true; // it closes Streamlit's window
  if (target.matches(SLIDER) && SLIDES.test(event.key)) return true; // even if it was focused by a click
  const focused = target.matches(":focus-visible") && !document.documentElement.hasAttribute(POINTED);
  const pressable = target.matches("input") || target.closest("button, a, summary, [role=button], [role=switch], [role=tab]");
  if (event.key === " " && pressable) return focused;
  const moves =
    target.matches("input[type=range], input[type=radio]") || WITH_ARROWS.has(target.closest("[role]")?.getAttribute("role") ?? "");
  return focused && moves && !event.key.startsWith("Page");
}
