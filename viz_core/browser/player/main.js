// The player in Streamlit: the only part that talks to Python, on behalf of all parts of the page; and overlays over the
// whole page: the link with its QR code, a black screen, the end of the talk.

import { installKeys, installPlayer } from "../kit/keys.js";
import { button, dress, el, setText } from "../kit/dom.js";
import { EXERCISES, FIRST_LESSON } from "../kit/progress.js";
import { theStore } from "../kit/store.js";
import { mountBar } from "./bar.js";
import { mountLesson } from "./lesson.js";
import { growFigures, mountPlayer, oneEntryForEachView, watchServer } from "./player.js";
import { copyLink } from "../kit/save.js";

const LEFT = 1500; // ms

// A page without a sentence has no player, so nobody could leave lecture mode there.
function leaveLectureMode(store, root) {
  if (store.player !== root || root.viz) return;
  for (const name of ["data-lecture", "data-predict", "data-lesson"]) document.documentElement.removeAttribute(name);
}

// For the whole life of the tab: from one page to the next there is a moment without a player, and no key may be lost
// in it.
function live(store, health) {
  installKeys(store, window, () => store.player.isConnected || performance.now() - store.left < LEFT);
  installPlayer(store);
  watchServer(store, health);
  growFigures();
  addEventListener("popstate", store.leave);
}

export default function ({ data: [data], parentElement, setTriggerValue }) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-player");
  const [bar, covers, lesson] = ["viz-bar", "viz-covers", "viz-lesson"].map(
    (name) => parentElement.querySelector(`.${name}`) ?? parentElement.appendChild(el("div", { class: name })),
  );
  store.send = setTriggerValue;
  const theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  // another one makes the overview draw itself anew
  if (JSON.stringify(theme) !== JSON.stringify(store.theme)) store.theme = theme;
  oneEntryForEachView();
  store.adopt(data);
  keepRecorded(data, setTriggerValue);
  root.toggleAttribute("data-has-bar", true); // lecture mode has a bar of its own here
  if (!root.viz) {
    const player = mountPlayer(root, data.texts, store);
    const steps = root.querySelector(".transport");
    const card = mountLesson(lesson, data.lesson, store);
    const foot = mountBar(bar, data.bar, store, steps, card.node);
    root.viz = [player, card, foot, mountCovers(covers, data.covers, store)];
    store.player = root;
    if (!store.alive) live(store, data.health);
    store.alive = true;
  }
  // Streamlit calls this when the component leaves; after a rerun the next call takes up again what is still mounted.
  return () => {
    if (root.isConnected || !root.viz) return;
    for (const part of root.viz) part.destroy();
    root.viz = null;
    store.left = performance.now();
    setTimeout(leaveLectureMode, LEFT, store, root);
  };
}

const RECORDED = "viz-recorded"; // in this browser's storage: the text of the talk that is being recorded
let handedBack = null; // the session that has got it

// The recorded talk outlives a reload, and the server. recorded: its text, "" once it has no views, null where this session
// knows of none.
function keepRecorded({ recorded, session }, send) {
  try {
    if (recorded) localStorage.setItem(RECORDED, recorded);
    else if (recorded === "") localStorage.removeItem(RECORDED);
    else if (handedBack !== session && localStorage.getItem(RECORDED)) send("recorded", localStorage.getItem(RECORDED));
  } catch {} // no storage here: it lasts as long as the tab
  handedBack = session;
}

const MESSAGE_TIME = 2500; // ms for which «copied» stands there
const OPTION = /(--\S+)/; // of a command: never broken at its hyphens

// root: where to draw; texts: { share, end, black }; store: what it follows. Returns { destroy }.
function mountCovers(root, texts, store) {
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

function shareDialog(texts, store, dialog, out) {
  const code = el("div", { class: "code" });
  const link = el("output", { class: "link" });
  const message = el("span", { class: "message", role: "status" });
  const problem = el("p", { class: "problem" });
  const copy = async () => {
    setText(message, (await copyLink(store.share.link)) ? texts.copied : texts.not_copied);
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
    setText(link, share.shown);
    problem.replaceChildren(...share.problem.split(OPTION).map((part, at) => (at % 2 ? el("span", {}, part) : part)));
    problem.hidden = !share.problem;
    code.replaceChildren(share.code ? el("img", { src: share.code, alt: texts.code }) : el("p", {}, share.no_code));
  };
  return { dialog: node, write };
}

function endDialog(texts, store, dialog, out) {
  const title = el("h2");
  const leave = button(texts.leave, () => {
    out();
    store.send?.("talk", { to: null, lecture: false });
  });
  const exercises = button(texts.lesson.exercises, () => {
    out();
    store.send?.("talk", { name: EXERCISES, to: 0 });
  });
  const again = button(texts.again, () => store.turn(0));
  const buttons = [button(texts.back, out, { class: "main" }), again, leave, exercises];
  const heading = el("p", { class: "over" });
  const said = el("p");
  const node = dialog("end", texts.title, heading, title, el("div", { class: "buttons" }, ...buttons), said);
  const write = () => {
    const words = store.talk?.lesson ? { ...texts, ...texts.lesson } : texts;
    setText(title, store.talk?.title ?? "");
    setText(heading, words.title);
    setText(said, words.said);
    setText(leave, words.leave);
    leave.classList.toggle("main", Boolean(store.talk?.lesson));
    buttons[0].classList.toggle("main", !store.talk?.lesson);
    exercises.hidden = store.talk?.name !== FIRST_LESSON;
  };
  return { dialog: node, write };
}
