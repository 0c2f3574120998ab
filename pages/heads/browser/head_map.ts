// Maps of all heads: layers down, heads across, each a cell with lines of text; a click shows that head. One of them has the heads' roles.

import { cssColour, inkOn, ladder, pixel } from "../../../viz_core/browser/kit/svg_pen";
import { READABLE, textWidth } from "../../../viz_core/browser/kit/pen";
import { type Figure, type Room, type Scene, figure } from "../../../viz_core/web/src/figure";
import { APART, LINE } from "../../../viz_core/web/src/marks/axis";
import { HEAD, besideHeads, headAxes, walkHeads } from "../../../viz_core/web/src/marks/heads";
import type { Mark, Theme } from "../../../viz_core/web/src/marks/mark";
import { place } from "../../../viz_core/web/src/marks/shapes";
import { entryAt } from "../../../viz_core/web/src/payload";
import { type Heads, type Place, ROLES, headAt, headWords, readHeads, described, placesOf, roleOf } from "./heads";
import { grouped, percent } from "../../../viz_core/browser/kit/numbers";
import { band } from "../../../viz_core/web/src/marks/scale";

// px
const CELL = { width: 116, height: 62, most: 130, line: 22, gap: 3 };

export type Shown = ReturnType<typeof headAt>;
export type Cell = { lines: string[]; colour: (theme: Theme) => number };

/** The lines of a name: one, or one for each word where it is too long for a cell. */
export const nameLines = (name: string) => (textWidth(name, READABLE) <= CELL.width - 2 * CELL.gap ? [name] : name.split(" "));

/** What both maps share. */
export const headMap = {
  heights: [200, 700],
  read: readHeads,
  at: headAt,
  shared: "heads",
  below: headWords,
  pick: (_: unknown, { layer, head }: Place) => ({ layer, head }),
  keys: (shown: Shown) => walkHeads(shown, shown.layers, shown.heads),
} satisfies Partial<Figure<Heads, Shown, Place>>;

/** cells: row by row; below: px of height left for a legend, whose marks are made at the px of its top. */
export function mapScene(
  { layers, heads, layer, head, say }: Shown,
  cells: readonly Cell[],
  { w, h, whole }: Room,
  below = 0,
  legend: (top: number, left: number, right: number) => Mark[] = () => [],
): Scene<Place> {
  const left = besideHeads(layers) + APART;
  const width = Math.max(w, left + heads * CELL.width);
  const most = Math.max(2, ...cells.map(({ lines }) => lines.length));
  const least = CELL.height + (most - 2) * CELL.line;
  const step = whole ? Math.min(Math.max((h - HEAD - below) / layers, 2 * CELL.line), CELL.most) : least;
  const [x, y] = [band(heads, [left, width - 2]), band(layers, [HEAD, HEAD + layers * step])];
  const foot = y.range[1];
  const boxes: Mark = {
    draw(pen, theme) {
      cells.forEach(({ lines, colour }, index) => {
        const [row, column] = [Math.floor(index / heads), index % heads];
        const ground = colour(theme);
        const size = [x.step - 2 * CELL.gap, y.step - 2 * CELL.gap] as const;
        pen.box(x.start(column) + CELL.gap, y.start(row) + CELL.gap, ...size, { fill: cssColour(ground) });
        const style = { fill: inkOn(ground), align: "center", max: size[0] } as const;
        lines.forEach((words, at) => {
          pen.text(words, x(column), y(row) + (at - (lines.length - 1) / 2) * CELL.line, style);
        });
      });
    },
  };
  const area = { x: left, y: HEAD, w: x.range[1] - left, h: foot - HEAD };
  return {
    width,
    height: foot + below + 2,
    sight: [x.start(head), x.start(head + 1)],
    marks: [
      place(area, (px, py) => ({ layer: y.at(py), head: x.at(px) })),
      boxes,
      ...headAxes(x, y, { layer, head }, say),
      ...legend(foot + APART, left, width),
    ],
  };
}

/** The index of a head in a map's cells. */
export const cellAt = <Each>({ heads }: Heads, cells: readonly Each[], { layer, head }: Place) =>
  entryAt(cells, layer * heads + head);

