// Drawing of the residual stream, with either pen of kit/pen.js: above the length of each token's vector after each sub-layer,
// below of what each sub-layer adds to the picked token's.

import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { brief, ticksTo } from "./stream_data.js";

// px
const NOTE = 28; // the line about the tokens that leave the figure
const BAND = 30; // the names of the layers
const TITLE = 26; // the title of an axis, upright
const APART = 8; // numbers of an axis from it
const BETWEEN = 12; // the two axes
const LEAST_COLUMN = 22; // slanted labels do not touch
const LEAST_WIDTH = 640;
const MARK = 5.5; // radius
const BAR = 0.62; // of a column
const EDGE = 0.02; // of a column, between two layers
const UPPER = 0.62; // of the height
const SLANT = 40; // degrees at least
const NEAR = 12; // px from a line that the pointer is on

// Where all stands in w × h px; wider where the columns would become too narrow.
export function layoutStream({ about, places, noted, written }, w, h) {
  const names = about.stops.map(({ name }) => name);
  const number = widestText([...written, "100"], false);
  const left = TITLE + number + APART;
  const width = Math.max(w, LEAST_WIDTH, left + places * LEAST_COLUMN + 4);
  const wide = (width - left - 4) / places;
  const long = widestText(names) + 6;
  const slant = long + 4 > wide ? Math.max((SLANT * Math.PI) / 180, Math.asin(Math.min(1, READABLE / wide))) : 0;
  const labels = slant ? long * Math.sin(slant) + 14 : READABLE + 14;
  const top = noted ? NOTE : 0;
  const room = h - top - BAND - labels - BETWEEN;
  const upper = { y: top + BAND, h: room * UPPER };
  const lower = { y: upper.y + upper.h + BETWEEN, h: room * (1 - UPPER) };
  // above each mark, where the columns are wide enough
  const printed = number + 4 <= wide;
  return { width, height: h, left, right: width - 4, wide, slant, top, upper, lower, foot: lower.y + lower.h, printed };
}

const middleOf = ({ left, wide }, place) => left + (place + 0.5) * wide;

// From where to where the column of a place goes.
export function columnOf({ left, wide }, place) {
  return [left + place * wide, left + (place + 1) * wide];
}

const heightOf = ({ y, h }, value, end) => y + h * (1 - value / end);

// shown: of streamAt. hovered: { token, place } or null.
export function drawStream(pen, stream, shown, layout, theme, hovered) {
  layers(pen, stream, shown, layout, theme);
  axis(pen, stream.about.texts.length_axis, layout, layout.upper, shown.ends.lengths, theme);
  axis(pen, stream.about.texts.added_axis, layout, layout.lower, shown.ends.added, theme);
  curves(pen, stream, shown, layout, theme, hovered);
  bars(pen, stream, shown, layout, theme);
  names(pen, stream, shown, layout, theme);
  if (shown.beyond) {
    const { left, right } = layout;
    pen.text(shown.beyond, left, NOTE / 2, { fill: theme.ink, max: right - left });
  }
}

// An area behind the places of each layer, named at the top; that of the picked place is highlighted.
function layers(pen, { about }, { place }, { top, left, wide, foot }, theme) {
  const { stops, texts } = about;
  const picked = stops[place].layer;
  for (const layer of new Set(stops.map((stop) => stop.layer).filter((each) => each !== null))) {
    const first = stops.findIndex((stop) => stop.layer === layer);
    const last = stops.findLastIndex((stop) => stop.layer === layer);
    const [from, to] = [left + (first + EDGE) * wide, left + (last + 1 - EDGE) * wide];
    const here = layer === picked;
    const ink = here ? { fill: theme.accent, alpha: 0.18 } : { fill: theme.panel };
    pen.box(from, top, to - from, foot - top, ink);
    const words = fill(texts.layer, { layer: layer + 1 });
    const short = textWidth(words, READABLE, true) > to - from ? String(layer + 1) : words;
    pen.text(short, (from + to) / 2, top + BAND / 2, { fill: theme.ink, bold: here, align: "center" });
  }
}

function axis(pen, title, { left, right }, { y, h }, end, theme) {
  const room = Math.max(2, Math.floor(h / (READABLE + 12)));
  const ticks = ticksTo(end, Math.min(room, 5));
  const levels = ticks.map((value) => [left, heightOf({ y, h }, value, end)]);
  pen.lines(
    levels.map(([x, at]) => [x, at, right, at]),
    { stroke: theme.line, width: 1 },
  );
  ticks.forEach((value, index) => {
    pen.text(String(value), left - APART, levels[index][1], { fill: theme.ink, align: "right" });
  });
  pen.text(title, TITLE / 2 - 2, y + h / 2, { fill: theme.ink, align: "center", angle: -90 });
}

