// Attention rollout as a flow: the strongest edges from the written token, at the upper right, through the decoder, the memory and the
// encoder back to the source words, at the lower left.

import { nth, entryAt, memoized, readPayload, speaker, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { APART } from "../../../viz_core/web/src/marks/axis";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { percent, grouped, escaped, latex } from "../../../viz_core/browser/kit/numbers";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { path, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { hides } from "../../../viz_core/web/src/view";
import { range, linear, type Linear } from "../../../viz_core/web/src/marks/scale";
import { type Edge, rollout, strongest } from "./rolled";

const WHOLE = 24; // up to this many source words, or read tokens, each has a row; of more, only those that an edge reaches
const GAP = 0.8; // columns between encoder and decoder
const [ROW, CLOSE, FEW] = [32, 26, 14]; // px of a row: of up to FEW rows, and of more
const FLOW = 84; // px of the whole flow's width
const LEAST = 640; // px of the figure's width
const [LABEL, NEAR, SAID] = [130, 4, 6]; // px of a word, px from an edge that the pointer is on, edges named for screen readers

type About = { words: string[]; owners: number[]; target: string[]; written: string[] };
export type Rolled = ReturnType<typeof readRollout>;
type Place = [column: number, row: number];
/** An edge between two places; leaves, arrives: px of its middle beside theirs. */
type Ribbon = Edge & { from: Place; to: Place; leaves: number; arrives: number; words: string };

/** payload: from pages/why/rollout.py. below: the values of the arithmetic. */
export function readRollout(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, "self" | "masked" | "cross">(payload);
  const of = memoized((step: number) => rollout({ ...tensors, owners: about.owners }, step));
  const drawn = memoized((step: number) => strongest(of(step), step));
  /** The shares of the source words in %, their means over all steps, and which is furthest above its mean. */
  const shares = memoized((step: number) => {
    const own = of(step).source.map((share) => 100 * share);
    const usual = means().map((mean) => 100 * mean);
    const excess = own.map((share, word) => share - nth(usual, word));
    return { own, usual, excess, best: excess.indexOf(Math.max(...excess)) };
  });
  const means = memoized(() => {
    const steps = about.written.map((_, step) => of(step).source);
    return about.words.map((_, word) => steps.reduce((sum, shares) => sum + nth(shares, word), 0) / steps.length);
  });
  function below({ step }: View) {
    const { edges, count, least, left } = drawn(step);
    const { own, usual, excess, best } = shares(step);
    const total = percent(Number(sum(of(step).source).toFixed(6))); // of three layers 87.5 %, which the last digits would round up or down
    const difference = nth(excess, best).toFixed(1);
    return {
      count: edges.length,
      all: grouped(count),
      least: percent(least),
      left: percent(left),
      total,
      percent: latex(total),
      word: escaped(nth(about.words, best)),
      share: nth(own, best).toFixed(1),
      usual: nth(usual, best).toFixed(1),
      excess: difference.startsWith("-") ? difference : `+${difference}`,
    };
  }
  const [depth = 0, layers = 0] = [tensors.self.shape[0], tensors.masked.shape[0]];
  return { ...about, depth, layers, drawn, shares, below };
}

/** The edges of a step between the places of its positions. read: the target positions with a row. */
function flowAt({ words, target, written, depth, layers, drawn }: Rolled, view: View) {
  const say = speaker(textsIn("why.flow"));
  const step = Math.min(view.step, written.length - 1);
  const { edges } = drawn(step);
  const ends = (leg: Edge["leg"]) => edges.filter((edge) => edge.leg === leg).flatMap(({ start, end }) => [start, end]);
  const passed = new Set([...ends("masked"), step]);
  const read = range(step + 1).filter((at) => step < WHOLE || passed.has(at));
  const reached = new Set([...ends("encoder"), ...edges.filter(({ leg }) => leg === "cross").map(({ end }) => end)]);
  const shown = range(words.length).filter((word) => words.length <= WHOLE || reached.has(word));
  const first = depth + GAP; // the column of what the decoder read
  const above = (layer: number, at: number): Place => [first + layer, read.indexOf(at) + 0.5];
  const below = (layer: number, at: number): Place => [layer, read.length + shown.indexOf(at) + 1];
  const ribbons = edges.map((edge): Ribbon => {
    const { leg, layer, start, end, share } = edge;
    const isEncoder = leg === "encoder";
    const from = isEncoder ? below(layer + 1, start) : above(layer + 1, start);
    const to = leg === "masked" ? above(layer, end) : below(isEncoder ? layer : depth, end);
    const [top, low] = [isEncoder ? words : target, leg === "masked" ? target : words];
    const named = { layer: layer + 1, start: top[start], end: low[end], share: percent(share) };
    return { ...edge, from, to, leaves: 0, arrives: 0, words: say(`edge_${leg}`, named) };
  });
  sideBySide(ribbons);
  const labels = shown.map((word) => ({ words: nth(words, word), at: below(0, word) }));
  const inputs = read.map((at) => ({ words: nth(target, at), at: above(0, at) }));
  const end = { words: `→ ${entryAt(written, step)}`, at: above(layers, step) };
  return { say, step, word: entryAt(written, step), ribbons, labels, inputs, end, depth, rows: read.length + shown.length + 1 };
}

/** At each place the edges leave, and arrive, beside each other, in the order of their other ends. */
function sideBySide(ribbons: Ribbon[]) {
  for (const [offset, here, there] of [["leaves", "from", "to"] as const, ["arrives", "to", "from"] as const])
    for (const place of new Set(ribbons.map((ribbon) => ribbon[here].join()))) {
      const meeting = ribbons.filter((ribbon) => ribbon[here].join() === place);
      let top = -sum(meeting.map(({ share }) => share)) / 2;
      for (const ribbon of meeting.sort((a, b) => a[there][1] - b[there][1])) {
        ribbon[offset] = FLOW * (top + ribbon.share / 2);
        top += ribbon.share;
      }
    }
}

type Shown = ReturnType<typeof flowAt>;

/** A ribbon from the right to the left; scale: px of the drawing per px of a row as usual. */
function ribbon({ leg, from, to, leaves, arrives, share, words }: Ribbon, x: Linear, y: Linear, scale: number, isHeld: boolean) {
  const [x1, y1] = [x(from[0]), y(from[1]) + scale * leaves];
  const [x0, y0] = [x(to[0]), y(to[1]) + scale * arrives];
  const [middle, half] = [(x0 + x1) / 2, (scale * FLOW * share) / 2];
  const over = `M${x1} ${y1 - half}C${middle} ${y1 - half} ${middle} ${y0 - half} ${x0} ${y0 - half}`;
  const under = `L${x0} ${y0 + half}C${middle} ${y0 + half} ${middle} ${y1 + half} ${x1} ${y1 + half}Z`;
  const shape = path(over + under, { fill: leg === "cross" ? "weight" : "quiet", alpha: isHeld ? 0.9 : 0.55 });
  const distance = (px: number, py: number) =>
    px < x0 || px > x1 ? Infinity : Math.abs(py - y0 - (y1 - y0) * risen((px - x0) / (x1 - x0)));
  return { shape, distance, reach: Math.max(half, NEAR), words };
}

/** How far up a curve between level ends is, 0 to 1, at a share of its way across. */
function risen(across: number): number {
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 20; turn += 1) {
    const t = (low + high) / 2;
    const isLeft = 1.5 * t * (1 - t) + t ** 3 < across; // Bézier: both inner points are in the middle
    if (isLeft) low = t;
    else high = t;
  }
  return low * low * (3 - 2 * low);
}

export const attentionRollout: Figure<Rolled, Shown, { edge: number }> = {
  heights: [200, 3000],
  shared: "attention_rollout",
  isCovered: hides,
  tells: true,
  read: readRollout,
  at: flowAt,
  scene({ say, ribbons, labels, inputs, end, depth, rows }, { w, h, whole }, hovered) {
    const usual = rows <= FEW ? ROW : CLOSE;
    const row = whole ? h / (rows + 1) : usual;
    const width = Math.max(w, LEAST);
    const columns = [0, depth, end.at[0]].map((at, index) => ({ at, words: say(`column_${index}`) }));
    const half = columns.map(({ words }) => widestText([words], false) / 2);
    const left = Math.max(
      Math.min(
        widestText(
          labels.map(({ words }) => words),
          false,
        ),
        LABEL,
      ) + APART,
      nth(half, 0),
    );
    const right = Math.max(Math.min(widestText([end.words]), LABEL) + 2 * APART, nth(half, 2));
    const x = linear([0, end.at[0]], [left, width - right]);
    const y = linear([-0.6, rows + 0.4], [0, row * (rows + 1)]);
    const drawn = ribbons.map((each, at) => ribbon(each, x, y, row / usual, hovered?.edge === at));
    const name = (words: string, [column, at]: Place) =>
      text(words, x(column) - APART, y(at), { align: "right", max: LABEL, halo: "surface" });
    const find: Mark<{ edge: number }> = {
      draw: () => {},
      under(px, py) {
        const near = drawn.map(({ distance, reach }, edge) => ({ edge, beyond: distance(px, py) - reach, reach }));
        const [nearest] = near.filter(({ beyond }) => beyond <= 0).sort((a, b) => a.reach - b.reach); // a thin one lies over a broad one
        return nearest ? { edge: nearest.edge } : null;
      },
    };
    return {
      width,
      height: y.range[1],
      marks: [
        find,
        ...drawn.map(({ shape }) => shape),
        rules(nodesOf(ribbons, (FLOW * row) / usual, x, y), { stroke: "ink", width: 4 }),
        ...[...labels, ...inputs].map(({ words, at }) => name(words, at)),
        text(end.words, x(end.at[0]) + APART, y(end.at[1]), { bold: true, ink: "accent", size: READABLE + 2, max: LABEL }),
        ...columns.map(({ words, at }) => text(words, x(at), y(rows - 0.1), { ink: "quiet", align: "center" })),
      ],
    };
  },
  reading: ({ ribbons }, edge) => (edge ? (ribbons[edge.edge]?.words ?? "") : ""),
  values: ({ word, step }) => ({ word, step: step + 1 }),
  spoken({ say, word, step, ribbons }) {
    const first = ribbons.toSorted((a, b) => b.share - a.share).slice(0, SAID);
    return [say("lead", { word, step: step + 1 }), ...first.map(({ words }) => words)].join(". ");
  },
};

/** A bar at every place, as high as the flow through it. */
function nodesOf(ribbons: readonly Ribbon[], whole: number, x: Linear, y: Linear): number[][] {
  const through = new Map<string, { place: Place; comes: number; goes: number }>();
  const at = (place: Place) => {
    const node = through.get(place.join()) ?? { place, comes: 0, goes: 0 };
    through.set(place.join(), node);
    return node;
  };
  for (const { from, to, share } of ribbons) {
    at(from).goes += share;
    at(to).comes += share;
  }
  return Array.from(through.values(), ({ place, comes, goes }) => {
    const half = (Math.max(comes, goes) * whole) / 2;
    return [x(place[0]), y(place[1]) - half, x(place[0]), y(place[1]) + half];
  });
}

export const mountAttentionRollout = figure(attentionRollout);
