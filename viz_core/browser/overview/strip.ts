// The line below the picture: what is pointed at, or what is shown, in words; and what stands beside it.

import type { Store, View } from "../../web/src/ui/store";
import { button, el, setAttributes, setText } from "../kit/dom";
import { fill } from "../kit/numbers";
import { EXERCISES, FIRST_LESSON, furthest, solvedCards } from "../kit/progress";
import { plain } from "../lens/ink";
import type { Overview } from "./data";

export function makeStrip(store: Store) {
  const strip = el("div", { class: "reading", "aria-hidden": "true" });
  const aloud = el("p", { class: "aloud", role: "status" });
  const isPaper = () => store.view.drawing === "paper";
  const asPaper = button("", () => store.set({ drawing: isPaper() ? "flow" : "paper", open: "" }), {
    class: "as-paper",
  });
  const lesson = button("", () => store.send?.("talk", { name: FIRST_LESSON, to: furthest(FIRST_LESSON) ?? 0 }), {
    class: "lesson",
  });
  const exercises = button("", () => store.send?.("talk", { name: EXERCISES, to: unsolved() }), { class: "exercises" });
  let said = "";
  let texts: Overview["texts"];

  const name = (words: typeof texts) => {
    texts = words;
    setText(exercises, texts.exercises);
    setText(asPaper, texts.paper.switch, { title: texts.paper.long_switch });
  };

  const paint = (view: View) => {
    asPaper.hidden = view.lecture;
    lesson.hidden = exercises.hidden = !store.send || Boolean(store.talk || view.lecture || view.open);
    const far = lesson.hidden ? null : furthest(FIRST_LESSON); // which the lesson moves on
    setText(lesson, far ? fill(texts.lesson_again, { at: far + 1 }) : texts.lesson_start);
    setAttributes(asPaper, { "aria-pressed": isPaper() });
  };

  const say = (words: string, inks: string[]) => {
    if (words !== said) write(strip, words, inks);
    said = words;
  };

  return {
    nodes: [el("div", { class: "below" }, strip, lesson, exercises, asPaper), aloud],
    name,
    paint,
    say,
    speak: () => setText(aloud, plain(said)),
    words: () => said,
  };
}

// The first exercise that is not solved yet.
function unsolved() {
  const solved = solvedCards(EXERCISES);
  return [...solved.keys(), solved.length].find((at) => !solved.includes(at));
}

// The tokens of a sentence stand out, each in its ink: of an attention the first is the query, the second the key. "^{…}" is
// raised, "_{…}" lowered.
function write(strip: Element, words: string, inks: string[]) {
  const left = [...inks];
  const part = (run: string): string | Node => {
    if (run.startsWith("«")) return el("b", { class: left.shift() ?? null }, run);
    if (run.startsWith("^{")) return el("sup", {}, run.slice(2, -1));
    return run.startsWith("_{") ? el("sub", {}, run.slice(2, -1)) : run;
  };
  strip.replaceChildren(el("span", {}, ...words.split(/(«[^»]*»|[\^_]\{[^}]*\})/).map(part)));
}
