// Word alignment: the source word of each output word, by erasure or by attention, as lines, the thicker the stronger; and how many words
// each head aligns as erasure does.

import { type View, type Figure, figure } from "../../../viz_core/web/src/figure";
import { type Tensor, nth, readPayload, speaker, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { percent, signed } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { rules, text } from "../../../viz_core/web/src/marks/shapes";
import { hides } from "../../../viz_core/web/src/view";
import { headFigure } from "../../../viz_core/web/src/marks/heads";
import { range, band } from "../../../viz_core/web/src/marks/scale";

const LISTED = 3; // heads that are named as the best

/** tokens: the steps that write each output word; least: nats, below which a word has no counterpart. */
type About = { by: "erasure_by" | "head_by" | "mean_by"; source: string[]; output: string[]; tokens: number[][]; least: number };

export type Link = { source: number; output: number; strength: number };
export type Aligned = ReturnType<typeof readAlignment>;

/** payload: from pages/why/alignment.py. below: the values of the text below. */
export function readAlignment(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "losses" | "attention">(payload, textsIn("why.agreement"), textsIn("joined"));
  const { source, output, least } = about;
  const [layers = 0, heads = 0, words = 0, sources = 0] = tensors.attention.shape;
  const ofHead = (layer: number, head: number) => sliceOf(tensors.attention, layer, head);
  const mean = (layer: number) =>
    Float64Array.from(
      { length: words * sources },
      (_, at) => range(heads).reduce((sum, head) => sum + nth(ofHead(layer, head), at), 0) / heads,
    );

  /** Each output word with the source word of the greatest strength, unless that is a special token or the strength too small. */
  function links({ layer, head }: View): Link[] {
    const { by } = about;
    const data = by === "erasure_by" ? tensors.losses.data : by === "head_by" ? ofHead(layer, head) : mean(layer);
    return bestOf(data)
      .map((best, word) => ({ source: best, output: word, strength: nth(data, word * sources + best) }))
      .filter((link) => link.source < source.length && link.strength > (by === "erasure_by" ? least : 0));
  }
  /** The column of the greatest number in each row, of the first columns only. */
  const bestOf = (data: ArrayLike<number>, columns = sources) =>
    range(words).map((word) => {
      const row = Array.from(data).slice(word * sources, word * sources + columns);
      return row.indexOf(Math.max(...row));
    });

  const erased = bestOf(tensors.losses.data, source.length);
  const counts = erased.map((best, word) => nth(tensors.losses.data, word * sources + best) >= least);
  const agreement = (data: Tensor["data"]) => bestOf(data).filter((best, word) => counts[word] && best === erased[word]).length;
  const agreed = Float64Array.from(range(layers).flatMap((layer) => range(heads).map((head) => agreement(ofHead(layer, head)))));
  const counted = counts.filter(Boolean).length;

  function below() {
    const most = Math.max(...agreed);
    const best = range(agreed.length).filter((at) => agreed[at] === most);
    const named = best.slice(0, LISTED).map((at) => say("head_of", { layer: Math.floor(at / heads) + 1, head: (at % heads) + 1 }));
    const means = range(layers).map((layer) => say("mean_of", { layer: layer + 1, agreed: agreement(mean(layer)) }));
    return {
      best: best.length <= LISTED ? "best_head" : "best_heads",
      heads: named.join(say("list")),
      agreed: most,
      counted,
      means: means.join(say("list")),
      more: best.length - LISTED,
    };
  }
  return { ...about, say, output, layers, heads, links, agreed, counted, below };
}

const [ROW, THICK, THIN] = [34, 14, 1.5]; // px: of a row, of the thickest line, of the thinnest
const [LABEL, APART, NEAR] = [190, 10, 12]; // px: of a word at most, from a word to its line, from a line that the pointer is on
const LINES = 0.4; // of the width

function alignmentAt({ source, output, tokens, by, links, ...aligned }: Aligned, view: View) {
  const say = speaker(textsIn("why.lines"));
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

// How many words each head aligns as erasure does.

export const agreement = headFigure({
  shared: "agreement",
  read: readAlignment,
  at({ agreed, counted, layers, heads, say }: Aligned, view) {
    const held = { layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
    const domain = [0, Math.max(counted, 1)] as const;
    const grid = { values: agreed, rows: layers, columns: heads, scale: { colours: "sequential" as const, domain } };
    return { say, held, grid, write: String, counted };
  },
  values: ({ counted }) => ({ counted }),
});

export const mountAgreement = figure(agreement);
