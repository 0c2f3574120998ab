// The exercise on a card: a number to type, a head or an edit to find, or the question of Predict. The key is the trace's own, so
// right or wrong is said at once; what a known mistake gives is named, else the working comes out, a line after each answer.

import { onKeys } from "../kit/composing.js";
import { button, el, setText } from "../kit/dom.js";
import { fill, grouped, minus, percent } from "../kit/numbers.js";
import { solve, solvedCards } from "../kit/progress.js";

const ROUNDED = 0.015; // how far off a known mistake may be, as a share of it: it, too, is computed from rounded numbers

// texts: of exercises. Returns { node, paint(talk), focus(): whether there is a line to type in }.
export function mountExercise(texts, store) {
  const asks = el("p", { class: "asks", id: "asked" });
  const field = el("input", {
    type: "text",
    autocomplete: "off",
    "aria-label": texts.answer,
    "aria-describedby": "asked",
  });
  const check = button(texts.check, () => answer());
  const line = el("div", { class: "answer" }, field, check);
  const said = el("p", { class: "said", role: "status" });
  const node = el("div", { class: "exercise", hidden: true }, asks, line, said);
  const tried = { question: "", times: 0 }; // answers given to this question
  onKeys(field, (event) => {
    if (event.key === "Enter") answer();
  });

  const done = (words) => {
    solve(store.talk.name, store.talk.at);
    say(words, true);
    store.repaint();
  };
  const say = (words, isRight) => {
    if (said.textContent === words) return;
    setText(said, words, { class: isRight ? "said right" : "said" });
    if (words) said.scrollIntoView({ block: "nearest" }); // the card may be longer than the window
  };

  const answer = () => {
    const { exercise } = store.talk;
    const typed = parsed(field.value);
    if (!Number.isFinite(typed.thousands ?? typed.value)) return say(texts.no_number, false);
    const verdict = judged(exercise, typed);
    if (verdict === true)
      return done(fill(exercise.counted ? texts.right : texts.right_rounded, { value: written(exercise) }));
    tried.times += 1;
    again();
    if (verdict) return say(verdict, false);
    const lines = exercise.working.slice(0, Math.min(tried.times, exercise.working.length));
    say([texts.wrong, texts.working, ...lines].join("\n"), false);
  };

  // Enter gives the keys back to the page (see kit/keys.js); here one wants to type once more.
  const again = () => {
    field.blur();
    field.select();
  };

  const paint = (talk) => {
    const { exercise } = talk;
    node.hidden = !exercise || talk.at !== talk.shown;
    if (node.hidden) return;
    const isNew = tried.question !== `${talk.name} ${talk.at} ${exercise.asks}`;
    if (isNew) {
      Object.assign(tried, { question: `${talk.name} ${talk.at} ${exercise.asks}`, times: 0 });
      field.value = "";
      say(solvedCards(talk.name).includes(talk.at) ? texts.solved : "", true);
    }
    setText(asks, exercise.asks);
    line.hidden = exercise.kind !== "computed";
    if (exercise.kind === "computed") {
      const isHere = ["step", "layer", "head"].every((name) => exercise.at[name] === store.view[name]);
      field.disabled = check.disabled = !isHere || exercise.value === null;
      if (!isHere) say(texts.elsewhere, false);
      else if (said.textContent === texts.elsewhere) say("", false);
    } else if (exercise.kind === "head") watch(...found(exercise, store.view, texts));
    else if (exercise.kind === "state") watch(exercise.solved, exercise.says);
    else if (store.view.guess !== null && store.guessedRight) watch(true, texts.solved);
  };

  const watch = (isRight, words) => {
    if (isRight && !solvedCards(store.talk.name).includes(store.talk.at)) solve(store.talk.name, store.talk.at);
    const isSolved = isRight || solvedCards(store.talk.name).includes(store.talk.at); // maybe with another sentence or head
    say(isSolved && words !== texts.solved ? `${words} ${texts.solved}` : words, isRight);
  };

  // Whoever answers by typing can begin at once; a digit would else choose a head.
  const focus = () => {
    if (line.hidden || node.hidden || matchMedia("(pointer: coarse)").matches) return false;
    field.focus({ preventScroll: true });
    return true;
  };

  return { node, paint, focus };
}

// What is typed, as a number: "0,25", "25 %", "−3.1" and "1/4" are numbers as well. NaN where it is none. thousands: what
// "8,192" is where the comma parts thousands, as in our own numbers; else null.
export function parsed(text) {
  const typed = text.trim().replace(/[−–]/g, "-").replace(/\s+/g, "");
  const thousands = /^-?\d{1,3}(,\d{3})+$/.test(typed) ? Number(typed.replaceAll(",", "")) : null;
  const plain = typed.replace(",", ".");
  const isPercent = plain.endsWith("%");
  const [, over, under] = plain.match(/^([-\d.]+)[/÷]([\d.]+)$/) ?? [];
  const bare = isPercent ? plain.slice(0, -1) : plain;
  const value = over ? Number(over) / Number(under) : bare ? Number(bare) : NaN;
  return { value: isPercent ? value / 100 : value, isPercent, thousands };
}

// true, what is said of a known mistake, or "" for another one.
export function judged({ value, tolerance, share, slips }, { value: typed, isPercent, thousands = null }) {
  const asDecimal = share && !isPercent && typed > 1 ? [typed, typed / 100] : [typed];
  const readings = thousands === null ? asDecimal : [thousands, ...asDecimal];
  if (readings.some((one) => Math.abs(one - value) <= tolerance)) return true;
  const near = (slip) => readings.some((one) => Math.abs(one - slip) <= Math.max(ROUNDED * Math.abs(slip), 6e-4));
  return slips.find(([slip]) => near(slip))?.[1] ?? "";
}

const written = ({ value, share, counted }) =>
  counted || value === 0 ? grouped(value) : share ? percent(value) : minus(value);

// Whether this head is one of those looked for, and what is said of it.
function found({ shares, least, says }, { layer, head }, texts) {
  const share = shares[layer]?.[head] ?? 0;
  const words = `${fill(texts.layer_head, { layer: layer + 1, head: head + 1 })} ${fill(says, { share: percent(share) })}`;
  return [share >= least, words];
}
