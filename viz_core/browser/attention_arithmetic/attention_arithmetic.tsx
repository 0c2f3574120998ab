// The arithmetic of one attention cell at the current stage: of the locked cell, otherwise of the current row's strongest key. Its numbers
// are those of the attention view.

import type { ComponentChild } from "preact";
import { type Patch, nth, greatestOf } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { ExactCell, View } from "../../web/src/ui/store";
import { type Attention, NUMBERS, cellOf, numbersOf } from "../attention_view/data";
import { type Section, below } from "../kit/below";
import { fill, number, percent, threeDigits, amount, signed, bracketed, escaped, sumOf } from "../kit/numbers";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useView } from "../../web/src/ui/part";
import { Table } from "../../web/src/ui/table";
import { ladder, pixel } from "../kit/svg_pen";
import { pixelCanvas } from "../kit/pen";

const LISTED = { scores: 2, mix: 3 }; // terms of a sum written out

const texts = textsIn("app.attention");

type About = { kind: string; shared: { d_k: string } & Patch };

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

function sectionsOf(open: Opened, { shared }: About, view: View): Section[] {
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
    heading: fill(texts.of_head, values),
    text: fill(text, { ...values, ...more }),
  });
  const table = (name: string, children: ComponentChild) => ({ name, children });
  if (view.stage === "scores") return [arithmetic(texts.of_scores, { terms: scoreTerms(open) })];
  if (view.stage === "mask") return [arithmetic(cell.open ? texts.of_mask_open : texts.of_mask_closed)];
  if (view.stage === "softmax")
    return [
      arithmetic(cell.open ? texts.of_softmax : texts.of_softmax_masked),
      table("softmax-row", <SoftmaxTable open={open} d_k={shared.d_k} />),
    ];
  if (view.stage === "mix") return [arithmetic(texts.of_mix, mixOf(open)), table("mix-rows", <MixTable open={open} />)];
  const both = unscaled(open);
  return [
    arithmetic(texts.of_scaled),
    ...(data.about.kind === "masked" ? [] : [{ name: "unmasked", text: texts.unmasked }]),
    { name: "unscaled", text: fill(texts.unscaled, { ...values, ...unevenness(both) }) },
    table("unscaled-rows", <UnscaledTable {...{ both, open }} d_k={shared.d_k} />),
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

// Tables of one query's row, with a line per key: through the softmax, without the division by √d_k, and as weights on the values.

type TableProps = { open: Opened; d_k: string };

// The softmax of the row, one column per operation; masked keys have no numbers.
export function SoftmaxTable({ open: { data, at, keys, rows }, d_k }: TableProps) {
  const { theme } = useView().store;
  const isMasked = data.about.kind === "masked";
  const exp = rows.enters.map((value, key) => (data.open(at.query, key) ? Math.exp(value) : Number.NaN));
  const forbidden = <td class="masked" colSpan={3} children={texts.masked_cell} />;
  const lines = keys.map((label, key) => {
    const start = [label, signed(nth(rows.scores, key)), signed(nth(rows.scaled, key))];
    if (Number.isNaN(exp[key])) return [...start, "−∞", forbidden];
    const weight = weightOf(rows, key);
    const bar = <Bar share={weight} colour={theme.weight} />;
    return [...start, ...(isMasked ? ["+0"] : []), amount(nth(exp, key)), percent(weight), bar];
  });
  const total = exp.reduce((sum, value) => sum + (value || 0), 0);
  lines.push([texts.total, "", "", ...(isMasked ? [""] : []), amount(total), "100 %", ""]);
  const { key, score, scaled, mask, exp: powers, weight } = texts.headings;
  const columns = [key, score, fill(scaled, { d_k }), ...(isMasked ? [mask] : []), powers, weight, ""];
  return <Table {...{ columns, lines }} highlighted={at.key} label={texts.region_softmax} sums={1} />;
}

type Both = ReturnType<typeof unscaled>;

// The weights of the row, and what they would be without the division by √d_k.
export function unscaled({ data, at, keys, rows }: Opened) {
  const real = keys.map((_, key) => weightOf(rows, key));
  const scores = rows.scores.map((score, key) => (data.open(at.query, key) ? score : Number.NEGATIVE_INFINITY));
  return { real, other: softmax(scores) };
}

// How much more uneven the latter are, in numbers.
export function unevenness({ real, other }: Both) {
  const top = (shares: number[]) => percent(Math.max(...shares));
  return { real_top: top(real), other_top: top(other), real_bits: bits(real), other_bits: bits(other) };
}

export function UnscaledTable({ both: { real, other }, open: { at, keys }, d_k }: TableProps & { both: Both }) {
  const { theme } = useView().store;
  const lines = keys.map((label, key) => [
    ...[label, percent(nth(real, key)), <Bar key="real" share={nth(real, key)} colour={theme.accent} />],
    ...[percent(nth(other, key)), <Bar key="other" share={nth(other, key)} colour={theme.quiet} kind="derived" />],
  ]);
  const columns = [texts.headings.key, "", fill(texts.unscaled_real, { d_k }), "", texts.unscaled_other];
  return (
    <Table
      {...{ columns, lines, kinds: ["word", "", "wide", "", "wide"] }}
      highlighted={at.key}
      label={fill(texts.unscaled_title, { d_k })}
    />
  );
}

// Each key's weight, its value and their product; the last line is the sum, the mix.
export function MixTable({ open: { data, at, keys, rows } }: Pick<TableProps, "open">) {
  const { theme } = useView().store;
  const vector = (site: "v" | "mix", index: number) => data.vector(site, at.layer, at.head, index);
  const values = keys.map((_, key) => vector("v", key));
  const mix = vector("mix", at.query);
  const largest = (numbers: Float32Array) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const limit = Math.max(1e-9, ...[...values, mix].map(largest));
  const strip = (numbers: Float32Array, colour: string) => (
    <Strip numbers={numbers} limit={limit} colours={[theme.quiet, theme.surface, colour]} />
  );
  const lines: ComponentChild[][] = keys.map((label, key) => {
    const weight = weightOf(rows, key);
    const taken = nth(values, key).map((x) => x * weight);
    const words = data.open(at.query, key) ? percent(weight) : texts.masked_cell;
    return [
      label,
      words,
      <Bar key={0} share={weight} colour={theme.weight} />,
      strip(nth(values, key), theme.v),
      strip(taken, theme.v),
    ];
  });
  lines.push([texts.mix_total, "", "", "", strip(mix, theme.output)]);
  const columns = [texts.headings.key, texts.mix_weights, "", texts.mix_values, texts.mix_taken];
  return (
    <Table
      {...{ columns, lines, kinds: ["word", "", "wide", "wide", "wide"] }}
      highlighted={at.key}
      label={texts.region_mix}
      sums={1}
    />
  );
}

function weightOf({ weights }: Opened["rows"], key: number) {
  return weights[key] || 0; // NaN where masked
}

function softmax(scores: number[]) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function bits(shares: number[]) {
  const entropy = shares.reduce((sum, share) => sum - (share > 0 ? share * Math.log2(share) : 0), 0);
  return number(Math.max(0, entropy));
}

function Bar({ share, colour, kind = "" }: { share: number; colour: string; kind?: string }) {
  const style = { "--share": share.toFixed(4), backgroundColor: colour };
  return <td class="track">{share > 0 && <span class={`bar ${kind}`} style={style} />}</td>;
}

function Strip({ numbers, limit, colours }: { numbers: Float32Array; limit: number; colours: string[] }) {
  const node = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => {
    const table = ladder(colours);
    const paint = (pixels: Int32Array) => pixels.set(numbers.map((value) => pixel(table, (value / limit + 1) / 2)));
    node.current?.replaceChildren(pixelCanvas(numbers.length, 1, paint));
  });
  return <td class="strip" ref={node} />;
}
