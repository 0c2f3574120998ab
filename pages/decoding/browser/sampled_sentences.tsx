// Greedy's sentence and ten sampled ones, in which words that differ are marked; below them, how the draws compare.

import { escaped, prose, signed } from "../../../viz_core/browser/kit/numbers";
import { nth, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Sentence, Table } from "../../../viz_core/web/src/ui/table";

type Line = { words: [text: string, differs: boolean, forced: boolean][]; tokens: number; ended: boolean };
type About = { lines: Line[]; settings: { t: number; k: number; p: number; seed: number; draw: number; end: string } };
type Sampled = ReturnType<typeof readSampled>;

/** payload: from pages/decoding/truncation.py. lines: greedy's sentence, then the draws. */
export function readSampled(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "totals">(payload, textsIn("decoding.sampled"), textsIn("joined"));
  const lines = about.lines.map((line, at) => ({
    ...line,
    text: line.words.map(([text]) => text).join(""),
    total: nth(tensors.totals.data, at),
  }));
  return { ...about, lines, say };
}

/** Cells of each sentence: its name, its words, ln p, and how many of the draws say the same. */
export function cellsOf({ lines, say }: Sampled) {
  const draws = lines.slice(1);
  return lines.map(({ words, ended, text, total }, at) => {
    const times = draws.filter((draw) => draw.text === text).length;
    const shown: Line["words"] = ended ? words : [...words, [" …", false, false]];
    return { name: at ? String(at) : say("greedy"), words: shown, log: signed(total), times: times ? `${times} ×` : "–" };
  });
}

/** The notes on the draws, in Markdown. */
export function notesOf({ lines: [greedy, ...draws], settings, say }: Sampled) {
  const names = (which: typeof draws) => which.map((draw) => say("of_draw", { draw: draws.indexOf(draw) + 1 })).join(say("list"));
  const others = draws.filter(({ ended, text }) => ended && text !== greedy?.text);
  const above = others.filter(({ total }) => total > (greedy?.total ?? 0));
  const cut = draws.filter(({ ended }) => !ended);
  const distinct = new Set(draws.map(({ text }) => text)).size;
  const same = draws.filter(({ text }) => text === greedy?.text).length;
  return [
    say("distinct", { draws: draws.length, distinct, same }),
    greedy?.ended && others.length ? say(above.length ? "above" : "none_above", { draws: names(above) }) : "",
    cut.length ? say("cut_off", { draws: names(cut), steps: cut[0]?.tokens, end: escaped(settings.end) }) : "",
    draws.some(({ words }) => words.some(([, , forced]) => forced)) ? say("framed") : "",
  ].filter(Boolean);
}

function SampledSentences(sampled: Sampled) {
  const { view } = useView();
  const { settings, say } = sampled;
  const { t, k, p, seed } = settings;
  const heading = say("heading", { t, k: k || say("off"), p: p < 1 ? p : say("off"), seed });
  return (
    <>
      <Table
        label={say("region")}
        columns={[say("name"), heading, say("log"), say("times")]}
        lines={cellsOf(sampled).map(({ name, words, log, times }) => [name, <Sentence key="words" of={words} />, log, times])}
        highlighted={settings.draw}
        kinds={["", "word"]}
      />
      {!view.lecture && <div class="notes">{notesOf(sampled).map((note) => prose(note, null))}</div>}
    </>
  );
}

export const mountSampledSentences = part(SampledSentences, readSampled);
