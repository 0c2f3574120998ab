// Where one begins: a large line for a sentence, and a few to choose from, above all else of the overview.

import type { RefObject } from "preact";
import { Button, TextLine, keys } from "../../web/src/ui/elements";
import type { Data } from "./data";

const OFFERED = 2; // short examples that stand beside the line

interface Props extends Data {
  line: RefObject<HTMLInputElement | null>;
  hidden: boolean;
  take: (text: string) => void; // to the line in the bar, which sends it
}

export function Start({ texts, examples = [], line: input, hidden, take }: Props) {
  const go = () => {
    const { current: line } = input;
    if (!line) return;
    if (line.value.trim()) return take(line.value);
    line.focus();
    line.setCustomValidity(texts.start);
    line.reportValidity(); // the browser says it beside the line
  };
  const press = keys(({ key }) => {
    if (key === "Enter") go();
    else if (key === "Escape") input.current?.blur();
  });
  const short = examples.toSorted(([one], [other]) => one.length - other.length).slice(0, OFFERED);
  return (
    <div class="start" role="group" aria-label={texts.start} hidden={hidden}>
      <TextLine
        ref={input}
        placeholder={texts.start}
        aria-label={texts.start}
        onInput={() => input.current?.setCustomValidity("")}
        onKeyDown={press}
      />
      <Button class="main" act={go} words={texts.translate} />
      <span class="or">{texts.or}</span>
      {short.map(([text]) => (
        <Button class="example" key={text} act={() => take(text)} words={text} />
      ))}
    </div>
  );
}
