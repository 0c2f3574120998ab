// The speaker's notes in a window of their own, for the speaker's screen: note, clock, what comes, and in the app a preview of this
// view and of the next. Its page asks for them again and again, so they come back when either window is loaded anew.

import { installKeys } from "../kit/keys.js";
import { button, dress, el, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { FAMILY } from "../kit/pen.js";
import { hides } from "../kit/store.js";
import { PREVIEW } from "../kit/preview.js";
import { showPreviews } from "./previews.js";

const NAME = "viz-notes"; // of the window
const NOTES = Symbol.for("viz_core.notes"); // on the window of the talk: (window) => writes the notes into it; server.py knows it
const TICK = 500; // ms, where the window's own page does not ask
const CLOCK = "viz-clock"; // in the tab's own storage: when the clock was started, in ms

// A preview is drawn in 3.5 times the size that it has here: in a window as wide as those that the app is made for.
const STYLE = `
  :root { --wide: min(50vw - 1.7rem, 60vh); }
  body { box-sizing: border-box; display: flex; flex-direction: column; gap: .6rem; height: 100vh; margin: 0; padding: .8rem 1.2rem;
    font: clamp(22px, min(2.6vw, 4.4vh), 44px)/1.4 ${FAMILY}; background: var(--surface); color: var(--ink); }
  main { flex: 1; min-height: 0; overflow-y: auto; }
  header, figcaption { font-size: 18px; color: var(--quiet); }
  header { display: flex; justify-content: space-between; }
  h1 { margin: .4rem 0; font-size: 1em; }
  p { margin: 0; }
  button { padding: .1rem .8rem; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
  .message { white-space: pre-line; }
  .views { display: flex; gap: 1rem; }
  figure { margin: 0; }
  [data-role=now] { order: -1; }
  [data-previews] figure { width: var(--wide); }
  figcaption { display: flex; gap: .6rem; justify-content: space-between; white-space: nowrap; }
  .title { overflow: hidden; text-overflow: ellipsis; }
  .hidden:not(:empty) { padding: 0 .5rem; border-radius: 6px; background: var(--ink); color: var(--surface); }
  .preview { position: relative; width: var(--wide); aspect-ratio: 16 / 9; overflow: hidden; box-sizing: border-box;
    border: 1px solid var(--line); background: var(--panel); }
  .views:not([data-previews]) .preview, [data-role=none] .preview { display: none; }
  .${PREVIEW} { position: absolute; width: 350%; height: 350%; border: 0; visibility: hidden; pointer-events: none;
    transform: scale(calc(1 / 3.5)); transform-origin: 0 0; }
  [data-there] .${PREVIEW} { visibility: visible; }`;

// texts: of the bar; blocked: () => says that the browser has opened no window. Returns { open, paint, destroy }.
export function mountNotes(texts, store, blocked) {
  const paint = () => {
    if (isWritten(store.notesWindow)) write(store.notesWindow, texts, store);
  };
  const show = (other) => {
    if (store.notesWindow !== other || !isWritten(other)) build(other, texts, store);
    store.notesWindow = other;
    paint();
  };
  // By a click: browsers let no page open a window by itself.
  const open = () => {
    const other = window.open("", NAME, "popup,width=900,height=620");
    if (!other || other.closed) return blocked();
    if (!store.notesPage) {
      if (store.notesWindow !== other || !isWritten(other)) other.setInterval(paint, TICK);
      show(other);
    } else if (!isWritten(other)) other.location.replace(store.notesPage);
    other.focus();
  };
  globalThis[NOTES] = show;
  return {
    open,
    paint,
    destroy() {
      if (globalThis[NOTES] === show) delete globalThis[NOTES];
    },
  };
}

// Not while it is being loaded anew, and not where the browser says that it cannot be: that page is of another origin.
function isWritten(other) {
  try {
    return Boolean(other && !other.closed && other.document.querySelector(".message"));
  } catch {
    return false;
  }
}

// What a window of this talk, that was loaded anew, finds in the notes window is of the one before: all is made again but the
// previews, which would be loaded anew where they are moved.
function build(other, texts, store) {
  const { document: page } = other;
  page.head.replaceChildren(el("style", {}, fontFaces() + STYLE));
  page.title = texts.notes;
  page.documentElement.lang = document.documentElement.lang;
  const begin = button("", () => {
    startClock();
    write(other, texts, store);
  });
  const clock = el("span", {}, el("span", { class: "clock" }), " ", begin);
  const words = el(
    "main",
    {},
    el("header", {}, el("span", { class: "count" }), clock),
    el("h1"),
    el("p", { class: "message" }),
  );
  if (page.querySelector(".views")) page.querySelector("main").replaceWith(words);
  else page.body.replaceChildren(words, el("section", { class: "views" }, viewFigure(), viewFigure()));
  installKeys(store, other);
}

// The fonts of the window of the talk, from where that has them.
function fontFaces() {
  return [...document.styleSheets]
    .flatMap(({ cssRules, href }) => [...cssRules].map((rule) => ({ rule, base: href ?? document.baseURI })))
    .filter(
      ({ rule }) => rule instanceof CSSFontFaceRule && FAMILY.includes(rule.style.fontFamily.replace(/["']/g, "")),
    )
    .map(({ rule, base }) => rule.cssText.replace(/(?<=url\(")[^"]*/g, (to) => new URL(to, base)))
    .join("");
}

function viewFigure() {
  const words = el("figcaption", {}, el("span", { class: "title" }), el("span", { class: "hidden" }));
  return el("figure", {}, words, el("div", { class: "preview" }));
}

function write(other, texts, store) {
  const { talk, theme, notesPage } = store;
  const page = other.document;
  const put = (where, words) => setText(page.querySelector(where), words);
  dress(page.documentElement, theme);
  const { count, note } = notesOf(talk ?? { at: 0, titles: [""] }, texts);
  const planned = talk?.starts && fill(texts.planned, { minute: Math.round(talk.starts[talk.at]) });
  put(".count", planned ? `${count} · ${planned}` : count);
  put(".clock", clockOf(texts, talk));
  put("header button", clockBegan() === null ? texts.start_clock : texts.reset_clock);
  put("h1", talk ? talk.titles[talk.at] : texts.no_talk);
  if (page.querySelector(".message").textContent !== note) page.querySelector("main").scrollTop = 0;
  put(".message", talk ? note : "");
  const views = page.querySelector(".views");
  views.hidden = !talk;
  views.toggleAttribute("data-previews", Boolean(notesPage));
  if (!talk) return;
  const figures = notesPage ? showPreviews(views, store) : [...views.children];
  writeCaptions(figures, texts, store);
}

// Below this view, and the next: what it is, and whether its answer is hidden.
function writeCaptions([now, next], texts, { talk, view, notesPage }) {
  const caption = (figure, title, hidden) => {
    setText(figure.querySelector(".title"), title);
    setText(figure.querySelector(".hidden"), hidden ? texts.hidden : "");
  };
  const isThere = talk.at === talk.shown;
  caption(now, notesPage ? texts.now : "", isThere ? hides(view) : talk.hidden?.[talk.at]);
  caption(next, notesOf(talk, texts).coming, talk.hidden?.[talk.at + 1]);
}

export function notesOf({ at, titles, note }, texts) {
  return {
    count: fill(texts.count, { at: at + 1, views: titles.length }),
    note: note || texts.no_note,
    coming: at + 1 < titles.length ? fill(texts.coming, { title: titles[at + 1] }) : texts.last,
  };
}

function clockBegan() {
  try {
    return Number(sessionStorage.getItem(CLOCK)) || null;
  } catch {
    return null; // no storage here: no clock
  }
}

function startClock() {
  try {
    sessionStorage.setItem(CLOCK, String(Date.now()));
  } catch {}
}

// How long one has talked, and how far that is from the plan: a view is in time until the next one should begin.
function clockOf(texts, talk) {
  const began = clockBegan();
  if (began === null) return "";
  const seconds = Math.floor((Date.now() - began) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (!talk?.starts) return fill(texts.elapsed, { time });
  const [from, to] = [talk.starts[talk.at], talk.starts[talk.at + 1] ?? Infinity];
  const early = Math.ceil(from - seconds / 60);
  const late = Math.ceil(seconds / 60 - to);
  if (early > 0) return fill(texts.ahead, { time, minutes: early });
  return late > 0 ? fill(texts.behind, { time, minutes: late }) : fill(texts.elapsed, { time });
}
