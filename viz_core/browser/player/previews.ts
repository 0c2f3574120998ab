// Two previews in the notes window: the app itself at this view of the talk and at the next, in lecture mode. Each is a session of
// its own on the server. When the talk goes on, the next view is there already, and the preview that is free turns to the one after
// it, one run of the script for each turn; no page is loaded again.

import type { Store, Talk, View } from "../../web/src/ui/store";
import { el, setAttributes } from "../kit/dom";
import { PREVIEW } from "../kit/preview";

const STORE: unique symbol = Symbol.for("viz_core.store");
// Both windows are drawn by one process, and the wall comes first: ms for which nothing has changed there until a preview takes
// over what the speaker has changed, and until one turns, which takes as long as on the wall.
const MIRRORS = 400;
const TURNS = 1000;
const PATIENCE = 30000; // ms until a preview that does not come is loaded again

let rested: { what: unknown[]; since: number } = { what: [], since: 0 }; // what the wall shows, and since when

// views: the element with the figures. Returns the figures: that of this view, then that of the next.
export function showPreviews(views: HTMLElement, store: Store, talk: Talk) {
  const key = JSON.stringify([talk.name, talk.titles]);
  const figures = [...views.children] as Figure[];
  const here = figures.find((figure) => isOf(figure, key, talk.at));
  const now = here ?? figures.find((figure) => !isOf(figure, key, talk.at + 1)) ?? (figures[0] as Figure);
  const next = figures.find((figure) => figure !== now) as Figure;
  const isLast = talk.at === talk.titles.length - 1;
  setAttributes(now, { "data-role": "now" });
  setAttributes(next, { "data-role": isLast ? "none" : "next" });
  const wanted: [Figure, number][] = isLast
    ? [[now, talk.at]]
    : [
        [now, talk.at],
        [next, talk.at + 1],
      ];
  for (const [figure, at] of wanted) figure.toggleAttribute("data-there", isOf(figure, key, at) && shows(figure, at));
  const rests = restOf(store.view, talk);
  if (rests > MIRRORS && now.hasAttribute("data-there")) mirror(store, storeOf(now));
  if (rests > TURNS) follow(wanted, key, talk);
  return [now, next];
}

interface Figure extends HTMLElement {
  asked?: number; // when, in ms
}

const isOf = ({ dataset }: Figure, key: string, at: number) => dataset.talk === key && dataset.at === String(at);

function restOf(view: View, { at, shown, titles }: Talk) {
  const what = [view, at, shown, titles];
  if (!rested.what.length && rested.what.every((each, index) => each === what[index])) rested = { what, since: performance.now() };
  return at === shown ? performance.now() - rested.since : 0;
}

// One after the other.
function follow(wanted: [Figure, number][], key: string, talk: Talk) {
  for (const [figure, at] of wanted) {
    if (figure.hasAttribute("data-there")) continue;
    const isAsked = isOf(figure, key, at);
    if (isAsked && Date.now() - (figure.asked ?? 0) < PATIENCE) return;
    const its = storeOf(figure);
    if (!isAsked && its?.talk && figure.dataset.talk === key) its.turn(at);
    else load(figure, at, talk);
    setAttributes(figure, { "data-talk": key, "data-at": at });
    figure.asked = Date.now(); // of no window: that of the talk may be loaded anew
    return;
  }
}

function load(figure: Figure, at: number, talk: Talk) {
  const asked = new URLSearchParams({ talk: talk.name, at: String(at + 1), lecture: "on" });
  const language = new URLSearchParams(location.search).get("lang");
  if (language) asked.set("lang", language);
  // Not to be reached by Tab or a screen reader: it shows nothing that the page of the talk does not.
  const attributes = { class: PREVIEW, inert: true, "aria-hidden": true, tabindex: -1 };
  const frame = el("iframe", { ...attributes, src: `${location.pathname}?${asked}` });
  figure.querySelector(".preview")?.replaceChildren(frame);
}

// The store of the app in a figure; nothing while it is on its way, or where the browser says that it cannot come.
function storeOf(figure: Figure): Store | undefined {
  try {
    return (figure.querySelector("iframe")?.contentWindow as { [STORE]?: Store } | undefined)?.[STORE];
  } catch {
    return undefined;
  }
}

function shows(figure: Figure, at: number) {
  const its = storeOf(figure);
  return its?.talk?.shown === at && its.talk.at === at && its.talk.page === its.limits.page;
}

// What the speaker has changed in the view is seen here, too.
function mirror({ view, limits }: Store, its?: Store) {
  if (!its || its.limits.page !== limits.page || its.limits.text !== limits.text) return;
  its.set({ ...view, playing: "", help: false, over: "", notes: "", lecture: true });
}
