// The roles of all heads: the hue of a cell is the role, its strength the share of the attention that the role's tokens get.

import { cssColour, ladder, pixel } from "../../../viz_core/browser/kit/colours";
import { grouped, percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth } from "../../../viz_core/browser/kit/pen";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { LINE } from "../../../viz_core/web/src/marks/axis";
import type { Mark, Theme } from "../../../viz_core/web/src/marks/mark";
import { entryAt } from "../../../viz_core/web/src/payload";
import { type Heads, type Place, described, placesOf, roleOf } from "./heads";
import { type Cell, headMap, mapScene, nameLines, type Shown } from "./head_map";

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
      lines: role ? [...nameLines(role.label), percent(role.share)] : [heads.say("no_role")],
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
  const name = role ? shown.say("named", { name: role.label, value: percent(role.share) }) : shown.say("no_role");
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
