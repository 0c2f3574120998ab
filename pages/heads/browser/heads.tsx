// The measured roles of all heads of one attention, and the measures of the head on display.

import { fill, grouped, number, percent, escaped } from "../../../viz_core/browser/kit/numbers";
import type { View } from "../../../viz_core/web/src/figure";
import { nth, readPayload, sliceOf, speaker } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { range } from "../../../viz_core/web/src/marks/scale";

const MAP = textsIn("heads.head_map");
const ABLATIONS = textsIn("heads.ablations");
export const ROLES = textsIn("analysis.roles");

type Measure = { name: string; label: string; what: string };
type Name = "shares" | "uniform" | "role" | "entropy" | "agreement" | "drops";
type About = {
  kind: string;
  attention: string;
  measures: Measure[];
  examples: ([text: string, weight: number] | null)[][];
  count: number;
  whole: number;
  of?: keyof typeof ABLATIONS;
  out: [layer: number, head: number][];
};
export type Heads = ReturnType<typeof readHeads>;
export type Place = { layer: number; head: number };
/** A measure of one head: its share, and the ratio to the share under equal weights. */
type Measured = Measure & { share: number; uniform: number; times: number };

/** payload: from pages/heads/measured.py; only the ablation has `drops`, `whole`, `of` and `out`. */
export function readHeads(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, Name>(payload);
  const say = speaker(about.of ? ABLATIONS[about.of] : {}, MAP, textsIn("joined"));
  const [layers = 1, heads = 1] = tensors.role.shape;
  return { ...about, tensors, layers, heads, say };
}

/** The head on display. */
export const headAt = (heads: Heads, view: View) => ({
  ...heads,
  layer: Math.min(view.layer, heads.layers - 1),
  head: Math.min(view.head, heads.heads - 1),
});

const at = (tensor: Heads["tensors"]["role"], { layer, head }: Place) => nth(sliceOf(tensor, layer), head);

/** All measures of one head. */
export const measuresOf = ({ measures, tensors }: Heads, { layer, head }: Place): Measured[] =>
  measures.map((measure, index) => {
    const [share, uniform] = [nth(sliceOf(tensors.shares, index, layer), head), nth(tensors.uniform.data, index)];
    return { ...measure, share, uniform, times: share / uniform };
  });

/** The measure that is the head's role; undefined if none is. */
export const roleOf = (heads: Heads, place: Place) => measuresOf(heads, place)[at(heads.tensors.role, place)];

/** How much is lost without a head. */
export const dropOf = ({ tensors }: Heads, place: Place) => at(tensors.drops, place);

/** All places of a map, row by row. */
export const placesOf = ({ layers, heads }: Heads): Place[] =>
  range(layers).flatMap((layer) => range(heads).map((head) => ({ layer, head })));

/** A head's role, or else its most prominent measure, with numbers, as a sentence. */
export function described(heads: Heads, place: Place): string {
  const role = roleOf(heads, place);
  const rank = ({ share, uniform }: Measured) => (share - uniform) / (1 - uniform);
  const others = measuresOf(heads, place).filter(({ name }) => name !== "near");
  const measure = role ?? others.toSorted((a, b) => rank(b) - rank(a))[0];
  const text = !measure ? "unmeasured" : !role ? "none" : role.name === "alignment" ? "aligned" : "role";
  return fill(ROLES[text], {
    layer: place.layer + 1,
    head: place.head + 1,
    what: measure?.what,
    share: percent(measure?.share ?? 0),
    times: measure?.times.toFixed(1),
    spread: (2 ** at(heads.tensors.entropy, place)).toFixed(1),
    agreement: percent(at(heads.tensors.agreement, place)),
  });
}

/** The values of the texts below: the head's role, a sentence that shows it, and the arithmetic of its ablation. */
export function headWords(shown: ReturnType<typeof headAt>) {
  const { layer, head, measures, examples, tensors, of, whole, count } = shown;
  const says = { says: measures.length ? "says" : "", head_says: measures.length && escaped(described(shown, shown)) };
  if (!tensors.drops) {
    const [text, weight] = examples[layer]?.[head] ?? [];
    return { ...says, example: text ? "example" : "", text: escaped(text ?? ""), share: percent(weight ?? 0) };
  }
  const drop = dropOf(shown, shown);
  return {
    ...says,
    layer: layer + 1,
    head: head + 1,
    drop: number(drop),
    whole: of === "bleu" ? whole.toFixed(1) : number(whole),
    without: number(whole - drop),
    count: grouped(count),
    tokens: grouped(count),
  };
}

// The measures of the current head, compared with equal weights; the measure of its role is highlighted.

function HeadMeasures(heads: Heads) {
  const { view } = useView();
  if (view.lecture) return null;
  const place = headAt(heads, view);
  const measures = measuresOf(heads, place);
  const lines = measures.map(({ label, share, uniform, times }) => [
    label,
    percent(share),
    percent(uniform),
    `${times.toFixed(1)} ×`,
  ]);
  const columns = ["measure", "share", "uniform", "times"].map((name) => heads.say(`columns.${name}`));
  const role = roleOf(heads, place)?.name;
  return <Table label={heads.say("table")} {...{ columns, lines }} highlighted={measures.findIndex(({ name }) => name === role)} />;
}

export const mountHeadMeasures = part(HeadMeasures, readHeads);
