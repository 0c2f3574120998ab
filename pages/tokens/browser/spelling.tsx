// A text in four rows, a block per word: its characters, the word, its tokens and their ids, each below the characters it came from.

import { clauses, escaped, fill, latex, number } from "../../../viz_core/browser/kit/numbers";
import { guessedFrom } from "../../../viz_core/web/src/view";
import type { View } from "../../../viz_core/web/src/ui/store";
import { type Say, readTensors } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useGiven, useRoom, useSidewaysStop, part, useView } from "../../../viz_core/web/src/ui/part";

// The words of one side with their characters and tokens, from pages/tokens/splitting.py and merging.py: which token is focused, and which
// are still to be guessed.

export type Side = "source" | "target";

// The focused token: of the source the chosen one; of the target, which begins with a start token, the one that this step writes.
export const tokenOf = (side: Side, { token, step }: View) => (side === "source" ? token : step + 1);

// The change of the view that focuses a token; null if it cannot be focused.
export function lookAt(side: Side, token: number): Partial<View> | null {
  if (side === "source") return { token };
  return token > 0 ? { step: token - 1 } : null;
}

// How many tokens, from the first, may be shown.
export const knownTokens = (side: Side, view: View) => (side === "source" ? Infinity : guessedFrom(view) + 1);

// The index of the word that contains a token. counts: tokens per word.
export function wordOf(counts: number[], token: number) {
  let end = 0;
  const at = counts.findIndex((count) => {
    end += count;
    return token < end;
  });
  return at < 0 ? counts.length - 1 : at;
}

const texts = textsIn("tokens.figure");
const LINE = 175; // px of the four rows and the gap below, as in the style sheet
const SLACK = 18; // px left free below, so that the page does not scroll

type Span = [text: string, start: number, width: number];

type Block = { letters: Span[]; word: Span | null; tokens: [...Span, id: number][] };
type Placed = Block & { first: number }; // index of its first token

interface Data {
  side: Side;
  characters: number; // of the whole text
  blocks: Block[];
  scores: (number | null)[][] | null; // of each block's tokens, in a unigram model
}

function Spelling(data: Data) {
  const { side, blocks } = data;
  const { hidden } = texts;
  const tokens = blocks.reduce((sum, block) => sum + block.tokens.length, 0);
  const counts = { characters: data.characters, words: blocks.filter(({ word }) => word).length, tokens, ids: tokens };
  const names = (["characters", "words", "tokens", "ids"] as const).map((row) => fill(texts[row], { count: counts[row] }));
  useGiven(
    "spelling",
    useMemo(() => ({ side, below: (view: View, write: Say) => below(data, view, write) }), [blocks]),
  );
  const { view, set } = useView();
  const { height } = useRoom();
  const [lines, count] = useState(1);
  const flow = useRef<HTMLDivElement>(null);
  const known = knownTokens(side, view);
  const picked = tokenOf(side, view);
  const shown = useMemo(() => shownBlocks(blocks, hidden, known), [blocks, hidden, known]);
  // cached elements, so that a step re-renders two words instead of a long text
  const drawn = useMemo(() => shown.map((block, at) => <Word key={at} block={block} />), [shown]);
  const hasPicked = ({ first, tokens }: Placed) => picked >= first && picked < first + tokens.length;
  useLayoutEffect(() => count(Math.max(1, Math.round((flow.current?.offsetHeight ?? 0) / LINE))));
  useLayoutEffect(() => bringIntoSight(flow.current?.querySelector(".picked")), [picked, blocks]);
  const look = ({ target }: Event) => {
    const token = (target as Element).closest<HTMLElement>("[data-token]")?.dataset.token;
    const patch = token === undefined ? null : lookAt(side, Number(token));
    if (patch) set(patch);
  };
  const label = `${names.join(", ")}. ${shown.map(spoken).join("; ")}`;
  return (
    <div class="spelling" role="img" tabIndex={0} aria-label={label} style={{ maxHeight: `${Math.max(height - SLACK, LINE)}px` }}>
      <div class="in">
        <div class="names">
          {/* left of each line; only the first has the count ("words: 8"), which is of the whole text */}
          {Array.from({ length: lines }, (_, line) => (
            <div key={line}>
              {names.map((name) => (
                <span key={name}>{line ? name.split(/[:：]/)[0] : name}</span>
              ))}
            </div>
          ))}
        </div>
        <div class="flow" ref={flow} onClick={look}>
          {shown.map((block, at) => (hasPicked(block) ? <Word key={at} block={block} picked={picked} /> : drawn[at]))}
        </div>
      </div>
    </div>
  );
}

export const mountSpelling = part(Spelling, (payload: Uint8Array) => readTensors<Data, never>(payload).about);

