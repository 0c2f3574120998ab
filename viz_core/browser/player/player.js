// The player on every page: buttons for step back and on, play, predict, lecture mode and the keys; whether the server
// is reachable.

import { play, stepOn, switchLecture } from "../kit/actions.js";
import { dress, el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { guessedFrom, hides } from "../kit/store.js";

// root: where to draw; texts: its words; store: what it drives. Returns { destroy }.
export function mountPlayer(root, texts, store) {
  const button = (name, sign, act, more = {}) =>
    el(
      "button",
      { type: "button", class: name, title: texts[name], "aria-label": texts[name], onclick: act, ...more },
      sign,
    );
  const back = button("back", "←", () => store.set({ step: store.view.step - 1 }));
  const on = button("on", "→", () => stepOn(store));
  const run = button("play", texts.play_sign, () => play(store, "steps"));
  const predict = button("predict", texts.predict_sign, () =>
    store.set({ predict: store.view.predict ? "" : store.limits.predict, revealed: false }),
  );
  const lecture = button("lecture", texts.lecture_sign, () => switchLecture(store));
  const keys = button("keys", texts.keys, () => store.set({ help: !store.view.help }), { "aria-haspopup": "dialog" });
  const label = el("span", { class: "label", role: "status" });
  const away = el("span", { class: "away", role: "status", hidden: true }, texts.offline);
  const help = helpDialog(texts, store);
  const bar = el(
    "div",
    { class: "player", role: "toolbar", "aria-label": texts.toolbar },
    back,
    label,
    on,
    run,
    predict,
    lecture,
    keys,
  );
  root.replaceChildren(bar, away, help);

  const paint = (view) => {
    dress(root, store.theme);
    const { steps } = store.limits;
    label.textContent = fill(texts.label, { step: view.step + 1, steps });
    back.disabled = view.step === 0;
    on.disabled = view.step >= steps - 1 && !hides(view);
    run.textContent = view.playing ? texts.pause_sign : texts.play_sign;
    run.setAttribute("aria-label", view.playing ? texts.pause : texts.play);
    predict.setAttribute("aria-pressed", String(Boolean(view.predict)));
    lecture.setAttribute("aria-pressed", String(view.lecture));
    away.hidden = store.online;
    for (const node of [document.documentElement, root]) node.toggleAttribute("data-lecture", view.lecture);
    document.documentElement.dataset.predict = hides(view) ? view.predict : "";
    hideWords(guessedFrom(view), steps);
    if (view.help !== help.open) view.help ? help.showModal() : help.close();
  };
  paint(store.view);
  const off = store.subscribe(paint);
  return { destroy: off };
}

// In tables that Python wrote: what is written at a step from this one on.
function hideWords(from, steps) {
  const rules = document.querySelector("#viz-guessed") ?? document.head.appendChild(el("style", { id: "viz-guessed" }));
  const hidden = Array.from({ length: steps }, (_, step) => step)
    .filter((step) => step >= from)
    .map((step) => `[data-writes="${step}"]`)
    .join(", ");
  const text =
    hidden && `:is(${hidden}) { visibility: hidden; } :is(${hidden})::before { content: "?"; visibility: visible; }`;
  if (rules.textContent !== text) rules.textContent = text;
}

function helpDialog(texts, store) {
  const rows = texts.help.map(([keys, what]) =>
    el("tr", {}, el("th", { scope: "row" }, ...keys.split(" ").map((key) => el("kbd", {}, key))), el("td", {}, what)),
  );
  const close = el(
    "button",
    { type: "button", class: "close", onclick: () => store.set({ help: false }) },
    texts.close,
  );
  const dialog = el(
    "dialog",
    { "aria-label": texts.keys, oncancel: () => store.set({ help: false }) },
    el("h2", {}, texts.keys),
    el("table", {}, el("tbody", {}, ...rows)),
    close,
  );
  return dialog;
}
