// The speaker's notes in a window of their own: the note, a clock, what comes next, and, except in a file, previews of this
// view and the next.
// The window's page keeps asking for its content, so the notes survive a reload of either window.

import type { Store, Talk, View } from "../../web/src/ui/store";
import { el, setAttributes, dress } from "../kit/dom";
import { PREVIEW, keep, stored } from "../kit/progress";
import { render } from "preact";
import { textsIn } from "../../web/src/texts";
import { Button } from "../../web/src/ui/elements";
import { installKeys } from "../kit/keys";
import { fill } from "../kit/numbers";
import { FAMILY } from "../kit/pen";
import STYLE from "./notes_window.css";
import { hides } from "../../web/src/view";

// Two previews in the notes window: the app or the site itself in lecture mode, at this view of the talk and at the next, each in a session
// of its own. When the talk goes on, the next view is already loaded, and the free preview turns to the one after it with a single run of the
// script, without reloading.

const STORE: unique symbol = Symbol.for("viz_core.store");
// One process serves the projector and the previews, and the projector comes first: ms without a change there until a preview mirrors the
// speaker's changes, and until one turns, which takes as long as a turn on the projector.
const MIRRORS = 400;
const TURNS = 1000;
const PATIENCE = 30000; // ms until a preview that has not arrived is reloaded

let rested: { what: unknown[]; since: number } = { what: [], since: 0 }; // what the projector shows, and since when

// views: the element with the two figures. Returns them in order: this view's, the next one's.
export function showPreviews(views: HTMLElement, store: Store, talk: Talk) {
  const key = JSON.stringify([talk.name, talk.titles]);
  const figures = [...views.children] as Figure[];
  const here = figures.find((figure) => isOf(figure, key, talk.at));
  const now = here ?? figures.find((figure) => !isOf(figure, key, talk.at + 1)) ?? (figures[0] as Figure);
  const next = figures.find((figure) => figure !== now) as Figure;
  const isLast = talk.at === talk.titles.length - 1;
  setAttributes(now, { "data-role": "now" });
  setAttributes(next, { "data-role": isLast ? "none" : "next" });
  const wanted: [Figure, number][] = isLast
    ? [[now, talk.at]]
    : [
        [now, talk.at],
        [next, talk.at + 1],
      ];
  for (const [figure, at] of wanted) figure.toggleAttribute("data-there", isOf(figure, key, at) && shows(figure, at));
  const rests = restOf(store.view, talk);
  if (rests > MIRRORS && now.hasAttribute("data-there")) mirror(store, storeOf(now));
  if (rests > TURNS) follow(wanted, key, talk);
  return [now, next];
}

interface Figure extends HTMLElement {
  requested?: number; // ms
}

const isOf = ({ dataset }: Figure, key: string, at: number) => dataset.talk === key && dataset.at === String(at);

function restOf(view: View, { at, shown, titles }: Talk) {
  const what = [view, at, shown, titles];
  if (what.some((value, index) => value !== rested.what[index])) rested = { what, since: performance.now() };
  return at === shown ? performance.now() - rested.since : 0;
}

// Loads one preview at a time.
function follow(wanted: [Figure, number][], key: string, talk: Talk) {
  for (const [figure, at] of wanted) {
    if (figure.hasAttribute("data-there")) continue;
    const isRequested = isOf(figure, key, at);
    if (isRequested && Date.now() - (figure.requested ?? 0) < PATIENCE) return;
    const preview = storeOf(figure);
    if (!isRequested && preview?.talk && figure.dataset.talk === key) preview.turn(at);
    else load(figure, at, talk);
    setAttributes(figure, { "data-talk": key, "data-at": at });
    figure.requested = Date.now(); // not performance.now(), which starts over if the talk's window is reloaded
    return;
  }
}

