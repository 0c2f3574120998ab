// The focused token in other sentences: a line for each, its cosine with the token here before the first layer and after each, and a dashed
// line for the average of all tokens; and a table of the words most similar to it.

import { number, signed, escaped } from "../../../viz_core/browser/kit/numbers";
import { widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, LINE, UPRIGHT, columnNames, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { lines, nearest, dots, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, nth, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { band, linear, range } from "../../../viz_core/web/src/marks/scale";

const LEAST = 640; // px of the width
const LEADER = { from: 10, to: 36, label: 42 }; // px from the end of a line to its label
const MOST = 34; // characters of a sentence at the end of its line
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const TICKS = range(11).map((at) => (at - 5) / 5);

/** Of a token, or of the same one in another sentence: the first numbers of its unit vectors, at each place. */
type Start = [number, number][];
type Other = { text: string; cosines: number[]; start: Start; typed: boolean };
/** average: the cosine with all tokens; near: the most similar other words; missing: the token that the typed sentence lacks. */
type InContext = {
  label: string;
  start: Start;
  others: Other[];
  average: number[];
  near: [word: string, cosine: number][][];
  missing: string;
};
type About = { tokens: InContext[]; second: string; d_model: number };
export type Contexts = ReturnType<typeof readContexts>;
type Spot = { place: number; line: number | null };

/** payload: from pages/embeddings/context.py. */
export function readContexts(payload: Uint8Array) {
  const { about, say } = readPayload<About, never>(payload, textsIn("embeddings.in_context"), textsIn("joined"));
  const places = entryAt(about.tokens, 0).average.map((_, place) => (place ? say("layer", { layer: place }) : say("input")));
  return { ...about, places, say };
}

/** One token. place: the index of the place after the current layer; others: the most similar at the last place first. */
export function contextAt({ tokens, ...rest }: Contexts, view: View) {
  const at = Math.min(view.token, tokens.length - 1);
  const token = entryAt(tokens, at);
  const ours = token.others.filter(({ typed }) => !typed);
  return {
    ...rest,
    ...token,
    at,
    count: tokens.length,
    place: Math.min(view.layer + 1, rest.places.length - 1),
    others: token.others.map((other) => {
      const ink = other.typed ? "ink" : ours.indexOf(other) < Math.floor((ours.length + 1) / 2) ? "accent" : "quiet";
      return { ...other, words: shortened(other.text, MOST), ink, width: other.typed ? 5 : 3 };
    }),
  };
}

type Shown = ReturnType<typeof contextAt>;

/** The text cut at the end of a word, unless the first one is too long. A Chinese character counts as two. */
export function shortened(text: string, most: number) {
  let [cut, width] = ["", 0];
  for (const sign of text) {
    width += WIDE.test(sign) ? 2 : 1;
    if (width < most) cut += sign;
  }
  if (width <= most) return text;
  const whole = /^[ ,;:.!?]/.test(text.slice(cut.length)) ? cut : cut.slice(0, Math.max(cut.lastIndexOf(" "), 0));
  return `${whole.replace(/[ ,;:.]+$/, "") || cut}…`;
}

/** px of labels in place of these, nearest to them and at least `gap` apart, in their order. Groups that would touch are joined, each
 * centred on the mean of its own, as far as it then is between `least` and `most`. */
export function spread(wanted: readonly number[], gap: number, [least, most] = [-Infinity, Infinity]): number[] {
  const middle = (group: readonly number[]) => {
    const mean = group.reduce((sum, at) => sum + entryAt(wanted, at), 0) / group.length;
    const half = (gap * (group.length - 1)) / 2;
    return Math.max(Math.min(mean, most - half), least + half);
  };
  const groups: number[][] = [];
  for (const at of [...wanted.keys()].sort((a, b) => entryAt(wanted, a) - entryAt(wanted, b))) {
    let group = [at];
    for (let above = groups.at(-1); above; above = groups.at(-1)) {
      if (middle(group) - middle(above) >= (gap * (above.length + group.length)) / 2) break;
      group = [...above, ...group];
      groups.pop();
    }
    groups.push(group);
  }
  const places = groups.flatMap((group) =>
    group.map((at, rank) => [at, middle(group) + gap * (rank - (group.length - 1) / 2)] as const),
  );
  return places.sort(([a], [b]) => a - b).map(([, px]) => px);
}

const named = ({ others, average, say }: Shown, place: number, line: number | null) => {
  const other = line === null ? undefined : others[line];
  const [name, value] = other ? [`«${other.words}»`, other.cosines[place]] : [say("average"), average[place]];
  return say("named", { name, value: signed(value ?? Number.NaN) });
};

/** Of a place, or of a line there. */
const reading = (shown: Shown, { place, line }: Spot) => [shown.places[place], named(shown, place, line)].join("    ");

/** The label of each line, and the cosine at its end. */
function labelsOf({ others, average, say }: Shown) {
  const all = [...others, { words: say("average"), cosines: average, ink: "quiet" }];
  return all.map(({ words, cosines, ink }) => {
    const end = entryAt(cosines, average.length - 1);
    return { words: `${signed(end)}  ${words}`, end, ink };
  });
}

export const inContext: Figure<Contexts, Shown, Spot> = {
  heights: [380, 470],
  read: readContexts,
  at: contextAt,
  shared: "in_context",
  scene(shown, { w, h }, hovered) {
    const { places, place: own, others, average, say } = shown;
    const labels = labelsOf(shown);
    const width = Math.max(w, LEAST);
    const left = UPRIGHT + widestText(["−0.2"], false) + APART;
    const room = widestText(
      labels.map(({ words }) => words),
      false,
    );
    const right = width - LEADER.label - Math.min(room + 2, 0.5 * width);
    const x = band(places.length, [left, left + ((right - left) * places.length) / (places.length - 0.5)]);
    const names = columnNames(places, x.step);
    const low = Math.min(0, ...average, ...others.flatMap(({ cosines }) => cosines));
    const y = linear([low - 0.02, 1.02], [h - names.height, 8]);
    const [foot, top] = y.range;
    const ticks = TICKS.filter((value) => value >= low);
    const curves = others.map(({ cosines }) => cosines);
    return {
      width,
      height: h,
      sight: [x.start(own), x.start(own + 1)],
      marks: [
        place({ x: left, y: top, w: x.range[1] - left, h: foot - top }, (px) => ({ place: x.at(px), line: null })),
        nearest(x, y, [...curves, average], (at, line) => ({ place: at, line: line < others.length ? line : null })),
        uprightAxis(y, { title: say("axis"), across: [left, right], grid: true, ticks, write: (value) => signed(value, 1) }),
        rules([[x(own), top, x(own), foot]], { stroke: "accent", width: 2, dash: [2, 4] }),
        lines(x, y, [average], { stroke: "quiet", width: 2, dash: [9, 9] }),
        ...others.flatMap(({ cosines, ink, width: thick }, at) => [
          lines(x, y, [cosines], { stroke: ink, width: thick + 2 * Number(at === hovered?.line) }),
          dots(x, y, cosines, ink, 4),
        ]),
        ...spread(
          labels.map(({ end }) => y(end)),
          LINE,
          [LINE / 2, foot],
        ).flatMap((py, at) => {
          const { words, end, ink } = entryAt(labels, at);
          return [
            rules([[right + LEADER.from, y(end), right + LEADER.to, py]], { stroke: ink, width: 1 }),
            text(words, right + LEADER.label, py, { ink, max: width - right - LEADER.label }),
          ];
        }),
        names.at(x, foot, own),
      ],
    };
  },
  reading: (shown, spot) => reading(shown, spot ?? { place: shown.place, line: shown.others.length ? 0 : null }),
  values: ({ label }) => ({ token: label }),
  spoken(shown) {
    const all = [...shown.others.keys(), null].map((line) => named(shown, shown.average.length - 1, line));
    return [shown.say("lead", { token: shown.label }), ...all].join(". ");
  },
  // Notes on the token, and its cosine with the one in the least similar sentence.
  below({ label, missing, second, others, average, start, place: own, d_model }) {
    const other = others.at(-1);
    const notes = {
      token: escaped(label),
      missing: missing && "without",
      typed: escaped(second),
      piece: escaped(missing),
      none: other ? "" : "none",
      computed: other ? "arithmetic" : "",
    };
    if (!other) return notes;
    const [[a, c], [b, d]] = [start, other.start].map((each) => entryAt(each, own).map(number)) as [string[], string[]];
    return {
      ...notes,
      ...{ a, b, c, d, last: d_model },
      layer: own,
      layers: average.length - 1,
      other: escaped(other.words),
      cosine: number(nth(other.cosines, own)),
      average: number(nth(average, own)),
      first: number(nth(other.cosines, 0)),
      end: number(entryAt(other.cosines, average.length - 1)),
    };
  },
  pick: (_, { place: at }) => (at > 0 ? { layer: at - 1 } : null),
  keys: ({ at, count, place: own, places }) => ({
    across: { at: own - 1, count: places.length - 1, to: (layer) => ({ layer }) },
    down: walkTokens("encoder", at, count),
  }),
};

export const mountInContext = figure(inContext);

// The words most similar to the focused token: a column for each place of the encoder, the nearest on top. From the figure's numbers.

function ContextTable(contexts: Contexts) {
  const { view } = useView();
  if (view.lecture) return null;
  const { near, places, place, say } = contextAt(contexts, view);
  const most = Math.max(...near.map(({ length }) => length));
  const cell = (rank: number, column: number) => {
    const [word, cosine] = near[column]?.[rank] ?? [];
    return word === undefined ? "" : `${word}  ${signed(cosine ?? Number.NaN)}`;
  };
  const lines = range(most).map((rank) => [String(rank + 1), ...places.map((_, column) => cell(rank, column))]);
  const kinds = ["", ...places.map(() => "word")];
  return <Table label={say("table")} columns={[say("rank"), ...places]} lines={lines} column={place + 1} kinds={kinds} />;
}

export const mountContextTable = part(ContextTable, readContexts);
