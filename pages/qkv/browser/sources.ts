// Where Q, K and V come from: ribbons from one or two streams to the three.

import { READABLE, clipped, inkOn, ladder, pixel, textWidth } from "../../../viz_core/browser/kit/pen";
import { type Mark, type Pen, type Theme, inkOf, shapeInk } from "../../../viz_core/web/src/marks/mark";

export type Role = "q" | "k" | "v";

export interface Sources {
  streams: { name: string; tokens: string[]; stack: string }[];
  feeds: Record<Role, number>; // the stream of each
  results: Record<Role, string>;
}

// px
const LANE = 42; // of each of the three
const BOX = 54; // a stream with its two lines
const RAISED = 15; // raised letters
const THIN = { from: 7, to: 16 }; // half of a ribbon at its ends
const PAD = 14;
const ENDS = { box: 0.62, made: 0.78 }; // in parts of the width
const STRONG = 0.75; // opacity of a ribbon
const FAINT = 0.3; // times that of the two that are not picked
const ROLES = ["q", "k", "v"] as const;

export const SOURCES = 3 * LANE; // px of height

/** role: the picked one; from x on, w px wide. */
export function sources({ streams, feeds, results }: Sources, role: Role, x: number, w: number): Mark {
  const middles = streams.map((_, at) => (SOURCES * (at + 0.5)) / streams.length);
  const [boxEnd, madeFrom, end] = [x + ENDS.box * w, x + ENDS.made * w, x + w - 3];
  const lane = (pen: Pen, theme: Theme, each: Role, at: number) => {
    const to = (at + 0.5) * LANE;
    const beside = ROLES.filter((other) => feeds[other] === feeds[each]);
    const shift = (beside.indexOf(each) - (beside.length - 1) / 2) * 2.4 * THIN.from;
    const from = (middles[feeds[each]] ?? 0) + shift;
    const here = each === role;
    const alpha = here ? STRONG : STRONG * FAINT;
    pen.path(ribbon(boxEnd, from, madeFrom, to), shapeInk(theme, { fill: each, alpha }));
    const label = { x: boxEnd + 0.84 * (madeFrom - boxEnd), y: 0.07 * from + 0.93 * to }; // where the ribbon is widest
    weightName(pen, each, label, inkOn(pixel(ladder([theme.surface, theme[each]]), alpha)));
    const frame = shapeInk(theme, { fill: "surface", stroke: each, width: here ? 5 : 2 });
    pen.box(madeFrom, to - LANE / 2 + 4, end - madeFrom, LANE - 8, frame);
    const style = { size: here ? READABLE + 2 : READABLE, fill: inkOf(theme, "ink"), bold: here, align: "center" as const };
    pen.text(results[each], (madeFrom + end) / 2, to, { ...style, max: x + w - madeFrom - 20 });
  };
  return {
    draw(pen, theme) {
      ROLES.forEach((each, at) => {
        lane(pen, theme, each, at);
      });
      const fill = inkOf(theme, "ink");
      streams.forEach(({ name, tokens, stack }, at) => {
        const top = (middles[at] ?? 0) - BOX / 2;
        pen.box(x, top, boxEnd - x, BOX, shapeInk(theme, { fill: stack, stroke: "quiet", width: 1 }));
        const room = boxEnd - x - 2 * PAD;
        pen.text(name, x + PAD, top + BOX * 0.3, { fill, bold: true, max: room });
        pen.text(fitting(tokens, room), x + PAD, top + BOX * 0.73, { fill });
      });
    },
  };
}

function ribbon(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (x1 + x2) / 2;
  const curve = (fromY: number, toX: number, toY: number) => `C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`;
  const there = `M${x1} ${y1 - THIN.from}${curve(y1 - THIN.from, x2, y2 - THIN.to)}`;
  return `${there}L${x2} ${y2 + THIN.to}${curve(y2 + THIN.to, x1, y1 + THIN.from)}Z`;
}

/** × W with its role raised. */
function weightName(pen: Pen, role: Role, { x, y }: { x: number; y: number }, fill: string) {
  const [name, raised] = ["× W", role.toUpperCase()];
  const wide = textWidth(name, READABLE, true);
  const left = x - (wide + textWidth(raised, RAISED, true)) / 2;
  pen.text(name, left, y, { fill, bold: true });
  pen.text(raised, left + wide + 1, y - 5, { size: RAISED, fill, bold: true });
}

/** As many whole tokens as the line has room for. */
function fitting(tokens: string[], room: number): string {
  const all = tokens.join(" ");
  if (textWidth(all, READABLE) <= room) return all;
  const beginning = (count: number) => `${tokens.slice(0, count).join(" ")} …`;
  const count = tokens.findIndex((_, at) => textWidth(beginning(at + 1), READABLE) > room);
  return count > 0 ? beginning(count) : clipped(all, room, READABLE);
}
