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
import { entryAt, nth, sliceOf, readTensors, speaker } from "../../../viz_core/web/src/payload";
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

type About = { side: string; dims: number[]; tokens: string[]; positions: "learned" | "halves" | "interleaved"; d_model: number };
type Waves = ReturnType<typeof read>;
type Shown = ReturnType<typeof wavesAt>;
type Spot = { at: number; lane: number };

/** payload: from pages/positions/data.py. limit: no value is beyond ± limit; fine: the places of the points of the curves. */
function read(payload: Uint8Array) {
  const { about, tensors } = readTensors<About, "points">(payload);
  const { dims, tokens, positions } = about;
  const isLearned = positions === "learned";
  const say = speaker(isLearned ? textsIn("positions.for_model.learned.figure") : {}, textsIn("positions.figure"));
  const fine = isLearned ? range(tokens.length) : grid(tokens.length);
  const lanes = dims.map((dim, lane) => {
    const points = Array.from(sliceOf(tensors.points, lane));
    const { wave, even, divisor, at } = waveOf(dim, about);
    const words = { dim: dim + 1, name: wave, length: threeDigits(2 * Math.PI * divisor) };
    const name = say(isLearned ? "lane_learned" : "lane", words);
    return { dim, wave, even, divisor, name, points, curve: isLearned ? points : fine.map(at) };
  });
  const limit = Math.max(isLearned ? 1e-9 : 1, ...tensors.points.data.map(Math.abs));
  return { ...about, lanes, fine, limit, say };
}

/** One dimension of the positional encoding (§3.5): its function, the divisor of its angle, and its value at a position. */
function waveOf(dim: number, { d_model: d, positions }: About) {
  const [pair, isCosine] = positions === "halves" ? [dim % (d / 2), dim >= d / 2] : [dim >> 1, dim % 2 === 1];
  const divisor = 10000 ** ((2 * pair) / d);
  const at = (position: number) => (isCosine ? Math.cos(position / divisor) : Math.sin(position / divisor));
  return { wave: isCosine ? "cos" : "sin", even: 2 * pair, divisor, at };
}

/** Points from the first to the last position, close enough for the fastest wave to look smooth. */
function grid(count: number) {
  const [end, points] = [Math.max(count - 1, 1), Math.min(16 * count, 900)];
  return range(points).map((at) => (at * end) / (points - 1));
}

/** 6.28, 628, 6.28e+03. */
function threeDigits(value: number) {
  const digits = value.toPrecision(3);
  return digits.includes("e") ? digits.replace(/\.?0*e\+/, "e+0") : String(Number(digits));
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
  below({ lanes, tokens, picked: at }, write) {
    const lines = lanes.map(({ dim, wave, even, divisor, points }) =>
      write("line", {
        ...{ at, name: wave, dim, even, divisor: number(divisor), angle: number(at / divisor) },
        ...{ value: number(nth(points, at)), length: number(2 * Math.PI * divisor) },
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
