// What lies over the page: the link as a QR code, a black screen, the end of a talk.

import { linkTo, parametersOf } from "../kit/address.js";
import { button, dress, el, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { EXERCISES, FIRST_LESSON, TOUR, solvedCards } from "../kit/progress.js";
import { copyLink } from "../kit/save.js";

const SHOWN = 200; // characters of a link that are written out beside its code
const MESSAGE_TIME = 2500; // ms for which «copied» stands there
const OPTION = /(--\S+)/; // of a command: never broken at its hyphens

// root: where to draw; texts: { share, end, black }; store: what it follows. Returns { destroy }.
export function mountCovers(root, texts, store) {
  const out = () => store.set({ over: "" });
  const dialog = (name, label, ...children) =>
    el("dialog", { class: name, "aria-label": label, oncancel: out }, ...children);
  const share = shareDialog(texts.share, store, dialog, out);
  const end = endDialog(texts.end, store, dialog, out);
  const black = { dialog: dialog("black", texts.black), write() {} };
  black.dialog.addEventListener("click", out);
  const covers = { share, black, end };
  root.replaceChildren(...Object.values(covers).map((cover) => cover.dialog));
  const paint = (view) => {
    dress(root, store.theme);
    for (const [name, cover] of Object.entries(covers)) {
      const open = view.over === name;
      if (open) cover.write(view);
      if (open && !cover.dialog.open) cover.dialog.showModal();
      else if (!open && cover.dialog.open) cover.dialog.close();
    }
  };
  paint(store.view);
  return { destroy: store.subscribe(paint) };
}

const linkNow = (store) => linkTo(parametersOf(store.view, store.share.address));

function shareDialog(texts, store, dialog, out) {
  const code = el("div", { class: "code" });
  const link = el("output", { class: "link" });
  const message = el("span", { class: "message", role: "status" });
  const problem = el("p", { class: "problem" });
  const copy = async () => {
    setText(message, (await copyLink(linkNow(store))) ? texts.copied : texts.not_copied);
    setTimeout(setText, MESSAGE_TIME, message, "");
  };
  const buttons = [button(texts.copy, copy, { class: "main" }), button(texts.close, out), message];
  const words = el(
    "div",
    { class: "words" },
    el("h2", {}, texts.title),
    link,
    problem,
    el("div", { class: "buttons" }, ...buttons),
    el("p", { class: "hint" }, texts.any),
  );
  const node = dialog("share", texts.title, code, words);
  const write = (view) => {
    const { share } = store;
    node.toggleAttribute("data-lecture", view.lecture);
    const now = linkNow(store);
    setText(link, now.length <= SHOWN ? now : `${now.slice(0, SHOWN - 1)}…`);
    problem.replaceChildren(...share.problem.split(OPTION).map((part, at) => (at % 2 ? el("span", {}, part) : part)));
    problem.hidden = !share.problem;
    // that of another view would lead astray
    const drawn = store.isKnown() ? share : { code: "", no_code: "" };
    code.replaceChildren(drawn.code ? el("img", { src: drawn.code, alt: texts.code }) : el("p", {}, drawn.no_code));
  };
  return { dialog: node, write };
}

// How many exercises are solved, and which are not, with the way to each.
function solvedIn({ name, titles }, texts, store) {
  const solved = solvedCards(name);
  const open = titles.map((_, at) => at).filter((at) => !solved.includes(at));
  const values = { solved: titles.length - open.length, views: titles.length };
  const links = open.map((at) => button(String(at + 1), () => store.turn(at), { title: titles[at], class: "open" }));
  return [fill(open.length ? texts.said_open : texts.said_all, values), ...links];
}

function endDialog(texts, store, dialog, out) {
  const title = el("h2");
  const leave = button(texts.leave, () => {
    out();
    store.send?.("talk", { to: null, lecture: false });
  });
  const goOn = (words, name, value) =>
    button(words, () => {
      out();
      store.send?.(name, value);
    });
  const exercises = goOn(texts.lesson.exercises, "talk", { name: EXERCISES, to: 0 });
  const lesson = goOn(texts.exercises.lesson, "talk", { name: FIRST_LESSON, to: 0 });
  const tour = goOn(texts.lesson.tour, "talk", { name: TOUR, to: 0 });
  const again = button(texts.again, () => store.turn(0));
  const buttons = [button(texts.back, out, { class: "main" }), again, leave, exercises, lesson, tour];
  const heading = el("p", { class: "over" });
  const said = el("p");
  const node = dialog("end", texts.title, heading, title, el("div", { class: "buttons" }, ...buttons), said);
  const write = () => {
    const words = store.talk?.lesson ? { ...texts, ...texts.lesson } : texts;
    const isExercises = store.talk?.name === EXERCISES;
    setText(title, store.talk?.title ?? "");
    setText(heading, isExercises ? texts.exercises.title : words.title);
    said.replaceChildren(...(isExercises ? solvedIn(store.talk, texts.exercises, store) : [words.said]));
    setText(leave, isExercises ? texts.exercises.leave : words.leave);
    leave.classList.toggle("main", Boolean(store.talk?.lesson));
    buttons[0].classList.toggle("main", !store.talk?.lesson);
    leave.hidden = !store.send; // a file has nothing else to show
    exercises.hidden = !store.send || store.talk?.name !== FIRST_LESSON;
    lesson.hidden = !store.send || !isExercises;
    tour.hidden = !store.send || !store.talk?.lesson;
  };
  return { dialog: node, write };
}
