// Dialogs that cover the page: the link as a QR code, a black screen, the end of a talk.

import { useState } from "preact/hooks";
import { Button, Dialog, flag } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import type { Share, Talk, Words } from "../../web/src/ui/store";
import { linkTo } from "../../web/src/address";
import { fill } from "../kit/numbers";
import { leaveTalk } from "../kit/keys";
import { EXERCISES, FIRST_LESSON, TOUR, solvedCards } from "../kit/progress";
import { copyLink } from "../kit/save";

const SHOWN = 200; // characters of a link shown beside its code
const MESSAGE_TIME = 2500; // ms for which «copied» is shown
const OPTION = /(--\S+)/; // of a command; not to be broken at its hyphens

type EndTexts = Words<"title said leave"> &
  Words<"back again"> & {
    lesson: Words<"title said leave exercises tour">;
    exercises: Words<"title said_all said_open leave lesson">;
  };
export type CoverTexts = { black: string; share: Words<"title code copy copied not_copied close any">; end: EndTexts };

export function Covers({ texts }: { texts: CoverTexts }) {
  const { view, set, store } = useView();
  const close = () => set({ over: "" });
  const of = (name: string) => ({ class: name, isOpen: view.over === name, close });
  return (
    <div class="viz-covers">
      <Dialog {...of("share")} label={texts.share.title} data-lecture={flag(view.lecture)}>
        {view.over === "share" && store.share && <Shared texts={texts.share} share={store.share} close={close} />}
      </Dialog>
      <Dialog {...of("black")} label={texts.black} onClick={close} />
      <Dialog {...of("end")} label={texts.end.title}>
        {view.over === "end" && store.talk && <End texts={texts.end} talk={store.talk} close={close} />}
      </Dialog>
    </div>
  );
}

function Shared({ texts, share, close }: { texts: CoverTexts["share"]; share: Share; close: () => void }) {
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

function End({ texts, talk, close }: { texts: EndTexts; talk: Talk; close: () => void }) {
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
      <p>{"said" in words ? words.said : <Solved talk={talk} texts={words} />}</p>
    </>
  );
}

// The number of solved exercises, and links to the others.
function Solved({ talk: { name, titles }, texts }: { talk: Talk; texts: EndTexts["exercises"] }) {
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
