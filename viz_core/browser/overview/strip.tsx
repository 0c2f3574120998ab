// The line below the picture: the caption of the hovered thing or of the view, and the buttons beside it.

import { render } from "preact";
import { Button } from "../../web/src/ui/elements";
import type { Store } from "../../web/src/ui/store";
import { fill } from "../kit/numbers";
import { EXERCISES, FIRST_LESSON, furthest, solvedCards } from "../kit/progress";
import { plain } from "../lens/ink";
import type { Overview } from "./data";

// inks: of the tokens in the words; said: the words for screen readers.
type StripProps = { store: Store; texts: Overview["texts"]; words: string; inks: string[]; said: string };

export const drawStrip = (root: Element, props: StripProps) => render(<Strip {...props} />, root);

function Strip({ store, texts, words, inks, said }: StripProps) {
  const { view, talk, send } = store;
  const isPaper = view.drawing === "paper";
  const isAway = !send || Boolean(talk || view.lecture || view.open);
  const far = isAway ? null : furthest(FIRST_LESSON); // card of the lesson
  const start = (name: string, to: () => number) => () => store.link("", { talk: name, at: String(to() + 1) });
  return (
    <>
      <div class="below">
        <div class="reading" aria-hidden="true">
          <span>{marked(words, inks)}</span>
        </div>
        <Button class="lesson" hidden={isAway} act={start(FIRST_LESSON, () => furthest(FIRST_LESSON) ?? 0)}>
          {far ? fill(texts.lesson_again, { at: far + 1 }) : texts.lesson_start}
        </Button>
        <Button class="exercises" hidden={isAway} act={start(EXERCISES, unsolved)} words={texts.exercises} />
        <Button
          class="as-paper"
          title={texts.paper.long_switch}
          aria-pressed={isPaper}
          hidden={view.lecture}
          act={() => store.set({ drawing: store.view.drawing === "paper" ? "flow" : "paper", open: "" })}
          words={texts.paper.switch}
        />
      </div>
      <p class="aloud" role="status" children={plain(said)} />
    </>
  );
}

// The first unsolved exercise.
function unsolved() {
  const solved = solvedCards(EXERCISES);
  return [...solved.keys(), solved.length].find((at) => !solved.includes(at)) ?? 0;
}

// A sentence with its tokens in bold and in their inks (for an attention: query, then key), "^{…}" raised and "_{…}" lowered.
function marked(words: string, inks: string[]) {
  const left = [...inks];
  return words.split(/(«[^»]*»|[\^_]\{[^}]*\})/).map((run, at) => {
    if (run.startsWith("«")) return <b key={at} class={left.shift()} children={run} />;
    if (run.startsWith("^{")) return <sup key={at} children={run.slice(2, -1)} />;
    return run.startsWith("_{") ? <sub key={at} children={run.slice(2, -1)} /> : run;
  });
}
