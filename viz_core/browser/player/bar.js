// The bar at the foot of the window: where in the talk one is, what the speaker says, and the way out of lecture mode.
// In lecture mode there is only a thin line of it until the pointer moves.

import { dress, el } from "../kit/dom.js";
import { cover, fullScreen, notesShown, switchLecture } from "../kit/keys.js";
import { fill } from "../kit/numbers.js";
import { openNotes, writeNotes } from "./notes.js";

const AWAKE = 2500; // ms after the last move of the pointer

// root: where to draw; texts: its words; store: what it drives. Returns { destroy }.
export function mountBar(root, texts, store) {
  const page = document.documentElement;
  const button = (name, act) =>
    el(
      "button",
      { type: "button", class: name, title: texts[name], onclick: act },
      texts[`${name}_sign`] ?? texts[name],
    );
  const back = button("back", () => store.advance(-1));
  const on = button("on", () => store.advance(1));
  const dots = el("span", { class: "dots", role: "group" });
  const step = el("span", { class: "step" });
  const count = el("span", { class: "count", role: "status" });
  const stage = button("stage", () => switchLecture(store));
  const full = button("full", fullScreen);
  const share = button("share", () => cover(store, "share"));
  const notes = button("window", () => openNotes(texts, store));
  const leave = button("leave", () => store.send?.("talk", { to: null, lecture: store.view.lecture }));
  const message = el("p", { class: "message" });
  const next = el("p", { class: "coming" });
  const note = el("section", { class: "note", "aria-label": texts.notes, tabindex: "0" }, message, next);
  const row = el(
    "div",
    { class: "row", role: "toolbar", "aria-label": texts.toolbar },
    back,
    dots,
    on,
    count,
    step,
    el("span", { class: "more" }, notes, share, full, stage, leave),
  );
  root.replaceChildren(note, row);
  let drawn = null;
  let shown = null;
  let asleep = 0;

  const draw = (titles) => {
    const dot = (title, at) =>
      el("button", {
        type: "button",
        title: fill(texts.to, { at: at + 1, title }),
        "aria-label": fill(texts.to, { at: at + 1, title }),
        onclick: () => store.turn(at),
      });
    dots.replaceChildren(...titles.map(dot));
    drawn = titles.join("\n");
  };

  const paint = (view) => {
    const { talk } = store;
    dress(root, store.theme);
    root.hidden = !talk && !view.lecture;
    root.toggleAttribute("data-talk", Boolean(talk));
    // outside lecture mode the player has it
    step.textContent = view.lecture ? fill(texts.step, { step: view.step + 1, steps: store.limits.steps }) : "";
    root.toggleAttribute("data-lecture", view.lecture);
    stage.textContent = view.lecture ? texts.unstage_sign : texts.stage_sign;
    stage.title = view.lecture ? texts.unstage : texts.stage;
    note.hidden = !talk || !notesShown(view);
    if (talk) {
      if (talk.titles.join("\n") !== drawn) draw(talk.titles);
      [...dots.children].forEach((dot, at) => {
        dot.className = at < talk.at ? "past" : at === talk.at ? "now" : "";
        dot.toggleAttribute("aria-current", at === talk.at);
      });
      dots.setAttribute("aria-label", talk.title);
      count.textContent = fill(texts.count, { at: talk.at + 1, views: talk.titles.length });
      back.disabled = talk.at === 0;
      message.textContent = talk.note || texts.no_note;
      next.textContent =
        talk.at + 1 < talk.titles.length ? fill(texts.coming, { title: talk.titles[talk.at + 1] }) : texts.last;
    }
    writeNotes(texts, store);
    const now = talk && `${talk.name} ${talk.shown}`;
    if (shown !== null && now !== null && now !== shown) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    shown = now;
  };

  // Beside the sidebar, and the page ends above the bar.
  const measure = () => {
    const main = document.querySelector("[data-testid=stMain]");
    root.style.left = `${main ? main.getBoundingClientRect().left : 0}px`;
    page.style.setProperty("--viz-bar", root.hidden ? "0px" : `${root.offsetHeight}px`);
  };
  const sizes = new ResizeObserver(measure);
  for (const node of [root, document.querySelector("[data-testid=stMain]")]) if (node) sizes.observe(node);

  const stay = (awake) => {
    for (const node of [page, root]) node.toggleAttribute("data-awake", awake);
  };
  const wake = () => {
    clearTimeout(asleep);
    stay(true);
    asleep = setTimeout(stay, AWAKE, false);
  };
  window.addEventListener("pointermove", wake);
  paint(store.view);
  const off = store.subscribe(paint);
  return {
    destroy() {
      off();
      sizes.disconnect();
      window.removeEventListener("pointermove", wake);
      page.style.setProperty("--viz-bar", "0px");
    },
  };
}
