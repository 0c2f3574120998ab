// A card of the lesson beside the picture: what to read, the one thing to do, and the way on. A frame lies around the part of
// the page that it speaks of. How far one has come is kept in this browser.

import { button, dress, el, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { furthest } from "../kit/progress.js";

const EVERY = 250; // ms until the frame follows what has moved
const AROUND = 5; // px between the frame and what it frames
// The parts of the page that a card may mark.
const MARKED = {
  source: ".line.source .row",
  target: ".line.target .row",
  next: ".vm.output .choice",
  question: ".question",
  stages: ".stages .track",
  steps: ".player .steps",
  slider: "[data-testid=stSlider]",
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
  const text = el("div", live, title, says, todo);
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

  const paint = (view) => {
    const { talk } = store;
    const isShown = Boolean(talk?.lesson && !view.lecture);
    dress(root, store.theme);
    root.hidden = !isShown;
    document.documentElement.toggleAttribute("data-lesson", isShown);
    follow();
    if (!isShown) return;
    const { at, titles } = talk;
    furthest(talk.name, at);
    setText(count, fill(texts.count, { at: at + 1, views: titles.length }));
    if (bars.children.length !== titles.length) bars.replaceChildren(...titles.map(() => el("i")));
    [...bars.children].forEach((bar, index) => setAttributes(bar, { class: index <= at ? "past" : null }));
    if (title.textContent !== titles[at]) {
      card.classList.remove("folded");
      if (document.activeElement === document.body) text.focus({ preventScroll: true }); // else a reader would begin at the top
    }
    setText(title, titles[at]);
    setText(says, at === talk.shown ? talk.note : "");
    todo.replaceChildren(...(at === talk.shown ? [el("b", {}, texts.todo), ` ${talk.todo}`] : []));
    back.disabled = at === 0;
    setText(on, at === titles.length - 1 ? texts.end : texts.on);
  };

  // The frame, where the marked part is now.
  const follow = () => {
    const { talk, view } = store;
    const selector = talk?.lesson && talk.at === talk.shown && !view.lecture && MARKED[talk.mark];
    const box = selector ? find(selector)?.getBoundingClientRect() : null;
    const own = card.getBoundingClientRect();
    const isCovered = box?.width && box.right > own.left && box.bottom > own.top && box.top < own.bottom;
    frame.hidden = !box?.width || isCovered;
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
