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
const ATTENTIONS = textsIn("heads.attention_names");
export const ROLES = textsIn("analysis.roles");

/** The measures that may be a role; the others of heads.json tell how wide a head looks. */
const SHARES = {
  self: ["self", "previous", "next", "first", "last", "punctuation", "word", "repetition", "article", "near"],
  masked: ["self", "previous", "first", "punctuation", "word", "repetition", "article", "near"],
  cross: ["self", "previous", "next", "first", "last", "punctuation", "repetition", "near", "alignment"],
};
type ByHead = readonly (readonly number[])[]; // of each layer and head
/** As in heads.json, where there is one. evidence: a sentence that shows the role, and the weight in it. */
type Stored = {
  measures?: Record<string, { values: ByHead; uniform: number }>;
  roles?: string[][];
  evidence?: ({ text: string; weight: number } | null)[][];
};
type About = Stored & {
  kind: keyof typeof SHARES;
  count: number;
  whole: number;
  of?: keyof typeof ABLATIONS;
  out: [layer: number, head: number][];
};
export type Heads = ReturnType<typeof readHeads>;
export type Place = { layer: number; head: number };

/** payload: from pages/heads/measured.py; only the ablation has `drops`, `whole`, `of` and `out`. */
export function readHeads(payload: Uint8Array) {
  const { about, tensors } = readPayload<About, "drops">(payload);
  const { kind, measures = {}, roles = [], evidence = [] } = about;
  const say = speaker(about.of ? ABLATIONS[about.of] : {}, MAP, textsIn("joined"));
  const own: Partial<Record<"name" | "what", Record<string, string>>> = kind === "self" ? {} : ROLES[kind];
  const words = (table: "name" | "what", name: string) => own[table]?.[name] ?? ROLES[table][name] ?? "";
  const shares = SHARES[kind].flatMap((name) => {
    const { values, uniform = 0 } = measures[name] ?? {};
    return values ? [{ name, label: words("name", name), what: words("what", name), values, uniform }] : [];
  });
  const [layers, heads] = [roles.length || (tensors.drops?.shape[0] ?? 1), roles[0]?.length ?? tensors.drops?.shape[1] ?? 1];
  return { ...about, attention: ATTENTIONS[kind], measures, roles, evidence, shares, tensors, layers, heads, say };
}

/** The head on display. */
export const headAt = (heads: Heads, view: View) => ({
  ...heads,
  layer: Math.min(view.layer, heads.layers - 1),
  head: Math.min(view.head, heads.heads - 1),
});

const of = (values: ByHead | undefined, { layer, head }: Place) => values?.[layer]?.[head] ?? 0;

/** All measures of one head: each with its share, and the ratio to the share under equal weights. */
export const measuresOf = ({ shares }: Heads, place: Place) =>
  shares.map((measure) => ({ ...measure, share: of(measure.values, place), times: of(measure.values, place) / measure.uniform }));
type Measured = ReturnType<typeof measuresOf>[number];

/** The measure that is the head's role; undefined if none is. */
export const roleOf = (heads: Heads, place: Place) =>
  measuresOf(heads, place).find(({ name }) => name === heads.roles[place.layer]?.[place.head]);

/** How much is lost without a head. */
export const dropOf = ({ tensors }: Heads, { layer, head }: Place) => nth(sliceOf(tensors.drops, layer), head);

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
    spread: (2 ** of(heads.measures.entropy?.values, place)).toFixed(1),
    agreement: percent(of(heads.measures.agreement?.values, place)),
  });
}

/** The values of the texts below: the head's role, a sentence that shows it, and the arithmetic of its ablation. */
export function headWords(shown: ReturnType<typeof headAt>) {
  const { layer, head, shares, evidence, tensors, of, whole, count } = shown;
  const says = { says: shares.length ? "says" : "", head_says: shares.length && escaped(described(shown, shown)) };
  if (!tensors.drops) {
    const { text = "", weight = 0 } = evidence[layer]?.[head] ?? {};
    return { ...says, example: text ? "example" : "", text: escaped(text), share: percent(weight) };
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
