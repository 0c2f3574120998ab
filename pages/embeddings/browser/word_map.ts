// A map of one side's tokens and their nearest neighbours; the neighbours of the focused token are highlighted. Some neighbours are
// words of the other language, so nothing is drawn while the reader is guessing a word.

import { type Mark, isWithin } from "../../../viz_core/web/src/marks/mark";
import { clauses } from "../../../viz_core/browser/kit/numbers";
import { READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen";
import { hides } from "../../../viz_core/web/src/view";
import { type Figure, type Room, type View, figure, walkOf } from "../../../viz_core/web/src/figure";
import { dot, box, path, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { type Pair, linear } from "../../../viz_core/web/src/marks/scale";
import { type Place, placeLabels } from "./map_labels";

// px
const OWN = READABLE + 2; // letters of the sentence's tokens
const LONGEST = 220; // a label
const PAD = 6; // beside its letters
const TALL = 13; // half its height
const AXIS = 32; // the names of the axes, below and upright
const LEAST_WIDTH = 640;
const MARGIN = 0.1; // of the extent, around the points
const DOTS = { picked: 10, own: 8, other: 5 }; // radius
const NEAR = 12; // from a point that the pointer is on

type About = { side: string; tokens: string[]; labels: string[]; shares: string[] };
type WordMap = ReturnType<typeof readMap>;
type Shown = ReturnType<typeof at>;
type Spot = { index: number };

/** payload: from pages/embeddings/views.py. points: all tokens on the map, a neighbour with its owner; which: for each token of
 * the sentence the index of its point, or −1. */
export function readMap(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "at" | "owner" | "which">(payload, textsIn("embeddings.plane"));
  const points = about.labels.map((label, index) => {
    const [x = 0, y = 0] = sliceOf(tensors.at, index);
    const owner = tensors.owner.data[index] ?? index;
    return { x, y, label, owner, own: owner === index };
  });
  return { ...about, points, which: Array.from(tensors.which.data), say };
}

function at(map: WordMap, view: View) {
  const token = Math.min(view[walkOf(map.side)], map.which.length - 1);
  return { ...map, token, picked: entryAt(map.which, token) };
}

/** Places everything; wider than the room if that is too narrow. */
export function layoutMap({ points, picked }: Pick<Shown, "points" | "picked">, { w, h, whole }: Room) {
  const width = whole ? w : Math.max(w, LEAST_WIDTH);
  const plot = { x: AXIS, y: 1, w: width - AXIS - 1, h: h - AXIS - 1 };
  const x = spread(
    [plot.x, plot.x + plot.w],
    points.map((point) => point.x),
  );
  const y = spread(
    [plot.y + plot.h, plot.y],
    points.map((point) => point.y),
  );
  const spots = points.map((point) => ({ x: x(point.x), y: y(point.y) }));
  const labels = points.map(({ label, own, owner }) => {
    const [size, bold] = own ? [OWN, true] : [READABLE, false];
    const words = clipped(label, LONGEST, size, bold);
    const rank: "own" | "near" | "other" = own ? "own" : owner === picked ? "near" : "other";
    return { words, size, bold, w: textWidth(words, size, bold) + 2 * PAD, h: 2 * TALL, rank };
  });
  return { width, height: h, plot, spots, labels, places: placeLabels(spots, labels, plot), zero: { x: x(0), y: y(0) } };
}

/** A scale with a margin around the values. */
function spread(range: Pair, values: number[]) {
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [-1, 1];
  const extent = Math.max(high - low, 1e-9);
  return linear([low - MARGIN * extent, low + (1 + MARGIN) * extent], range);
}

export const wordMap: Figure<WordMap, Shown, Spot> = {
  heights: [420, 620],
  shared: "word_map",
  read: readMap,
  at,
  isCovered: hides,
  scene(shown, room, hovered) {
    const { points, picked, shares, say } = shown;
    const layout = layoutMap(shown, room);
    const { plot, spots, labels, places, zero, width, height } = layout;
    const spot = (index: number) => entryAt(spots, index);
    const links = (isPicked: boolean) =>
      points.flatMap(({ own, owner }, index) =>
        own || (owner === picked) !== isPicked ? [] : [[spot(owner).x, spot(owner).y, spot(index).x, spot(index).y]],
      );
    const discs = points.map(({ own }, index) => {
      const kind = index === picked ? "picked" : own ? "own" : "other";
      const fill = { picked: "accent", own: "ink", other: "quiet" }[kind];
      // a ring in the background colour separates overlapping points
      return { own, mark: dot(spot(index).x, spot(index).y, DOTS[kind], { fill, stroke: "surface", width: 1.5 }) };
    });
    const leaders = [...places]
      .filter(([, { far }]) => far)
      .map(([index, label]) => [spot(index).x, spot(index).y, ...edge(label, spot(index))]);
    const line = { stroke: "line", width: 1 };
    const name = { size: OWN, align: "center" as const };
    return {
      width,
      height,
      ...(picked >= 0 && { sight: acrossOf(layout, picked) }),
      marks: [
        path(`M${zero.x} ${plot.y}v${plot.h}M${plot.x} ${zero.y}h${plot.w}`, line),
        box(plot, line),
        text(say("first", { share: shares[0] }), plot.x + plot.w / 2, height - AXIS / 2 + 2, { ...name, max: plot.w }),
        text(say("second", { share: shares[1] }), AXIS / 2 - 2, plot.y + plot.h / 2, { ...name, max: plot.h, angle: -90 }),
        rules(links(false), { stroke: "line", width: 2 }),
        rules(links(true), { stroke: "accent", width: 3 }),
        ...discs.sort((one, other) => Number(other.own) - Number(one.own)).map(({ mark }) => mark),
        rules(leaders, { stroke: "quiet", width: 1 }),
        ...[...places].flatMap(([index, label]) => labelMarks(entryAt(labels, index), label, index === picked)),
        ...(hovered ? highlight(layout, hovered.index) : []),
        { draw: () => {}, under: (x: number, y: number) => under(layout, x, y) },
      ],
    };
  },
  reading(shown, hovered) {
    const { points, picked, tokens, token, say } = shown;
    const index = hovered?.index ?? picked;
    if (index < 0) return say("missing", { label: tokens[token] });
    const { label, owner, own } = entryAt(points, index);
    if (!own) return say("neighbour", { label, owner: points[owner]?.label });
    const neighbours = points.filter((point) => !point.own && point.owner === index);
    const named = clauses(neighbours.map((point) => say("token", point)));
    return say(neighbours.length ? "linked" : "alone", { label, neighbours: named });
  },
  values: ({ points, shares, say }) => ({
    first: say("first", { share: shares[0] }),
    second: say("second", { share: shares[1] }),
    tokens: clauses(points.filter(({ own }) => own).map(({ label }) => say("token", { label }))),
  }),
  // The share of the variance that the map keeps.
  below({ shares, points }) {
    const [first, second] = shares.map((share) => `\\text{${share.replace("%", "\\%")}}`);
    return { tokens: points.length, first_share: first, second_share: second };
  },
  // If the sentence has the token more than once: its next position, and after the last the first.
  pick({ points, which, picked, token, side }, { index }) {
    if (!points[index]?.own) return null;
    const all = [...which.keys()].filter((place) => which[place] === index);
    const next = all.find((place) => place > token && picked === index) ?? all[0];
    return { [walkOf(side)]: next };
  },
};

type Layout = ReturnType<typeof layoutMap>;

function labelMarks({ words, size, bold, rank }: Layout["labels"][number], area: Place, isPicked: boolean): (Mark | null)[] {
  const ink = rank === "other" ? "quiet" : "ink";
  return [
    rank === "own" ? box(area, { fill: "chip" }) : null,
    isPicked ? box(area, { stroke: "accent", width: 2 }) : null,
    text(words, area.x + area.w / 2, area.y + area.h / 2, {
      size,
      bold,
      ink,
      align: "center",
      ...(rank !== "own" && { halo: "surface" }),
    }),
  ];
}

/** The point of a box that is nearest to a spot. */
function edge({ x, y, w, h }: Place, spot: { x: number; y: number }): Pair {
  return [Math.min(Math.max(spot.x, x), x + w), Math.min(Math.max(spot.y, y), y + h)];
}

/** A ring around a point, with its label if that has no place on the map. */
function highlight({ spots, labels, places, plot }: Layout, index: number): Mark[] {
  const spot = entryAt(spots, index);
  const { words, size, bold, w, h } = entryAt(labels, index);
  const ring = dot(spot.x, spot.y, DOTS.picked + 3, { stroke: "ink", width: 2.5 });
  if (places.has(index)) return [ring];
  const x = Math.min(Math.max(spot.x - w / 2, plot.x), plot.x + plot.w - w);
  const y = spot.y - h - 14 > plot.y ? spot.y - h - 14 : spot.y + 14;
  const name = text(words, x + w / 2, y + h / 2, { size, bold, align: "center" });
  return [ring, box({ x, y, w, h }, { fill: "surface", stroke: "ink" }), name];
}

/** The token whose point or label is at a place. */
function under({ spots, places }: Layout, x: number, y: number): Spot | null {
  const distance = ({ x: px, y: py }: { x: number; y: number }) => Math.hypot(px - x, py - y);
  const near = spots.map((spot, index) => ({ index, far: distance(spot) })).filter(({ far }) => far < NEAR);
  const [nearest] = near.sort((one, other) => one.far - other.far);
  const index = nearest?.index ?? [...places].find(([, label]) => isWithin(label, x, y))?.[0];
  return index === undefined ? null : { index };
}

/** The horizontal range in which a token with its label is in sight. */
function acrossOf({ spots, places }: Layout, index: number): Pair {
  const { x } = entryAt(spots, index);
  const label = places.get(index) ?? { x, w: 0 };
  return [Math.min(label.x, x - NEAR), Math.max(label.x + label.w, x + NEAR)];
}

export const mountWordMap = figure(wordMap);
