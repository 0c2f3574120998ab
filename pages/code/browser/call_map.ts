// The map of a forward pass: the parts of the model in a row, and the calls of the current part by sub-layer. A click goes to a call.

import { widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART } from "../../../viz_core/web/src/marks/axis";
import { type Box, isWithin, type Mark } from "../../../viz_core/web/src/marks/mark";
import { box, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, nth, readPayload, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const [ROW, GAP, HALF, ROUND] = [44, 6, 17.5, 10]; // px: of a row, below the parts, of half a box, around a box's name
const FEWEST = 12; // boxes that a row has room for at least, so that a few do not become banners

type Call = { name: string; at: number; says: string; role?: string };
type Layer = { part: number; at: number; rows: { name: string; calls: Call[] }[] };
type Calls = ReturnType<typeof readCalls>;
type Spot = { row: number; column: number };

/** payload: from pages/code/corner.py. */
export function readCalls(payload: Uint8Array) {
  const { about, say } = readPayload<{ parts: Call[]; layers: Layer[] }, never>(payload, textsIn("code.map"));
  return { ...about, say };
}

function callsAt({ parts, layers, say }: Calls, { layer }: View) {
  const { part, at, rows } = entryAt(layers, layer);
  const lines = [{ name: say("parts"), calls: parts }, ...rows];
  return { parts, part, at, lines, calls: rows.flatMap(({ calls }) => calls), say };
}

/** A list, since each click asks anew: the layer of the call may have changed since the last one. */
const goTo = (call: Call) => ({ call: [call.at] });

function button(place: Box, { name, role = "" }: Call, isHeld: boolean, isHovered: boolean, spot: Spot): Mark<Spot> {
  const edge = isHeld || isHovered ? { stroke: "accent", width: isHeld ? 4 : 2 } : { stroke: "line", width: 1 };
  const ink = role ? `${role}_text` : "ink";
  const words = text(name, place.x + place.w / 2, place.y + place.h / 2, { align: "center", bold: isHeld, ink });
  const frame = box(place, { fill: "panel", ...edge });
  const tint = box(place, { fill: "accent", alpha: 0.18 });
  return {
    draw(pen, theme) {
      frame.draw(pen, theme);
      if (isHeld) tint.draw(pen, theme);
      words.draw(pen, theme);
    },
    under: (x, y) => (isWithin(place, x, y) ? spot : null),
  };
}

export const callMap: Figure<Calls, ReturnType<typeof callsAt>, Spot> = {
  heights: [100, 400],
  read: readCalls,
  at: callsAt,
  scene({ lines, part, at, say }, { w }, hovered) {
    const left = widestText(lines.map(({ name }) => name)) + APART;
    const wide = lines.map(({ calls }) => calls.map(({ name }) => widestText([name])));
    const rooms = lines.map(({ calls }) => Math.max(calls.length, FEWEST));
    const width = Math.max(w, ...wide.map((names, row) => left + sum(names) + ROUND * nth(rooms, row)));
    const top = (row: number) => row * ROW + (row ? GAP : 0) + 7;
    const step = (row: number) => (width - left - sum(nth(wide, row))) / nth(rooms, row); // px: around each name
    const isHeld = (row: number, column: number, call: Call) => (row ? call.at === at : column === part);
    const placeOf = (row: number, column: number) => {
      const names = nth(wide, row);
      const x = left + sum(names.slice(0, column)) + column * step(row);
      return { x: x + 2, y: top(row), w: nth(names, column) + step(row) - 4, h: 2 * HALF };
    };
    const held = lines.findIndex(({ calls }, row) => row && calls.some((call) => call.at === at));
    const column = Math.max(0, lines[held]?.calls.findIndex((call) => call.at === at) ?? 0);
    const current = placeOf(Math.max(held, 0), column);
    return {
      width,
      height: top(lines.length - 1) + 2 * HALF + 3,
      sight: [current.x, current.x + current.w],
      marks: lines.flatMap(({ name, calls }, row) => [
        text(name || say("calls"), left - APART, top(row) + HALF, { align: "right" }),
        ...calls.map((call, index) => {
          const isHovered = hovered?.row === row && hovered.column === index;
          return button(placeOf(row, index), call, isHeld(row, index, call), isHovered, { row, column: index });
        }),
      ]),
    };
  },
  reading: ({ lines, calls, at }, spot) =>
    spot ? nth(nth(lines, spot.row).calls, spot.column).says : (calls.find((call) => call.at === at)?.says ?? ""),
  values: () => ({}),
  spoken: (shown) => [nth(shown.parts, shown.part).says, callMap.reading(shown, null)].join(". "),
  pick: ({ lines }, { row, column }) => goTo(nth(nth(lines, row).calls, column)),
  keys({ parts, part, calls, at }) {
    const here = calls.findIndex((call) => call.at === at);
    return {
      across: { at: here, count: calls.length, to: (index) => goTo(nth(calls, index)) },
      down: { at: part, count: parts.length, to: (index) => goTo(nth(parts, index)) },
    };
  },
  own: () => ({ call: null }),
  asks: ({ call }) => ({ call: String(nth(call as number[], 0) + 1) }),
};

export const mountCallMap = figure(callMap);
