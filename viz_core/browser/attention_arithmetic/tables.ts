// The row of one query as tables, a line for each key: through the softmax, without the division by √d_k, and as weights of the values.

import { nth } from "../../web/src/payload";
import type { Store } from "../../web/src/ui/store";
import { el, td, th, tr } from "../kit/dom";
import { amount, number, percent, signed } from "../kit/numbers";
import { ladder, pixel, pixelCanvas } from "../kit/pen";
import type { Opened, Words } from "./attention_arithmetic";

type Theme = Store["theme"];

// The softmax of the row, one column for each operation; what the mask forbids has no number.
export function softmaxTable({ data, at, keys, rows }: Opened, texts: Words, theme: Theme) {
  const isMasked = data.about.kind === "masked";
  const exp = rows.enters.map((value, key) => (data.open(at.query, key) ? Math.exp(value) : Number.NaN));
  const lines = keys.map((label, key) => {
    const start = [word(label), td(signed(nth(rows.scores, key))), td(signed(nth(rows.scaled, key)))];
    if (Number.isNaN(exp[key])) return [...start, td("−∞"), td(texts.masked_cell, { class: "masked", colspan: 3 })];
    const weight = weightOf(rows, key);
    const mask = isMasked ? [td("+0")] : [];
    return [...start, ...mask, td(amount(nth(exp, key))), td(percent(weight)), bar(weight, theme.weight)];
  });
  const total = exp.reduce((sum, value) => sum + (value || 0), 0);
  const mask = isMasked ? [td("")] : [];
  lines.push([word(texts.total), td(""), td(""), ...mask, td(amount(total)), td("100 %"), td("")]);
  const { key, score, scaled, mask: masks, exp: powers, weight } = texts.headings;
  const columns = [key, score, scaled, ...(isMasked ? [masks] : []), powers, weight, ""];
  return framed(columns, lines, at.key, texts.region_softmax, true);
}

type Both = ReturnType<typeof unscaled>;

// The weights of the row as they are, and as they would be without the division by √d_k.
export function unscaled({ data, at, keys, rows }: Opened) {
  const real = keys.map((_, key) => weightOf(rows, key));
  const scores = rows.scores.map((score, key) => (data.open(at.query, key) ? score : Number.NEGATIVE_INFINITY));
  return { real, other: softmax(scores) };
}

// In numbers how much more uneven those would be.
export function unevenness({ real, other }: Both) {
  const top = (shares: number[]) => percent(Math.max(...shares));
  return { real_top: top(real), other_top: top(other), real_bits: bits(real), other_bits: bits(other) };
}

export function unscaledTable({ real, other }: Both, { at, keys }: Opened, texts: Words, theme: Theme) {
  const lines = keys.map((label, key) => [
    word(label),
    td(percent(nth(real, key))),
    bar(nth(real, key), theme.accent),
    td(percent(nth(other, key))),
    bar(nth(other, key), theme.quiet, "derived"),
  ]);
  const columns = [texts.headings.key, "", texts.unscaled_real, "", texts.unscaled_other];
  return framed(columns, lines, at.key, texts.unscaled_title);
}

// Each key's weight, its value and what is taken of it; the last line is their sum, the mix.
export function mixTable({ data, at, keys, rows }: Opened, texts: Words, theme: Theme) {
  const vector = (site: "v" | "mix", index: number) => data.vector(site, at.layer, at.head, index);
  const values = keys.map((_, key) => vector("v", key));
  const mix = vector("mix", at.query);
  const largest = (numbers: Float32Array) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const limit = Math.max(1e-9, ...[...values, mix].map(largest));
  const strip = (numbers: Float32Array, colour: string) =>
    el("td", { class: "strip" }, picture(numbers, limit, [theme.quiet, theme.surface, colour]));
  const lines = keys.map((label, key) => {
    const weight = weightOf(rows, key);
    const value = nth(values, key);
    return [
      word(label),
      td(data.open(at.query, key) ? percent(weight) : texts.masked_cell),
      bar(weight, theme.weight),
      strip(value, theme.v),
      strip(
        value.map((x) => x * weight),
        theme.v,
      ),
    ];
  });
  lines.push([word(texts.mix_total), td(""), td(""), td(""), strip(mix, theme.output)]);
  const columns = [texts.headings.key, texts.mix_weights, "", texts.mix_values, texts.mix_taken];
  return framed(columns, lines, at.key, texts.region_mix, true);
}

function weightOf({ weights }: Opened["rows"], key: number) {
  return weights[key] || 0; // NaN where the mask forbids
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

function word(label: string): HTMLElement {
  return th(label, { class: "word" });
}

function bar(share: number, colour: string, kind = ""): HTMLElement {
  const style = `--share: ${share.toFixed(4)}; background-color: ${colour}`;
  return el("td", { class: "track" }, share > 0 ? el("span", { class: `bar ${kind}`, style }) : null);
}

function picture(numbers: Float32Array, limit: number, colours: string[]) {
  const table = ladder(colours);
  return pixelCanvas(numbers.length, 1, (pixels: Uint32Array) => {
    numbers.forEach((value, at) => {
      pixels[at] = pixel(table, (value / limit + 1) / 2);
    });
  });
}

// A table in a region that scrolls and can be reached with the keyboard.
function framed(columns: string[], lines: HTMLElement[][], highlighted: number, label: string, hasSum = false): HTMLElement {
  const head = columns.map((name, at) => {
    // over a column of bars, and over the bars beside one of numbers
    const isWide = at > 0 && lines[0]?.[at]?.matches(".track, .strip");
    return name ? th(name, { scope: "col", class: isWide ? "wide" : null }) : td("");
  });
  const body = lines.map((cells, at) => {
    const line = tr(...cells);
    line.className = at === highlighted ? "highlighted" : hasSum && at === lines.length - 1 ? "sum" : "";
    return line;
  });
  const table = el("table", {}, el("thead", {}, tr(...head)), el("tbody", {}, ...body));
  return el("div", { class: "rows", tabindex: 0, role: "region", "aria-label": label }, table);
}
