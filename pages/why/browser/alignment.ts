// Lines between the words of both sentences: each output word with its source word; the thicker, the stronger.

import { percent, signed } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { band } from "../../../viz_core/web/src/marks/scale";
import { rules, text } from "../../../viz_core/web/src/marks/shapes";
import { nth } from "../../../viz_core/web/src/payload";
import { hides } from "../../../viz_core/web/src/view";
import { type Aligned, type Link, readAlignment } from "./aligned";

const [ROW, THICK, THIN] = [34, 14, 1.5]; // px: of a row, of the thickest line, of the thinnest
const [LABEL, APART, NEAR] = [190, 10, 12]; // px: of a word at most, from a word to its line, from a line that the pointer is on
const LINES = 0.4; // of the width

function alignmentAt({ source, output, tokens, by, links, say: all, ...aligned }: Aligned, view: View) {
  const say: typeof all = (name, values) => all(`lines.${name}`, values);
  const own = links(view);
  const most = Math.max(...own.map(({ strength }) => strength));
  const said = ({ source: from, output: to, strength }: Link) =>
    say(`hover_${by}`, {
      source: source[from],
      output: output[to],
      strength: by === "erasure_by" ? signed(strength) : percent(strength),
    });
  const lines = own.map((link) => ({ ...link, share: link.strength / most, words: said(link) }));
  const held = tokens.findIndex((steps) => steps.includes(view.step));
  const place = { layer: Math.min(view.layer, aligned.layers - 1) + 1, head: Math.min(view.head, aligned.heads - 1) + 1 };
  return { say, source, output, tokens, lines, held, title: say(`title_${by}`, place) };
}

type Shown = ReturnType<typeof alignmentAt>;

/** Of a word of the output: its line, else the word. */
const reading = ({ lines, output, held }: Shown, spot: { word: number } | null) => {
  const word = spot?.word ?? held;
  return lines.find((line) => line.output === word)?.words ?? output[word] ?? "";
};

export const alignment: Figure<Aligned, Shown, { word: number }> = {
  heights: [200, 3000],
  isCovered: hides,
  tells: true,
  read: readAlignment,
  at: alignmentAt,
  scene({ say, source, output, lines, held }, { w, h, whole }, hovered) {
    const rows = Math.max(source.length, output.length);
    const step = whole ? Math.min(h / (rows + 1), 2 * ROW) : ROW;
    const widest = (words: readonly string[]) => Math.min(widestText(words), LABEL) + APART;
    const [left, right] = [widest([...source, say("source")]), widest([...output, say("output")])];
    const width = Math.max(w, left + right + 80);
    const middle = Math.max(LINES * width, 80);
    const start = Math.max(left, Math.min((width - middle) / 2, width - right - middle));
    const [from, to] = [start, Math.min(start + middle, width - right)];
    const y = band(rows, [step, step * (rows + 1)]);
    const own = lines.find((line) => line.output === held);
    const word = (words: string, side: "left" | "right", at: number, isHeld: boolean) =>
      text(words, side === "left" ? from - APART : to + APART, at, {
        align: side === "left" ? "right" : "left",
        max: LABEL,
        ...(isHeld && { bold: true, ink: "accent", size: READABLE + 2 }),
      });
    const find: Mark<{ word: number }> = {
      draw: () => {},
      under(px, py) {
        const row = y.at(py);
        const named = output[row];
        if (px > to) return named !== undefined && px < to + 2 * APART + textWidth(named, READABLE, true) ? { word: row } : null;
        if (px < from) return null;
        const away = ({ source: at, output: row }: Link) => Math.abs(y(at) + ((y(row) - y(at)) * (px - from)) / (to - from) - py);
        const [near] = lines
          .filter((line) => away(line) < Math.max(NEAR, (THICK * line.share) / 2))
          .sort((a, b) => away(a) - away(b));
        return near ? { word: near.output } : null;
      },
    };
    const order = lines.toSorted((a, b) => Number(a === own) - Number(b === own)); // the held one lies over the others
    return {
      width,
      height: y.range[1],
      marks: [
        find,
        ...order.map((line) => {
          const isStrong = line === own || line.output === hovered?.word;
          return rules([[from, y(line.source), to, y(line.output)]], {
            stroke: line === own ? "weight" : "quiet",
            width: Math.max(THIN, THICK * line.share),
            alpha: isStrong ? 1 : 0.5,
          });
        }),
        text(say("source"), from - APART, step / 2, { align: "right", ink: "quiet" }),
        text(say("output"), to + APART, step / 2, { ink: "quiet" }),
        ...source.map((each, at) => word(each, "left", y(at), at === own?.source)),
        ...output.map((each, at) => word(each, "right", y(at), at === held)),
      ],
    };
  },
  reading,
  values: ({ title }) => ({ title }),
  spoken({ title, lines, held }) {
    const first = lines.toSorted((a, b) => Number(b.output === held) - Number(a.output === held));
    return [title, ...first.map(({ words }) => words)].join(". ");
  },
  pick: ({ tokens }, { word }) => ({ step: nth(nth(tokens, word), 0) }),
  keys({ tokens, held }) {
    const walk = { at: held, count: tokens.length, to: (word: number) => ({ step: nth(nth(tokens, word), 0) }) };
    return { across: walk, down: walk };
  },
};

export const mountAlignment = figure(alignment);
