// A line of the top bar that is typed in place, over the tokens, with examples below it; and the large line on the start page.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, Group, TextLine, keys } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import { scroller } from "../kit/streamlit";
import { textsIn } from "../../web/src/texts";
import type { Theme } from "../../web/src/ui/store";

// Python's data for the top bar, see `viz_core/app/top_bar.py`; a file has only the first five fields.

export type Side = "source" | "target";
export const texts = textsIn("app.top_bar");

export interface Data {
  source: Chip[];
  target: Chip[];
  languages?: [source?: string, target?: string];
  given?: boolean; // whether the target was typed
  codes?: string; // of the languages into which the model translates, if it has several
  typed?: Record<Side, string>;
  suggested?: Record<Side, string>;
  starts?: boolean; // whether to show the large line
  doubt?: string; // why the translation is probably bad, or ""
  fits?: [model: string, button: string] | null; // a model that suits the text
  model?: string | null;
  models?: string[];
  examples?: [text: string, note: string][];
  theme?: Theme;
}

export type Chip = [text: string, word: number | null, note: string];

let lastTyped = ""; // stays among the examples after a lesson or talk has replaced it
const CLICK = 500; // ms from press to click, at most

// { open(), take(text): as if typed, nodes(): elements beside the tokens }. start: the large line, which gets the shortcut's focus
// while it is shown.
export function useField(side: Side, data: Data, start?: RefObject<HTMLInputElement | null>) {
  const { store, send } = useView();
  const typed = data.typed?.[side] ?? "";
  const suggested = data.suggested?.[side] ?? ""; // the line's text while nothing is typed
  const isKnown = data.source.length > 0; // whether there are tokens
  const isAlways = side === "source" && !isKnown; // without a sentence the line stays open
  const wanted = store.pending(side === "source" ? "text" : "target");
  const [opened, setOpened] = useState<object | null>(null); // a new object each time
  const isOpen = useRef(false); // at once; `opened` follows with the next rendering
  const over = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLInputElement>(null);
  const hasFocus = () => line.current?.matches(":focus");

  const open = () => {
    if (isOpen.current && hasFocus()) return;
    isOpen.current = true;
    setOpened({});
  };
  const close = () => {
    isOpen.current = false;
    setOpened(null);
  };
  const write = (text: string) => {
    if (line.current) line.current.value = text;
  };
  const take = (given: string) => {
    const text = given.toWellFormed?.() ?? given;
    write(text);
    close();
    if (text === (wanted ?? typed) || (text === suggested && !typed)) return;
    if (side === "source") lastTyped = text;
    const anew = { target: null, step: null, cell: null };
    store.ask(side === "source" ? { ...anew, token: null, text } : { ...anew, target: text || null });
  };
  const takeTyped = () => take(line.current?.value ?? "");

  useLayoutEffect(() => {
    if (!opened) return;
    write((wanted ?? typed) || suggested);
    line.current?.focus();
    line.current?.select();
  }, [opened]);

  // A click elsewhere takes the typed text, and has no other effect on the page.
  useLayoutEffect(() => {
    if (!opened || !isKnown) return;
    const elsewhere = (event: Event) => {
      if (over.current && event.composedPath().includes(over.current)) return;
      takeTyped();
      const page = scroller();
      if (!page?.contains(event.target as Node)) return;
      event.stopPropagation();
      const swallow = (click: Event) => click.stopPropagation();
      page.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => page.removeEventListener("click", swallow, true), CLICK); // in case no click follows
    };
    document.addEventListener("pointerdown", elsewhere, true);
    return () => document.removeEventListener("pointerdown", elsewhere, true);
  });

  // A new sentence has come, or none is left.
  useLayoutEffect(() => {
    if (!send) return;
    if (isAlways && data.model) open();
    else if (isKnown && !hasFocus()) close();
  }, [data.source]);

  useLayoutEffect(() => {
    if (side !== "source" || !send) return;
    const type = () => (start?.current?.offsetParent ? start.current.focus() : open());
    store.typeSentence = type;
    return () => {
      if (store.typeSentence === type) store.typeSentence = null;
    };
  }, []);

  const press = keys(({ key }) => {
    if (key === "Enter") takeTyped();
    else if (key !== "Escape") return;
    else {
      write(typed);
      close();
    }
    if (!isAlways) line.current?.blur(); // so that reopening focuses it again
  });
  const keepFocus = (event: Event) => event.preventDefault(); // until the click
  const words = texts[`edit_${side}_words`];
  const title = texts[`edit_${side}`];

  const nodes = (isHidden: boolean) => (
    <>
      <Button
        class="edit"
        title={title}
        aria-label={words ? undefined : title}
        style={{ visibility: isHidden ? "hidden" : "" }}
        act={open}>
        <span aria-hidden="true">✎ </span>
        <i>{words}</i>
      </Button>
      <Button class="edit" hidden={side !== "target" || !typed} act={() => take("")} words={texts.reset} />
      <div class="over" ref={over} hidden={!opened && !isAlways}>
        <TextLine
          ref={line}
          placeholder={texts[`placeholder_${side}`]}
          aria-label={texts[side]}
          lang={data.languages?.[side === "source" ? 0 : 1]}
          onKeyDown={press}
          onBlur={() => isOpen.current && takeTyped()}
        />
        {side === "source" && isKnown && (
          <Group label={texts.examples} class="examples">
            {examplesOf(data).map(([text, note]) => (
              <Button key={text} tabIndex={-1} onPointerDown={keepFocus} onMouseDown={keepFocus} act={() => take(text)}>
                <span>{text}</span>
                <i>{note}</i>
              </Button>
            ))}
          </Group>
        )}
      </div>
    </>
  );
  return { open, take, nodes };
}

function examplesOf({ typed, examples = [] }: Data): [text: string, note: string][] {
  return lastTyped.trim() && lastTyped !== typed?.source ? [[lastTyped, texts.own], ...examples] : examples;
}

// The large line for a sentence at the top of the overview, with a few examples to choose from.
const OFFERED = 2; // short examples beside the line

interface Props extends Data {
  line: RefObject<HTMLInputElement | null>;
  hidden: boolean;
  take: (text: string) => void; // hands the text to the line in the bar, which sends it
}

export function Start({ examples = [], line: input, hidden, take }: Props) {
  const go = () => {
    const { current: line } = input;
    if (!line) return;
    if (line.value.trim()) return take(line.value);
    line.focus();
    line.setCustomValidity(texts.start);
    line.reportValidity(); // the browser shows the message beside the line
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
