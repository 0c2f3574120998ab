// A card of the lesson beside the picture: what to read, the one thing to do, and the way on. A frame lies around the part of
// the page that it speaks of. How far one has come is kept in this browser.

import { button, dress, el, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { finish, reach, solvedCards } from "../kit/progress.js";
import { mountExercise } from "./exercise.js";

const EVERY = 250; // ms until the frame follows what has moved
const SETTLED = 1500; // ms until a page that a card has brought takes the focus from it no more
const AROUND = 5; // px between the frame and what it frames
// The parts of the page that a card may mark.
const MARKED = {
  next: ".vm.output .choice",
  question: ".question",
  stages: ".stages .track",
};

// root: where to draw; texts: of the lesson. Returns { node: the card, destroy }.
export function mountLesson(root, texts, store) {
  const count = el("span", { class: "count" });
  const leave = button("✕", () => store.send?.("talk", { to: null, lecture: store.view.lecture }), {
    class: "leave",
    title: texts.leave,
    "aria-label": texts.leave,
  });
  // On a small window it lies over the picture, so that one may want to see only its buttons.
  const fold = button("▾", () => card.classList.toggle("folded"), {
    class: "fold",
    title: texts.fold,
    "aria-label": texts.fold,
  });
  const bars = el("div", { class: "bars", "aria-hidden": true });
  const title = el("h2");
  const says = el("p", { class: "says" });
  const todo = el("p", { class: "todo" });
  const live = { class: "text", tabindex: 0, role: "group", "aria-label": texts.region, "aria-live": "polite" };
  const exercise = mountExercise(texts.exercise, store);
  const text = el("div", live, title, says, todo, exercise.node);
  const back = button(texts.back, () => store.turn(store.talk.at - 1));
  const on = button(texts.on, () => store.turn(store.talk.at + 1), { class: "main" });
  const keys = el("p", { class: "keys" }, texts.keys);
  const card = el(
    "section",
    { class: "card", "aria-label": texts.region },
    el("header", {}, count, bars, fold, leave),
    text,
    el("footer", {}, back, on, keys),
  );
  const frame = el("div", { class: "frame", "aria-hidden": true, hidden: true });
  root.replaceChildren(frame, card);
  let marked = { selector: null, part: null };
  let written = "";
  let isNew = null; // since when the card is: it is to have the focus once all of it is there, else one would begin at the top
  let hasFocus = false; // it has had it

  const paint = (view) => {
    const isShown = Boolean(store.talk?.lesson && !view.lecture);
    dress(root, store.theme);
    root.hidden = !isShown;
    document.documentElement.toggleAttribute("data-lesson", isShown);
    if (isShown) {
      exercise.paint(store.talk);
      write(store.talk);
      writeBars(store.talk);
      takeFocus();
      if (view.over === "end") finish(store.talk.name);
    }
    follow();
  };

  // Only where it is another card: each change is read aloud.
  const write = ({ name, titles, at, shown, note, todo: task }) => {
    const now = `${name} ${at} ${shown}`;
    if (now === written) return;
    if (title.textContent !== titles[at]) {
      card.classList.remove("folded");
      [isNew, hasFocus] = [performance.now(), false];
    }
    written = now;
    reach(name, at);
    setText(title, titles[at]);
    const isThere = at === shown; // else it is on its way
    setText(says, isThere ? note : "");
    todo.hidden = !task;
    todo.replaceChildren(...(isThere && task ? [el("b", {}, texts.todo), ` ${task}`] : []));
    back.disabled = at === 0;
    setText(on, at === titles.length - 1 ? texts.end : texts.on);
  };

  // Unless somebody types elsewhere by now, or long after: a page that comes takes the focus from where it was.
  const takeFocus = () => {
    if (isNew === null || store.talk.at !== store.talk.shown) return;
    const { activeElement } = document;
    const isLost = activeElement === document.body;
    const isFree = isLost || (activeElement === root.getRootNode().host && !hasFocus); // one may go on from there
    if (isFree && !exercise.focus()) text.focus({ preventScroll: true });
    hasFocus = true;
    if (!(isFree || activeElement === root.getRootNode().host) || performance.now() - isNew > SETTLED) isNew = null;
  };

  // How many cards were read, or exercises solved.
  const writeBars = ({ name, titles, at, exercise: asked }) => {
    const views = titles.length;
    const solved = solvedCards(name);
    const words = asked
      ? `${fill(texts.count_exercises, { at: at + 1, views })} · ${fill(texts.exercises, { solved: solved.length, views })}`
      : fill(texts.count, { at: at + 1, views });
    setText(count, words);
    const filled = (index) => (asked ? solved.includes(index) : index <= at);
    if (bars.children.length !== views) bars.replaceChildren(...titles.map(() => el("i")));
    [...bars.children].forEach((bar, index) => {
      bar.className = [filled(index) && "past", index === at && "here"].filter(Boolean).join(" ");
    });
  };

  // The frame, where the marked part is now, unless the card lies over it.
  const follow = () => {
    const { talk } = store;
    if (!root.hidden && talk) takeFocus();
    const selector = !root.hidden && talk?.at === talk?.shown && MARKED[talk?.mark]; // it may have ended since
    if (selector !== marked.selector || !marked.part?.isConnected)
      marked = { selector, part: selector ? find(selector) : null };
    const box = marked.part?.getBoundingClientRect();
    frame.hidden = !box?.width || isOver(card.getBoundingClientRect(), box);
    if (frame.hidden) return;
    const px = (value) => `${Math.round(value)}px`;
    Object.assign(frame.style, {
      left: px(box.left - AROUND),
      top: px(box.top - AROUND),
      width: px(box.width + 2 * AROUND),
      height: px(box.height + 2 * AROUND),
    });
  };

  paint(store.view);
  const timer = setInterval(follow, EVERY);
  const off = store.subscribe(paint);
  return {
    node: card,
    destroy() {
      off();
      clearInterval(timer);
    },
  };
}

const isOver = (one, other) =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

// In the page, or in one of its browser-side parts.
function find(selector) {
  const parts = [...document.querySelectorAll("[data-testid^=stBidiComponent], [data-testid^=stBidiComponent] *")];
  const roots = [document, ...parts.map(({ shadowRoot }) => shadowRoot).filter(Boolean)];
  for (const root of roots) {
    const found = root.querySelector(selector);
    if (found) return found;
  }
  return null;
}
