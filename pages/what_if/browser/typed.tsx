// What one types on the switchboard: a token forced at the current step, a word that replaces another, and what was typed.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { Button, Select, TextLine } from "../../../viz_core/web/src/ui/elements";
import { useView } from "../../../viz_core/web/src/ui/part";
import type { Edits } from "./edits";
import type { Texts } from "./switchboard";

const LONGEST = 60; // characters, as on the Python side

type Name = "force" | "swap";

interface TypedProps {
  edits: Edits;
  set: (name: Name, value: Map<number, string>) => void;
}

// index: of the step or of the word; children: what stands before the line.
function Form({ name, index, edits, set, children }: TypedProps & { name: Name; index: number; children: ComponentChildren }) {
  const { texts } = useView<Texts>();
  const [text, type] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = [...text.trim()].slice(0, LONGEST).join("").trim();
    if (typed) set(name, new Map([...edits[name], [index, typed] as const].sort(([one], [other]) => one - other)));
    type("");
  };
  const label = texts[`${name}_do`];
  return (
    <form class="form" onSubmit={submit}>
      {children}
      <TextLine
        class="typed"
        aria-label={texts[`${name}_field`]}
        placeholder={texts[`${name}_example`]}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <button type="submit" aria-label={label} title={label}>
        {texts.do}
      </button>
    </form>
  );
}

export function Forms({ words, ...props }: TypedProps & { words: string[] }) {
  const { view, texts } = useView<Texts>();
  const [word, pick] = useState(0);
  return (
    <>
      <Form name="force" index={view.step} {...props}>
        <span class="label">{fill(texts.force_label, { step: view.step + 1 })}</span>
      </Form>
      <Form name="swap" index={word} {...props}>
        <span class="label">{texts.swap_label}</span>
        <Select
          label={texts.swap_word}
          options={words.map((text, index) => [String(index), `${index + 1} ${text}`])}
          chosen={String(word)}
          choose={(index) => pick(Number(index))}
        />
        <span aria-hidden="true">→</span>
      </Form>
    </>
  );
}

// What was typed, each a button that undoes it.
export function Entries({ words, edits, set }: TypedProps & { words: string[] }) {
  const { texts } = useView<Texts>();
  const entries = (["force", "swap"] as const).flatMap((name) =>
    [...edits[name]].map(([index, text]) => {
      const entry = fill(texts[`${name}_entry`], { index: index + 1, text, word: words[index] ?? "" });
      const title = fill(texts.undo, { entry });
      const undo = () => set(name, new Map([...edits[name]].filter(([other]) => other !== index)));
      return (
        <Button key={`${name} ${index}`} class="entry" title={title} aria-label={title} act={undo}>
          {entry}
          <span aria-hidden="true"> ✕</span>
        </Button>
      );
    }),
  );
  return <span class="entries">{entries}</span>;
}
