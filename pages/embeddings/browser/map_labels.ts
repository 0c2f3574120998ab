// Where the labels of points go so that none lies on another or on a point: beside its own, or with a line to it further away.

import type { Box } from "../../../viz_core/web/src/marks/mark";

type Point = { x: number; y: number };

/** The middle of a box, half its width and half its height, in px. */
interface Middle extends Point {
  half: number;
  tall: number;
}

/** far: whether a line connects it with its point. */
export interface Place extends Middle {
  far: boolean;
}

type Label = { half: number; tall: number; rank: "own" | "near" | "other" };

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

/** Places the labels of points in a room; index → place. Their rank says when a label is placed and how much is done for it: "own" is
 * always placed, where nothing is free at the place where it covers least; "near" goes as far away as it must; "other" only beside its
 * point. Those for which there is no room are left out. */
export function placeLabels(spots: readonly Point[], labels: readonly Label[], room: Box): Map<number, Place> {
  const points = spots.map((spot) => ({ ...spot, half: DOT, tall: DOT }));
  const placed = new Map<number, Place>();
  for (const rank of ["own", "near", "other"])
    labels.forEach((label, index) => {
      const spot = spots[index];
      if (label.rank !== rank || !spot) return;
      const others = [...points.filter((_, at) => at !== index), ...placed.values()];
      const place = bestPlace(candidates(spot, label, room), others, rank === "own");
      if (place) placed.set(index, place);
    });
  return placed;
}

/** The places of a label inside the room, the nearest ones first. */
function candidates({ x, y }: Point, { half, tall, rank }: Label, room: Box): Place[] {
  const gaps = rank === "other" ? GAPS.slice(0, 1) : GAPS;
  const places = gaps.flatMap((gap, at) =>
    BESIDE.map(([across, down]) => ({ x: x + across * (half + gap), y: y + down * (tall + gap), half, tall, far: at > 0 })),
  );
  const [right, foot] = [room.x + room.w, room.y + room.h];
  return places.filter((at) => at.x > room.x + half && at.x < right - half && at.y > room.y + tall && at.y < foot - tall);
}

/** The first that covers nothing; else, where one is needed, the one that covers least. */
function bestPlace(places: Place[], others: Middle[], needed: boolean): Place | null {
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
function overlap(one: Middle, other: Middle): number {
  const across = one.half + other.half - Math.abs(one.x - other.x);
  const down = one.tall + other.tall - Math.abs(one.y - other.y);
  if (across <= 0 || down <= 0) return 0;
  return Math.min(across, 2 * one.half, 2 * other.half) * Math.min(down, 2 * one.tall, 2 * other.tall);
}

export function isInside({ x, y, half, tall }: Middle, px: number, py: number): boolean {
  return Math.abs(px - x) <= half && Math.abs(py - y) <= tall;
}
