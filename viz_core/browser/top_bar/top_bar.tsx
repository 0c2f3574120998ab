// The top bar of every page: source and target with the current step highlighted; layer, head and model. A click on a target token goes to
// the step that writes it. Each side has one line, so that nothing below it moves; a long one scrolls with the step. In Streamlit the
// sentence is typed in place.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, Choose, Group, flag, useDismiss } from "../../web/src/ui/elements";
import { part, useView } from "../../web/src/ui/part";
import { fadeEdges } from "../kit/dom";
import { fill } from "../kit/numbers";
import { guessedFrom, hides } from "../../web/src/view";
import { early } from "../kit/payload";
import { walked } from "../kit/operations";
import { type Chip, type Data, type Side, useField, Start, texts } from "./field";

const NARROW = 760; // px; below, layer and head stand under the sentences, as on a phone
const APART = 160; // ms from one token of a new translation to the next
const ARRIVING = 1600; // ms, at most, for all of them
const ROOM = 4; // layers that leave room for the model
const CHOICES = ["layer", "head"] as const;
const SQUEEZES = [[], ["tight"], ["tight", "dense"], []]; // classes of a line, tried in turn; a line that never fits scrolls
// Block → the choices without effect on its content.
const IDLE: Record<string, string[]> = {
  embedding: ["layer", "head"],
  memory: ["layer", "head"],
  softmax: ["layer", "head"],
  ffn: ["head"],
  encoder_ffn: ["head"],
};

function TopBar(data: Data) {
  const { view, store, send } = useView();
  const { models, model, codes } = data;
  const choice = codes ? fill(texts.model_into, { codes }) : texts.model;
  const takeModel = (name: string) => store.ask({ model: name });
  const start = useRef<HTMLInputElement>(null);
  const [bar, isNarrow] = useNarrow();
  const fields = { source: useField("source", data, start), target: useField("target", data) };
  const isKnown = data.source.length > 0;
  const isBelow = store.drawn?.picked_below && !view.lecture;
  const picked = isBelow ? CHOICES : (store.limits.picked_by ?? store.drawn?.picked_by ?? CHOICES);
  const isIdle = (name: string) => !(picked as readonly string[]).includes(name) || IDLE[view.open]?.includes(name);
  return (
    <>
      {data.starts && <Start {...data} line={start} hidden={view.lecture || Boolean(store.talk)} take={fields.source.take} />}
      <div
        ref={bar}
        class="bar"
        role="toolbar"
        aria-label={texts.toolbar}
        data-deep={flag(store.limits.layers > ROOM)}
        data-narrow={flag(isNarrow)}>
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
            aria-label={choice}
            title={choice}
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

// Whether the bar has little room, in a small window or beside the open code.
function useNarrow() {
  const bar = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const { current: node } = bar;
    if (!node) return;
    const measure = () => setNarrow(node.clientWidth > 0 && node.clientWidth < NARROW);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return [bar, isNarrow] as const;
}

type LineProps = { side: Side; data: Data; open?: () => void; children: ComponentChildren };

// The tokens of one side, and the buttons beside them.
function Line({ side, data, open, children }: LineProps) {
  const { view, store } = useView();
  const row = useRef<HTMLDivElement>(null);
  const isWalked = walked(store).name === "token"; // whether source tokens can be selected
  const output = data.target.map(([text]) => text).join("\n");
  const written = useRef<string | null>(null); // the previous output; a different one is animated token by token

  useLayoutEffect(() => {
    const { current: tokens } = row;
    if (!tokens?.parentElement) return;
    const observer = new ResizeObserver(() => {
      makeRoom(tokens);
      follow(tokens);
    });
    observer.observe(tokens.parentElement); // calls at once, before the next frame is painted
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
          data-at={view.step / Math.max(store.limits.steps - 1, 1)}
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
  const { view, set } = useView();
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
  return useMemo(() => <>{source.map(chip)}</>, [source, here]); // unchanged by a step
}

function Target({ data: { target, given } }: { data: Data }) {
  const { view, store, set } = useView();
  const guessed = guessedFrom(view);
  return target.map(([text, , note], index) => {
    const to = Math.max(index - 1, 0);
    const isNext = index === view.step + 1;
    const [place, act] = isNext
      ? [" next", given ? texts.given : texts.writes]
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

// The title: the note on a token, then what a click does.
const noted = (note: string, act: string) => [note, act].filter(Boolean).join("\n");

function chipClass(all: Chip[], index: number) {
  const word = all[index]?.[1] ?? null;
  const first = word === null || all[index - 1]?.[1] !== word;
  const last = word === null || all[index + 1]?.[1] !== word;
  return ["token", first && "first", last && "last", word === null && "special"].filter(Boolean).join(" ");
}

// Shortens the edit button and the spacing of tokens, if the line then fits.
function makeRoom(row: HTMLElement) {
  SQUEEZES.some((names) => {
    for (const name of ["tight", "dense"]) row.parentElement?.classList.toggle(name, names.includes(name));
    return row.scrollWidth <= row.clientWidth;
  });
}

// Scrolls the current token to the middle of a line that is too long; in a source without one, the step's relative place, as the overview.
function follow(row: HTMLElement | null) {
  if (!row) return;
  const chip = row.querySelector<HTMLElement>(".next, .source button.read");
  const middle = chip ? chip.offsetLeft - row.offsetLeft : Number(row.dataset.at) * row.scrollWidth;
  if (row.scrollWidth > row.clientWidth) row.scrollLeft = middle - row.clientWidth / 2;
  fadeEdges(row);
}

// Fades in the tokens of a new translation, one after the other.
function arrive({ children }: HTMLElement) {
  const apart = Math.min(APART, ARRIVING / children.length);
  [...children].forEach((node, at) => {
    const timing: KeyframeAnimationOptions = { duration: APART, delay: at * apart, fill: "backwards" };
    node.animate([{ opacity: 0, transform: "translateY(.4rem)" }, { opacity: 1 }], timing);
  });
}

// 1…n as a row of buttons; idle where they have no effect, and then absent in lecture mode.
function Choice({ name, isIdle }: { name: "layer" | "head"; isIdle: boolean }) {
  const { view, store } = useView();
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

// The warning that the translation is probably wrong; a click says why.
function Doubt({ doubt, fits, takeModel }: DoubtProps) {
  const [isOpen, setOpen] = useState(false);
  const node = useRef<HTMLDetailsElement>(null);
  useDismiss(node, isOpen, () => setOpen(false));
  const turn = (event: Event) => {
    event.preventDefault(); // the browser would toggle it on its own, a little later
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
export default early(mountTopBar); // also without a sentence, which is typed here
