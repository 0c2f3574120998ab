// The nearest neighbours of the focused token by cosine, as bars, the nearest on top, on an axis that ends at 1. Some neighbours are words
// of the other language, so the figure is hidden while a word is to be guessed.

import { clauses, number, signed, escaped } from "../../../viz_core/browser/kit/numbers";
import { READABLE, linesOf, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { hides } from "../../../viz_core/web/src/view";
import { type Figure, type View, figure, walkOf } from "../../../viz_core/web/src/figure";
import { APART, LINE } from "../../../viz_core/web/src/marks/axis";
import { bars, box, paragraph, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { band, linear, range } from "../../../viz_core/web/src/marks/scale";

// px
const SIZE = READABLE + 2; // of title and axis
const BELOW_TITLE = 10;
const LABEL = { most: 240, share: 0.36 }; // width at most, in px and as a share
const ROW = { least: 24, most: 60 };
const TICKS = 30; // of the axis numbers
const RIGHT = 12; // half the width of an axis number
const STEP = 0.2; // from tick to tick
const DIGITS = 4; // of a cosine in words: the first neighbours often agree in two

type About = { side: string; tokens: string[]; labels: string[] };
type Neighbours = ReturnType<typeof readNeighbours>;

/** payload: from pages/embeddings/views.py. lists: one for each distinct token; least: where their common axis begins. */
function readNeighbours(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "which" | "ids" | "neighbours" | "cosines" | "nearest">(
    payload,
    textsIn("embeddings.bars"),
  );
  const rowsOf = (at: number) =>
    Array.from(sliceOf(tensors.neighbours, at), (index, rank) => ({
      id: tensors.ids.data[index],
      label: about.labels[index] ?? "",
      cosine: sliceOf(tensors.cosines, at)[rank] ?? Number.NaN,
      isThere: index >= 0,
    })).filter(({ isThere }) => isThere);
  const lists = range(tensors.neighbours.shape[0] ?? 0).map(rowsOf);
  const least = Math.min(0, ...lists.flat().map(({ cosine }) => cosine));
  return { ...about, which: Array.from(tensors.which.data), lists, least, nearest: tensors.nearest, say };
}

function neighboursAt(neighbours: Neighbours, view: View) {
  const { side, which, tokens, lists } = neighbours;
  const at = Math.min(view[walkOf(side)], which.length - 1);
  const index = entryAt(which, at);
  return { ...neighbours, token: entryAt(tokens, at), index, rows: entryAt(lists, index) };
}

export const neighboursFigure: Figure<Neighbours, ReturnType<typeof neighboursAt>, { row: number }> = {
  heights: [380, 540],
  shared: "neighbours",
  read: readNeighbours,
  at: neighboursAt,
  isCovered: hides,
  // Everything but the title has the same place for all tokens of the sentence.
  scene({ token, rows, lists, labels, least, say }, { w, h }, hovered) {
    const lines = (words: string): string[] => linesOf(words, (line: string) => textWidth(line, SIZE) <= w);
    const [title, name] = [lines(say("title", { token })), lines(say("cosine"))];
    const left = Math.min(widestText(labels, false) + APART + 2, LABEL.most, LABEL.share * w);
    const top = title.length * LINE + BELOW_TITLE;
    const foot = TICKS + name.length * LINE;
    const count = Math.max(1, ...lists.map((list) => list.length));
    const step = Math.max(ROW.least, Math.min(ROW.most, (h - top - foot) / count));
    const y = band(count, [top, top + count * step]);
    const bottom = y.range[1];
    const x = linear([least, 1], [left, w - RIGHT]);
    const first = Math.ceil(least / STEP - 1e-9);
    const ticks = range(Math.round(1 / STEP) - first + 1).map((at) => (first + at) * STEP);
    const cosines = rows.map(({ cosine }) => cosine);
    const upright = (value: number) => [x(value), top, x(value), bottom];
    return {
      width: w,
      height: bottom + foot,
      marks: [
        place({ x: 0, y: top, w, h: rows.length * step }, (_, py) => ({ row: y.at(py) })),
        paragraph(title, 0, 0, LINE, { size: SIZE }),
        hovered && box({ x: 0, y: y.start(hovered.row), w, h: step }, { fill: "panel" }),
        rules(ticks.map(upright), { stroke: "line", width: 1 }),
        rules([upright(0)], { stroke: "quiet", width: 1 }),
        ...ticks.map((value) => text(tickText(value), x(value), bottom + TICKS / 2, { align: "center" })),
        name.length > 1
          ? paragraph(name, 0, bottom + TICKS, LINE, { size: SIZE })
          : text(say("cosine"), (left + w - RIGHT) / 2, bottom + TICKS + LINE / 2, { size: SIZE, align: "center" }),
        bars(y, x, cosines, { ink: "accent", share: 0.72, faint: 1, across: true }),
        ...rows.flatMap(({ label, cosine }, at) => {
          const bold = at === hovered?.row;
          const end = Math.max(x(0), x(cosine));
          const words = signed(cosine);
          // beside the bar, or inside it at the end of the axis
          const fits = end + 10 + textWidth(words, READABLE, bold) <= w;
          return [
            text(label, left - 10, y(at), { align: "right", max: left - 10, bold }),
            fits ? text(words, end + 10, y(at), { bold }) : text(words, end - 10, y(at), { bold, ink: "surface", align: "right" }),
          ];
        }),
      ],
    };
  },
  // About the hovered row, or else the nearest neighbour, whose cosine the arithmetic explains.
  reading({ token, rows, say }, spot) {
    const rank = spot?.row ?? 0;
    const row = rows[rank];
    return row ? say("reading", { ...row, token, rank: rank + 1, cosine: signed(row.cosine, DIGITS) }) : "";
  },
  values({ token, rows, say }) {
    const entries = rows.map(({ label, cosine }) => say("entry", { label, cosine: signed(cosine) }));
    return { token, title: say("title", { token }), neighbours: clauses(entries) };
  },
  // The cosine of the nearest one.
  below({ token, index, rows, nearest }) {
    const [dot = "", a = "", b = ""] = Array.from(sliceOf(nearest, index), number);
    const { label, cosine } = entryAt(rows, 0);
    return { token: escaped(token), near: escaped(label), dot, a, b, cosine: number(cosine) };
  },
};

const tickText = (value: number) => String(Number(value.toFixed(1))).replace("-", "−");

export const mountNeighbours = figure(neighboursFigure);
