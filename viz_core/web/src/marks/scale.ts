// Scales: map values to px, and bands back to an index; round ticks, and labels that do not touch.

export type Pair = readonly [number, number];

/** Maps a value to px. */
export type Linear = { (value: number): number; domain: Pair; range: Pair };

/** Maps the index of a row or column to the px of its middle. */
export interface Band {
  (at: number): number;
  count: number;
  step: number; // px of one row or column
  range: Pair;
  start(at: number): number;
  /** The index at a position, −1 outside. */
  at(px: number): number;
}

export function linear(domain: Pair, range: Pair): Linear {
  const scale = (value: number) => range[0] + ((value - domain[0]) / (domain[1] - domain[0])) * (range[1] - range[0]);
  return Object.assign(scale, { domain, range });
}

export function band(count: number, range: Pair): Band {
  const step = (range[1] - range[0]) / count;
  const start = (at: number) => range[0] + at * step;
  const at = (px: number) => {
    const index = Math.floor((px - range[0]) / step);
    return index >= 0 && index < count ? index : -1;
  };
  return Object.assign((index: number) => start(index + 0.5), { count, step, range, start, at });
}

/** Round numbers from 0 to the end of an axis, in at most `most` steps. */
export function ticksTo(end: number, most = 5): number[] {
  const unit = 10 ** Math.floor(Math.log10(end / most));
  const step = [1, 2, 5].map((times) => times * unit).find((size) => end / size <= most) ?? 10 * unit;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** An axis end a little above the largest number; never 0, so that the axis has some length. */
export function endAbove(values: ArrayLike<number>, headroom: number): number {
  return headroom * (Math.max(0, ...Array.from(values).filter(Number.isFinite)) || 1);
}

/** Divides a height among plots stacked in the given shares; for each its [foot, top], the range of a scale that grows upwards. */
export function stacked<const Shares extends readonly number[]>(top: number, height: number, shares: Shares, gap = 0) {
  const room = height - gap * (shares.length - 1);
  const before = (at: number) => shares.slice(0, at).reduce((sum, share) => sum + share * room + gap, top);
  return shares.map((share, at) => [before(at) + share * room, before(at)]) as { [At in keyof Shares]: Pair };
}

export const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** The first of some labels in an order that do not touch one before them, each with its span, from where to where. */
export function apart(order: Iterable<number>, spanOf: (label: number) => Pair) {
  const shown: [label: number, from: number, to: number][] = [];
  for (const label of new Set(order)) {
    const [from, to] = spanOf(label);
    if (shown.every(([, left, right]) => to <= left || from >= right)) shown.push([label, from, to]);
  }
  return shown;
}
