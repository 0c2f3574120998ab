// The top bar: source and target on every page, the current step highlighted; layer, head and model. A click on a token of
// the target goes to the step that writes it. Each side has one line, so that nothing below it ever moves; a long one
// scrolls with the step. In Streamlit a sentence is typed where it stands.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, Choose, Group, flag, useDismiss } from "../../web/src/ui/elements";
import { part, useView } from "../../web/src/ui/part";
import { fadeEdges } from "../kit/dom";
import { fill } from "../kit/numbers";
import { guessedFrom, hides } from "../../web/src/view";
import { early } from "../kit/payload";
import { walked } from "../kit/walk";
import { type Chip, type Data, type Side, type Texts, useField, Start } from "./field";

const APART = 160;
const ARRIVING = 1600; // ms from one token of a new translation to the next, and of all
const ROOM = 4; // layers beside which the model has room
const CHOICES = ["layer", "head"] as const;
const SQUEEZES = [[], ["tight"], ["tight", "dense"], []]; // of a line, tried one after the other; one that is far too long scrolls
// What an open block of the overview does not depend on.
const IDLE: Record<string, string[]> = {
  embedding: ["layer", "head"],
  memory: ["layer", "head"],
  softmax: ["layer", "head"],
  ffn: ["head"],
  encoder_ffn: ["head"],
};

function TopBar(data: Data) {
  const { view, store, send, texts } = useView<Texts>();
  const { models, model } = data;
  const takeModel = (name: string) => store.ask({ model: name });
  const start = useRef<HTMLInputElement>(null);
  const fields = { source: useField("source", data, start), target: useField("target", data) };
  const isKnown = data.source.length > 0;
  const isBelow = store.drawn?.picked_below && !view.lecture;
  const picked = isBelow ? CHOICES : (store.limits.picked_by ?? store.drawn?.picked_by ?? CHOICES);
  const isIdle = (name: string) => !(picked as readonly string[]).includes(name) || IDLE[view.open]?.includes(name);
  return (
    <>
      {data.starts && <Start {...data} line={start} hidden={view.lecture || Boolean(store.talk)} take={fields.source.take} />}
      <div class="bar" role="toolbar" aria-label={texts.toolbar} data-deep={flag(store.limits.layers > ROOM)}>
        <Line side="source" data={data} open={send && fields.source.open}>
          {send && fields.source.nodes(false)}
        </Line>
        <Line side="target" data={data}>
          {send && fields.target.nodes(guessedFrom(view) < Infinity)}
          {data.doubt && <Doubt doubt={data.doubt} fits={data.fits} takeModel={takeModel} />}
        </Line>
        {isKnown && CHOICES.map((name) => <Choice key={name} name={name} isIdle={Boolean(isIdle(name))} />)}
        {model && (
          <select
            class="model"
            aria-label={texts.model}
            title={texts.model}
            value={store.pending("model") ?? model}
            onChange={({ currentTarget }) => takeModel(currentTarget.value)}>
            {models?.map((name) => (
              <option key={name} value={name} children={name} />
            ))}
          </select>
        )}
      </div>
    </>
  );
}

type LineProps = { side: Side; data: Data; open?: () => void; children: ComponentChildren };

// The tokens of one side, and what stands beside them.
function Line({ side, data, open, children }: LineProps) {
  const { store, texts } = useView<Texts>();
  const row = useRef<HTMLDivElement>(null);
  const isWalked = walked(store).name === "token"; // whether the chips of the source can be chosen
  const output = data.target.map(([text]) => text).join("\n");
  const written = useRef<string | null>(null); // what stood there, so that another translation arrives token by token

  useLayoutEffect(() => {
    const { current: tokens } = row;
    if (!tokens?.parentElement) return;
    const resize = () => {
      makeRoom(tokens);
      follow(tokens);
    };
    resize();
    const observer = new ResizeObserver(resize);
    observer.observe(tokens.parentElement);
    return () => observer.disconnect();
  }, [data[side], data.typed, data.doubt, isWalked]);

  useLayoutEffect(() => follow(row.current));

  useLayoutEffect(() => {
    if (side === "target" && row.current && written.current && data.source.length && !store.theme.still) arrive(row.current);
    written.current = output;
  }, [output]);

  return (
    <>
      <span class={`name ${side}`}>{texts[side]}</span>
      <div class={`line ${side}`}>
        <div
          ref={row}
          class="row"
          role="group"
          tabIndex={0}
          lang={data.languages?.[side === "source" ? 0 : 1]}
          aria-label={texts[side]}
          onClick={isWalked ? undefined : open}
          onScroll={({ currentTarget }) => fadeEdges(currentTarget)}>
          {side === "source" ? <Source data={data} isWalked={isWalked} /> : <Target data={data} />}
        </div>
        {children}
      </div>
    </>
  );
}

