// Edits of the model as functions of named sites, as in viz_core/edits/interventions.py.

import { attentionAt, BLOCK, BLOCKS, type Kind, layersOf, type ModelConfig, type Stack } from "./config";
import type { EditTable, Head, Sublayer } from "./edit_table";
import type { Edit } from "./taps";
import { map, size, type Tensor, take } from "./tensor";

const KINDS = Object.keys(BLOCK) as Kind[];
const STACKS = Object.keys(BLOCKS) as Stack[];

export const PADDING = 8; // tokens of padding behind a sentence whose padding mask is off

/** Full site name → edit, for one decoding at a time, since some hold values of a pass. Parts that the model lacks are left out. */
export function siteEdits(table: EditTable, config: ModelConfig): Map<string, Edit> {
  const edits = new Map<string, Edit>();
  const add = (site: string, edit: Edit) => {
    const first = edits.get(site);
    edits.set(site, first ? (value) => edit(first(value)) : edit);
  };
  const everywhere = (site: string, edit: Edit, kinds = KINDS) => {
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
  if (table.on.has("no_positions")) for (const side of ["source", "target"]) add(`${side}.positions`, zeros);
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
