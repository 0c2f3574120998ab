// Non-autoregressive decoding: what two neighbouring positions predict in the first pass, and the second one once it knows the others.

import { escaped, grouped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, FOOT, LINE, UPRIGHT, axisAcross, rowLabels, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { band, linear } from "../../../viz_core/web/src/marks/scale";
import { bars, box, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { nth, speaker } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { type Passes, placeOf, readPasses } from "./passes";

const styleOf = (series: number) => ({ ink: series ? "k" : "accent", faint: series < 2 ? 1 : 0.45 });
const BAR = 24; // px
const BETWEEN = 14; // px between the bars of two tokens
const HEAD = LINE + 2 * APART; // px of the legend
const LABEL = 210; // px of a token, at most
const LEAST = 640; // px of the width
const TICKS = [0, 0.25, 0.5, 0.75, 1];

type Spot = { row: number };
type Shown = ReturnType<typeof rivalsAt>;

export function rivalsAt(all: Passes, view: View) {
  const { pairs, labels, vocabulary } = all;
  const at = placeOf(all, view);
  const { token, ids, series: shown } = pairs[at] ?? { token: 0, ids: [], series: [] };
  const series = shown.map((shares) => [...shares, Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0))]);
  const say = speaker(textsIn("decoding.rivals"));
  const names = ["at_first", "at_first", "informed"].map((name, one) => say(name, { place: at + Math.min(one, 1) + 1 }));
  const others = say("others", { count: grouped(vocabulary - ids.length) });
  return {
    ...all,
    say,
    at,
    series,
    names: names.slice(0, series.length),
    held: ids.indexOf(token),
    words: [...ids.map((id) => labels[id] ?? ""), others],
  };
}

function reading({ words, names, series, held, pairs, say }: Shown, spot: Spot | null) {
  const row = spot?.row ?? held;
  if (!pairs.length) return "";
  const shares = names.map((name, at) => `${name}: ${percent(nth(nth(series, at), row))}`).join(" · ");
  return say("bar", { token: words[row], shares });
}

export const rivals: Figure<Passes, Shown, Spot> = {
  heights: [200, 1000],
  read: readPasses,
  at: rivalsAt,
  scene({ words, names, series, held, pairs, say }, { w }) {
    if (!pairs.length) return { width: w, height: 1, marks: [] };
    const width = Math.max(w, LEAST);
    const start = UPRIGHT + Math.min(LABEL, widestText(words)) + APART;
    const x = linear([0, 1], [start, width - widestText(series.flat().map(percent), false) - 2 * APART]);
    const y = band(words.length, [HEAD, HEAD + words.length * (series.length * BAR + BETWEEN)]);
    const foot = y.range[1];
    let end = start;
    const all = series.flatMap((values, at) => {
      const [own, name] = [styleOf(at), nth(names, at)];
      const beside = Object.assign((row: number) => y(row) + (at - (series.length - 1) / 2) * BAR, y, { step: BAR });
      const sample = { x: end, y: (HEAD - BAR) / 2 + 4, w: BAR, h: BAR - 8 };
      end += BAR + APART + textWidth(name, READABLE) + 3 * APART;
      return [
        box(sample, { fill: own.ink, alpha: own.faint }),
        text(name, sample.x + BAR + APART, HEAD / 2),
        bars(beside, x, values, { ...own, across: true, share: 0.92 }),
        ...values.map((value, row) => text(percent(value), x(value) + APART, beside(row))),
      ];
    });
    return {
      width: Math.max(width, end),
      height: foot + FOOT + APART,
      marks: [
        place({ x: 0, y: HEAD, w: width, h: foot - HEAD }, (_, py) => ({ row: y.at(py) })),
        uprightTitle(say("token"), 0, y.range),
        rules(
          TICKS.map((tick) => [x(tick), HEAD, x(tick), foot]),
          { stroke: "line", width: 1 },
        ),
        rowLabels(y, words, { x: start - APART, align: "right", max: LABEL, held }),
        ...all,
        axisAcross(x, { title: say("probability"), y: foot, range: x.range, ticks: TICKS, write: percent }),
      ],
    };
  },
  reading,
  values: ({ at, pairs, say }) => ({
    title: say(pairs.length ? "title" : "too_short", { left: at + 1, right: at + 2 }),
    left: at + 1,
    right: at + 2,
  }),
  spoken: (shown) => reading(shown, null) || shown.say("too_short"),
  keys: ({ at, pairs }) => {
    const walk = { at, count: Math.max(pairs.length, 1), to: (place: number) => ({ place }) };
    return { across: walk, down: walk };
  },
  shared: "rivals",
  below({ at, words, series, held, rows, pairs, settings }) {
    if (!pairs.length) return null;
    const [first = 0, second = 0, informed = 0] = series.map((values) => nth(values, held));
    const counts = rows.map((row) => row.filter(({ hidden }) => hidden).length);
    return {
      ...{ i: at + 1, j: at + 2, token: escaped(nth(words, held)), tokens: nth(rows, 0).length, passes: settings.most },
      ...{ first: number(first), second: number(second), both: number(first * second), informed: number(informed) },
      counts: [...counts, ...(rows.length < settings.most ? [0] : [])].join(", "),
    };
  },
};

export const mountRivals = figure(rivals);
