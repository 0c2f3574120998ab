// The bar at the foot of the window: the place in the talk, the speaker's notes, and the way out of lecture mode, where only a
// thin line of the bar shows until the pointer moves.

import { cover, fullScreen, notesShown, switchLecture } from "../kit/keys.js";
import { button, dress, el, setAttributes, setText, toolbar } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { isPreview } from "../kit/preview.js";
import { placeText } from "../kit/walk.js";
import { mountNotes, notesOf } from "./notes_window.js";

const AWAKE = 2500; // ms after the last move of the pointer
const SAID = 10000; // ms for which it stands there that the notes window was blocked

// root: where to draw; texts: its words; store: what it drives; player: the line with the steps, which stands above it; card:
// of a lesson, which stands above that where the window is narrow; more: further buttons. Returns { destroy }.
export function mountBar(root, texts, store, player = null, card = null, more = []) {
  const page = document.documentElement;
  const blocked = el("p", { class: "blocked", role: "status" });
  const notes = mountNotes(texts, store, () => {
    setText(blocked, texts.window_blocked);
    clearTimeout(saying);
    saying = setTimeout(setText, SAID, blocked, "");
  });
  store.openNotes = notes.open;
  let saying = 0;
  const named = (name, act) => button(texts[`${name}_sign`], act, { class: name, title: texts[name] });
  const back = named("back", () => store.advance(-1));
  const lecture = named("lecture", () => switchLecture(store));
  const dots = el("span", { class: "dots", role: "group" });
  const step = el("span", { class: "step" });
  const count = el("span", { class: "count", role: "status" });
  const message = el("p", { class: "message" });
  const next = el("p", { class: "coming" });
  const note = el(
    "section",
    { class: "note", "aria-label": texts.notes, tabindex: "0", onscroll: fade },
    message,
    next,
  );
  const row = toolbar(
    texts.toolbar,
    { class: "row" },
    back,
    dots,
    named("on", () => store.advance(1)),
    count,
    step,
    el(
      "span",
      { class: "more" },
      named("window", notes.open),
      store.send && named("share", () => cover(store, "share")),
      named("full", fullScreen),
      lecture,
      store.send && named("leave", () => store.send?.("talk", { to: null, lecture: store.view.lecture })),
      ...more,
    ),
  );
  root.replaceChildren(note, row, blocked);
  let drawn = null;
  let shown; // the view of a talk that is there, null without one; undefined before anything is
  let asleep = 0;

  // What is below the edge shines through it.
  function fade() {
    note.classList.toggle("more-below", note.scrollTop + note.clientHeight < note.scrollHeight - 1);
  }

  const drawDots = (titles) => {
    if (titles.join("\n") === drawn) return;
    drawn = titles.join("\n");
    const labels = titles.map((title, at) => fill(texts.to, { at: at + 1, title }));
    dots.replaceChildren(
      ...labels.map((label, at) => button("", () => store.turn(at), { title: label, "aria-label": label })),
    );
  };

  const paint = (view) => {
    const { talk } = store;
    dress(root, store.theme);
    root.hidden = isPreview() || ((!talk || talk.lesson) && !view.lecture); // a lesson has its cards
    setAttributes(root, { "data-talk": Boolean(talk), "data-lecture": view.lecture });
    // outside lecture mode the player has it
    setText(step, view.lecture ? placeText(store, texts) : "");
    const name = view.lecture ? "leave_lecture" : "lecture";
    setText(lecture, texts[`${name}_sign`], { title: texts[name] });
    note.hidden = !talk || !notesShown(view);
    if (talk) {
      drawDots(talk.titles);
      [...dots.children].forEach((dot, at) => {
        const now = at === talk.at;
        setAttributes(dot, { class: now ? "now" : at < talk.at ? "past" : null, "aria-current": now ? "true" : null });
      });
      setAttributes(dots, { "aria-label": talk.title });
      back.disabled = talk.at === 0;
      const words = notesOf(talk, texts);
      setText(count, words.count);
      if (message.textContent !== words.note) note.scrollTop = 0;
      setText(message, words.note);
      setText(next, words.coming);
      fade();
    }
    notes.paint();
    const now = talk && `${talk.name} ${talk.shown}`;
    if (now && shown !== undefined && now !== shown) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    shown = now;
  };

  // Beside the rail of pages, below the line with the steps; the page ends above both.
  const measure = () => {
    const main = document.querySelector("[data-testid=stMain]");
    const left = `${main ? main.getBoundingClientRect().left : 0}px`;
    root.style.left = left;
    const talk = root.hidden ? 0 : root.offsetHeight;
    const steps = player?.offsetHeight ?? 0;
    const isBelow = card && card.offsetWidth > innerWidth / 2; // the picture, and not beside it
    for (const [name, px] of Object.entries({
      "--viz-left": left,
      "--viz-talk": `${talk}px`,
      "--viz-foot": `${talk + steps}px`,
      "--viz-bar": `${talk + steps + (isBelow ? card.offsetHeight : 0)}px`,
    }))
      page.style.setProperty(name, px);
    fade();
  };
  const sizes = new ResizeObserver(measure);
  for (const node of [root, player, card, document.querySelector("[data-testid=stMain]")])
    if (node) sizes.observe(node);

  const stay = (awake) => {
    for (const node of [page, root]) node.toggleAttribute("data-awake", awake);
  };
  const wake = () => {
    clearTimeout(asleep);
    stay(true);
    // a finger does not move before it presses
    if (!matchMedia("(pointer: coarse)").matches) asleep = setTimeout(stay, AWAKE, false);
  };
  if (matchMedia("(pointer: coarse)").matches) stay(true);
  window.addEventListener("pointermove", wake);
  paint(store.view);
  const off = store.subscribe(paint);
  return {
    destroy() {
      off();
      clearTimeout(saying);
      notes.destroy();
      sizes.disconnect();
      window.removeEventListener("pointermove", wake);
      page.style.setProperty("--viz-bar", "0px");
    },
  };
}
