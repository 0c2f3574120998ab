// Speaker notes in a window of their own, for a second screen. It is drawn by this page, follows it, and takes the same
// keys.

import { dress, el } from "../kit/dom.js";
import { installKeys } from "../kit/keys.js";
import { fill } from "../kit/numbers.js";

const STYLE = `
  body { margin: 0; padding: 1.2rem 1.6rem; font: 22px/1.45 "Source Sans", sans-serif; }
  body { background: var(--surface); color: var(--ink); }
  header { display: flex; justify-content: space-between; color: var(--quiet); }
  h1 { margin: .6rem 0; font-size: 1.5rem; }
  .message { white-space: pre-line; }
  .coming { margin-top: 1.5rem; color: var(--quiet); }`;

// By a click: browsers let no page open a window by itself.
export function openNotes(texts, store) {
  const other = window.open("", "viz-notes", "popup,width=900,height=620");
  if (!other) return;
  if (store.notesWindow !== other || !other.document.querySelector(".message")) {
    other.document.title = texts.notes;
    other.document.head.replaceChildren(el("style", {}, STYLE));
    const clock = el("span");
    const began = Date.now();
    other.document.body.replaceChildren(
      el("header", {}, el("span", { class: "count" }), clock),
      el("h1"),
      el("p", { class: "message" }),
      el("p", { class: "coming" }),
    );
    const tick = () => {
      clock.textContent = fill(texts.elapsed, { minutes: Math.floor((Date.now() - began) / 60000) });
    };
    tick();
    other.setInterval(tick, 5000);
    installKeys(store, other);
    store.notesWindow = other;
  }
  other.focus();
  writeNotes(texts, store);
}

export function writeNotes(texts, store) {
  const other = store.notesWindow;
  const { talk } = store;
  if (!other || other.closed) return;
  const write = (where, text) => {
    other.document.querySelector(where).textContent = text;
  };
  dress(other.document.documentElement, store.theme);
  const { at = 0, titles = [""], starts = null, note = "" } = talk ?? {};
  const place = fill(texts.count, { at: at + 1, views: titles.length });
  write(".count", starts ? `${place} · ${fill(texts.planned, { minute: Math.round(starts[at]) })}` : place);
  write("h1", talk ? titles[at] : texts.no_talk);
  write(".message", talk ? note || texts.no_note : "");
  write(".coming", at + 1 < titles.length ? fill(texts.coming, { title: titles[at + 1] }) : texts.last);
}
