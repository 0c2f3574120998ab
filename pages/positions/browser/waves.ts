// The waves of the positional encoding: a lane per chosen dimension along the positions, the first on top. Dots are the values of real
// positions, in the colours of the matrix; the curve through them is the formula.

import { grouped, number, signed, escaped } from "../../../viz_core/browser/kit/numbers";
import { colourAt, ladder } from "../../../viz_core/browser/kit/svg_pen";
import { READABLE, clipped, widestText } from "../../../viz_core/browser/kit/pen";
import { guessedFrom } from "../../../viz_core/web/src/view";
import { type Figure, type View, figure, walkOf } from "../../../viz_core/web/src/figure";
import { columnNames } from "../../../viz_core/web/src/marks/axis";
import { circle, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { type Ink, type Mark, inkOf } from "../../../viz_core/web/src/marks/mark";
import { entryAt, nth, sliceOf, readPayload, speaker } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { type Band, type Linear, band, linear, range } from "../../../viz_core/web/src/marks/scale";

// px
const LANE = { most: 92, read: 54, lecture: 40 }; // from one lane to the next, at most and at least
const AMPLITUDE = 1 / 2.7; // of a wave, as a share of its lane
const ENDS = 0.15; // free space above the first and below the last lane, as a share of a lane
const LEAST_WIDTH = 640;
const [VALUES, AXIS, LONGEST] = [84, 30, 120]; // right of the lanes; the axis title; a label
const DOT = { few: 7.5, many: 3.5, picked: 4 }; // radii; `picked` is added for the picked one
const FEW = 40; // positions, up to which dots are large
const VALUE = READABLE + 4; // font size of a value
const DIGITS = 4;

type About = {
  side: string;
  limit: number; // no value is beyond ± limit
  waves: { dim: number; name: string; length: string; even: number; divisor: number }[];
  tokens: string[];
};
type Waves = ReturnType<typeof read>;
type Shown = ReturnType<typeof wavesAt>;
type Spot = { at: number; lane: number };

/** payload: from pages/positions/data.py. */
function read(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, "points" | "fine" | "curves">(payload);
  const isLearned = about.waves.some(({ name }) => !name);
  const say = speaker(isLearned ? textsIn("positions.for_model.learned.figure") : {}, textsIn("positions.figure"));
  const lanes = about.waves.map((wave, lane) => ({
    name: say(wave.name ? "lane" : "lane_learned", wave),
    points: Array.from(sliceOf(tensors.points, lane)),
    curve: Array.from(sliceOf(tensors.curves, lane)),
  }));
  return { ...about, lanes, fine: Array.from(tensors.fine.data), say };
}

/** Target tokens that are still to be guessed are hidden; position 0 is the start token, which is never guessed. */
function wavesAt(all: Waves, view: View) {
  const { side, tokens, say } = all;
  const known = side === "target" ? guessedFrom(view) : Number.POSITIVE_INFINITY;
  const labels = tokens.map((token, index) => `${index} ${index > known ? say("hidden") : token}`.trim());
  return { ...all, labels, picked: Math.min(view[walkOf(side)], tokens.length - 1), lecture: view.lecture };
}

const written = ({ lanes }: Shown, { at: index, lane }: Spot, digits: number): string =>
  signed(nth(nth(lanes, lane).points, index), digits);
const pickOf = ({ side, tokens }: Shown, index: number) => (tokens[index] ? { [walkOf(side)]: index } : null); // positions without a token cannot be focused

export const waves: Figure<Waves, Shown, Spot> = {
  heights: [200, 1200],
  shared: "waves",
  read,
  at: wavesAt,
  scene(shown, { w, h }) {
    const { lanes, labels, picked, fine, limit, lecture, say } = shown;
    const width = Math.max(w, LEAST_WIDTH);
    const laneNames = lanes.map(({ name }) => name);
    const left = widestText(laneNames, false) + 16;
    const x = band(Math.max(labels.length, 2), [left, width - VALUES]);
    const short = labels.map((label): string => clipped(label, LONGEST, READABLE, true));
    const names = columnNames(short, x.step);
    const free = (h - names.height - AXIS) / (lanes.length + 2 * ENDS - (1 - 2 * AMPLITUDE));
    const lane = Math.max(lecture ? LANE.lecture : LANE.read, Math.min(LANE.most, free));
    const first = (AMPLITUDE + ENDS) * lane;
    const bottom = 2 * first + (lanes.length - 1) * lane;
    const y = range(lanes.length).map((index) =>
      linear([-limit, limit], [first + (index + AMPLITUDE) * lane, first + (index - AMPLITUDE) * lane]),
    );
    const across = ([from, to]: readonly [number, number], height: number) => [from, height, to, height];
    const spot = (px: number, py: number) => ({ at: x.at(px), lane: Math.round((py - first) / lane) });
    const isThere = ({ at, lane }: Spot) => at >= 0 && at < labels.length && Boolean(lanes[lane]);
    return {
      width,
      height: bottom + names.height + AXIS,
      sight: [x.start(picked), x.start(picked + 1)],
      marks: [
        place({ x: left, y: 0, w: width - left, h: bottom }, (px, py) => (isThere(spot(px, py)) ? spot(px, py) : null)),
        rules([[x(picked), 0, x(picked), bottom]], { stroke: "accent", width: 3 }),
        rules([...y.map((scale) => across(x.range, scale(0))), across(x.range, bottom)], { stroke: "line", width: 1 }),
        ...lanes.flatMap(({ name, points, curve }, index) => {
          const scale = entryAt(y, index);
          const through = curve.map((value, point) => [x(fine[point] ?? 0), scale(value)]);
          const pieces = through.slice(1).map((end, point) => [...(through[point] ?? []), ...end]);
          return [
            rules(pieces, { stroke: "quiet", width: 2 }),
            dots(x, scale, points, picked),
            text(name, left - 12, scale(0), { align: "right" }),
            text(written(shown, { at: picked, lane: index }, 2), x.range[1] + 12, scale(0), {
              ink: "accent",
              bold: true,
              size: VALUE,
            }),
          ];
        }),
        names.at(x, bottom, picked),
        text(say("axis"), (x.range[0] + x.range[1]) / 2, bottom + names.height + AXIS / 2, { align: "center" }),
      ],
    };
  },
  reading: (shown, spot) => {
    const target = spot ?? { at: shown.picked, lane: 0 };
    const lane = shown.lanes[target.lane]?.name;
    return shown.say("cell", { label: shown.labels[target.at], lane, value: written(shown, target, DIGITS) });
  },
  values(shown) {
    const { lanes, labels, picked, say } = shown;
    const values = lanes.map(({ name }, lane) => `${name}: ${written(shown, { at: picked, lane }, 2)}`);
    return { axis: say("axis"), label: labels[picked], values: values.join("; ") };
  },
  // The formulas at the focused position.
  below({ waves, lanes, tokens, picked: at }, write) {
    const lines = waves.map(({ dim, name, even, divisor }, lane) =>
      write("line", {
        at,
        name,
        dim: dim - 1,
        even,
        divisor: number(divisor),
        angle: number(at / divisor),
        value: number(nth(entryAt(lanes, lane).points, at)),
        length: number(2 * Math.PI * divisor),
      }),
    );
    return { at, place: escaped(nth(tokens, at)), lines: lines.join(""), count: grouped(tokens.length) };
  },
  pick: (shown, spot) => pickOf(shown, spot.at),
  keys(shown) {
    const along = { at: shown.picked, count: shown.tokens.length, to: (index: number) => pickOf(shown, index) };
    return { across: along, down: along };
  },
};

function dots(x: Band, y: Linear, points: number[], picked: number): Mark {
  const r = points.length <= FEW ? DOT.few : DOT.many;
  return {
    draw(pen, theme) {
      const table = ladder(theme.diverging);
      const one = (value: number, at: number, size: number, stroke: Ink) =>
        pen.path(circle(x(at), y(value), size), {
          fill: colourAt(table, (value / y.domain[1] + 1) / 2),
          stroke: inkOf(theme, stroke),
          width: 2,
        });
      points.forEach((value, at) => {
        one(value, at, r, "ink");
      });
      one(points[picked] ?? Number.NaN, picked, r + DOT.picked, "accent");
    },
  };
}

export const mountWaves = figure(waves);
