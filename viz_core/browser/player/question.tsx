// Predict's question, in a line above the steps: the next token, or the source token with the largest weight, chosen by a click, a tap
// or a digit. The verdict is immediate, with the model's numbers; the tally is kept in this tab. Where a whole side is to be guessed there
// are no choices; a question about a figure is asked in the figure.

import { useLayoutEffect } from "preact/hooks";
import { Button, Group } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { useView } from "../../web/src/ui/part";
import type { Store } from "../../web/src/ui/store";
import { fill, percent } from "../kit/numbers";
import { keep, stored } from "../kit/progress";
import { hides } from "../../web/src/view";

const KEPT = "viz-predicted"; // key in the tab's storage: place → whether the first answer was right

const texts = textsIn("app.player.question");

interface Asked {
  asks: string;
  choices: string[];
  right?: number;
  answer?: (guess: number | null) => string; // the verdict in words
}

export function Question() {
  const { view, store, set } = useView();
  const askedNow = () => (store.view.predict && !store.view.lecture ? questionOf(store) : null); // a speaker asks the class
  const question = askedNow();
  const isOpen = hides(view);

  useLayoutEffect(() => {
    store.choose = (index) => {
      const now = hides(store.view) ? askedNow() : null; // current, as two keys may come within a frame
      if (!now?.choices[index]) return false;
      store.guessedRight = index === now.right;
      keepAnswer(placeOf(store), store.guessedRight);
      set({ guess: index, revealed: true });
      return true;
    };
  }, []);

  if (!question || !(isOpen || question.answer)) return null;
  const answers = Object.values(kept());
  const right = answers.filter(Boolean).length;
  return (
    <div class="question">
      <span class={isOpen ? "asks" : "asks answered"} role="status">
        {isOpen ? question.asks : question.answer?.(view.guess)}
      </span>
      {isOpen && (
        <Group label={texts.choices} class="choices">
          {question.choices.map((label, at) => (
            <Button key={at} act={() => store.choose?.(at)}>
              {at < 9 && <i aria-hidden="true">{at + 1}</i>}
              {label}
            </Button>
          ))}
        </Group>
      )}
      <span class="tally">{answers.length > 0 && fill(texts.tally, { right, given: answers.length })}</span>
    </div>
  );
}

// null if the page cannot answer it.
function questionOf({ view, limits: { question } }: Store): Asked | null {
  if (view.predict === "right") return { asks: texts.asks_right, choices: [] };
  if (question?.asked !== view.predict) return null;
  const read = question.reads[view.step] ?? "";
  if (view.predict === "source") {
    const right = question.strongest[view.layer]?.[view.head]?.[view.step] ?? 0;
    const values = { read, layer: view.layer + 1, head: view.head + 1, right: question.tokens[right] };
    const verdict = (guess: number | null) => (guess === null ? "shown_source" : guess === right ? "right_source" : "wrong_source");
    const answer = (guess: number | null) => fill(texts[verdict(guess)], { ...values, chosen: question.tokens[guess ?? -1] });
    return { asks: fill(texts.asks_source, values), choices: question.tokens, right, answer };
  }
  const step = question.steps[view.step];
  if (!step) return null;
  const { choices, written, right, looks } = step;
  const because = fill(texts.because, { heads: question.heads, token: looks[0], share: shareOf(looks[1]) });
  const answer = (guess: number | null) => {
    const verdict = guess === null ? "shown" : guess === right ? "right" : guess < choices.length ? "wrong" : "wrong_other";
    const [chosen, itsShare] = choices[guess ?? -1] ?? ["", 0];
    const values = { token: written[0], share: shareOf(written[1]), chosen, its: shareOf(itsShare) };
    return `${fill(texts[verdict], values)} ${because}`;
  };
  return { asks: fill(texts.asks, { read }), choices: [...choices.map(([label]) => label), texts.other], right, answer };
}

const shareOf = (value: number | null) => (value === null ? "?" : percent(value)); // an edited model may yield no number

function placeOf({ view, limits }: Store) {
  const head = view.predict === "source" ? [view.layer, view.head] : [];
  return [limits.text, view.predict, view.step, ...head].join(" ");
}

let given: Record<string, boolean> | null = null; // place → whether the first answer was right

function kept(): Record<string, boolean> {
  given ??= Object(stored(KEPT, true)) as Record<string, boolean>;
  return given;
}

// Stores the first answer only.
function keepAnswer(place: string, isRight: boolean) {
  given = { [place]: isRight, ...kept() };
  keep(KEPT, given, true);
}
