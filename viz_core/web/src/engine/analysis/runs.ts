// Longest common runs of two sequences, as Python's difflib finds them (Ratcliff & Metzener 1988).

/** Places in the two, [start, end) each. same: they hold the same; else nothing there is in common. */
export type Run = { same: boolean; a: readonly [number, number]; b: readonly [number, number] };

/** Both sequences cut into runs that match and what stands between them, which may be empty on one side. */
export function runsOf(a: readonly string[], b: readonly string[]): Run[] {
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  for (const [atA, atB, length] of [...commonRuns(a, b), [a.length, b.length, 0] as const]) {
    if (i < atA || j < atB) runs.push({ same: false, a: [i, atA], b: [j, atB] });
    [i, j] = [atA + length, atB + length];
    if (length) runs.push({ same: true, a: [atA, i], b: [atB, j] });
  }
  return runs;
}

/** [place in a, place in b, length] of the longest common run, and, in the same way, of those on its left and on its right. */
export function commonRuns(a: readonly string[], b: readonly string[]): [number, number, number][] {
  let [i, j, length] = [0, 0, 0];
  let lengths = new Map<number, number>();
  for (const [atA, sign] of a.entries()) {
    const next = new Map<number, number>();
    for (const [atB, other] of b.entries()) {
      if (sign !== other) continue;
      const run = (lengths.get(atB - 1) ?? 0) + 1;
      next.set(atB, run);
      if (run > length) [i, j, length] = [atA - run + 1, atB - run + 1, run];
    }
    lengths = next;
  }
  if (!length) return [];
  const right = commonRuns(a.slice(i + length), b.slice(j + length));
  return [
    ...commonRuns(a.slice(0, i), b.slice(0, j)),
    [i, j, length],
    ...right.map(([atA, atB, run]): [number, number, number] => [i + length + atA, j + length + atB, run]),
  ];
}