// The pieces of a curve between numbers that are known, as [x1, y1, x2, y2].
function piecesOf(values, layout, end) {
  const points = values.map((value, at) => [middleOf(layout, at), heightOf(layout.upper, value, end)]);
  return points
    .slice(1)
    .map((point, at) => [...points[at], ...point])
    .filter((ends) => ends.every(Number.isFinite));
}

function curves(pen, { about, lengths }, { token, count, ends }, layout, theme, hovered) {
  const { upper, left, right, printed } = layout;
  const own = lengths[token];
  const pieces = (at) => piecesOf(lengths[at], layout, ends.lengths);
  const others = [...Array(count).keys()].filter((at) => at !== token);
  pen.inside(left, upper.y, right - left, upper.h, () => {
    pen.lines(others.flatMap(pieces), { stroke: theme.quiet, width: 1.5, alpha: 0.4 });
    if (hovered && hovered.token !== token) pen.lines(pieces(hovered.token), { stroke: theme.ink, width: 2.5 });
  });
  pen.lines(pieces(token), { stroke: theme.accent, width: 5 });
  own.forEach((value, at) => {
    const [x, y] = [middleOf(layout, at), heightOf(upper, value, ends.lengths)];
    if (!Number.isFinite(y)) return;
    pen.path(`M${x - MARK} ${y}a${MARK} ${MARK} 0 1 0 ${2 * MARK} 0a${MARK} ${MARK} 0 1 0 ${-2 * MARK} 0Z`, {
      fill: theme.accent,
    });
  });
  own.forEach((value, at) => {
    const [x, y] = [middleOf(layout, at), heightOf(upper, value, ends.lengths)];
    const words = { fill: theme.ink, align: "center", halo: theme.surface };
    if (printed && Number.isFinite(y)) pen.text(brief(value), x, y - READABLE, words);
  });
  if (!hovered || hovered.token === token) return;
  const value = lengths[hovered.token][hovered.place];
  const [x, y] = [middleOf(layout, hovered.place), heightOf(upper, value, ends.lengths)];
  const words = about.tokens[hovered.token];
  const half = Math.min(textWidth(words, READABLE, true), 200) / 2;
  const middle = Math.min(Math.max(x, left + half), right - half);
  pen.box(middle - half - 6, y - READABLE - 12, 2 * half + 12, READABLE + 8, {
    fill: theme.surface,
    stroke: theme.ink,
  });
  pen.text(words, middle, y - READABLE + 1, { fill: theme.ink, bold: true, align: "center", max: 200 });
}

function bars(pen, { added }, { token, place, ends }, layout, theme) {
  const { lower, wide, printed } = layout;
  added[token].forEach((value, at) => {
    const y = heightOf(lower, value, ends.added);
    if (!Number.isFinite(y)) return;
    const x = middleOf(layout, at);
    const style = at === place ? { stroke: theme.ink } : { alpha: 0.55 };
    pen.box(x - (BAR * wide) / 2, y, BAR * wide, lower.y + lower.h - y, { fill: theme.output, ...style });
    if (printed) pen.text(brief(value), x, y - 12, { fill: theme.ink, align: "center", bold: at === place });
  });
}

function names(pen, { about }, { place }, layout, theme) {
  about.stops.forEach(({ name }, at) => {
    const x = middleOf(layout, at);
    const style = { fill: at === place ? theme.accent : theme.ink, bold: at === place };
    if (layout.slant) {
      const angle = (-layout.slant * 180) / Math.PI;
      pen.text(name, x + 4, layout.foot + 10, { ...style, align: "right", angle });
    } else pen.text(name, x, layout.foot + READABLE - 2, { ...style, align: "center" });
  });
}

// What is under a point: { place, token }, the token whose curve is near, else the picked one; null beside the figure.
export function underPoint({ lengths, places }, { token, count, ends }, layout, x, y) {
  const place = Math.floor((x - layout.left) / layout.wide);
  if (place < 0 || place >= places || y < layout.top) return null;
  const distance = (at) => Math.abs(heightOf(layout.upper, lengths[at][place], ends.lengths) - y);
  const near = [...Array(count).keys()].filter((at) => distance(at) < NEAR);
  const nearest = near.sort((a, b) => distance(a) - distance(b))[0];
  const inside = y >= layout.upper.y && y < layout.upper.y + layout.upper.h;
  return { place, token: inside ? (nearest ?? token) : token };
}
