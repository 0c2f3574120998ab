// The line below the picture: what is pointed at, or what is shown, in words; and what stands beside it.

import { button, el, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { FIRST_LESSON, furthest } from "../kit/progress.js";
import { plain } from "../lens/ink.js";

// Returns { nodes, name(texts), paint(view, isPaper), say(words, inks), speak(), words() }.
export function makeStrip(store) {
  const strip = el("div", { class: "reading", "aria-hidden": "true" });
  const aloud = el("p", { class: "aloud", role: "status" });
  const isPaper = () => store.view.drawing === "paper";
  const asPaper = button("", () => store.set({ drawing: isPaper() ? "flow" : "paper", open: "" }), {
    class: "as-paper",
  });
  const lesson = button("", () => store.send("talk", { name: FIRST_LESSON, to: furthest(FIRST_LESSON) ?? 0 }), {
    class: "lesson",
  });
  let said = "";

  const name = (texts) => {
    const far = furthest(FIRST_LESSON);
    setText(lesson, far ? fill(texts.lesson_again, { at: far + 1 }) : texts.lesson_start);
    setText(asPaper, texts.paper.switch, { title: texts.paper.long_switch });
  };

  const paint = (view) => {
    asPaper.hidden = view.lecture;
    lesson.hidden = !store.send || Boolean(store.talk || view.lecture || view.open);
    setAttributes(asPaper, { "aria-pressed": isPaper() });
  };

  const say = (words, inks) => {
    if (words !== said) write(strip, words, inks);
    said = words;
  };

  return {
    nodes: [el("div", { class: "below" }, strip, lesson, asPaper), aloud],
    name,
    paint,
    say,
    speak: () => setText(aloud, plain(said)),
    words: () => said,
  };
}

// The tokens of a sentence stand out, each in its ink: of an attention the first is the query, the second the key. "^{…}" is
// raised, "_{…}" lowered.
function write(strip, words, inks) {
  const left = [...inks];
  const part = (run) => {
    if (run.startsWith("«")) return el("b", { class: left.shift() ?? null }, run);
    const script = /^[\^_]\{/.test(run) && { "^": "sup", _: "sub" }[run[0]];
    return script ? el(script, {}, run.slice(2, -1)) : run;
  };
  strip.replaceChildren(el("span", {}, ...words.split(/(«[^»]*»|[\^_]\{[^}]*\})/).map(part)));
}
