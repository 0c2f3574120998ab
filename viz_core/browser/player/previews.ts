// Two previews in the notes window: the app itself in lecture mode, at this view of the talk and at the next, each in a session of its
// own. When the talk goes on, the next view is already loaded, and the free preview turns to the one after it with a single run of the
// script, without reloading.

import type { Store, Talk, View } from "../../web/src/ui/store";
import { el, setAttributes } from "../kit/dom";
import { PREVIEW } from "../kit/preview";

const STORE: unique symbol = Symbol.for("viz_core.store");
// One process serves the projector and the previews, and the projector comes first: ms without a change there until a preview mirrors the
// speaker's changes, and until one turns, which takes as long as a turn on the projector.
const MIRRORS = 400;
const TURNS = 1000;
const PATIENCE = 30000; // ms until a preview that has not arrived is reloaded

let rested: { what: unknown[]; since: number } = { what: [], since: 0 }; // what the projector shows, and since when

// views: the element with the two figures. Returns them in order: this view's, the next one's.
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
  requested?: number; // ms
}

const isOf = ({ dataset }: Figure, key: string, at: number) => dataset.talk === key && dataset.at === String(at);

function restOf(view: View, { at, shown, titles }: Talk) {
  const what = [view, at, shown, titles];
  if (what.some((value, index) => value !== rested.what[index])) rested = { what, since: performance.now() };
  return at === shown ? performance.now() - rested.since : 0;
}

// Loads one preview at a time.
function follow(wanted: [Figure, number][], key: string, talk: Talk) {
  for (const [figure, at] of wanted) {
    if (figure.hasAttribute("data-there")) continue;
    const isRequested = isOf(figure, key, at);
    if (isRequested && Date.now() - (figure.requested ?? 0) < PATIENCE) return;
    const preview = storeOf(figure);
    if (!isRequested && preview?.talk && figure.dataset.talk === key) preview.turn(at);
    else load(figure, at, talk);
    setAttributes(figure, { "data-talk": key, "data-at": at });
    figure.requested = Date.now(); // not performance.now(), which starts over if the talk's window is reloaded
    return;
  }
}

function load(figure: Figure, at: number, talk: Talk) {
  const parameters = new URLSearchParams({ talk: talk.name, at: String(at + 1), lecture: "on" });
  const language = new URLSearchParams(location.search).get("lang");
  if (language) parameters.set("lang", language);
  // Hidden from Tab and screen readers: it shows nothing that the talk's own page does not.
  const attributes = { class: PREVIEW, inert: true, "aria-hidden": true, tabindex: -1 };
  const frame = el("iframe", { ...attributes, src: `${location.pathname}?${parameters}` });
  figure.querySelector(".preview")?.replaceChildren(frame);
}

// The store of the app in a preview; undefined while it loads or if the browser denies access.
function storeOf(figure: Figure): Store | undefined {
  try {
    return (figure.querySelector("iframe")?.contentWindow as { [STORE]?: Store } | undefined)?.[STORE];
  } catch {
    return undefined;
  }
}

function shows(figure: Figure, at: number) {
  const preview = storeOf(figure);
  return preview?.talk?.shown === at && preview.talk.at === at && preview.talk.page === preview.limits.page;
}

// Shows the speaker's changes of the view in a preview as well.
function mirror({ view, limits }: Store, preview?: Store) {
  if (!preview || preview.limits.page !== limits.page || preview.limits.text !== limits.text) return;
  preview.set({ ...view, playing: "", help: false, over: "", notes: "", lecture: true });
}
