// What the player shows beside its buttons: the operations inside a step, in a line, grouped by block on the overview; and the dialogs that
// cover the page.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, Group, Select, Sign, Dialog, flag } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { useView } from "../../web/src/ui/part";
import type { Share, Talk } from "../../web/src/ui/store";
import { type Operation, isLast, namedPart, operationsOf, partOf, isAtEnd } from "../kit/operations";
import { linkTo } from "../../web/src/address";
import { fill } from "../kit/numbers";
import { leaveTalk } from "../kit/keys";
import { EXERCISES, FIRST_LESSON, TOUR, solvedCards } from "../kit/progress";
import { copyLink } from "../kit/save";

const texts = textsIn("app.player.stages");

const SPEEDS = [0.25, 0.5, 1, 2, 4].map((times) => [String(times), `${times} ×`]);

export function Stages() {
  const { view, store, set } = useView();
  const track = useRef<HTMLDivElement>(null);
  const isHeld = useRef(false);
  const { list, at } = operationsOf(store.limits.stages, view);
  const block = partOf(list[at]?.open ?? "");

  const goTo = (operation?: Operation & { scrub?: number }) => {
    const isElsewhere = operation?.open && operation.open !== store.view.open;
    set({ ...operation, playing: "", ...(isElsewhere ? { cell: null } : {}) });
  };
  const letGo = () => {
    isHeld.current = false;
    store.set({ scrub: null });
  };
  // Scrubbing: a finger or pressed mouse moves along the operations and through the animation of each; on release it plays on from there.
  const scrub = ({ buttons, clientX, currentTarget }: PointerEvent) => {
    if (isHeld.current && !buttons) letGo(); // released outside the window
    if (!isHeld.current || !(currentTarget instanceof Element)) return;
    const boxes = [...currentTarget.querySelectorAll("button")].map((place) => place.getBoundingClientRect());
    const index = boxes.findIndex(({ left, right }) => clientX >= left && clientX < right);
    const box = boxes[index];
    if (box) goTo({ ...list[index], scrub: (clientX - box.left) / box.width });
  };
  useEffect(() => {
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, letGo);
    return () => {
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, letGo);
    };
  }, []);

  useLayoutEffect(() => {
    const { current: line } = track;
    const now = line?.querySelector("[aria-pressed=true]")?.parentElement;
    if (line && now && view.scrub === null && line.scrollWidth > line.clientWidth)
      line.scrollLeft = now.offsetLeft - line.offsetLeft - 8;
  }, [block]);

  // on the overview they appear with an open block
  if (!list.length || (at < 0 && (view.lecture || list[0]?.open))) return null;
  const isWhole = list.some(({ open }) => open);
  const place = (operation: Operation) => {
    const index = list.indexOf(operation);
    const { open = "", stage = namedPart(open) } = operation;
    return (
      <Button
        key={index}
        class={index < at ? "passed" : undefined}
        title={stage ? texts[`long_${stage as "mix"}`] : texts.blocks[open]}
        aria-pressed={index === at}
        act={() => goTo(operation)}>
        {!isWhole && <i aria-hidden="true">{index + 1}</i>}
        {stage ? texts[stage as "mix"] : texts.blocks[open]}
      </Button>
    );
  };
  // the operations of a block, with its name
  const together = (open: string) => {
    const own = list.filter((operation) => partOf(operation.open ?? "") === open);
    return (
      <span key={open} class="block" role="group" aria-label={texts.blocks[open]}>
        {own.length > 1 && <b aria-hidden="true">{texts.blocks[open]}</b>}
        {own.map(place)}
      </span>
    );
  };
  const step = (by: number) => () => {
    set({ playing: "" });
    store.operate(by);
  };
  const isOver = isLast({ list, at }) && (!list[0]?.open || isAtEnd(store));
  return (
    <div class="stages" role="toolbar" aria-label={texts.stages}>
      <Sign class="arrow" named={texts.long_stage_back} disabled={at <= 0} act={step(-1)} words={texts.stage_back} />
      <Group
        label={texts.stages}
        class="track"
        ref={track}
        onPointerMove={scrub}
        onPointerDown={({ button }) => {
          isHeld.current = button === 0;
        }}>
        {isWhole ? [...new Set(list.map(({ open }) => partOf(open ?? "")))].map(together) : list.map(place)}
      </Group>
      <Sign class="arrow" named={texts.long_stage_on} disabled={isOver} act={step(1)} words={texts.stage_on} />
      <Select
        {...{ label: texts.speed, title: texts.speed, class: "speed", options: SPEEDS, chosen: String(view.speed) }}
        choose={(speed) => set({ speed: Number(speed) })}
      />
    </div>
  );
}

