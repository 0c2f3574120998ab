// A card of the lesson beside the picture: what to read, the one thing to do, and the buttons. A frame marks the part of the page it
// is about. Progress is stored in this browser.

import { leaveTalk } from "../kit/keys";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, Sign } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { useView } from "../../web/src/ui/part";
import type { Talk } from "../../web/src/ui/store";
import { fill } from "../kit/numbers";
import { finish, reach, solvedCards } from "../kit/progress";
import { nodesOfParts } from "../kit/streamlit";
import { Exercise } from "./exercise";

const EVERY = 250; // ms between updates of the frame's position
const SETTLED = 1500; // ms after which the page loaded by a card no longer takes the focus from it
const AROUND = 5; // px between the frame and what it frames
// Parts of the page that a card may mark.
const MARKED: Record<string, string> = { next: ".vm.output .choice", question: ".question", stages: ".stages .track" };

const texts = textsIn("app.lecture.lesson");

// card: a ref, to measure it.
export function Lesson({ card }: { card: RefObject<HTMLElement | null> }) {
  const { view, store } = useView();
  const talk = store.talk?.lesson && !view.lecture ? store.talk : null;
  const title = talk?.titles[talk.at];
  const [unfolded, setUnfolded] = useState<string | undefined>(); // title of the folded card, which shows only its buttons
  const isFolded = title !== undefined && unfolded === title;
  const frame = useRef<HTMLDivElement>(null);
  const takeFocus = useFocus(card, talk);

  useLayoutEffect(() => {
    document.documentElement.toggleAttribute("data-lesson", Boolean(talk));
    if (talk) reach(talk.name, talk.at);
  }, [talk?.name, talk?.at]);
  useLayoutEffect(() => {
    if (talk && view.over === "end") finish(talk.name);
  }, [talk?.name, view.over]);

  const follow = useRef(() => {});
  follow.current = () => {
    takeFocus();
    surround(frame.current, card.current, talk);
  };
  useLayoutEffect(() => follow.current());
  useEffect(() => {
    const timer = setInterval(() => follow.current(), EVERY);
    return () => clearInterval(timer);
  }, []);

  const isThere = talk?.at === talk?.shown; // otherwise its page is loading
  return (
    <div class="viz-lesson" hidden={!talk}>
      <div class="frame" aria-hidden="true" hidden ref={frame} />
      <section class={isFolded ? "card folded" : "card"} aria-label={texts.region} ref={card}>
        <header>
          <Count talk={talk} />
          <Sign class="fold" named={texts.fold} act={() => setUnfolded(isFolded ? undefined : title)} words="▾" />
          <Sign class="leave" named={texts.leave} act={() => leaveTalk(store, view.lecture)} words="✕" />
        </header>
        <div class="text" tabIndex={0} role="group" aria-label={texts.region} aria-live="polite">
          <h2>{title}</h2>
          <p class="says">{isThere && talk?.note}</p>
          <p class="todo" hidden={!talk?.todo}>
            {isThere && talk?.todo && [<b key="todo">{texts.todo}</b>, ` ${talk.todo}`]}
          </p>
          {isThere && talk?.exercise && (
            <Exercise key={`${talk.name} ${talk.at} ${talk.exercise.asks}`} talk={talk} exercise={talk.exercise} />
          )}
        </div>
        <footer>
          <Button disabled={!talk?.at} act={() => store.turn((talk?.at ?? 0) - 1)} words={texts.back} />
          <Button class="main" act={() => store.turn((talk?.at ?? 0) + 1)}>
            {talk?.at === (talk?.titles.length ?? 0) - 1 ? texts.end : texts.on}
          </Button>
          <p class="keys">{texts.keys}</p>
        </footer>
      </section>
    </div>
  );
}

// How many cards were read or exercises solved.
function Count({ talk }: { talk: Talk | null }) {
  const { name = "", titles = [], at = 0, exercise = null } = talk ?? {};
  const views = titles.length;
  const solved: number[] = solvedCards(name);
  const words = exercise
    ? `${fill(texts.count_exercises, { at: at + 1, views })} · ${fill(texts.exercises, { solved: solved.length, views })}`
    : fill(texts.count, { at: at + 1, views });
  const kind = (index: number) => [(exercise ? solved.includes(index) : index <= at) && "past", index === at && "here"];
  return (
    <>
      <span class="count">{words}</span>
      <div class="bars" aria-hidden="true">
        {titles.map((_, index) => (
          <i key={index} class={kind(index).filter(Boolean).join(" ")} />
        ))}
      </div>
    </>
  );
}

// Gives the focus to a new card once all of it is there, unless the reader types elsewhere. Tries for a while, since a page that loads
// takes the focus away. Returns the function that tries.
function useFocus(card: RefObject<HTMLElement | null>, talk: Talk | null) {
  const title = talk?.titles[talk.at];
  const fresh = useRef<{ since: number; hadFocus: boolean } | null>(null);
  useLayoutEffect(() => {
    fresh.current = { since: performance.now(), hadFocus: false };
  }, [title]);
  return () => {
    const { current: now } = fresh;
    if (!now || !talk || !card.current || talk.at !== talk.shown) return;
    const { activeElement } = document;
    const isHere = activeElement === (card.current.getRootNode() as ShadowRoot).host;
    const isFree = activeElement === document.body || (isHere && !now.hadFocus); // afterwards the reader may have moved it within the card
    if (isFree) {
      // An answer field gets it first, so that one can type at once; a digit would otherwise choose a head.
      const field = matchMedia("(pointer: coarse)").matches ? null : card.current.querySelector<HTMLElement>(".answer input");
      (field ?? card.current.querySelector<HTMLElement>(".text"))?.focus({ preventScroll: true });
    }
    now.hadFocus = true;
    if (!(isFree || isHere) || performance.now() - now.since > SETTLED) fresh.current = null;
  };
}

// Places the frame around the marked part, unless the card covers that.
function surround(frame: HTMLElement | null, card: HTMLElement | null, talk: Talk | null) {
  if (!frame || !card) return;
  const selector = talk?.at === talk?.shown && MARKED[talk?.mark ?? ""]; // null once the talk has ended
  const box = selector ? find(selector)?.getBoundingClientRect() : null;
  frame.hidden = !box?.width || isOver(card.getBoundingClientRect(), box);
  if (frame.hidden || !box) return;
  const px = (value: number) => `${Math.round(value)}px`;
  Object.assign(frame.style, {
    left: px(box.left - AROUND),
    top: px(box.top - AROUND),
    width: px(box.width + 2 * AROUND),
    height: px(box.height + 2 * AROUND),
  });
}

const isOver = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

// Finds an element in the page or in the shadow roots of its parts.
function find(selector: string) {
  const parts = [...nodesOfParts()];
  const roots = [document, ...parts.flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  for (const root of roots) {
    const node = root.querySelector(selector);
    if (node) return node;
  }
  return null;
}
