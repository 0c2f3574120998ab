// The player at the foot of every page: play, step back and on, a dot for each written token; predict, and a menu of rarely needed
// functions. With it the bar of a talk, a lesson's card and the covers.

import { textsOf } from "../../web/src/address";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, Dialog, flag, Group, Sign } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { part, useView } from "../../web/src/ui/part";
import { play, stepOn } from "../kit/keys";
import { fill } from "../kit/numbers";
import { ATTENTION_OF, placeText, walk, walkTo, walked } from "../kit/operations";
import { scroller } from "../kit/streamlit";
import { hides } from "../../web/src/view";
import { Bar } from "./bar";
import { blockOf } from "../overview/pointer";
import { Covers, Stages } from "./stages";
import { Lesson } from "./lesson";
import { Menu, PictureButtons } from "./menu";
import { Question } from "./question";

const texts = textsIn("app.player");

// more: further buttons of the bar in a file, which has no lesson.
type Data = { more?: [name: string, sign: string, title: string, act: () => void][] };

export function Player({ more }: Data) {
  const { view, store, set } = useView();
  const [transport, bar, card] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null), useRef<HTMLElement>(null)];
  useRoom(transport, bar, card);
  useLayoutEffect(() => {
    const page = document.documentElement;
    page.toggleAttribute("data-lecture", view.lecture);
    page.dataset.step = String(view.step); // by which the style sheet of a table marks a row
    if (hides(view)) page.dataset.predict = view.predict;
    else page.removeAttribute("data-predict");
  });
  const closeHelp = () => set({ help: false });
  return (
    <>
      <div class="transport" ref={transport}>
        <Question />
        <Transport />
        <Stages />
      </div>
      <span class="away" role="status" hidden={store.online && !store.isLate()} children={texts.offline} />
      <Dialog isOpen={view.help} close={closeHelp} label={texts.keys}>
        {view.help && <Help close={closeHelp} />}
      </Dialog>
      <Bar bar={bar}>
        <PictureButtons />
        {more?.map(([name, sign, title, act]) => (
          <Button key={name} class={name} title={title} act={act} children={sign} />
        ))}
      </Bar>
      <Covers />
      {!more && <Lesson card={card} />}
    </>
  );
}

// Play, back and on, and a dot for each token that is written, or read by the encoder. The tokens' words are in the top bar.
function Transport() {
  const { view, store, set } = useView();
  const { name, at, count } = walked(store) as { name: "step" | "token"; at: number; count: number };
  const isSource = name === "token";
  const [line, back, on] = isSource ? [texts.tokens, texts.back_token, texts.on_token] : [texts.toolbar, texts.back, texts.on];
  const state = view.playing ? "pause" : "play";
  const isPart = store.send && blockOf(store.limits.page); // whether the page shows a part of the overview
  const kind = (index: number) => (index === at ? "now" : index < at ? "past" : undefined);
  const predict = () => {
    const { asked = "", answers = [asked] } = store.limits.question ?? {};
    const next = store.view.predict ? answers.indexOf(store.view.predict) + 1 || answers.length : 0;
    set({ predict: answers[next] ?? "", revealed: false });
  };
  const showWhole = () => {
    const open = blockOf(store.limits.page, new URLSearchParams(location.search)) ?? "";
    const cell = (ATTENTION_OF as Record<string, string>)[open] ? view.cell : null; // other blocks' cells mean something else
    store.ask(textsOf({ ...view, cell, drawing: "flow", open }), "overview");
  };
  return (
    <div class="player" role="toolbar" aria-label={line}>
      <Button class="play" title={texts.play} aria-label={texts[state]} act={() => play(store)} words={texts[`${state}_sign`]} />
      <Sign class="back" named={back} disabled={at === 0} act={() => walk(store, -1)} words="←" />
      <Sign class="on" named={on} disabled={at >= count - 1 && !hides(view)} act={() => stepOn(store)} words="→" />
      <Group label={line} class="steps" data-source={flag(isSource)}>
        {Array.from({ length: count }, (_, index) => (
          <Sign
            key={index}
            class={kind(index)}
            named={fill(texts[`to_${name}`], { [name]: index + 1 })}
            tabIndex={-1}
            aria-current={index === at ? "step" : undefined}
            act={() => walkTo(store, index)}
          />
        ))}
      </Group>
      <span class="label" role="status" children={placeText(store, texts)} />
      <Sign class="whole" named={texts.whole} hidden={!isPart} act={showWhole} words={texts.whole_sign} />
      <Sign class="predict" named={texts.predict} aria-pressed={Boolean(view.predict)} act={predict} words={texts.predict_sign} />
      <Menu />
    </div>
  );
}

function Help({ close }: { close: () => void }) {
  return (
    <>
      <header>
        <h2>{texts.keys}</h2>
        <Button class="close" act={close} words={texts.close} />
      </header>
      <table>
        <tbody>
          {texts.help.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

// Measures the room taken at the foot, so that the page ends above it.
function useRoom(
  transport: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  card: RefObject<HTMLElement | null>,
) {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const heightOf = ({ current }: RefObject<HTMLElement | null>) => current?.offsetHeight ?? 0;
    const measure = () => {
      const foot = heightOf(bar) + heightOf(transport);
      const isBelow = (card.current?.offsetWidth ?? 0) > innerWidth / 2; // below the picture, not beside it
      style.setProperty("--viz-talk", `${heightOf(bar)}px`);
      style.setProperty("--viz-foot", `${foot}px`);
      style.setProperty("--viz-bar", `${foot + (isBelow ? heightOf(card) : 0)}px`);
    };
    const sizes = new ResizeObserver(measure);
    for (const node of [bar.current, transport.current, card.current, scroller()]) if (node) sizes.observe(node);
    return () => {
      sizes.disconnect();
      style.setProperty("--viz-bar", "0px");
    };
  }, []);
}

export const mountPlayer = part(Player);
