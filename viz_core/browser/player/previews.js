// Two previews in the notes window: the app itself at this view of the talk and at the next, in lecture mode. Each is a session of
// its own on the server. When the talk goes on, the next view is there already, and the preview that is free turns to the one after
// it, one run of the script for each turn; no page is loaded again.

import { el, setAttributes } from "../kit/dom.js";
import { PREVIEW } from "../kit/preview.js";

const STORE = Symbol.for("viz_core.store");
// Both windows are drawn by one process, and the wall comes first: ms for which nothing has changed there until a preview takes
// over what the speaker has changed, and until one turns, which takes as long as on the wall.
const MIRRORS = 400;
const TURNS = 1000;
const PATIENCE = 30000; // ms until a preview that does not come is loaded again

let rested = { what: null, since: 0 }; // what the wall shows, and since when

// views: the element with the figures. Returns the figures: that of this view, then that of the next.
export function showPreviews(views, store) {
  const { talk, view } = store;
  const key = JSON.stringify([talk.name, talk.titles]);
  const figures = [...views.children];
  const here = figures.find((figure) => isOf(figure, key, talk.at));
  const now = here ?? figures.find((figure) => !isOf(figure, key, talk.at + 1)) ?? figures[0];
  const next = figures.find((figure) => figure !== now);
  const isLast = talk.at === talk.titles.length - 1;
  setAttributes(now, { "data-role": "now" });
  setAttributes(next, { "data-role": isLast ? "none" : "next" });
  const wanted = isLast
    ? [[now, talk.at]]
    : [
        [now, talk.at],
        [next, talk.at + 1],
      ];
  for (const [figure, at] of wanted) figure.toggleAttribute("data-there", isOf(figure, key, at) && shows(figure, at));
  const rests = restOf(view, talk);
  if (rests > MIRRORS && now.hasAttribute("data-there")) mirror(store, storeOf(now));
  if (rests > TURNS) follow(wanted, key, store);
  return [now, next];
}

const isOf = ({ dataset }, key, at) => dataset.talk === key && dataset.at === String(at);

function restOf(view, { at, shown, titles }) {
  const what = [view, at, shown, titles];
  if (!rested.what?.every((each, index) => each === what[index])) rested = { what, since: performance.now() };
  return at === shown ? performance.now() - rested.since : 0;
}

// One after the other.
function follow(wanted, key, store) {
  for (const [figure, at] of wanted) {
    if (figure.hasAttribute("data-there")) continue;
    const isAsked = isOf(figure, key, at);
    if (isAsked && Date.now() - figure.asked < PATIENCE) return;
    const its = storeOf(figure);
    if (!isAsked && its?.talk && figure.dataset.talk === key) its.turn(at);
    else load(figure, at, store);
    setAttributes(figure, { "data-talk": key, "data-at": at });
    figure.asked = Date.now(); // of no window: that of the talk may be loaded anew
    return;
  }
}

function load(figure, at, { talk }) {
  const asked = new URLSearchParams({ talk: talk.name, at: at + 1, lecture: "on" });
  const language = new URLSearchParams(location.search).get("lang");
  if (language) asked.set("lang", language);
  // Not to be reached by Tab or a screen reader: it shows nothing that the page of the talk does not.
  const attributes = { class: PREVIEW, inert: true, "aria-hidden": true, tabindex: -1 };
  const frame = el("iframe", { ...attributes, src: `${location.pathname}?${asked}` });
  figure.querySelector(".preview").replaceChildren(frame);
}

// The store of the app in a figure; nothing while it is on its way, or where the browser says that it cannot come.
function storeOf(figure) {
  try {
    return figure.querySelector("iframe")?.contentWindow[STORE];
  } catch {
    return undefined;
  }
}

function shows(figure, at) {
  const its = storeOf(figure);
  return its?.talk?.shown === at && its.talk.at === at && its.talk.page === its.limits.page;
}

// What the speaker has changed in the view is seen here, too.
function mirror({ view, limits }, its) {
  if (its.limits.page !== limits.page || its.limits.text !== limits.text) return;
  its.set({ ...view, playing: "", help: false, over: "", notes: "", lecture: true });
}
