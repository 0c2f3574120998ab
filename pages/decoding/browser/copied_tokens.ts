// Copying at each step. Left: the copied share of each output token. Right: how much copying each source token contributes to it.

import { beginning, escaped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, FOOT, LINE, UPRIGHT, axisAcross, columnNames, uprightTitle, rowLabels } from "../../../viz_core/web/src/marks/axis";
import { bars, box, place, text } from "../../../viz_core/web/src/marks/shapes";
import { cellNumbers, cells, frame, rowHeight } from "../../../viz_core/web/src/marks/cells";
import { type Say, entryAt, greatestOf, nth, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { band, linear } from "../../../viz_core/web/src/marks/scale";

const MOST = 24; // rows, and columns, that leave room for labels and numbers
const WRITTEN = 0.005; // smaller contributions have no number
const GAP = 2; // px between cells
const ROW = { least: 26, most: 34, smallest: 26, together: 0 }; // px
const LEAST = { width: 640, column: 30 }; // px
const NAME = 170; // px of a token, at most
const TITLE = 40; // characters of the output in the title

/** sentences: without copying, and with it, word by word; total: Σ ln p of the former; above: whether it is the one on the page; lost:
 * its words that the other lacks. tokens: the written token of each step, and the other one, if any, that the model alone would write;
 * sources: the places of the former. follow: β. */
type About = {
  sentences: [text: string, differs: boolean][][];
  total: number;
  above: boolean;
  lost: string[];
  written: string[];
  source: string[];
  tokens: [string, string][];
  sources: number[][];
  text: string;
  follow: number;
  steps: number;
};
type Copied = ReturnType<typeof readCopied>;
type Spot = { row: number; column: number };

/** payload: from pages/decoding/copying_compute.py. Of each step: a, mix (S,), terms (4,), its probabilities; copied: Σ aᵢ of its token;
 * came: the contribution of copying to it; parts: to it from each source token; share: of its probability. */
export function readCopied(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "probabilities" | "terms" | "a" | "mix">(
    payload,
    textsIn("decoding.copied"),
    textsIn("joined"),
  );
  const each = about.sources.map((places, at) => {
    const [p = 0, vocab = 0, gen = 0, alone = 0] = sliceOf(tensors.probabilities, at);
    const own = (name: "terms" | "a" | "mix") => Array.from(sliceOf(tensors[name], at));
    const [terms, a, mix] = [own("terms"), own("a"), own("mix")];
    const copied = places.reduce((sum, place) => sum + nth(a, place), 0);
    const came = (1 - gen) * copied;
    return { p, vocab, gen, alone, terms, a, mix, copied, came, parts: a.map((one) => (1 - gen) * one), share: p ? came / p : 0 };
  });
  return { ...about, each, say };
}

/** The window of positions that are shown: all, or as many as fit around one of them. */
export function around(at: number, count: number) {
  return { first: Math.max(0, Math.min(at - MOST / 2, count - MOST)), count: Math.min(count, MOST) };
}

/** A share in whole percent: never 0 % or 100 % unless it is. */
export function brief(share: number): string {
  if ((share > 0 && share < WRITTEN) || share === 0 || share === 1) return percent(share);
  return share >= 0.995 ? ">99 %" : `${(100 * share).toFixed(0)} %`;
}

/** A share with one digit more than `percent`, so that the quotient of two is right in whole percent. */
const tenths = (share: number) => (share >= 0.0995 && share < 0.9995 ? `${(100 * share).toFixed(1)} %` : percent(share));

/** The data of the row of the picked cell, or else of the step. */
export function copiedAt(copied: Copied, { cell, step, lecture }: View) {
  const { written, source, each, say } = copied;
  const row = Math.min(cell?.[0] ?? step, written.length - 1);
  const { parts } = entryAt(each, row);
  const best = greatestOf(parts);
  const values = each.map(({ p, gen, came, share }, at) => ({
    ...{ token: written[at], step: at + 1, steps: written.length, copy: brief(1 - gen), gen: brief(gen) },
    ...{ p: tenths(p), came: tenths(came).replace(/ %$/, ""), share: brief(share) },
  }));
  const isNone = each.every(({ parts: all }) => all.every((part) => part < WRITTEN));
  return {
    ...copied,
    row,
    best,
    most: parts[best] ?? 0,
    lecture,
    nothing: isNone && { steps: each.length, most: brief(Math.max(...each.map(({ gen }) => 1 - gen))) },
    titles: values.map((token) => say("copy_title", token)),
    hovers: values.map((token) => say("hover", token)),
    rows: around(row, written.length),
    columns: around(best, source.length),
  };
}

type Shown = ReturnType<typeof copiedAt>;

const show = ({ steps }: Shown, { row, column }: Spot) => (row < steps ? { step: row, cell: null } : { cell: [row, column] });

export const copiedTokens: Figure<Copied, Shown, Spot> = {
  heights: [300, 1000],
  read: readCopied,
  at: copiedAt,
  scene({ written, source, sources, each, row, rows, columns, lecture, say }, { w, h, whole }) {
    const seen = ({ first, count }: typeof rows) => [first, first + count] as const;
    const names = written.slice(...seen(rows));
    const words = source.slice(...seen(columns));
    const start = UPRIGHT + Math.min(NAME, widestText(names)) + APART;
    const some = each.slice(...seen(rows));
    const shares = some.map(({ share }) => share);
    const room = Math.max(widestText(shares.map(brief)), widestText([say("bars_axis")], false) / 2) + 2 * APART;
    const width = Math.max(w, LEAST.width);
    const p = linear([0, 1], [start, start + 0.13 * width]);
    const left = p.range[1] + room;
    const x = band(words.length, [left, Math.max(width, left + words.length * LEAST.column)]);
    const under = columnNames(words, x.step);
    const below = Math.max(FOOT, under.height + LINE) + APART;
    const y = band(names.length, [0, names.length * rowHeight(names.length, h - below, whole, ROW)]);
    const foot = y.range[1];
    const values = some.flatMap(({ parts }) => parts.slice(...seen(columns)));
    const scale = { colours: "sequential", domain: [0, 1] } as const;
    const grid = { values, rows: names.length, columns: words.length, scale };
    const axis = (name: string, { first, count }: typeof rows, of: string[]) =>
      say(count === of.length ? name : `${name}_part`, { first: first + 1, last: first + count, count: of.length });
    const across = axis("row_axis", rows, written);
    const clicks = say("row_axis_click", { axis: across });
    const own = row - rows.first;
    return {
      width: x.range[1],
      height: foot + below,
      marks: [
        place({ x: 0, y: 0, w: x.range[1], h: foot }, (px, py) => ({
          row: rows.first + y.at(py),
          column: columns.first + Math.max(x.at(px), 0),
        })),
        uprightTitle(lecture || widestText([clicks], false) > foot ? across : clicks, 0, y.range),
        rowLabels(y, names, { x: start - APART, align: "right", max: NAME, held: own }),
        bars(y, p, shares, { ink: "accent", picked: own, across: true, share: 0.7 }),
        ...shares.map((share, at) => text(brief(share), p(share) + 6, y(at))),
        axisAcross(p, { title: say("bars_axis"), y: foot, range: p.range, ticks: [0, 1], write: percent }),
        box({ x: left, y: 0, w: x.range[1] - left, h: foot }, { fill: "line" }),
        cells(x, y, grid, { gap: [GAP, GAP] }),
        cellNumbers(x, y, grid, (value) => (value >= WRITTEN ? brief(value).replace(" %", "") : ""), READABLE, GAP),
        ...sources
          .flatMap((places, at) =>
            places.filter((place) => nth(nth(each, at).parts, place) >= WRITTEN).map((column) => ({ at, column })),
          )
          .map(({ at, column }) => ({ row: at - rows.first, column: column - columns.first }))
          .filter((spot) => y.at(y(spot.row)) >= 0 && x.at(x(spot.column)) >= 0)
          .map((spot) => frame(x, y, spot, { stroke: "ink", width: 2 })),
        frame(x, y, { row: own }, { stroke: "accent", width: 3 }),
        under.at(x, foot, -1),
        text(axis("cells_axis", columns, source), (left + x.range[1]) / 2, foot + below - LINE / 2, { align: "center" }),
      ],
    };
  },
  reading: ({ hovers, row }, spot) => entryAt(hovers, spot?.row ?? row),
  values: ({ titles, row, text: whole, lecture, nothing, say }) => {
    const title = nothing ? say("nothing_title", nothing) : entryAt(titles, row);
    const isOnStage = lecture && !nothing;
    return {
      title: isOnStage ? say("stage_title", { text: beginning(whole, TITLE), title }) : title,
      step: row + 1,
      nothing: nothing ? say("nothing") : "",
    };
  },
  spoken: ({ titles, source, row, best, most, say }) =>
    `${entryAt(titles, row)}. ${say("named", { name: source[best], value: brief(most) })}`,
  shared: "copied_tokens",
  below,
  pick: (shown, spot) => show(shown, spot),
  keys(shown) {
    const walk = { at: shown.row, count: shown.written.length, to: (row: number) => show(shown, { row, column: 0 }) };
    return { across: walk, down: walk };
  },
};

/** With enough digits to compute the rounded share by hand. */
const exact = (value: number) => (value >= 0.001 ? value.toFixed(6) : number(value));

// The mixture and the gate of one token.
function below({ tokens, sources, source, each, row, follow, lost, say }: Shown, write: Say) {
  const { p, vocab, gen, alone, terms, a, mix, copied, share } = nth(each, row);
  const [[token, other], places, best] = [nth(tokens, row), nth(sources, row), greatestOf(a)];
  const weights = places.map((place) => number(nth(a, place)));
  const sum = terms.map((term) => `${term < 0 ? "-" : "+"} ${number(Math.abs(term))}`).join(" ");
  const strongest = { token: escaped(nth(source, best)), mix: percent(nth(mix, best)), a: percent(nth(a, best)) };
  return {
    ...{ step: row + 1, steps: each.length, token: escaped(token), terms: sum.replace(/^\+ /, ""), beta: number(follow) },
    ...{ p: number(p), vocab: number(vocab), gen: number(gen), copy: number(1 - gen) },
    ...{ exact: exact(1 - gen), copied: exact(copied), whole: exact(p), share: share >= 0.001 ? share.toFixed(4) : number(share) },
    sum: places.length > 1 ? `(${weights.join(" + ")})` : (weights[0] ?? "0"),
    places: write(places.length > 1 ? "places_many" : places.length ? "places_one" : "places_none", { count: places.length }),
    alone: other ? write("alone_other", { token: escaped(other), p: percent(alone) }) : write("alone_same"),
    strongest: write("strongest", strongest),
    gone: lost.length ? write("gone", { words: lost.map(escaped).join(say("list")) }) : "",
  };
}

export const mountCopiedTokens = figure(copiedTokens);