// The roles of all heads: the hue of a cell is the role, its strength the share of the attention that the role's tokens get.

/** The roles in the order of the theme's hues. */
export const HUES = [
  ...["alignment", "near", "self", "previous", "next", "repetition"],
  ...["word", "punctuation", "first", "last", "article"],
];
const [WEAKEST, FULL] = [0.2, 0.75]; // the shares with the faintest colour and with the full hue
const TRACE = 0.2; // how much of the hue the faintest colour has
const LEGEND = 0.6; // the legend shows the colour of this share
const SWATCH = { size: 20, gap: 10, apart: 22 }; // px

/** The packed colour of a head; name: of its role, "" for none. */
export function roleColour(theme: Theme, name: string, share: number) {
  if (!name) return pixel(ladder([theme.panel, theme.panel]), 0);
  const strength = Math.min(Math.max((share - WEAKEST) / (FULL - WEAKEST), 0), 1);
  const hue = entryAt(theme.head_roles as string[], HUES.indexOf(name));
  return pixel(ladder([theme.surface, hue]), TRACE + (1 - TRACE) * strength);
}

function cellsOf(heads: Heads): Cell[] {
  return placesOf(heads).map((place) => {
    const role = roleOf(heads, place);
    return {
      lines: role ? [...nameLines(role.label), percent(role.share)] : [ROLES.name.none],
      colour: (theme) => roleColour(theme, role?.name ?? "", role?.share ?? 0),
    };
  });
}

/** The roles on the map, the most frequent first. */
function rolesOn(heads: Heads) {
  const roles = placesOf(heads).flatMap((place) => roleOf(heads, place) ?? []);
  const count = (name: string) => roles.filter((role) => role.name === name).length;
  const once = new Map(roles.map(({ name, label }) => [name, { name, label, count: count(name) }]));
  return [...once.values()].sort((a, b) => b.count - a.count);
}

/** A swatch for each role; rows: how many lines they fill between two px. */
function legendOf(heads: Heads, left: number, right: number) {
  let [x, row] = [left, 0];
  const swatches = rolesOn(heads).map(({ name, label }) => {
    const wide = SWATCH.size + SWATCH.gap + textWidth(label, READABLE) + SWATCH.apart;
    if (x > left && x + wide > right) [x, row] = [left, row + 1];
    x += wide;
    return { name, label, x: x - wide, row };
  });
  const at = (top: number): Mark => ({
    draw(pen, theme) {
      for (const swatch of swatches) {
        const middle = top + (swatch.row + 0.5) * LINE;
        const ground = { fill: cssColour(roleColour(theme, swatch.name, LEGEND)) };
        pen.box(swatch.x, middle - SWATCH.size / 2, SWATCH.size, SWATCH.size, ground);
        pen.text(swatch.label, swatch.x + SWATCH.size + SWATCH.gap, middle, { fill: theme.ink });
      }
    },
  });
  return { at, rows: swatches.length ? row + 1 : 0 };
}

function reading(shown: Shown, place: Place | null) {
  if (place) return described(shown, place);
  const role = roleOf(shown, shown);
  const name = role ? shown.say("named", { name: role.label, value: percent(role.share) }) : ROLES.name.none;
  return `${shown.say("place", { layer: shown.layer + 1, head: shown.head + 1 })}    ${name}`;
}

const values = ({ attention, count, kind }: Shown) => ({ attention, kind, count: grouped(count) });

export const headRoles: Figure<Heads, Shown, Place> = {
  ...headMap,
  heights: [200, 700],
  scene(shown, room) {
    const { rows } = legendOf(shown, 0, room.w - 60);
    return mapScene(shown, cellsOf(shown), room, rows ? rows * LINE + 12 : 0, (top, left, right) => [
      legendOf(shown, left, Math.max(right, room.w)).at(top),
    ]);
  },
  reading,
  values,
  spoken: (shown) => `${shown.say("lead", values(shown))}. ${described(shown, shown)}`,
};

export const mountHeadRoles = figure(headRoles);
