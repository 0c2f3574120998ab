// The player in Streamlit: the only part that talks to Python, on behalf of all parts of the page.

import { sendAlong } from "../kit/along.js";
import { installKeys, installPlayer } from "../kit/keys.js";
import { el } from "../kit/dom.js";
import { whenReconnected } from "../kit/reconnect.js";
import { theStore } from "../kit/store.js";
import { isPreview } from "../kit/preview.js";
import { mountBar } from "./bar.js";
import { mountCovers } from "./covers.js";
import { keepTalks } from "./kept_talks.js";
import { mountLesson } from "./lesson.js";
import { pictureButtons } from "./menu.js";
import { growFigures, mountPlayer, oneEntryForEachView, watchServer } from "./player.js";

const LEFT = 1500; // ms

// A page without a sentence has no player, so nobody could leave lecture mode there.
function leaveLectureMode(store, root) {
  if (store.player !== root || root.viz) return;
  for (const name of ["data-lecture", "data-predict", "data-lesson"]) document.documentElement.removeAttribute(name);
}

// For the whole life of the tab: from one page to the next there is a moment without a player, and no key may be lost
// in it.
function live(store, health) {
  sendAlong(store.unsaid, store.address);
  whenReconnected(store.begin);
  if (!isPreview()) {
    installKeys(store, window, () => store.player.isConnected || performance.now() - store.left < LEFT);
    installPlayer(store);
    watchServer(store, health);
  }
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
  store.notesPage = data.notes_page;
  store.formulas = data.formulas;
  store.plotly = data.plotly;
  store.adopt(data);
  keepTalks(data, setTriggerValue);
  if (!isPreview()) missTraining(data, setTriggerValue);
  root.toggleAttribute("data-has-bar", true); // lecture mode has a bar of its own here
  if (!root.viz) {
    const player = mountPlayer(root, data.texts, store);
    const steps = root.querySelector(".transport");
    const card = mountLesson(lesson, data.lesson, store);
    const foot = mountBar(bar, data.bar, store, steps, card.node, pictureButtons(data.texts, store));
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

const TRAINING = "viz-training"; // in this tab's storage: the session that has begun to train a model

// A run of training lives in one process of the server, for one session; that it is gone is said where it was begun.
// trains: whether this session has begun one.
function missTraining({ trains, session, limits }, send) {
  try {
    const began = sessionStorage.getItem(TRAINING);
    if (trains) sessionStorage.setItem(TRAINING, session);
    else if (began && began !== session && limits.page === "training") {
      sessionStorage.removeItem(TRAINING);
      send("lost", "training");
    }
  } catch {} // no storage here: nothing is said
}
