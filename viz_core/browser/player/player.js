// The player on every page, at the foot of the window: play, step back and on, a place for each token that is written; predict,
// and a menu of what is rarely needed. What it does for the page
// around it: one entry of the browser's history for each view, figures that grow with the window in lecture mode, and watching
// whether the server is there.

import { play, stepOn } from "../kit/keys.js";
import { sameParameters } from "../kit/address.js";
import { button, dress, el, setAttributes, setText, td, toolbar, tr } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { ATTENTION_OF } from "../kit/operations.js";
import { isPreview } from "../kit/preview.js";
import { guessedFrom, hides } from "../kit/store.js";
import { placeText, walk, walkTo, walked } from "../kit/walk.js";
import { blockOf } from "./block_of.js";
import { mountMenu } from "./menu.js";
import { mountQuestion } from "./question.js";
import { mountStages } from "./stages.js";

// root: where to draw; texts: its words; store: what it drives. Returns { destroy }.
export function mountPlayer(root, texts, store) {
  const named = (name, sign, act) => button(sign, act, { class: name, title: texts[name], "aria-label": texts[name] });
  const back = named("back", "←", () => walk(store, -1));
  const on = named("on", "→", () => stepOn(store));
  const run = named("play", texts.play_sign, () => play(store));
  const predict = named("predict", texts.predict_sign, () => {
    const { asked, answers = [asked] } = store.limits.question;
    const next = store.view.predict ? answers.indexOf(store.view.predict) + 1 || answers.length : 0;
    store.set({ predict: answers[next] ?? "", revealed: false });
  });
  const menu = mountMenu(texts, store);
  const inWhole = named("whole", texts.whole_sign, () => {
    const open = blockOf(store.limits.page, new URLSearchParams(location.search));
    const cell = ATTENTION_OF[open] ? store.view.cell : null; // elsewhere it is of another kind
    store.send?.("go", { page: "overview", view: { ...store.view, cell, drawing: "flow", open } });
  });
  const label = el("span", { class: "label", role: "status" });
  const away = el("span", { class: "away", role: "status", hidden: true }, texts.offline);
  const help = helpDialog(texts, () => store.set({ help: false }));
  const places = el("span", { class: "steps", role: "group", "aria-label": texts.toolbar });
  const bar = toolbar(texts.toolbar, { class: "player" }, run, back, on, places, label, inWhole, predict, menu.node);
  const stages = mountStages(texts.stages, store);
  const question = mountQuestion(texts.question, store);
  root.replaceChildren(el("div", { class: "transport" }, question.node, bar, stages.node), away, help);

  // A place for each token that is written, or read by the encoder; a click goes there. Its words stand in the top bar.
  let placed = "";
  const paintPlaces = ({ name, at, count }) => {
    if (placed !== `${name} ${count}`) {
      placed = `${name} ${count}`;
      const place = (_, index) => {
        const title = fill(texts[`to_${name}`], { [name]: index + 1 });
        return button("", () => walkTo(store, index), { title, "aria-label": title, tabindex: -1 });
      };
      places.replaceChildren(...Array.from({ length: count }, place));
      const words = name === "token" ? texts.tokens : texts.toolbar;
      for (const group of [places, bar]) setAttributes(group, { "aria-label": words });
      for (const [node, which] of [
        [back, "back"],
        [on, "on"],
      ]) {
        const title = name === "token" ? texts[`${which}_token`] : texts[which];
        setAttributes(node, { title, "aria-label": title });
      }
      places.toggleAttribute("data-source", name === "token");
    }
    [...places.children].forEach((node, index) => {
      const kind = index === at ? "now" : index < at ? "past" : null;
      setAttributes(node, { class: kind, "aria-current": kind === "now" ? "step" : null });
    });
  };

  const paint = (view) => {
    const page = document.documentElement;
    const { steps } = store.limits;
    const walking = walked(store);
    paintPlaces(walking);
    stages.paint(view);
    question.paint(view);
    dress(root, store.theme);
    const { at, count } = walking;
    setText(label, placeText(store, texts));
    back.disabled = at === 0;
    on.disabled = at >= count - 1 && !hides(view);
    const state = view.playing ? "pause" : "play";
    setText(run, texts[`${state}_sign`], { "aria-label": texts[state] });
    setAttributes(predict, { "aria-pressed": Boolean(view.predict) });
    inWhole.hidden = !(store.send && blockOf(store.limits.page));
    away.hidden = store.online;
    for (const node of [page, root]) node.toggleAttribute("data-lecture", view.lecture);
    page.dataset.predict = hides(view) ? view.predict : "";
    hideWords(guessedFrom(view), steps);
    if (view.help !== help.open) view.help ? help.showModal() : help.close();
  };
  paint(store.view);
  const off = store.subscribe(paint);
  return {
    destroy() {
      off();
      menu.close();
      stages.destroy();
    },
  };
}

