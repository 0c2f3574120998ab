// The arithmetic of one attention cell at the current stage: of the locked cell, otherwise of the current row's strongest key. Its numbers
// are those of the attention view.

import type { ComponentChild } from "preact";
import { type Patch, nth, greatestOf } from "../../web/src/payload";
import type { ExactCell, View, Words } from "../../web/src/ui/store";
import { type Attention, NUMBERS, cellOf, numbersOf } from "../attention_view/data";
import { type Section, below } from "../kit/below";
import { fill, number, percent, threeDigits } from "../kit/numbers";
import { bracketed, escaped, sumOf } from "../kit/prose";
import { MixTable, SoftmaxTable, UnscaledTable, unevenness, unscaled } from "./tables";

const LISTED = { scores: 2, mix: 3 }; // terms of a sum written out

type About = { kind: string; shared: Patch; texts: ArithmeticTexts };

export type ArithmeticTexts = Words<
  | "of_scores of_scaled of_mask_open of_mask_closed of_softmax of_softmax_masked of_mix heading unmasked unscaled"
  | "masked_cell total region_softmax unscaled_real unscaled_other unscaled_title"
  | "mix_total mix_weights mix_values mix_taken region_mix"
> & { headings: Words<"key score scaled mask exp weight"> };

export type Opened = ReturnType<typeof opened>;

// about: from viz_core/app/attention.py; shared: values that do not depend on the cell.
export const mountAttentionArithmetic = below<About>(({ about }, view, { given, exact }) => {
  const data = given.attention_view as Attention | undefined;
  return data?.about.kind === about.kind ? sectionsOf(opened(data, view, exact), about, view) : [];
});

// The open cell: its place, its numbers, its row, and the labels of the keys that exist.
function opened(data: Attention, view: View, exact: ExactCell | null) {
  const { about } = data;
  const rows = about.steps ? view.step + 1 : data.rows;
  const count = about.grows ? Math.min(view.step + 1, data.columns) : data.columns;
  const current = Math.min(about.steps ? view.step : view.token, data.rows - 1);
  const [layer, head] = [Math.min(view.layer, data.layers - 1), view.head];
  const isLocked = view.cell && view.cell[0] < rows && view.cell[1] < count;
  const [query, key]: [number, number] = isLocked && view.cell ? view.cell : [current, greatestOf(data.raw(layer, head, current))];
  const at = { layer, head, query, key };
  const sent = numbersOf(exact, about.kind, at); // exact numbers, if the payload was rounded
  const row = (stage: string) => [...data.values(layer, head, stage).subarray(query * data.columns)].slice(0, count);
  return {
    data,
    at,
    cell: { ...cellOf(data, at), ...sent },
    write: data.exact || sent ? number : threeDigits,
    query: [about.rows[query], ...(about.writes ? [about.writes[query]] : [])].join(" → "),
    keys: about.columns.slice(0, count),
    rows: { scores: row("scores"), scaled: row("scaled"), enters: row("mask"), weights: row("softmax") },
  };
}

function sectionsOf(open: Opened, { texts, shared }: About, view: View): Section[] {
  const { data, cell, write, query, keys, at } = open;
  const values = {
    ...shared,
    layer: at.layer + 1,
    head: at.head + 1,
    query: escaped(query),
    key: escaped(keys[at.key] ?? ""),
    i: at.query + 1,
    j: at.key + 1,
    root: number(data.root),
    ...Object.fromEntries(NUMBERS.map((name) => [name, write(cell[name])])),
    percent: percent(cell.weight),
  };
  const arithmetic = (text: string, more = {}) => ({
    name: "arithmetic",
    heading: fill(texts.heading, values),
    text: fill(text, { ...values, ...more }),
  });
  const table = (name: string, children: ComponentChild) => ({ name, children });
  if (view.stage === "scores") return [arithmetic(texts.of_scores, { terms: scoreTerms(open) })];
  if (view.stage === "mask") return [arithmetic(cell.open ? texts.of_mask_open : texts.of_mask_closed)];
  if (view.stage === "softmax")
    return [
      arithmetic(cell.open ? texts.of_softmax : texts.of_softmax_masked),
      table("softmax-row", <SoftmaxTable {...{ open, texts }} />),
    ];
  if (view.stage === "mix") return [arithmetic(texts.of_mix, mixOf(open)), table("mix-rows", <MixTable {...{ open, texts }} />)];
  const both = unscaled(open);
  return [
    arithmetic(texts.of_scaled),
    ...(data.about.kind === "masked" ? [] : [{ name: "unmasked", text: texts.unmasked }]),
    { name: "unscaled", text: fill(texts.unscaled, { ...values, ...unevenness(both) }) },
    table("unscaled-rows", <UnscaledTable {...{ both, open, texts }} />),
  ];
}

// The first products of a score, in order of the dimensions.
function scoreTerms({ data, at: { layer, head, query, key } }: Opened) {
  const [q, k] = [data.vector("q", layer, head, query), data.vector("k", layer, head, key)];
  return products([q, k], [...q.keys()], LISTED.scores, data.exactVectors);
}

// The largest terms of the mix in the first dimension.
function mixOf({ data, at: { layer, head, query }, keys }: Opened) {
  const weights = data.raw(layer, head, query).subarray(0, keys.length);
  const weight = (key: number) => nth(weights, key);
  const order = [...weights.keys()].filter((key) => weight(key) > 0).sort((a, b) => weight(b) - weight(a) || a - b);
  return {
    terms: products([weights, data.first("v", layer, head)], order, LISTED.mix, data.exact),
    mixed: number(nth(data.first("mix", layer, head), query)),
  };
}

// A sum of products of two lists at the given places.
function products(both: Float32Array[], places: number[], most: number, isExact: boolean) {
  const write = (value: number): string => bracketed((isExact ? number : threeDigits)(value));
  const terms = places.map((at) => both.map((values) => write(nth(values, at))).join(" \\cdot "));
  return sumOf(terms, most);
}
