// Try this: questions that the page's figure answers. A button at the foot sets the view for its question; below the title, one line then
// has the question, what to look at and, opened, the answer.

import { Button } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { part, useView } from "../../web/src/ui/part";
import type { Changes } from "../../web/src/ui/store";
import { scroller } from "../kit/streamlit";

/** changes: of the address. */
export type Entry = { key: string; label: string; look: string; answer: string; changes: Changes };

const texts = textsIn("app.frame.try");

/** tried: whether to show the first question rather than the list; note: which model the questions are about, if it is another. */
type Data = { entries: Entry[]; tried: boolean; note: string };

function TryThis({ tried, entries, note }: Data) {
  const { store } = useView();
  const begin = ({ changes }: Entry) => {
    (scroller() ?? window).scrollTo({ top: 0, behavior: store.theme.still ? "instant" : "smooth" });
    store.ask(changes);
  };
  const [first] = entries;
  if (tried && first) return <Question {...first} key={first.key} />; // another question is closed
  return (
    <div class="list">
      <h2>{texts.try_this}</h2>
      {note && <small>{note}</small>}
      {entries.map((entry) => (
        <Button key={entry.key} data-key={`try_${entry.key}`} act={() => begin(entry)} words={entry.label} />
      ))}
    </div>
  );
}

function Question({ label, look, answer }: Entry) {
  const { store } = useView();
  return (
    <div class="question">
      <details>
        <summary>
          <strong>{label}</strong> {look} <strong class="answer">{texts.answer}</strong>
        </summary>
        <p>{answer}</p>
      </details>
      <Button aria-label={texts.close} data-key="tried_close" act={() => store.ask({ tried: null })} words="✕" />
    </div>
  );
}

export const mountTryThis = part(TryThis);