// Dialogs that cover the page: the link as a QR code, a black screen, the end of a talk.

const SHOWN = 200; // characters of a link shown beside its code
const MESSAGE_TIME = 2500; // ms for which «copied» is shown
const OPTION = /(--\S+)/; // of a command; not to be broken at its hyphens

const covers = textsIn("app.lecture.covers");

export function Covers() {
  const { view, set, store } = useView();
  const close = () => set({ over: "" });
  const of = (name: string) => ({ class: name, isOpen: view.over === name, close });
  return (
    <div class="viz-covers">
      <Dialog {...of("share")} label={covers.share.title} data-lecture={flag(view.lecture)}>
        {view.over === "share" && store.share && <Shared share={store.share} close={close} />}
      </Dialog>
      <Dialog {...of("black")} label={covers.black} onClick={close} />
      <Dialog {...of("end")} label={covers.end.title}>
        {view.over === "end" && store.talk && <End talk={store.talk} close={close} />}
      </Dialog>
    </div>
  );
}

function Shared({ share, close }: { share: Share; close: () => void }) {
  const { share: texts } = covers;
  const { store } = useView();
  const [message, say] = useState("");
  const link = linkTo(store.now());
  const drawn = store.isKnown() ? share : { code: "", no_code: "" }; // never the code of another view
  const copy = async () => {
    say((await copyLink(link)) ? texts.copied : texts.not_copied);
    setTimeout(say, MESSAGE_TIME, "");
  };
  return (
    <>
      <div class="code">{drawn.code ? <img src={drawn.code} alt={texts.code} /> : <p>{drawn.no_code}</p>}</div>
      <div class="words">
        <h2>{texts.title}</h2>
        <output class="link">{link.length <= SHOWN ? link : `${link.slice(0, SHOWN - 1)}…`}</output>
        <p class="problem" hidden={!share.problem}>
          {share.problem.split(OPTION).map((part, at) => (at % 2 ? <span key={at}>{part}</span> : part))}
        </p>
        <div class="buttons">
          <Button class="main" act={copy} words={texts.copy} />
          <Button act={close} words={texts.close} />
          <span class="message" role="status" children={message} />
        </div>
        <p class="hint">{texts.any}</p>
      </div>
    </>
  );
}

function End({ talk, close }: { talk: Talk; close: () => void }) {
  const { end: texts } = covers;
  const { store } = useView();
  const { send } = store; // a file has nothing else to show
  const isExercises = talk.name === EXERCISES;
  const words = isExercises ? texts.exercises : talk.lesson ? texts.lesson : texts;
  const closed = (act: () => void) => () => {
    close();
    act();
  };
  const begin = (name: string, label: string) => (
    <Button act={closed(() => store.link("", { talk: name, at: "1" }))} words={label} />
  );
  return (
    <>
      <p class="over">{words.title}</p>
      <h2>{talk.title}</h2>
      <div class="buttons">
        <Button class={talk.lesson ? "" : "main"} act={close} words={texts.back} />
        <Button act={() => store.turn(0)} words={texts.again} />
        {send && <Button class={talk.lesson ? "main" : ""} act={closed(() => leaveTalk(store, false))} words={words.leave} />}
        {send && talk.name === FIRST_LESSON && begin(EXERCISES, texts.lesson.exercises)}
        {send && isExercises && begin(FIRST_LESSON, texts.exercises.lesson)}
        {send && talk.lesson && begin(TOUR, texts.lesson.tour)}
      </div>
      <p>{"said" in words ? words.said : <Solved talk={talk} />}</p>
    </>
  );
}

// The number of solved exercises, and links to the others.
function Solved({ talk: { name, titles } }: { talk: Talk }) {
  const { exercises: texts } = covers.end;
  const { turn } = useView().store;
  const solved: number[] = solvedCards(name);
  const open = titles.map((_, at) => at).filter((at) => !solved.includes(at));
  const values = { solved: titles.length - open.length, views: titles.length };
  return (
    <>
      {fill(open.length ? texts.said_open : texts.said_all, values)}
      {open.map((at) => (
        <Button key={at} class="open" title={titles[at]} act={() => turn(at)} words={at + 1} />
      ))}
    </>
  );
}
