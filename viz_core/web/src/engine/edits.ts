// The edits of a model: what an address says, as in viz_core/edits/table.py and forms.py, and what changes in a pass.

import { BLOCK, type Block, BLOCKS, type Kind, layersOf, type ModelConfig, type Stack, attentionAt } from "./config";
import type { Edit, SiteName } from "./taps";
import { map, size, type Tensor, take } from "./tensor";

// The edits in an address, as in viz_core/edits/table.py and forms.py.

export type Head = { kind: Kind; layer: number; head: number };
export type Sublayer = { stack: Stack; layer: number; block: Block };

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

export const PADDING = 8; // tokens of padding behind a sentence whose padding mask is off

/** Full site name → edit, for one decoding at a time, since some hold values of a pass. Parts that the model lacks are left out. */
export function siteEdits(table: EditTable, config: ModelConfig): Map<SiteName, Edit> {
  const edits = new Map<SiteName, Edit>();
  const add = (site: SiteName, edit: Edit) => {
    const first = edits.get(site);
    edits.set(site, first ? (value) => edit(first(value)) : edit);
  };
  const everywhere = (site: "scaled" | "mask" | "masked", edit: Edit, kinds = KINDS) => {
    for (const kind of kinds)
      for (let layer = 0; layer < layersOf(config, BLOCK[kind][0]); layer += 1) add(`${attentionAt(kind, layer)}.${site}`, edit);
  };
  const places = <Place>(name: string) => (table.places[name] ?? []) as Place[];
  const every = STACKS.flatMap((stack) => sublayersOf(stack, config));

  // Michel et al. 2019, §2.3 and §3.3: these heads are removed, or all others of the attentions to which they belong.
  for (const [name, removes] of [["heads", true] as const, ["only", false] as const])
    for (const kind of KINDS)
      for (let layer = 0; layer < layersOf(config, BLOCK[kind][0]); layer += 1) {
        const named = places<Head>(name).filter((place) => place.kind === kind && place.layer === layer);
        const chosen = new Set(named.map(({ head }) => head).filter((head) => head < config.n_heads));
        const all = Array.from({ length: config.n_heads }, (_, head) => head);
        if (chosen.size) add(`${attentionAt(kind, layer)}.mix`, withoutHeads(all.filter((head) => chosen.has(head) === removes)));
      }
  const gone = places<Sublayer>("layers").flatMap(({ stack, layer }) => BLOCKS[stack].map((block) => ({ stack, layer, block })));
  for (const { stack, layer, block } of [...gone, ...places<Sublayer>("sublayers")]) add(`${stack}.${layer}.${block}.out`, zeros);
  if (table.on.has("no_scale"))
    everywhere("scaled", (scaled) => map(scaled, (score) => score * Math.sqrt(config.d_model / config.n_heads)));
  if (table.temperature !== 1) everywhere("scaled", (scaled) => map(scaled, (score) => score / table.temperature));
  if (table.on.has("no_causal_mask")) everywhere("mask", lastRowForAll, ["masked"]);
  if (table.on.has("no_padding_mask")) everywhere("mask", (mask) => map(mask, () => 1), ["self", "cross"]);
  const even = (masked: Tensor) => map(masked, (score) => (score === Number.NEGATIVE_INFINITY ? score : 0));
  everywhere("masked", even, [...new Set(places<{ kind: Kind }>("uniform").map(({ kind }) => kind))]);
  if (table.on.has("no_positions")) for (const side of ["source", "target"] as const) add(`${side}.positions`, zeros);
  if (table.on.has("reversed_positions"))
    add("source.positions", (positions) => reversed(positions, table.on.has("no_padding_mask") ? PADDING : 0));
  if (table.on.has("no_residual"))
    for (const { stack, layer, block } of every) {
      const captured = capture();
      add(`${stack}.${layer}.${block}.out`, captured.keep);
      add(`${stack}.${layer}.resid_${block}`, captured.restore);
    }
  if (table.on.has("no_layer_norm"))
    for (const [stack, first, last] of [
      ["encoder", "source.input", "encoder.memory"] as const,
      ["decoder", "target.input", "decoder.states"] as const,
    ]) {
      // The last value kept is the sum before this sub-layer with pre-norm, its own sum with post-norm.
      const captured = capture();
      add(first, captured.keep);
      for (const { layer, block } of sublayersOf(stack, config)) {
        add(`${stack}.${layer}.norm_${block}`, captured.restore);
        add(`${stack}.${layer}.resid_${block}`, captured.keep);
      }
      add(last, captured.restore);
    }
  return edits;
}

const sublayersOf = (stack: Stack, config: ModelConfig) =>
  Array.from({ length: layersOf(config, stack) }, (_, layer) =>
    BLOCKS[stack].map((block): Sublayer => ({ stack, layer, block })),
  ).flat();

/** These heads' outputs are 0 before Wᴼ, whose bias stays. mix: (h, Tq, d_k). */
export const withoutHeads =
  (heads: readonly number[]): Edit =>
  (mix) =>
    map(mix, (value, index) => (heads.includes(Math.floor(index / (mix.data.length / size(mix, 0)))) ? 0 : value));

const zeros: Edit = (value) => map(value, () => 0);

/** A value carried from one site to a later one of the same pass. */
function capture() {
  let kept: Tensor | null = null;
  const keep: Edit = (value) => {
    kept = value;
    return value;
  };
  return { keep, restore: (value: Tensor) => kept ?? value };
}

/** Every query gets the mask of the last one, which hides nothing but padding. */
function lastRowForAll(mask: Tensor) {
  const keys = size(mask, -1);
  const last = mask.data.subarray(mask.data.length - keys);
  return map(mask, (_, index) => last[index % keys] as number);
}

/** Position i becomes S − 1 − i; the padding at the end keeps its own. */
function reversed(positions: Tensor, padding: number) {
  const length = size(positions, 0);
  const rows = Array.from({ length }, (_, at) => (at < length - padding ? length - padding - 1 - at : at));
  return take(positions, rows);
}
