// Places labels so that none covers a point or another label: beside its own point, or further away with a line to it.

import type { Box } from "../../../viz_core/web/src/marks/mark";

type Point = { x: number; y: number };

/** far: whether a line connects the label with its point. */
export type Place = Box & { far: boolean };

type Label = Pick<Box, "w" | "h"> & { rank: "own" | "near" | "other" };

const DOT = 8; // px from the middle of a point to its edge
const GAPS = [10, 24, 42, 65, 100, 140, 190]; // px between a point and its label; beyond the first, a line connects them
const BESIDE = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
] as const;

/** Places the labels of points inside a room; index → place. Labels are placed by rank: "own" always, if need be where it covers
 * least; "near" as far away as it must; "other" only beside its point. Labels that find no place are left out. */
export function placeLabels(spots: readonly Point[], labels: readonly Label[], room: Box): Map<number, Place> {
  const points = spots.map(({ x, y }) => ({ x: x - DOT, y: y - DOT, w: 2 * DOT, h: 2 * DOT }));
  const placed = new Map<number, Place>();
  for (const rank of ["own", "near", "other"])
    labels.forEach((label, index) => {
      const spot = spots[index];
      if (label.rank !== rank || !spot) return;
      const others = [...points.filter((_, other) => other !== index), ...placed.values()];
      const place = bestPlace(candidates(spot, label, room), others, rank === "own");
      if (place) placed.set(index, place);
    });
  return placed;
}

/** The places of a label inside the room, the nearest ones first. */
function candidates({ x, y }: Point, { w, h, rank }: Label, room: Box): Place[] {
  const gaps = rank === "other" ? GAPS.slice(0, 1) : GAPS;
  const places = gaps.flatMap((gap, index) =>
    BESIDE.map(([across, down]) => {
      const [middle, level] = [x + across * (w / 2 + gap), y + down * (h / 2 + gap)];
      return { x: middle - w / 2, y: level - h / 2, w, h, far: index > 0 };
    }),
  );
  const [right, foot] = [room.x + room.w, room.y + room.h];
  return places.filter((place) => place.x > room.x && place.x + w < right && place.y > room.y && place.y + h < foot);
}

/** The first that covers nothing; else, where one is needed, the one that covers least. */
function bestPlace(places: Place[], others: Box[], needed: boolean): Place | null {
  let best: Place | null = null;
  let least = needed ? Number.POSITIVE_INFINITY : 1e-9;
  for (const place of places) {
    const covered = others.reduce((sum, other) => sum + overlap(place, other), 0);
    if (covered >= least) continue;
    [best, least] = [place, covered];
    if (!covered) break;
  }
  return best;
}

/** The area that two boxes share. */
function overlap(one: Box, other: Box): number {
  const across = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return across > 0 && down > 0 ? across * down : 0;
}