const LISTED = 24; // tokens of a word that are written out in its formula

export const inTex = (text: string) => `\\text{${latex(text)}}`;

// A word's tokens as a formula, and their ids.
export function listed(tokens: readonly [text: string, id: number][], write: Say) {
  const first = tokens.slice(0, LISTED).map(([text]) => inTex(text));
  const ids = clauses(tokens.map(([, id]) => String(id)));
  return {
    tokens: [...first, ...(tokens.length > LISTED ? ["\\dots"] : [])].join("\\;"),
    ids: write(tokens.length === 1 ? "the_id" : "the_ids", { ids }),
  };
}

// The values of the texts on the focused word, in a vocabulary without merges.
function below({ side, blocks, scores }: Data, view: View, write: Say) {
  const at = wordOf(
    blocks.map(({ tokens }) => tokens.length),
    tokenOf(side, view),
  );
  const [block, own = []] = [blocks[at], scores?.[at]];
  if (!block?.word) return null;
  const total = own.reduce<number>((sum, score) => sum + (score ?? NaN), 0);
  const terms = own.map((score) => (score === null ? UNKNOWN : `(${number(score)})`));
  return {
    word: escaped(block.word[0]),
    ...listed(
      block.tokens.map(([text, , , id]) => [text, id]),
      write,
    ),
    sum: terms.join(" + "),
    total: Number.isNaN(total) ? UNKNOWN : number(total),
  };
}

const UNKNOWN = "\\text{?}";

// The blocks whose tokens are known; a word to be guessed is a question mark.
function shownBlocks(blocks: Block[], hidden: string, known: number): Placed[] {
  let first = 0;
  const all = blocks.map((block) => {
    const own = { ...block, first };
    first += block.tokens.length;
    return own;
  });
  const shown = all.filter((block) => block.first < known).map((block) => cutBlock(block, known - block.first, hidden));
  const ends = shown.at(-1)?.word?.[0] === hidden;
  const rest: Placed = { first: Infinity, letters: [], word: [hidden, 0, 1], tokens: [] };
  return first <= known || ends ? shown : [...shown, rest];
}

function cutBlock(block: Placed, count: number, hidden: string): Placed {
  const end = block.tokens[count]?.[1];
  if (end === undefined) return block;
  const letters = block.letters.filter(([, start]) => start < end);
  const tokens = block.tokens.filter(([, start]) => start < end);
  return { ...block, letters, tokens, word: [hidden, 0, end] };
}

function Word({ block: { letters, word, tokens, first }, picked }: { block: Placed; picked?: number }) {
  const all: Span[] = [...letters, ...tokens.map(([text, start, width]): Span => [text, start, width]), ...(word ? [word] : [])];
  const columns = Math.max(...all.map(([, start, width]) => start + width));
  const holding = (start: number) => tokens.findIndex(([, from, width]) => start >= from && start < from + width);
  const cell = (name: string, words: string | number, [, start, width]: Span | Block["tokens"][number], token: number) => (
    <span
      class={name}
      style={{ gridColumn: `${start + 1} / span ${width}` }}
      data-token={Number.isFinite(token) ? token : undefined}>
      {words}
    </span>
  );
  const stop = useSidewaysStop<HTMLDivElement>();
  const style = { gridTemplateColumns: `repeat(${columns}, minmax(min-content, auto))` };
  return (
    <div class={picked === undefined ? "block" : "block highlighted"} style={style} ref={stop}>
      {letters.map((letter) =>
        cell(letter[0] === "␣" ? "blank" : "letter", letter[0], letter, first + Math.max(holding(letter[1]), 0)),
      )}
      {word && cell("word", word[0], word, first)}
      {tokens.map((token, at) => [
        cell(`token${word ? "" : " special"}${first + at === picked ? " picked" : ""}`, token[0], token, first + at),
        cell("id", token[3], token, first + at),
      ])}
    </div>
  );
}

function spoken({ word, tokens }: Placed) {
  const listed = tokens.map(([token, , , id]) => `${token} ${id}`).join(", ");
  return word ? `«${word[0]}»: ${listed}` : listed;
}

// Scrolls the cell's line into view, and the cell within a word wider than its place.
function bringIntoSight(cell: Element | null | undefined) {
  const [block, scroller] = [cell?.parentElement, cell?.closest(".spelling")];
  if (!cell || !block || !scroller) return;
  const [own, room, place] = [cell, block, scroller].map((node) => node.getBoundingClientRect()) as [DOMRect, DOMRect, DOMRect];
  if (room.top < place.top || room.bottom > place.bottom + 1) scroller.scrollTop += room.top - place.top;
  if (own.left < room.left || own.right > room.right) block.scrollLeft += own.left - room.left;
}
