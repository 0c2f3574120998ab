// The next token, right of the decoder: bars of the most probable tokens, one bar of all others, and the chosen one, which returns
// below the lanes to its row in the decoder; and the line of words below the picture.

import { render } from "preact";
import { nth } from "../../web/src/payload";
import { el } from "../kit/dom";
import { fill, percent } from "../kit/numbers";
import { BASELINE, READABLE, clipped } from "../kit/pen";
import { NEXT_TOKEN } from "../lens/stacks";
import { stepOf, withOthers, type Overview } from "./data";
import { type Drawn, NEXT_TOP, wayBackAt } from "./layout";
import { Button } from "../../web/src/ui/elements";
import type { Store } from "../../web/src/ui/store";
import { EXERCISES, FIRST_LESSON, furthest, solvedCards } from "../kit/progress";
import { plain } from "../lens/ink";

const WORDS = 9; // px from the top of a token's line to the middle of its words

export const drawOutput = (svg: Element, drawn: Drawn) => render(<Output {...drawn} />, svg);

function Output({ at, data, store, wide, hidden }: Drawn) {
  const { step } = store.view;
  const { texts, output: tokens, given_target: isGiven } = data;
  const { decoder, output, height, head, view, list, item, choice: box } = at;
  const { bars: named, written } = stepOf(data, step);
  const isLast = step + 1 === data.T;
  const [centre, middle] = [box.x + box.width / 2, box.y + box.height / 2];
  // from the box to the left, down, below the lanes, and up to the rows
  const [right, low, lane] = [(decoder.end + output.x) / 2, height - 8, wayBackAt(at)];
  const turn = (x: number, y: number, toX: number, toY: number) => `Q${x} ${y} ${toX} ${toY}`;
  const down = `M${box.x - 2} ${middle}H${right + 6}${turn(right, middle, right, middle + 6)}V${low - 6}`;
  const along = `${turn(right, low, right - 6, low)}H${lane + 6}${turn(lane, low, lane, low - 6)}V${head + view}`;
  const bars = withOthers(data, step).map(([label, share, before = null], index) => {
    const isOthers = index === named.length;
    const isWritten = !hidden && index === written;
    const ghost = hidden || before === null ? 0 : Math.max(before * output.width, 1);
    const number = hidden ? "" : percent(share);
    const room = output.width - wide(number, READABLE) - 8;
    const top = list + index * item;
    const high = Math.min(NEXT_TOKEN.bar, item - NEXT_TOKEN.toBar - 2);
    const place = { x: output.x, y: top + NEXT_TOKEN.toBar, height: high, rx: 3 };
    const line = { y: top + WORDS + READABLE * BASELINE, "font-size": READABLE, "font-weight": isWritten ? 700 : 400 };
    return (
      <g key={index}>
        <rect class="track" {...place} width={output.width} />
        <rect
          class={`bar vm-moves${isWritten ? " highlighted" : ""}`}
          {...place}
          width={hidden ? 0 : Math.max(share * output.width, 1)}
        />
        <rect class="ghost vm-moves" {...place} width={ghost} style={{ display: ghost < 3 ? "none" : "" }} />
        <text class={isOthers ? "quiet" : "token"} x={output.x} {...line}>
          {hidden && !isOthers
            ? "?"
            : clipped(isOthers && wide(label, READABLE) > room ? texts.others_short : label, room, READABLE, true)}
        </text>
        <text text-anchor="end" x={output.end} {...line} children={number} />
      </g>
    );
  });
  const after = clipped(fill(texts.lens.after, { layers: data.depth.decoder }), output.width, READABLE);
  const below = isLast ? "" : isGiven ? texts.typed : texts.written;
  const small = READABLE * Math.min(1, output.width / (wide(below, READABLE) || 1));
  const centred = { x: centre, "text-anchor": "middle" } as const;
  return (
    <g>
      {bars}
      <text class="quiet" x={output.x} y={NEXT_TOP + 45} font-size={READABLE} children={after} />
      <path class="arrow" d={down + along} style={{ display: isLast ? "none" : "" }} />
      <rect class="choice" rx={9} {...{ x: box.x, y: box.y, width: box.width, height: box.height }} />
      <text class="token chosen" {...centred} y={middle + 8} font-size={24} font-weight={700}>
        {hidden ? "?" : clipped(nth(tokens, step), (box.width - 12) / 1.06, 24, true)}
      </text>
      <text class="quiet" {...centred} y={box.y + box.height + READABLE + 4} font-size={small} children={below} />
    </g>
  );
}