function load(figure: Figure, at: number, talk: Talk) {
  const parameters = new URLSearchParams({ talk: talk.name, at: String(at + 1), lecture: "on" });
  const language = new URLSearchParams(location.search).get("lang");
  if (language) parameters.set("lang", language);
  // Hidden from Tab and screen readers: it shows nothing that the talk's own page does not.
  const attributes = { class: PREVIEW, inert: true, "aria-hidden": true, tabindex: -1 };
  const frame = el("iframe", { ...attributes, src: `${location.pathname}?${parameters}` });
  figure.querySelector(".preview")?.replaceChildren(frame);
}

// The store of the app in a preview; undefined while it loads or if the browser denies access.
function storeOf(figure: Figure): Store | undefined {
  try {
    return (figure.querySelector("iframe")?.contentWindow as { [STORE]?: Store } | undefined)?.[STORE];
  } catch {
    return undefined;
  }
}

function shows(figure: Figure, at: number) {
  const preview = storeOf(figure);
  return preview?.talk?.shown === at && preview.talk.at === at && preview.talk.page === preview.limits.page;
}

// Shows the speaker's changes of the view in a preview as well.
function mirror({ view, limits }: Store, preview?: Store) {
  if (!preview || preview.limits.page !== limits.page || preview.limits.text !== limits.text) return;
  preview.set({ ...view, playing: "", help: false, over: "", notes: "", lecture: true });
}

const texts = textsIn("app.lecture.bar");

const NAME = "viz-notes"; // of the window
const NOTES: unique symbol = Symbol.for("viz_core.notes"); // a function on the talk's window that writes the notes; server.py uses it
const TICK = 500; // ms between updates where the window's page does not ask
const CLOCK = "viz-clock"; // key in the tab's storage: when the clock was started, in ms

// blocked: called if the browser opened no window. Returns { open, paint, destroy }.
export function mountNotes(store: Store, blocked: () => void) {
  const paint = () => {
    if (store.notesWindow && isWritten(store.notesWindow)) write(store.notesWindow, store);
  };
  const show = (other: Window) => {
    if (store.notesWindow !== other || !isWritten(other)) build(other, store);
    store.notesWindow = other;
    write(other, store);
  };
  // Called by a click: browsers let no page open a window on its own.
  const open = () => {
    const other = window.open("", NAME, "popup,width=900,height=620");
    if (!other || other.closed) return blocked();
    if (!store.notesPage) {
      if (store.notesWindow !== other || !isWritten(other)) other.setInterval(paint, TICK);
      show(other);
    } else if (!isWritten(other)) other.location.replace(store.notesPage);
    other.focus();
  };
  const known = globalThis as { [NOTES]?: typeof show };
  known[NOTES] = show;
  return {
    open,
    paint,
    destroy() {
      if (known[NOTES] === show) delete known[NOTES];
    },
  };
}

// Whether our notes are in the window. They are not while it reloads or shows an error page, whose document is inaccessible.
function isWritten(other: Window) {
  try {
    return Boolean(!other.closed && other.document.querySelector(".message"));
  } catch {
    return false;
  }
}

// Builds the notes in the window. If the talk's window was reloaded, the elements there belong to its old document and are replaced,
// except the previews, which would reload if moved.
function build(other: Window, store: Store) {
  const { document: page } = other;
  page.head.replaceChildren(el("style", {}, `${fontFaces()} :root { --family: ${FAMILY} }`, STYLE));
  page.title = texts.notes;
  page.documentElement.lang = document.documentElement.lang;
  const words = el("main");
  if (page.querySelector(".views")) page.querySelector("main")?.replaceWith(words);
  else page.body.replaceChildren(words, el("section", { class: "views" }, viewFigure(), viewFigure()));
  for (const caption of page.querySelectorAll("figcaption")) caption.replaceWith(el("figcaption"));
  installKeys(store, other as Window & typeof globalThis);
}