// In tables that Python wrote: what is written at a step from this one on.
function hideWords(from, steps) {
  const rules = document.querySelector("#viz-guessed") ?? document.head.appendChild(el("style", { id: "viz-guessed" }));
  const hidden = Array.from({ length: steps }, (_, step) => `[data-writes="${step}"]`)
    .slice(from)
    .join(", ");
  setText(
    rules,
    hidden && `:is(${hidden}) { visibility: hidden; } :is(${hidden})::before { content: "?"; visibility: visible; }`,
  );
}

function helpDialog(texts, close) {
  const rows = texts.help.map(([keys, what]) =>
    tr(el("th", { scope: "row" }, ...keys.split(" ").map((key) => el("kbd", {}, key))), td(what)),
  );
  return el(
    "dialog",
    { "aria-label": texts.keys, oncancel: close },
    el("header", {}, el("h2", {}, texts.keys), button(texts.close, close, { class: "close" })),
    el("table", {}, el("tbody", {}, ...rows)),
  );
}

export function oneEntryForEachView() {
  if (history.pushState.ours) return;
  const push = history.pushState;
  const ours = { halfway: !location.search };
  history.pushState = (state, unused, url) => {
    const next = new URL(url ?? "", location.href);
    // the same address twice: of a run that was interrupted and begins anew; or of a talk's view, whose query may come before
    // the page that it is on
    const isSame =
      sameParameters(next.search, location.search) && (next.pathname === location.pathname || isOfTalk(next.search));
    const again = isPreview() || ours.halfway || intoTalk(location.search) || isSame;
    ours.halfway = next.pathname !== location.pathname && !isSame; // else the query has come already
    return (again ? history.replaceState : push).call(history, state, unused, url);
  };
  history.pushState.ours = ours;
  addEventListener("popstate", () => {
    ours.halfway = false;
  });
}

// The address is that of what is shown: nothing more will be written.
export function addressIsRight() {
  if (history.pushState.ours) history.pushState.ours.halfway = false;
}

const isOfTalk = (search) => new URLSearchParams(search).has("talk");

function intoTalk(search) {
  return isOfTalk(search) && !new URLSearchParams(search).has("text");
}

const WIDTH = 1280;
const HEIGHT = 720; // px of the window for which the figures are drawn
// How much larger the window is than that one, as --viz-scale.
export function growFigures() {
  const scale = () => {
    const times = Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT));
    document.documentElement.style.setProperty("--viz-scale", times.toFixed(3));
  };
  addEventListener("resize", scale);
  scale();
}

const EVERY = 2500; // ms

// Keeps store.online, from now on.
export function watchServer(store, health) {
  const ask = async () => {
    const online = await fetch(health, { cache: "no-store", signal: AbortSignal.timeout(EVERY) }).then(
      ({ ok }) => ok,
      () => false, // refused, or no answer in time
    );
    if (online !== store.online) {
      store.online = online;
      store.repaint();
    }
    if (!online) closeDialog();
    setTimeout(ask, EVERY);
  };
  // Streamlit lays a dialog over the page when the server is gone; the player says the same in a line of its own.
  const closeDialog = () => {
    for (const dialog of document.querySelectorAll("[role=dialog]")) {
      if (/connection error/i.test(dialog.textContent)) dialog.querySelector("button[aria-label], button")?.click();
    }
  };
  const laid = () => {
    if (!store.online) closeDialog();
  };
  new MutationObserver(laid).observe(document.body, { childList: true });
  setTimeout(ask, EVERY);
}