// The bar at a height; null if there is none, or it is to be guessed.
export function barAt({ at: { list, item }, data, store, hidden }: Drawn, y: number) {
  const bar = Math.floor((y - list) / item);
  return !hidden && stepOf(data, store.view.step).bars[bar] ? { bar } : null;
}

const DURATION = 350;
const APART = 180; // ms between steps; faster ones do not fly

type Point = Record<"x" | "y", number>;

export function makeFlight(root: Element) {
  let running: (() => void) | null = null;
  let last = -Infinity;

  const stop = () => {
    running?.();
    running = null;
  };

  // from, to: the word's middle in px of root; size: its height; landing: the label that appears on arrival.
  const fly = (text: string, from: Point, to: Point, size: number, landing: Element) => {
    stop();
    const now = performance.now();
    const fast = now - last < APART;
    last = now;
    if (fast) return;
    const word = el("span", { class: "flying", "aria-hidden": true, style: `font-size: ${size}px` }, text);
    root.append(word);
    const at = ({ x, y }: Point, scale: number) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
    const middle = { x: (from.x + to.x) / 2 - 24, y: (from.y + to.y) / 2 };
    const path = [{ transform: at(from, 1.15) }, { transform: at(middle, 1.15), offset: 0.5 }, { transform: at(to, 1) }];
    const appears = [{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }];
    const flight = word.animate(path, { duration: DURATION, easing: "cubic-bezier(.3,.1,.2,1)" });
    const arrival = landing.animate(appears, { duration: DURATION });
    running = () => {
      flight.cancel();
      arrival.cancel();
      word.remove();
    };
    flight.onfinish = stop;
  };
  return { fly, stop };
}

// The line below the picture: the caption of the hovered thing or of the view, and the buttons beside it.

// inks: of the tokens in the words; said: the words for screen readers.
type StripProps = { store: Store; texts: Overview["texts"]; words: string; inks: string[]; said: string };

export const drawStrip = (root: Element, props: StripProps) => render(<Strip {...props} />, root);

function Strip({ store, texts, words, inks, said }: StripProps) {
  const { view, talk, send } = store;
  const isPaper = view.drawing === "paper";
  const isAway = !send || Boolean(talk || view.lecture || view.open);
  const far = isAway ? null : furthest(FIRST_LESSON); // card of the lesson
  const isHidden = (name: string) => isAway || store.talks?.includes(name) === false;
  const start = (name: string, to: () => number) => () => store.link("", { talk: name, at: String(to() + 1) });
  return (
    <>
      <div class="below">
        <div class="reading" aria-hidden="true">
          <span>{marked(words, inks)}</span>
        </div>
        <Button class="lesson" hidden={isHidden(FIRST_LESSON)} act={start(FIRST_LESSON, () => furthest(FIRST_LESSON) ?? 0)}>
          {far ? fill(texts.lesson_again, { at: far + 1 }) : texts.lesson_start}
        </Button>
        <Button class="exercises" hidden={isHidden(EXERCISES)} act={start(EXERCISES, unsolved)} words={texts.exercises} />
        <Button
          class="as-paper"
          title={texts.paper.long_switch}
          aria-pressed={isPaper}
          hidden={view.lecture}
          act={() => store.set({ drawing: store.view.drawing === "paper" ? "flow" : "paper", open: "" })}
          words={texts.paper.switch}
        />
      </div>
      <p class="aloud" role="status" children={plain(said)} />
    </>
  );
}

// The first unsolved exercise.
function unsolved() {
  const solved = solvedCards(EXERCISES);
  return [...solved.keys(), solved.length].find((at) => !solved.includes(at)) ?? 0;
}

// A sentence with its tokens in bold and in their inks (for an attention: query, then key), "^{…}" raised and "_{…}" lowered.
function marked(words: string, inks: string[]) {
  const left = [...inks];
  return words.split(/(«[^»]*»|[\^_]\{[^}]*\})/).map((run, at) => {
    if (run.startsWith("«")) return <b key={at} class={left.shift()} children={run} />;
    if (run.startsWith("^{")) return <sup key={at} children={run.slice(2, -1)} />;
    return run.startsWith("_{") ? <sub key={at} children={run.slice(2, -1)} /> : run;
  });
}
