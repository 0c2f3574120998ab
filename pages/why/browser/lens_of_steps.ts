// The logit lens: the most probable tokens before the first layer and after each, then the written word and the one compared with it.

import { grouped, number, percent, escaped } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, figure, type View, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, LINE, UPRIGHT, rowLabels, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { type Grid, bitmapOf, cells, frame, rowHeight } from "../../../viz_core/web/src/marks/cells";
import { inkOn } from "../../../viz_core/browser/kit/svg_pen";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { hides } from "../../../viz_core/web/src/view";
import { band, range } from "../../../viz_core/web/src/marks/scale";

// px
const ROWS = { least: 56, most: 62, smallest: 56, together: 0 };
const [COLUMN, GAP, TWO] = [132, 3, 46]; // least width, between cells, least height of a row with two lines

type About = { labels: Record<string, string>; written: string[]; against: number };
type Spot = { row: number; column: number };
type Reading = { token: string; share: number; rank: number | null; isWord: boolean };

function readLens(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "top" | "shares" | "words" | "log_probs" | "ranks">(
    payload,
    textsIn("why.lens"),
  );
  const [, rows = 1, places = 0] = tensors.top.shape;
  const label = (id: number) => about.labels[id] ?? "";
  function at(view: View) {
    const step = Math.min(view.step, about.written.length - 1);
    const [written, rival] = Array.from(sliceOf(tensors.words, step)) as [number, number];
    const names = [entryAt(about.written, step), label(rival)] as const;
    const readings = range(rows).map((row): Reading[] => {
      const [ids, shares] = [sliceOf(tensors.top, step, row), sliceOf(tensors.shares, step, row)];
      const [logs, ranks] = [sliceOf(tensors.log_probs, step, row), sliceOf(tensors.ranks, step, row)];
      return [
        ...range(places).map((place) => ({
          token: label(nth(ids, place)),
          share: nth(shares, place),
          rank: null,
          isWord: nth(ids, place) === written,
        })),
        ...names.map((token, word) => ({ token, share: Math.exp(nth(logs, word)), rank: nth(ranks, word), isWord: false })),
      ];
    });
    return {
      say,
      step,
      count: about.written.length,
      names,
      readings,
      places,
      held: Math.min(view.layer + 1, rows - 1),
      same: about.against === written,
    };
  }
  function below(view: View) {
    const { step, names, readings, held, places, same } = at(view);
    const ranks = readings.map((row) => row[places]?.rank ?? 0);
    const last = ranks.findLastIndex((rank) => rank !== 1);
    const isKnown = readings.every((row) => row.every(({ share }) => Number.isFinite(share)));
    const logProb = nth(sliceOf(tensors.log_probs, step, held), 0);
    return {
      told: !isKnown ? "unknown" : last < 0 ? "always_first" : last + 1 === ranks.length ? "never_first" : "first_from",
      computed: isKnown ? "arithmetic" : "",
      same: same ? "same_rival" : "",
      word: escaped(names[0]),
      rival: escaped(names[1]),
      first: last + 1,
      rank_first: grouped(nth(ranks, 0)),
      rank_last: grouped(nth(ranks, ranks.length - 1)),
      layer: held,
      log_prob: number(logProb),
      probability: Number.isFinite(logProb) ? percent(Math.exp(logProb)) : "–",
      rank: grouped(nth(ranks, held)),
    };
  }
  return { at, below };
}

type Lens = ReturnType<typeof readLens>;
type Shown = ReturnType<Lens["at"]>;

const heightOf = ({ say }: Shown, row: number) => (row ? say("height", { layer: row }) : say("height_first"));

function said(shown: Shown, { row, column }: Spot): string {
  const { say, readings } = shown;
  const { token, share, rank } = entryAt(entryAt(readings, row), column);
  const height = heightOf(shown, row);
  if (!Number.isFinite(share)) return say("not_known", { height });
  const own = { height, token, percent: percent(share) };
  return rank === null ? say("hover_place", { ...own, place: column + 1 }) : say("hover_word", { ...own, rank: grouped(rank) });
}

