// The model's edits on the switchboard: sets of places, and the link that encodes them. Numbers count from 0 here and from 1 in the link.
// A place is a text: "cross.3.0" for a head, "decoder.2" for a layer, "decoder.2.ffn" for a sub-layer.

import { entriesOf } from "../../../viz_core/web/src/engine/edit_table";

const SETS = ["heads", "only", "layers", "sublayers", "uniform"] as const;
const TYPED = ["force", "swap"] as const;
type SetName = (typeof SETS)[number];

// Typed edits: step → token, word → its replacement. All other names are switches.
export type Edits = Record<SetName, Set<string>> &
  Record<(typeof TYPED)[number], Map<number, string>> & { temperature: number; [flag: string]: unknown };

// The edits as Python sends them.
export type Sent = Record<SetName, (string | (string | number)[])[]> & Record<string, unknown>;

export function readState(from: Sent) {
  const sets = SETS.map((name) => [name, new Set(from[name].map((place) => [place].flat().join(".")))]);
  const typed = TYPED.map((name) => [name, new Map(from[name] as [number, string][])]);
  return { ...from, ...Object.fromEntries([...sets, ...typed]) } as Edits;
}

// A copy with a place added to a set, or removed from it.
export function toggled(edits: Edits, name: SetName, place: string): Edits {
  const next = new Set(edits[name]);
  if (!next.delete(place)) next.add(place);
  return { ...edits, [name]: next };
}

// The heads of the same attention that are exclusively kept.
export function keptBeside({ only }: Edits, head: string) {
  const attention = head.slice(0, head.lastIndexOf(".") + 1);
  return [...only].filter((other) => other.startsWith(attention));
}

// A click on a head. alone: keeps only this head in its attention, or undoes that. Otherwise removes or restores it; where only some heads
// are kept, it joins or leaves them.
export function headClicked(edits: Edits, head: string, alone: boolean): Edits {
  const kept = keptBeside(edits, head);
  if (!alone) return toggled(edits, kept.length && !kept.includes(head) ? "only" : "heads", head);
  const rest = [...edits.only].filter((other) => !kept.includes(other));
  return { ...edits, only: new Set(kept.join() === head ? rest : [...rest, head]) };
}

// The link, in the format that `Edits.from_link` reads.
export function linkOf(edits: Edits) {
  const entries = Object.entries(edits).flatMap(([name, value]) => {
    if (value instanceof Set) return entriesOf(value).map((entry) => `${name}.${entry}`);
    if (value instanceof Map) return [...value].map(([index, text]) => `${name}.${index + 1}.${text}`);
    if (name === "temperature") return value === 1 ? [] : [`${name}.${value}`];
    return value ? [name] : [];
  });
  return entries.map((entry) => entry.replaceAll("~", "~~")).join("~");
}
