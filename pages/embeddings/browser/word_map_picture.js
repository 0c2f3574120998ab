// Drawing of the map, with either pen of kit/pen.js: the sentence's tokens on a ground of their own, each connected with its
// neighbours; those of the token that is looked at stand out.

import { READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen.js";
import { isInside, placeLabels } from "./map_labels.js";

// px
const OWN = READABLE + 2; // of the letters of the sentence's tokens
const LONGEST = 220; // of a label
const PAD = 6; // beside its letters
const TALL = 13; // half its height
const AXIS = 32; // the names of the axes, below and upright
const LEAST_WIDTH = 640;
const MARGIN = 0.1; // of the extent, around the points
const DOTS = { picked: 10, own: 8, other: 5 }; // radius
const NEAR = 12; // from a point that the pointer is on

// Where all stands in w × h px, more where that would be too narrow; picked: the index of the token that is looked at, or −1.
export function layoutMap(map, picked, w, h, whole) {
  const width = whole ? w : Math.max(w, LEAST_WIDTH);
  const plot = { x: AXIS, y: 1, w: width - AXIS - 1, h: h - AXIS - 1 };
  const [xs, ys] = [scale(map.points, "x"), scale(map.points, "y")];
  const across = (value) => xs(value) * plot.w;
  const up = (value) => (1 - ys(value)) * plot.h;
  const spots = map.points.map(({ x, y }) => ({ x: across(x), y: up(y) }));
  const labels = map.points.map(({ label, own, owner }) => {
    const [size, bold] = own ? [OWN, true] : [READABLE, false];
    const words = clipped(label, LONGEST, size, bold);
    const rank = own ? "own" : owner === picked ? "near" : "other";
    return { words, size, bold, half: textWidth(words, size, bold) / 2 + PAD, tall: TALL, rank };
  });
  const places = placeLabels(spots, labels, plot.w, plot.h);
  return { width, height: h, plot, spots, labels, places, zero: { x: across(0), y: up(0) } };
}

// Coordinates as shares of an axis.
function scale(points, name) {
  const values = points.map((point) => point[name]);
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [-1, 1];
  const spread = Math.max(high - low, 1e-9);
  return (value) => (value - low + MARGIN * spread) / ((1 + 2 * MARGIN) * spread);
}

// hovered: { index } or null.
export function drawMap(pen, map, picked, layout, theme, hovered) {
  frame(pen, map.about.texts, layout, theme);
  const { spots } = moved(layout);
  const linked = map.points.flatMap(({ own, owner }, index) =>
    own ? [] : [{ from: spots[owner], to: spots[index], owner }],
  );
  const ends = (links) => links.map(({ from, to }) => [from.x, from.y, to.x, to.y]);
  pen.lines(ends(linked.filter(({ owner }) => owner !== picked)), { stroke: theme.line, width: 2 });
  pen.lines(ends(linked.filter(({ owner }) => owner === picked)), { stroke: theme.accent, width: 3 });
  const dots = map.points.map(({ own }, index) => ({ own, index })).sort((one, other) => other.own - one.own);
  for (const { own, index } of dots) {
    const [kind, fill] =
      index === picked ? ["picked", theme.accent] : own ? ["own", theme.ink] : ["other", theme.quiet];
    // a ring of the ground keeps apart points that lie on one another
    pen.path(circle(spots[index], DOTS[kind]), { fill, stroke: theme.surface, width: 1.5 });
  }
  writeLabels(pen, picked, layout, theme);
  if (hovered) highlight(pen, hovered.index, layout, theme);
}

// The points and labels, from the corner of the figure instead of the plot's.
function moved({ plot, spots, places }) {
  const shift = (at) => ({ ...at, x: at.x + plot.x, y: at.y + plot.y });
  return { plot, spots: spots.map(shift), places: new Map([...places].map(([index, at]) => [index, shift(at)])) };
}

function frame(pen, texts, { plot, zero, height }, theme) {
  const { x, y, w, h } = plot;
  const line = { stroke: theme.line, width: 1 };
  pen.lines(
    [
      [x + zero.x, y, x + zero.x, y + h],
      [x, y + zero.y, x + w, y + zero.y],
    ],
    line,
  );
  pen.box(x, y, w, h, line);
  const name = { size: OWN, fill: theme.ink, align: "center" };
  pen.text(texts.first, x + w / 2, height - AXIS / 2 + 2, { ...name, max: w });
  pen.text(texts.second, AXIS / 2 - 2, y + h / 2, { ...name, max: h, angle: -90 });
}

function writeLabels(pen, picked, layout, theme) {
  const { spots, places } = moved(layout);
  const leaders = [...places].filter(([, { far }]) => far);
  pen.lines(
    leaders.map(([index, at]) => [spots[index].x, spots[index].y, ...edge(at, spots[index])]),
    { stroke: theme.quiet, width: 1 },
  );
  for (const [index, at] of places) {
    const { words, size, bold, rank } = layout.labels[index];
    const box = [at.x - at.half, at.y - at.tall, 2 * at.half, 2 * at.tall];
    if (rank === "own") pen.box(...box, { fill: theme.chip });
    if (index === picked) pen.box(...box, { stroke: theme.accent, width: 2 });
    const loud = rank !== "other";
    const halo = rank === "own" ? null : theme.surface;
    pen.text(words, at.x, at.y, { size, bold, fill: loud ? theme.ink : theme.quiet, align: "center", halo });
  }
}

// The point of a box that is nearest to a spot.
function edge({ x, y, half, tall }, spot) {
  const between = (value, low, high) => Math.min(Math.max(value, low), high);
  return [between(spot.x, x - half, x + half), between(spot.y, y - tall, y + tall)];
}

// A ring around a point, and where it has no label, that over it.
function highlight(pen, index, layout, theme) {
  const { spots, places, plot } = moved(layout);
  const { words, size, bold, half } = layout.labels[index];
  const spot = spots[index];
  pen.path(circle(spot, DOTS.picked + 3), { stroke: theme.ink, width: 2.5 });
  if (places.has(index)) return;
  const x = Math.min(Math.max(spot.x, plot.x + half), plot.x + plot.w - half);
  const up = spot.y - 2 * TALL - 14 > plot.y ? -1 : 1;
  const y = spot.y + up * (TALL + 14);
  pen.box(x - half, y - TALL, 2 * half, 2 * TALL, { fill: theme.surface, stroke: theme.ink });
  pen.text(words, x, y, { size, bold, fill: theme.ink, align: "center" });
}

function circle({ x, y }, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

// The token whose point or label is at a place, { index }; null where none is.
export function underMap(layout, x, y) {
  const { spots, places } = moved(layout);
  const distance = (index) => Math.hypot(spots[index].x - x, spots[index].y - y);
  const near = [...spots.keys()].filter((index) => distance(index) < NEAR);
  const [nearest] = near.sort((one, other) => distance(one) - distance(other));
  const index = nearest ?? [...places.keys()].find((each) => isInside(places.get(each), x, y));
  return index === undefined ? null : { index };
}

// From where to where, across, the token that is looked at is to be seen.
export function acrossOf(layout, index) {
  const { spots, places } = moved(layout);
  const at = places.get(index) ?? { ...spots[index], half: 0 };
  return [Math.min(at.x - at.half, spots[index].x - NEAR), Math.max(at.x + at.half, spots[index].x + NEAR)];
}
