// How the focused word is built: its characters, then a line per merge, with the joined token framed.

import { useMemo } from "preact/hooks";
import { type Say, readTensors } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { fill, grouped, escaped } from "../../../viz_core/browser/kit/numbers";
import { useGiven, useRoom, useSideways, part, useView } from "../../../viz_core/web/src/ui/part";
import type { View } from "../../../viz_core/web/src/ui/store";
import { type Side, inTex, knownTokens, listed, tokenOf, wordOf } from "./spelling";

const texts = textsIn("tokens.figure");
const FEW = 12; // characters, up to which cells are wide
const CELL = { few: 44, many: 28 }; // px; a long German word still fits a small screen

type Pair = [left: string, right: string, rank: number];
type Built = {
  word: string;
  letters: string[];
  merges: [at: number, rank: number, token: string, pairs: Pair[]][];
  tokens: [text: string, id: number][];
};

interface Data {
  side: Side;
  counts: number[]; // tokens per word
  words: (Built | null)[];
  done: number; // merges applied
  kinds: Record<string, number>; // tokens of each kind
}

function Merges(data: Data) {
  const { side, counts, words, done, kinds } = data;
  useGiven(
    "merges",
    useMemo(() => ({ side, counts: kinds, below: (at: View, write: Say) => below(data, at, write) }), [words, done]),
  );
  const { view } = useView();
  const ladder = useSideways<HTMLDivElement>();
  useRoom();
  const at = wordOf(counts, tokenOf(side, view));
  const end = counts.slice(0, at + 1).reduce((sum, count) => sum + count, 0);
  const built = end <= knownTokens(side, view) ? words[at] : null;
  const { letters = [], merges = [], word } = built ?? {};
  const rungs = rungsOf(letters, merges);
  const now = Math.min(done, merges.length);
  const name = (step: number): string => {
    const merge = merges[step - 1];
    return merge ? fill(texts.step, { step, rank: grouped(merge[1]) }) : texts.start;
  };
  const spoken = rungs.slice(0, now + 1).map(({ tokens }, step) => `${name(step)}: ${tokens.map(({ text }) => text).join(", ")}`);
  const least = letters.length <= FEW ? CELL.few : CELL.many;
  const style = { gridTemplateColumns: `12rem repeat(${letters.length}, minmax(${least}px, auto))` };
  return (
    <div hidden={!built}>
      <h2>{fill(texts.built, { word })}</h2>
      <div class="ladder" role="img" tabIndex={0} aria-label={spoken.join("; ")} ref={ladder}>
        {rungs.map(({ tokens, joined }, step) => (
          <div key={step} class={`rung${step > now ? " later" : step === now ? " now" : ""}`} style={style}>
            <span class="why">{name(step)}</span>
            {tokens.map(({ text, start, width }, at) => (
              <span
                key={at}
                class={at === joined ? "token joined" : "token"}
                style={{ gridColumn: `${start + 2} / span ${width}` }}>
                {text}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

export const mountMerges = part(Merges, (payload: Uint8Array) => readTensors<Data, never>(payload).about);

// The values of the arithmetic: the last merge that is shown.
function below({ side, counts, words, done: most }: Data, view: View, write: Say) {
  const built = words[wordOf(counts, tokenOf(side, view))];
  if (!built) return null;
  const { word, merges, tokens } = built;
  const done = Math.min(most, merges.length);
  const [, rank = 0, joined = "", pairs = []] = merges[done - 1] ?? [];
  return {
    text: done ? "arithmetic" : "arithmetic_none",
    step: done,
    steps: merges.length,
    ranks: pairs
      .map(([left, right, its]) => write("rank", { left: inTex(left), right: inTex(right), rank: grouped(its) }))
      .join(",\\quad "),
    rank: grouped(rank),
    joined: inTex(joined),
    word: escaped(word),
    ...listed(tokens, write),
  };
}

interface Rung {
  tokens: { text: string; start: number; width: number }[]; // in characters
  joined?: number; // the token that the merge made
}

// The word before the first merge and after each, every token above its characters.
function rungsOf(letters: string[], merges: Built["merges"]) {
  const rungs: Rung[] = [{ tokens: letters.map((text, start) => ({ text, start, width: 1 })) }];
  for (const [at, , text] of merges) {
    const tokens = rungs.at(-1)?.tokens ?? [];
    const [left, right] = tokens.slice(at, at + 2);
    const joint = { text, start: left?.start ?? 0, width: (left?.width ?? 0) + (right?.width ?? 0) };
    rungs.push({ tokens: tokens.toSpliced(at, 2, joint), joined: at });
  }
  return rungs;
}
