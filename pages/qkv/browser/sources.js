// Where Q, K and V come from: ribbons from one or two streams to the three, with either pen of kit/pen.js.

import { READABLE, clipped, inkOn, ladder, pixel, textWidth } from "../../../viz_core/browser/kit/pen.js";

const LANE = 42; // px of each of the three
const BOX = 54; // px of a stream with its two lines
const RAISED = 15; // px of raised letters
const ENDS = { box: 0.62, made: 0.78 }; // in parts of the width
const STRONG = 0.75; // opacity of a ribbon
const FAINT = 0.3; // times that of the two that are not looked at
const THIN = { from: 7, to: 16 }; // px, half of a ribbon at its ends
const PAD = 14;
const ROLES = ["q", "k", "v"];

export const SOURCES = 3 * LANE; // px of height

// sources: of the payload; seen(tokens, stack): the labels that may be shown.
export function drawSources(pen, { streams, feeds, results }, role, seen, { x, y, w }, theme) {
  const middles = streams.map((_, at) => y + (SOURCES * (at + 0.5)) / streams.length);
  const [boxEnd, madeFrom] = [x + ENDS.box * w, x + ENDS.made * w];
  ROLES.forEach((each, lane) => {
    const to = y + (lane + 0.5) * LANE;
    const beside = ROLES.filter((other) => feeds[other] === feeds[each]);
    const from = middles[feeds[each]] + (beside.indexOf(each) - (beside.length - 1) / 2) * 2.4 * THIN.from;
    const alpha = each === role ? STRONG : STRONG * FAINT;
    pen.path(ribbon(boxEnd, from, madeFrom, to), { fill: theme[each], alpha });
    const label = { x: boxEnd + 0.84 * (madeFrom - boxEnd), y: 0.07 * from + 0.93 * to }; // where the ribbon is widest
    weightName(pen, each, label, inkOver(theme.surface, theme[each], alpha));
    const here = each === role;
    pen.box(madeFrom, to - LANE / 2 + 4, x + w - madeFrom - 3, LANE - 8, {
      fill: theme.surface,
      stroke: theme[each],
      width: here ? 5 : 2,
    });
    const style = { size: here ? READABLE + 2 : READABLE, fill: theme.ink, bold: here, align: "center" };
    pen.text(results[each], (madeFrom + x + w - 3) / 2, to, { ...style, max: x + w - madeFrom - 20 });
  });
  streams.forEach(({ name, tokens, stack }, at) => {
    const top = middles[at] - BOX / 2;
    pen.box(x, top, boxEnd - x, BOX, { fill: theme[stack], stroke: theme.quiet, width: 1 });
    const room = boxEnd - x - 2 * PAD;
    pen.text(name, x + PAD, top + BOX * 0.3, { fill: theme.ink, bold: true, max: room });
    pen.text(fitting(seen(tokens, stack), room), x + PAD, top + BOX * 0.73, { fill: theme.ink });
  });
}

function ribbon(x1, y1, x2, y2) {
  const middle = (x1 + x2) / 2;
  const curve = (fromY, toX, toY) => `C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`;
  const { from, to } = THIN;
  const there = `M${x1} ${y1 - from}${curve(y1 - from, x2, y2 - to)}`;
  return `${there}L${x2} ${y2 + to}${curve(y2 + to, x1, y1 + from)}Z`;
}

// × W with its role raised.
function weightName(pen, role, { x, y }, ink) {
  const [name, raised] = ["× W", role.toUpperCase()];
  const left = x - (textWidth(name, READABLE, true) + textWidth(raised, RAISED, true)) / 2;
  pen.text(name, left, y, { fill: ink, bold: true });
  pen.text(raised, left + textWidth(name, READABLE, true) + 1, y - 5, { size: RAISED, fill: ink, bold: true });
}

// Black or white, whichever can be read on a colour of this opacity.
function inkOver(ground, colour, alpha) {
  return inkOn(pixel(ladder([ground, colour]), alpha));
}

// As many whole tokens as the line has room for.
function fitting(tokens, room) {
  const fits = (count) => textWidth(`${tokens.slice(0, count).join(" ")} …`, READABLE) <= room;
  const all = tokens.join(" ");
  if (textWidth(all, READABLE) <= room) return all;
  const count = tokens.findIndex((_, at) => !fits(at + 1));
  return count > 0 ? `${tokens.slice(0, count).join(" ")} …` : clipped(all, room, READABLE);
}