/** Of a cell; without one, of the row on display. */
const reading = (shown: Shown, spot: Spot | null) =>
  spot
    ? said(shown, spot)
    : range(shown.places)
        .map((column) => said(shown, { row: shown.held, column }))
        .join("    ");

const values = ({ names, step }: Shown) => ({ word: names[0], step: step + 1 });

export const lensOfSteps: Figure<Lens, Shown, Spot> = {
  heights: [200, 3000],
  shared: "lens_of_steps",
  isCovered: hides,
  tells: true,
  read: readLens,
  at: ({ at }, view) => at(view),
  scene(shown, { w, h, whole }, hovered) {
    const { say, names, readings, places, held } = shown;
    const rows = readings.map((_, row) => heightOf(shown, row));
    const columns = [...range(places).map((place) => say("place", { number: place + 1 })), ...names.map((name) => `«${name}»`)];
    const left = UPRIGHT + widestText(rows, true) + APART;
    const width = Math.max(w, left + columns.length * COLUMN);
    const top = 2 * LINE;
    const step = rowHeight(rows.length, h - top - GAP, whole, ROWS);
    const [x, y] = [band(columns.length, [left, width]), band(rows.length, [top, top + step * rows.length])];
    const all = readings.flat();
    const grid: Grid = {
      values: all.map(({ share }) => (Number.isFinite(share) ? share : 0)),
      rows: rows.length,
      columns: columns.length,
      scale: { colours: "sequential", domain: [0, 1] },
    };
    const words: Mark = {
      draw(pen, theme) {
        const bitmap = bitmapOf(grid, theme);
        all.forEach((each, at) => {
          const [row, column] = [Math.floor(at / columns.length), at % columns.length];
          const lines = linesIn(shown, each).slice(0, y.step < TWO ? 1 : 2);
          const style = {
            fill: inkOn(bitmap.pixelAt(row, column)),
            align: "center" as const,
            max: x.step - GAP - 8,
            size: READABLE,
          };
          for (const [index, line] of lines.entries())
            pen.text(line, x(column) - GAP / 2, y(row) - GAP / 2 + (index - (lines.length - 1) / 2) * (READABLE + 4), style);
        });
      },
    };
    return {
      width,
      height: y.range[1] + GAP,
      marks: [
        text(say("readings"), (left + width) / 2, LINE / 2, { align: "center" }),
        ...columns.map((name, at) => text(name, x(at), LINE * 1.5, { align: "center", max: x.step - 8 })),
        uprightTitle(say("heights"), 0, y.range),
        rowLabels(y, rows, { x: left - APART, align: "right", held }),
        cells(x, y, grid, { gap: [GAP, GAP], datum: (row, column) => ({ row, column }) }),
        words,
        ...all.map(({ isWord, share }, at) => {
          const spot = { row: Math.floor(at / columns.length), column: at % columns.length };
          return isWord && Number.isFinite(share) ? frame(x, y, spot, { stroke: "accent", width: 4 }) : null;
        }),
        hovered && frame(x, y, hovered, { stroke: "accent", width: 2 }),
      ],
    };
  },
  reading,
  values,
  spoken: (shown) =>
    [
      shown.say("lead", values(shown)),
      ...entryAt(shown.readings, shown.held).map((_, column) => said(shown, { row: shown.held, column })),
    ].join(". "),
  pick: (_, { row }) => ({ layer: Math.max(row - 1, 0) }),
  keys: ({ held, readings, step, count }) => ({
    across: walkTokens("decoder", step, count),
    down: { at: held - 1, count: readings.length - 1, to: (layer) => ({ layer }) },
  }),
};

/** What stands in a cell: a token or a probability, and below it its probability or its rank. */
function linesIn({ say }: Shown, { token, share, rank }: Reading): string[] {
  if (!Number.isFinite(share)) return ["–"];
  return rank === null ? [token, percent(share)] : [percent(share), say("rank", { rank: grouped(rank) })];
}

export const mountLensOfSteps = figure(lensOfSteps);
