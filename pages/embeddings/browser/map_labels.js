// Where the labels of points go so that none lies on another or on a point: beside its own, or with a line to it further away.

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
];

// spots: points, { x, y } in px. labels: of each { half, tall } px, half its width and its height, and its rank, which says when
// it is placed and how much is done for it: "own" is always placed, where nothing is free at the place where it covers least;
// "near" goes as far away as it must; "other" only beside its point. Those for which there is no room are left out.
// Returns a Map: index → { x, y, half, tall, far }; x, y the middle, far: whether it needs a line.
export function placeLabels(spots, labels, width, height) {
  const points = spots.map(({ x, y }) => ({ x, y, half: DOT, tall: DOT }));
  const placed = new Map();
  for (const rank of ["own", "near", "other"])
    labels.forEach((label, index) => {
      if (label.rank !== rank) return;
      const others = [...points.filter((_, at) => at !== index), ...placed.values()];
      const place = bestPlace(candidates(spots[index], label, width, height), others, rank === "own");
      if (place) placed.set(index, place);
    });
  return placed;
}

// The places of a label inside the room, the nearest ones first.
function candidates({ x, y }, { half, tall, rank }, width, height) {
  const gaps = rank === "other" ? GAPS.slice(0, 1) : GAPS;
  const places = gaps.flatMap((gap) =>
    BESIDE.map(([across, down]) => ({
      x: x + across * (half + gap),
      y: y + down * (tall + gap),
      half,
      tall,
      far: gap > GAPS[0],
    })),
  );
  return places.filter((at) => at.x > half && at.x < width - half && at.y > tall && at.y < height - tall);
}

// The first that covers nothing; else, where one is needed, the one that covers least.
function bestPlace(places, others, needed) {
  let best = null;
  let least = needed ? Infinity : 1e-9;
  for (const place of places) {
    const covered = others.reduce((sum, other) => sum + overlap(place, other), 0);
    if (covered >= least) continue;
    [best, least] = [place, covered];
    if (!covered) break;
  }
  return best;
}

// The area that two boxes share.
function overlap(one, other) {
  const across = one.half + other.half - Math.abs(one.x - other.x);
  const down = one.tall + other.tall - Math.abs(one.y - other.y);
  if (across <= 0 || down <= 0) return 0;
  return Math.min(across, 2 * one.half, 2 * other.half) * Math.min(down, 2 * one.tall, 2 * other.tall);
}

// Whether a point is in a box, with so much around it.
export function isInside({ x, y, half, tall }, px, py, around = 0) {
  return Math.abs(px - x) <= half + around && Math.abs(py - y) <= tall + around;
}