// The font faces of the talk's window, with absolute addresses.
function fontFaces() {
  return [...document.styleSheets]
    .flatMap(({ cssRules, href }) => [...cssRules].map((rule) => ({ rule, base: href ?? document.baseURI })))
    .filter(({ rule }) => rule instanceof CSSFontFaceRule && FAMILY.includes(familyOf(rule)))
    .map(({ rule, base }) => rule.cssText.replace(/(?<=url\(")[^"]*/g, (to) => new URL(to, base).href))
    .join("");
}

const familyOf = (rule: CSSFontFaceRule) => rule.style.getPropertyValue("font-family").replace(/["']/g, "");

const viewFigure = () => el("figure", {}, el("figcaption"), el("div", { class: "preview" }));

function write(other: Window, store: Store) {
  const { talk, theme, notesPage } = store;
  const page = other.document;
  const [main, views] = [page.querySelector("main"), page.querySelector<HTMLElement>(".views")];
  if (!main || !views) return;
  const before = main.querySelector(".message")?.textContent;
  dress(page.documentElement, theme);
  render(<Notes talk={talk} write={() => write(other, store)} />, main);
  if (main.querySelector(".message")?.textContent !== before) main.scrollTop = 0;
  views.hidden = !talk;
  views.toggleAttribute("data-previews", Boolean(notesPage));
  if (talk) writeCaptions(notesPage ? showPreviews(views, store, talk) : [...views.children], talk, store);
}

function Notes({ talk, write }: { talk: Talk | null; write: () => void }) {
  const { count, note } = notesOf(talk ?? { at: 0, titles: [""], note: "" });
  const planned = talk?.starts && fill(texts.planned, { minute: Math.round(talk.starts[talk.at] ?? 0) });
  const begin = () => {
    keep(CLOCK, Date.now(), true);
    write();
  };
  return (
    <>
      <header>
        <span class="count">{planned ? `${count} · ${planned}` : count}</span>
        <span>
          <span class="clock">{clockOf(talk)}</span>{" "}
          <Button act={begin}>{clockBegan() === null ? texts.start_clock : texts.reset_clock}</Button>
        </span>
      </header>
      <h1>{talk ? talk.titles[talk.at] : texts.no_talk}</h1>
      <p class="message">{talk && note}</p>
    </>
  );
}

// Captions of this view and the next: title, and whether the answer is hidden.
function writeCaptions(figures: Element[], talk: Talk, { view, notesPage }: Store) {
  const isThere = talk.at === talk.shown;
  const titles = [notesPage ? texts.now : "", notesOf(talk).coming];
  const hidden = [isThere ? hides(view) : talk.hidden?.[talk.at], talk.hidden?.[talk.at + 1]];
  figures.forEach((figure, index) => {
    const caption = figure.querySelector("figcaption");
    const words = [
      <span key="title" class="title" children={titles[index]} />,
      <span key="hidden" class="hidden" children={hidden[index] ? texts.hidden : ""} />,
    ];
    if (caption) render(words, caption);
  });
}

export function notesOf({ at, titles, note }: Pick<Talk, "at" | "titles" | "note">) {
  return {
    count: fill(texts.count, { at: at + 1, views: titles.length }),
    note: note || texts.no_note,
    coming: at + 1 < titles.length ? fill(texts.coming, { title: titles[at + 1] }) : texts.last,
  };
}

const clockBegan = () => Number(stored(CLOCK, true)) || null;

// The time since the start, compared with the plan: a view is on time until the next one should begin.
function clockOf(talk: Talk | null) {
  const began = clockBegan();
  if (began === null) return "";
  const seconds = Math.floor((Date.now() - began) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (!talk?.starts) return fill(texts.elapsed, { time });
  const [from = 0, to = Infinity] = talk.starts.slice(talk.at, talk.at + 2);
  const early = Math.ceil(from - seconds / 60);
  const late = Math.ceil(seconds / 60 - to);
  if (early > 0) return fill(texts.ahead, { time, minutes: early });
  return late > 0 ? fill(texts.behind, { time, minutes: late }) : fill(texts.elapsed, { time });
}
