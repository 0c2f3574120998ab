// What Predict asks, in a line above the steps: the next token or the source token with the largest weight, to be chosen by a
// click, a tap or a digit. Right or wrong is said at once, with the model's numbers; how many were right is kept in this tab.
// What a whole side shows is guessed without choices; what a figure shows is asked in its place.

import { button, el, setText } from "../kit/dom.js";
import { fill, percent } from "../kit/numbers.js";
import { hides } from "../kit/store.js";

const KEPT = "viz-predicted"; // in the tab's own storage: place → whether the first answer was right

// Returns { node, paint }. texts: of the questions.
export function mountQuestion(texts, store) {
  const asks = el("span", { class: "asks", role: "status" });
  const choices = el("span", { class: "choices", role: "group", "aria-label": texts.choices });
  const tally = el("span", { class: "tally" });
  const node = el("div", { class: "question", hidden: true }, asks, choices, tally);
  let drawn = "";

  const askedHere = ({ predict, lecture }) => (predict && !lecture ? questionOf(store, texts) : null); // a speaker asks the class

  store.choose = (index) => {
    const asked = hides(store.view) ? askedHere(store.view) : null;
    if (!asked?.choices[index]) return false;
    store.guessedRight = index === asked.right;
    keep(placeOf(store), store.guessedRight);
    store.set({ guess: index, revealed: true });
    return true;
  };

  const paint = (view) => {
    const asked = askedHere(view);
    const open = hides(view);
    node.hidden = !asked || !(open || asked.answer);
    if (node.hidden) return;
    choices.hidden = !open;
    const labels = asked.choices.join("\n");
    if (open && labels !== drawn) {
      drawn = labels;
      choices.replaceChildren(...asked.choices.map((label, at) => choiceButton(label, at, store)));
    }
    setText(asks, open ? asked.asks : asked.answer(view.guess), { class: open ? "asks" : "asks answered" });
    const answers = Object.values(kept());
    const right = answers.filter(Boolean).length;
    setText(tally, answers.length ? fill(texts.tally, { right, given: answers.length }) : "");
  };
  return { node, paint };
}

function choiceButton(label, at, store) {
  const made = button(label, () => store.choose(at));
  if (at < 9) made.prepend(el("i", { "aria-hidden": true }, String(at + 1)));
  return made;
}

// { asks, choices: labels, right: the index of the right one, answer(guess): what is said of it, if anything }; null where the
// page cannot answer it.
function questionOf({ view, limits: { question } }, texts) {
  if (view.predict === "right") return { asks: texts.asks_right, choices: [] };
  if (question?.asked !== view.predict) return null;
  const read = question.reads[view.step];
  if (view.predict === "source") {
    const right = question.strongest[view.layer][view.head][view.step];
    const values = { read, layer: view.layer + 1, head: view.head + 1, right: question.tokens[right] };
    const verdict = (guess) => (guess === null ? "shown_source" : guess === right ? "right_source" : "wrong_source");
    const answer = (guess) => fill(texts[verdict(guess)], { ...values, chosen: question.tokens[guess] });
    return { asks: fill(texts.asks_source, values), choices: question.tokens, right, answer };
  }
  const { choices, written, right, looks } = question.steps[view.step];
  const because = fill(texts.because, { heads: question.heads, token: looks[0], share: shareOf(looks[1]) });
  const answer = (guess) => {
    const verdict =
      guess === null ? "shown" : guess === right ? "right" : guess < choices.length ? "wrong" : "wrong_other";
    const [chosen, its] = choices[guess] ?? ["", 0];
    const values = { token: written[0], share: shareOf(written[1]), chosen, its: shareOf(its) };
    return `${fill(texts[verdict], values)} ${because}`;
  };
  return {
    asks: fill(texts.asks, { read }),
    choices: [...choices.map(([label]) => label), texts.other],
    right,
    answer,
  };
}

const shareOf = (value) => (value === null ? "?" : percent(value)); // an edited model may have no number there

function placeOf({ view, limits }) {
  const of = view.predict === "source" ? [view.layer, view.head] : [];
  return [limits.text, view.predict, view.step, ...of].join(" ");
}

let given = null; // place → whether the first answer was right

function kept() {
  if (given) return given;
  try {
    given = Object(JSON.parse(sessionStorage.getItem(KEPT)) ?? {});
  } catch {
    given = {}; // no storage here, or not what we wrote
  }
  return given;
}

// Only the first answer counts.
function keep(place, isRight) {
  given = { [place]: isRight, ...kept() };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(given));
  } catch {} // no storage here: it lasts as long as the page
}