function Source({ data: { source }, isWalked }: { data: Data; isWalked: boolean }) {
  const { view, set, texts } = useView<Texts>();
  const here = isWalked ? view.token : null;
  const chip = ([text, , note]: Chip, token: number) => {
    const name = chipClass(source, token);
    if (here === null) return <span key={token} class={name} title={note || undefined} children={text} />;
    const isHere = token === here;
    return (
      <Button
        key={token}
        class={isHere ? `${name} read` : name}
        tabIndex={isHere ? 0 : -1}
        aria-current={isHere || undefined}
        title={noted(note, isHere ? texts.focus : fill(texts.to_token, { token: token + 1 }))}
        act={() => set({ token })}
        words={text}
      />
    );
  };
  return useMemo(() => <>{source.map(chip)}</>, [source, here]); // a step changes nothing here
}

function Target({ data: { target } }: { data: Data }) {
  const { view, store, set, texts } = useView<Texts>();
  const guessed = guessedFrom(view);
  return target.map(([text, , note], index) => {
    const to = Math.max(index - 1, 0);
    const isNext = index === view.step + 1;
    const [place, act] = isNext
      ? [" next", texts.writes]
      : index === view.step
        ? [" read", texts.reads]
        : [index > view.step ? " ahead" : "", fill(texts.to_step, { step: to + 1 })];
    return (
      <Button
        key={index}
        class={chipClass(target, index) + place}
        tabIndex={isNext ? 0 : -1}
        aria-current={isNext ? "step" : undefined}
        title={index > guessed ? act : noted(note, act)}
        act={() => set(to === store.view.step && hides(store.view) ? { revealed: true } : { step: to })}
        words={index > guessed ? "?" : text}
      />
    );
  });
}

// What there is to say of a token stands before what a click on it does.
const noted = (note: string, act: string) => [note, act].filter(Boolean).join("\n");

function chipClass(all: Chip[], index: number) {
  const word = all[index]?.[1] ?? null;
  const first = word === null || all[index - 1]?.[1] !== word;
  const last = word === null || all[index + 1]?.[1] !== word;
  return ["token", first && "first", last && "last", word === null && "special"].filter(Boolean).join(" ");
}

// The pencil gives up its words, and the tokens the room around theirs, where these then fit their line.
function makeRoom(row: HTMLElement) {
  SQUEEZES.some((names) => {
    for (const name of ["tight", "dense"]) row.parentElement?.classList.toggle(name, names.includes(name));
    return row.scrollWidth <= row.clientWidth;
  });
}

// The current token and what is read stand in the middle of a line that is too long.
function follow(row: HTMLElement | null) {
  if (!row) return;
  const chip = row.querySelector<HTMLElement>(".next, .source button.read");
  if (chip && row.scrollWidth > row.clientWidth) row.scrollLeft = chip.offsetLeft - row.offsetLeft - row.clientWidth / 2;
  fadeEdges(row);
}

// The tokens of a new translation, one after the other.
function arrive({ children }: HTMLElement) {
  const apart = Math.min(APART, ARRIVING / children.length);
  [...children].forEach((node, at) => {
    const timing: KeyframeAnimationOptions = { duration: APART, delay: at * apart, fill: "backwards" };
    node.animate([{ opacity: 0, transform: "translateY(.4rem)" }, { opacity: 1 }], timing);
  });
}

// 1…n as a row of buttons. Where they choose nothing they are idle: on stage they are not there.
function Choice({ name, isIdle }: { name: "layer" | "head"; isIdle: boolean }) {
  const { view, store, texts } = useView<Texts>();
  return (
    <div class={isIdle ? `choice ${name} idle` : `choice ${name}`}>
      <span class="name">{texts[name]}</span>
      <Group label={texts[name]} class="buttons">
        {Array.from({ length: store.limits[`${name}s`] }, (_, at) => (
          <Choose
            key={at}
            on={at === view[name]}
            set={{ [name]: at }}
            disabled={isIdle}
            aria-label={`${texts[name]} ${at + 1}`}
            words={at + 1}
          />
        ))}
      </Group>
    </div>
  );
}

type DoubtProps = { doubt: string; fits: Data["fits"]; takeModel: (model: string) => void };

// That the translation is likely wrong; a click says why.
function Doubt({ doubt, fits, takeModel }: DoubtProps) {
  const { texts } = useView<Texts>();
  const [isOpen, setOpen] = useState(false);
  const node = useRef<HTMLDetailsElement>(null);
  useDismiss(node, isOpen, () => setOpen(false));
  const turn = (event: Event) => {
    event.preventDefault(); // the event of the browser's own way comes a little later
    setOpen(!isOpen);
  };
  return (
    <details class="doubt" ref={node} open={isOpen}>
      <summary title={doubt} onClick={turn}>
        <i aria-hidden="true">⚠ </i>
        <span>{texts.doubt}</span>
      </summary>
      <div>
        <p>{doubt}</p>
        {fits && <Button class="fits" act={() => takeModel(fits[0])} words={fits[1]} />}
      </div>
    </details>
  );
}

export const mountTopBar = part(TopBar);
export default early(mountTopBar); // where there is no sentence yet, one is typed here
