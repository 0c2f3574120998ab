// Tables of one query's row, with a line per key: through the softmax, without the division by √d_k, and as weights on the values.

import type { ComponentChild } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { nth } from "../../web/src/payload";
import { useView } from "../../web/src/ui/part";
import { Table } from "../../web/src/ui/table";
import { amount, number, percent, signed } from "../kit/numbers";
import { ladder, pixel } from "../kit/colours";
import { pixelCanvas } from "../kit/pen";
import type { ArithmeticTexts, Opened } from "./attention_arithmetic";

type TableProps = { open: Opened; texts: ArithmeticTexts };

// The softmax of the row, one column per operation; masked keys have no numbers.
export function SoftmaxTable({ open: { data, at, keys, rows }, texts }: TableProps) {
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
  const columns = [key, score, scaled, ...(isMasked ? [mask] : []), powers, weight, ""];
  return <Table {...{ columns, lines }} highlighted={at.key} label={texts.region_softmax} hasSum />;
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

export function UnscaledTable({ both: { real, other }, open: { at, keys }, texts }: TableProps & { both: Both }) {
  const { theme } = useView().store;
  const lines = keys.map((label, key) => [
    ...[label, percent(nth(real, key)), <Bar key="real" share={nth(real, key)} colour={theme.accent} />],
    ...[percent(nth(other, key)), <Bar key="other" share={nth(other, key)} colour={theme.quiet} kind="derived" />],
  ]);
  const columns = [texts.headings.key, "", texts.unscaled_real, "", texts.unscaled_other];
  return (
    <Table {...{ columns, lines, kinds: ["word", "", "wide", "", "wide"] }} highlighted={at.key} label={texts.unscaled_title} />
  );
}

// Each key's weight, its value and their product; the last line is the sum, the mix.
export function MixTable({ open: { data, at, keys, rows }, texts }: TableProps) {
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
      hasSum
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
    const paint = (pixels: Uint32Array) => pixels.set(numbers.map((value) => pixel(table, (value / limit + 1) / 2)));
    node.current?.replaceChildren(pixelCanvas(numbers.length, 1, paint));
  });
  return <td class="strip" ref={node} />;
}
