// The switchboard: every edit of the model as a switch. It shows a change at once and asks for its address.

import { useReducer, useRef, useState } from "preact/hooks";
import { forAudience } from "../../../viz_core/browser/kit/save";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { Button, TemperatureSlider, Select, TextLine } from "../../../viz_core/web/src/ui/elements";
import { textsIn } from "../../../viz_core/web/src/texts";
import { useSideways, part, useView } from "../../../viz_core/web/src/ui/part";
import { type Edits, type Sent, linkOf, readState, Model } from "./model";
import type { ComponentChildren } from "preact";

const texts = textsIn("what_if.switchboard");

export interface Column {
  stack: string;
  block: string;
  kind: string | null; // of an attention
}

export interface Data {
  shape: { layers: Record<string, number>; heads: number };
  columns: Column[];
  switches: string[];
  temperature: [number, number]; // least and most
  words: string[]; // of the sentence
  nothing: Sent;
  state: Sent;
  edits: string[]; // in words
}

// The edits as the server knows them; while a change is pending, the reader's own.
function useEdits({ state }: Data) {
  const { store } = useView();
  const own = useRef({ state, edits: readState(state) });
  const [, again] = useReducer((count: number) => count + 1, 0);
  if (own.current.state !== state && store.pending("edits") === null) own.current = { state, edits: readState(state) };
  const change = (edits: Edits) => {
    own.current.edits = edits;
    store.ask({ edits: linkOf(edits) });
    again(0);
  };
  return [own.current.edits, change] as const;
}

function Switchboard(data: Data) {
  const { temperature: limits, words } = data;
  const { view, root } = useView();
  const [edits, change] = useEdits(data);
  const [alone, keepAlone] = useState(false);
  const [isOpen, open] = useState(false);
  const [all, showAll] = useState<boolean | null>(null); // whether "More" is open; null until the reader decides
  const [sliding, slide] = useState<number | null>(null);
  const scroller = useSideways<HTMLDivElement>();
  root.toggleAttribute("data-folded", view.lecture && !isOpen);
  const showsAll = all ?? (edits.temperature !== 1 || data.switches.some((name) => edits[name]));
  const set = (name: string, value: unknown) => change({ ...edits, [name]: value } as Edits);
  const temperature = sliding ?? edits.temperature;
  const says = fill(texts.t, { t: temperature });
  const choose = (value: number) => {
    slide(null);
    set("temperature", value);
  };
  const button = (name: "only" | "back" | "unfold" | "more", act: () => void, rest: object) => {
    const [title, words] = [texts[`${name}_title`], texts[name]];
    return <Button class={`set ${name}`} title={title} aria-label={named(title, words)} act={act} {...rest} children={words} />;
  };
  const flag = (name: string) => {
    const [title, words, isOn] = [texts.switch_titles[name] ?? "", texts.switches[name] ?? "", Boolean(edits[name])];
    const of = { class: name.startsWith("no_") ? "part" : "set", title, "aria-label": named(title, words), "aria-pressed": isOn };
    return <Button key={name} {...of} act={() => set(name, !isOn)} children={words} />;
  };
  const corner = button("only", () => keepAlone(!alone), { "aria-pressed": alone });
  return (
    <section class="board" aria-label={texts.board}>
      <div class="line folded">
        <p class="message">{forAudience(data.edits.join(" "), view)}</p>
        {button("unfold", () => open(!isOpen), { "aria-expanded": isOpen })}
      </div>
      <div class="scroll" ref={scroller}>
        <Model {...{ data, edits, alone, change, corner }} />
      </div>
      <div class="line">
        {button("more", () => showAll(!showsAll), { "aria-expanded": showsAll })}
        <Entries words={words} edits={edits} set={set} />
        {button("back", () => change(readState(data.nothing)), { disabled: !linkOf(edits) })}
      </div>
      <div class="rest" hidden={!showsAll}>
        <div class="line">{data.switches.map(flag)}</div>
        <div class="line">
          <div class="temperature">
            <span class="label">{texts.temperature_label}</span>
            <TemperatureSlider value={temperature} label={texts.temperature} {...{ limits, says, slide, choose }} />
          </div>
          <Button class="t" title={texts.t_back} disabled={temperature === 1} act={() => choose(1)} children={says} />
          <Forms words={words} edits={edits} set={set} />
        </div>
      </div>
    </section>
  );
}

export const mountSwitchboard = part(Switchboard);

// A name must contain the visible words.
const named = (title: string, words: string) => (title.toLowerCase().includes(words.toLowerCase()) ? title : `${words} ${title}`);

// The typed edits: a token forced at the current step, a word that replaces another; and those typed so far.
const LONGEST = 60; // characters, as on the Python side

type Name = "force" | "swap";

type TypedProps = { edits: Edits; set: (name: Name, value: Map<number, string>) => void };

// index: of the step or of the word; children: the label before the line.
function Form({ name, index, edits, set, children }: TypedProps & { name: Name; index: number; children: ComponentChildren }) {
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
      <button type="submit" aria-label={label} title={label} children={texts.do} />
    </form>
  );
}

function Forms({ words, ...props }: TypedProps & { words: string[] }) {
  const { view } = useView();
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

// The edits typed so far, each a button that undoes it.
export function Entries({ words, edits, set }: TypedProps & { words: string[] }) {
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
