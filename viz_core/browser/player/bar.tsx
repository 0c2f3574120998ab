// The bar at the foot of the window: the place in the talk, the speaker's notes, and the way out of lecture mode, in which only a
// thin line of the bar shows until the pointer moves.

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, flag, Group } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { useView } from "../../web/src/ui/part";
import { cover, fullScreen, leaveTalk, notesShown, stepOn, switchLecture, switchNotes } from "../kit/keys";
import { fill } from "../kit/numbers";
import { isPreview } from "../kit/progress";
import { scroller } from "../kit/streamlit";
import { placeText, walk } from "../kit/operations";
import { mountNotes, notesOf } from "./notes_window";

const AWAKE = 2500; // ms after the last move of the pointer
const SAID = 10000; // ms for which the message about a blocked notes window stays

type Named = "back" | "on" | "notes_shown" | "lecture" | "leave_lecture" | "full" | "share" | "window" | "leave";
const [texts, ofSteps] = [textsIn("app.lecture.bar"), textsIn("app.player")];

// bar: for measuring; children: further buttons.
type BarProps = { bar: RefObject<HTMLDivElement | null>; children: ComponentChildren };

export function Bar({ bar, children }: BarProps) {
  const { view, store } = useView();
  const { talk, send } = store;
  const [blocked, open] = useNotes();
  const isAwake = useAwake(view.lecture);
  const words = talk && notesOf(talk);

  const shown = talk && `${talk.name} ${talk.shown}`;
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (shown && !isFirst.current) scroller()?.scrollTo(0, 0);
    isFirst.current = false;
  }, [shown]);

  const named = (name: Named, act: () => unknown, like = name, isOff = false) => (
    <Button class={name} title={texts[like]} disabled={isOff} act={act} words={texts[`${like}_sign`]} />
  );
  return (
    <div
      ref={bar}
      class="viz-bar"
      hidden={isPreview() || ((!talk || talk.lesson) && !view.lecture)} // a lesson has cards instead
      data-talk={flag(talk)}
      data-lecture={flag(view.lecture)}
      data-awake={flag(isAwake)}>
      <Note words={words} isHidden={!talk || !notesShown(view)} />
      <div class="row" role="toolbar" aria-label={texts.toolbar}>
        {named("back", () => store.advance(-1), "back", talk?.at === 0)}
        <Dots />
        {named("on", () => store.advance(1))}
        <span class="count" role="status" children={words?.count} />
        {/* outside lecture mode the player shows it */}
        {view.lecture && (
          <span class="step">
            <Button class="by_touch" title={ofSteps.back} act={() => walk(store, -1)} words="←" />
            {placeText(store, texts)}
            <Button class="by_touch" title={ofSteps.on} act={() => stepOn(store)} words="→" />
          </span>
        )}
        <span class="more">
          {send && (
            <Button
              class="notes_shown"
              title={texts.notes_shown}
              aria-expanded={notesShown(view)}
              hidden={view.lecture}
              act={() => switchNotes(store)}
              words={texts.notes_shown_sign}
            />
          )}
          {named("window", open)}
          {send && named("share", () => cover(store, "share"))}
          {named("full", fullScreen)}
          {named("lecture", () => switchLecture(store), view.lecture ? "leave_lecture" : "lecture")}
          {send && named("leave", () => leaveTalk(store, view.lecture))}
          {children}
        </span>
      </div>
      <p class="blocked" role="status" children={blocked} />
    </div>
  );
}

type NoteProps = { words: { note: string; coming: string } | null | undefined; isHidden: boolean };

// The note of this view; of a long one only the beginning, with a button that unfolds it.
function Note({ words, isHidden }: NoteProps) {
  const [isLong, lengthen] = useState(false);
  const [isOpen, unfold] = useState(false);
  const note = useRef<HTMLElement>(null);
  // Marks that text goes on below the edge.
  const fade = () => {
    const { current: node } = note;
    if (!node) return;
    node.classList.toggle("more-below", node.scrollTop + node.clientHeight < node.scrollHeight - 1);
    if (!node.classList.contains("open")) lengthen(node.scrollHeight > node.clientHeight + 1);
  };
  useLayoutEffect(() => {
    if (!note.current) return;
    note.current.scrollTop = 0;
    const sizes = new ResizeObserver(fade);
    sizes.observe(note.current);
    return () => sizes.disconnect();
  }, [words?.note, isOpen]);
  useLayoutEffect(() => unfold(false), [words?.note]);
  return (
    <div class="noted" hidden={isHidden}>
      <section ref={note} class={isOpen ? "note open" : "note"} aria-label={texts.notes} tabIndex={0} onScroll={fade}>
        <p class="message">{words?.note}</p>
        <p class="coming">{words?.coming}</p>
      </section>
      <Button
        class="unfold"
        aria-expanded={isOpen}
        hidden={!isLong}
        act={() => unfold(!isOpen)}
        words={isOpen ? texts.folded_note : texts.whole_note}
      />
    </div>
  );
}

// A dot for each view of the talk.
function Dots() {
  const { talk, turn } = useView().store;
  const label = (title: string, at: number) => fill(texts.to, { at: at + 1, title });
  const kind = (at: number, now: number) => (at === now ? "now" : at < now ? "past" : undefined);
  return (
    <Group label={talk?.title ?? ""} class="dots">
      {talk?.titles.map((title, at) => (
        <Button
          key={at}
          class={kind(at, talk.at)}
          title={label(title, at)}
          aria-label={label(title, at)}
          aria-current={at === talk.at || undefined}
          act={() => turn(at)}
        />
      ))}
    </Group>
  );
}

// [message if the browser blocks the notes window, open()].
function useNotes() {
  const { store } = useView();
  const [blocked, say] = useState("");
  const notes = useRef<ReturnType<typeof mountNotes> | null>(null);
  useLayoutEffect(() => {
    let saying = 0;
    notes.current = mountNotes(store, () => {
      say(texts.window_blocked);
      clearTimeout(saying);
      saying = window.setTimeout(say, SAID, "");
    });
    store.openNotes = notes.current.open;
    return () => {
      clearTimeout(saying);
      notes.current?.destroy();
    };
  }, []);
  useLayoutEffect(() => notes.current?.paint());
  return [blocked, () => notes.current?.open()] as const;
}

// Whether the pointer has just moved. Only a lecture marks the document while the pointer rests, because that restyles all elements.
function useAwake(isLecture: boolean) {
  const isFinger = () => matchMedia("(pointer: coarse)").matches; // a finger does not move before it presses
  const [isAwake, stay] = useState(isFinger);
  useEffect(() => {
    let asleep = 0;
    const wake = () => {
      clearTimeout(asleep);
      stay(true);
      if (!isFinger()) asleep = window.setTimeout(stay, AWAKE, false);
    };
    addEventListener("pointermove", wake);
    return () => {
      clearTimeout(asleep);
      removeEventListener("pointermove", wake);
    };
  }, []);
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute("data-asleep", isLecture && !isAwake);
  }, [isAwake, isLecture]);
  return isAwake;
}
