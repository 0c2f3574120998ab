// The edits of the model, as the switchboard has them: sets of places, and a link that means them. Numbers count from 0 here and
// from 1 in the link. Places are texts, such as "cross.3.0" of heads, "decoder.2" of layers, "decoder.2.ffn" of sub-layers.

const SETS = ["heads", "only", "layers", "sublayers", "uniform"] as const;
const TYPED = ["force", "swap"] as const;
type SetName = (typeof SETS)[number];

// typed: a token for a step, a word for a word of the sentence; other names: switches.
export type Edits = Record<SetName, Set<string>> &
  Record<(typeof TYPED)[number], Map<number, string>> & { temperature: number; [flag: string]: unknown };

// As Python sends it.
export type Sent = Record<SetName, (string | (string | number)[])[]> & Record<string, unknown>;

export function readState(from: Sent) {
  const sets = SETS.map((name) => [name, new Set(from[name].map((place) => [place].flat().join(".")))]);
  const typed = TYPED.map((name) => [name, new Map(from[name] as [number, string][])]);
  return { ...from, ...Object.fromEntries([...sets, ...typed]) } as Edits;
}

// A copy with a place added to one of the sets, or removed from it.
export function toggled(edits: Edits, name: SetName, place: string): Edits {
  const next = new Set(edits[name]);
  if (!next.delete(place)) next.add(place);
  return { ...edits, [name]: next };
}

// The heads of a head's attention that alone are kept.
export function keptBeside({ only }: Edits, head: string) {
  const attention = head.slice(0, head.lastIndexOf(".") + 1);
  return [...only].filter((one) => one.startsWith(attention));
}

// alone: this head alone is kept in its attention, or, where it was, that is undone. Else it is removed or restored; where
// others alone are kept, it joins them.
export function headClicked(edits: Edits, head: string, alone: boolean): Edits {
  const kept = keptBeside(edits, head);
  if (!alone) return toggled(edits, kept.length && !kept.includes(head) ? "only" : "heads", head);
  const rest = [...edits.only].filter((one) => !kept.includes(one));
  return { ...edits, only: new Set(kept.join() === head ? rest : [...rest, head]) };
}

// The link, as `Edits.from_link` reads it.
export function linkOf(edits: Edits) {
  const entries = Object.entries(edits).flatMap(([name, value]) => {
    if (value instanceof Set) return entriesOf([...value]).map((entry) => `${name}.${entry}`);
    if (value instanceof Map) return [...value].map(([index, text]) => `${name}.${index + 1}.${text}`);
    if (name === "temperature") return value === 1 ? [] : [`${name}.${value}`];
    return value ? [name] : [];
  });
  return entries.map((entry) => entry.replaceAll("~", "~~")).join("~");
}

// Places that differ in one number alone become one entry: cross.0.1, cross.0.2, cross.1.1, cross.1.2 → cross.1-2.2-3.
function entriesOf(places: string[]) {
  let rows = places.map((place) => place.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : part)));
  const numbers = (rows[0] ?? []).flatMap((part, column) => (typeof part === "number" ? [column] : [])).reverse();
  for (const column of numbers) {
    const groups = Map.groupBy(rows, (row) => row.with(column, "").join("."));
    rows = [...groups.values()].map((group) => (group[0] ?? []).with(column, ranges(group.map((row) => Number(row[column])))));
  }
  return rows.map((row) => row.join("."));
}

// [1, 2, 3, 5] → "1-3_5"
function ranges(numbers: number[]) {
  const runs: { from: number; to: number }[] = [];
  for (const each of numbers.sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === each - 1) last.to = each;
    else runs.push({ from: each, to: each });
  }
  return runs.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join("_");
}
