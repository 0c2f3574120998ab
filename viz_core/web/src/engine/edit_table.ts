// The edits in an address, as in viz_core/edits/table.py and forms.py.

import { BLOCK, BLOCKS, type Kind, layersOf, type ModelConfig, type Stack } from "./config";

export type Head = { kind: Kind; layer: number; head: number };
export type Sublayer = { stack: Stack; layer: number; block: string };

const KINDS = Object.keys(BLOCK) as Kind[];
const STACKS = Object.keys(BLOCKS) as Stack[];
const NAMES: Record<string, readonly string[]> = { kind: KINDS, stack: STACKS, block: BLOCKS.decoder };
export const PLACES: Record<string, readonly string[]> = {
  heads: ["kind", "layer", "head"],
  only: ["kind", "layer", "head"],
  layers: ["stack", "layer"],
  sublayers: ["stack", "layer", "block"],
  uniform: ["kind"],
};
const SWITCHES = new Set(
  "no_scale no_causal_mask no_padding_mask no_positions reversed_positions no_residual no_layer_norm".split(" "),
);

/** What the entries of an address say. Numbers count from 0. */
export type EditTable = {
  on: Set<string>; // the switches
  places: Record<string, Record<string, string | number>[]>;
  temperature: number;
  words: Record<"force" | "swap", Map<number, string>>;
};

/** Reads `no_scale~heads.cross.4.1-3_8~force.3.Katze`, where numbers count from 1; entries without a meaning are left out. */
export function readEdits(link: string): EditTable {
  const table: EditTable = { on: new Set(), places: {}, temperature: 1, words: { force: new Map(), swap: new Map() } };
  for (const entry of link.match(/(?:[^~]|~~)+/gu) ?? []) {
    const [, name = "", rest = ""] = /^([^.]*)\.?(.*)$/su.exec(entry.replaceAll("~~", "~")) ?? [];
    const parts = PLACES[name];
    const [, index, word = ""] = /^([1-9]\d{0,4})\.(.*)$/su.exec(rest) ?? [];
    if (SWITCHES.has(name) && !rest) table.on.add(name);
    else if (name === "temperature")
      table.temperature = Number(rest) >= 0.1 && Number(rest) <= 10 ? Number(rest) : table.temperature;
    else if (parts) table.places[name] = [...(table.places[name] ?? []), ...placesOf(parts, rest.split("."))];
    else if ((name === "force" || name === "swap") && index) table.words[name].set(Number(index) - 1, word.trim());
  }
  return table;
}

// `cross.1-4.2_5`: heads 2 and 5 in layers 1 to 4.
function placesOf(parts: readonly string[], texts: readonly string[]) {
  if (texts.length !== parts.length) return [];
  return parts.reduce<Record<string, string | number>[]>(
    (places, part, at) => {
      const text = texts[at] as string;
      const values = NAMES[part] ? (NAMES[part].includes(text) ? [text] : []) : numbersOf(text);
      return places.flatMap((place) => values.map((value) => ({ ...place, [part]: value })));
    },
    [{}],
  );
}

// `1-3_5` → 0, 1, 2, 4.
function numbersOf(text: string) {
  return text.split("_").flatMap((part) => {
    const [, first, last = first] = /^([1-9]\d?)(?:-([1-9]\d?))?$/.exec(part) ?? [];
    return first && Number(last) <= 32
      ? Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) - 1 + at)
      : [];
  });
}

/** The edits that a model of this shape can have, and a link with those that it lacks. */
export function fitted(table: EditTable, config: ModelConfig): [EditTable, string] {
  const has = ({ kind, layer = 0, head = 0, stack, block }: Partial<Head & Sublayer>) => {
    const of = stack ?? BLOCK[kind as Kind][0];
    return layer < layersOf(config, of) && head < config.n_heads && (!block || BLOCKS[of].includes(block));
  };
  const places = Object.entries(table.places).map(([name, each]) => [name, each.filter(has)]);
  const lacking = Object.entries(PLACES).flatMap(([name, parts]) => {
    const missing = (table.places[name] ?? []).filter((place) => !has(place));
    const entries = entriesOf(new Set(missing.map((place) => parts.map((part) => place[part]).join("."))));
    return entries.sort().map((entry) => `${name}.${entry}`);
  });
  return [{ ...table, places: Object.fromEntries(places) }, lacking.join("~")];
}

/** Combines places that differ in one number: cross.0.1, cross.0.2, cross.1.1, cross.1.2 → cross.1-2.2-3. */
export function entriesOf(places: ReadonlySet<string>) {
  let rows = Array.from(places, (place) => place.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : part)));
  const numbers = (rows[0] ?? []).flatMap((part, column) => (typeof part === "number" ? [column] : [])).reverse();
  for (const column of numbers) {
    const groups = new Map<string, typeof rows>(rows.map((row) => [row.with(column, "").join("."), []]));
    for (const row of rows) groups.get(row.with(column, "").join("."))?.push(row);
    rows = [...groups.values()].map((group) => (group[0] ?? []).with(column, ranges(group.map((row) => Number(row[column])))));
  }
  return rows.map((row) => row.join("."));
}

// [1, 2, 3, 5] → "1-3_5"
function ranges(numbers: number[]) {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join("_");
}

/** [layer, head] of all heads of one attention whose output is removed; their weights are recorded all the same. */
export function headsOut({ places }: EditTable, config: ModelConfig, kind: Kind): [number, number][] {
  const [stack, block] = BLOCK[kind];
  const named = (name: string, place: Partial<Head & Sublayer>) =>
    (places[name] ?? []).some((each) => Object.entries(place).every(([part, value]) => each[part] === value));
  const isOut = (layer: number, head: number) =>
    named("layers", { stack, layer }) ||
    named("sublayers", { stack, layer, block }) ||
    named("heads", { kind, layer, head }) ||
    (named("only", { kind, layer }) && !named("only", { kind, layer, head }));
  const all = Array.from({ length: layersOf(config, stack) * config.n_heads }, (_, at): [number, number] => [
    Math.floor(at / config.n_heads),
    at % config.n_heads,
  ]);
  return all.filter((place) => isOut(...place));
}

export const isWhole = ({ on }: EditTable) => on.has("no_causal_mask");
