// The bar at the foot of the window: the place in the talk, the speaker's notes (also in a window of their own), and
// the way out of lecture mode, where only a thin line of the bar shows until the pointer moves.

import { cover, fullScreen, notesShown, switchLecture } from "../kit/actions.js";
import { dress, el } from "../kit/dom.js";
import { installKeys } from "../kit/keys.js";
import { fill } from "../kit/numbers.js";

const AWAKE = 2500; // ms after the last move of the pointer

// root: where to draw; texts: its words; store: what it drives. Returns { destroy }.
export function mountBar(root, texts, store) {
  const page = document.documentElement;
  const button = (name, act) =>
    el(
      "button",
      { type: "button", class: name, title: texts[name], onclick: act },
      texts[`${name}_sign`] ?? texts[name],
    );
  const back = button("back", () => store.advance(-1));
  const on = button("on", () => store.advance(1));
  const dots = el("span", { class: "dots", role: "group" });
  const step = el("span", { class: "step" });
  const count = el("span", { class: "count", role: "status" });
  const lecture = button("lecture", () => switchLecture(store));
  const full = button("full", fullScreen);
  const share = button("share", () => cover(store, "share"));
  const notes = button("window", () => openNotes(texts, store));
  const leave = button("leave", () => store.send?.("talk", { to: null, lecture: store.view.lecture }));
  const message = el("p", { class: "message" });
  const next = el("p", { class: "coming" });
  const note = el("section", { class: "note", "aria-label": texts.notes, tabindex: "0" }, message, next);
  const row = el(
    "div",
    { class: "row", role: "toolbar", "aria-label": texts.toolbar },
    back,
    dots,
    on,
    count,
    step,
    el("span", { class: "more" }, notes, share, full, lecture, leave),
  );
  root.replaceChildren(note, row);
  let drawn = null;
  let shown = null;
  let asleep = 0;

  const draw = (titles) => {
    const dot = (title, at) =>
      el("button", {
        type: "button",
        title: fill(texts.to, { at: at + 1, title }),
        "aria-label": fill(texts.to, { at: at + 1, title }),
        onclick: () => store.turn(at),
      });
    dots.replaceChildren(...titles.map(dot));
    drawn = titles.join("\n");
  };

  const paint = (view) => {
    const { talk } = store;
    dress(root, store.theme);
    root.hidden = !talk && !view.lecture;
    root.toggleAttribute("data-talk", Boolean(talk));
    // outside lecture mode the player has it
    step.textContent = view.lecture ? fill(texts.step, { step: view.step + 1, steps: store.limits.steps }) : "";
    root.toggleAttribute("data-lecture", view.lecture);
    lecture.textContent = view.lecture ? texts.leave_lecture_sign : texts.lecture_sign;
    lecture.title = view.lecture ? texts.leave_lecture : texts.lecture;
    note.hidden = !talk || !notesShown(view);
    if (talk) {
      if (talk.titles.join("\n") !== drawn) draw(talk.titles);
      [...dots.children].forEach((dot, at) => {
        dot.className = at < talk.at ? "past" : at === talk.at ? "now" : "";
        dot.toggleAttribute("aria-current", at === talk.at);
      });
      dots.setAttribute("aria-label", talk.title);
      count.textContent = fill(texts.count, { at: talk.at + 1, views: talk.titles.length });
      back.disabled = talk.at === 0;
      message.textContent = talk.note || texts.no_note;
      next.textContent =
        talk.at + 1 < talk.titles.length ? fill(texts.coming, { title: talk.titles[talk.at + 1] }) : texts.last;
    }
    writeNotes(texts, store);
    const now = talk && `${talk.name} ${talk.shown}`;
    if (shown !== null && now !== null && now !== shown) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    shown = now;
  };

  // Beside the sidebar, and the page ends above the bar.
  const measure = () => {
    const main = document.querySelector("[data-testid=stMain]");
    root.style.left = `${main ? main.getBoundingClientRect().left : 0}px`;
    page.style.setProperty("--viz-bar", root.hidden ? "0px" : `${root.offsetHeight}px`);
  };
  const sizes = new ResizeObserver(measure);
  for (const node of [root, document.querySelector("[data-testid=stMain]")]) if (node) sizes.observe(node);

  const stay = (awake) => {
    for (const node of [page, root]) node.toggleAttribute("data-awake", awake);
  };
  const wake = () => {
    clearTimeout(asleep);
    stay(true);
    asleep = setTimeout(stay, AWAKE, false);
  };
  window.addEventListener("pointermove", wake);
  paint(store.view);
  const off = store.subscribe(paint);
  return {
    destroy() {
      off();
      sizes.disconnect();
      window.removeEventListener("pointermove", wake);
      page.style.setProperty("--viz-bar", "0px");
    },
  };
}

const STYLE = `
  body { margin: 0; padding: 1.2rem 1.6rem; font: 22px/1.45 "Source Sans", sans-serif; }
  body { background: var(--surface); color: var(--ink); }
  header { display: flex; justify-content: space-between; color: var(--quiet); }
  h1 { margin: .6rem 0; font-size: 1.5rem; }
  .message { white-space: pre-line; }
  .coming { margin-top: 1.5rem; color: var(--quiet); }`;

// By a click: browsers let no page open a window by itself.
function openNotes(texts, store) {
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

function writeNotes(texts, store) {
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
