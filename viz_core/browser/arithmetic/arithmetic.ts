// The arithmetic below a figure: Python's texts with placeholders, and their values for each step, layer, token ….

import { type Patch, type Say, fill, stateOf, type Tensor, nth, greatestOf } from "../../web/src/payload";
import { below } from "../kit/below";
import type { View } from "../../web/src/figure";
import { number, percent, bracketed, sumOf } from "../kit/numbers";
import type { Maps } from "../token_maps/token_maps";

interface About extends Worked {
  texts: Record<string, string>;
  sections: Record<"name" | "heading" | "template", string>[];
  shared: Patch;
  parts: { by: string[]; at: unknown[] }[];
  figure: string;
  where: Patch;
}

/** Data that a figure shares. below: values of the texts below it, as they are written there; write: those texts by name. */
type Derived = Patch & { below(view: View, write: Say): Patch | null };

// payload: from viz_core/app/arithmetic.py.
export const mountArithmetic = below<About>(({ about, say }, view, { given }) => {
  const values = { ...about.shared };
  const plot = given.plot as Maps | undefined;
  const place = { ...view, row: view.cell?.[0] ?? view.step, ...plot?.cell(view) };
  for (const part of about.parts) Object.assign(values, stateOf(part, place));
  if (Object.keys(about.worked).length) {
    if (!hasNumbers(plot, about)) return null;
    Object.assign(values, workedOut(about, plot, view));
  }
  if (about.figure) {
    const figure = given[about.figure] as Derived | undefined;
    if (!figure || Object.entries(about.where).some(([name, value]) => figure[name] !== value)) return null; // on its way
    const own = figure.below(view, say);
    if (!own) return [];
    Object.assign(values, own);
  }
  return about.sections.map(({ name, heading, template }) => {
    const text = about.texts[fill(template, values)];
    return text ? { name, heading, text: fill(text, values) } : null;
  });
});

/** See `CellFormula` in viz_core/app/arithmetic.py: the texts' values by name; columns: labels. */
type Worked = { worked: Record<string, Value>; columns: string[] };

type How = "number" | "percent" | "ratio" | "label" | "either" | "same" | "terms" | "products" | "least";

type Value = { how: How; of: string[]; at: string; most: number | null; texts: string[] };

type Cell = { row: number; column: number; columns: string[]; at(name: string): Tensor };

// The texts of these values, by name.
function workedOut({ worked, columns }: Worked, maps: Maps, view: View) {
  const cell = { at: (name: string) => maps.at(name, view), ...maps.cell(view), columns };
  return Object.fromEntries(Object.entries(worked).map(([name, value]) => [name, HOW[value.how](cell, value)]));
}

// Whether these maps have the numbers needed; not while the figure is still that of another view.
function hasNumbers(maps: Maps | undefined, { worked }: Worked): maps is Maps {
  const names = Object.values(worked).flatMap(({ of, at }) => (at ? [...of, at] : of));
  return maps !== undefined && names.every((name) => maps.has(name));
}

const HOW: Record<How, (cell: Cell, value: Value) => string | undefined> = {
  number: (cell, { of: [of = ""], at }) => number(valueAt(cell, of, at)),
  percent: (cell, { of: [of = ""], at }) => percent(valueAt(cell, of, at)),
  ratio: (cell, { of: [above = "", below = ""] }) => number(valueAt(cell, above) / valueAt(cell, below)),
  label: (cell, { at }) => cell.columns[columnOf(cell, at)],
  either: (cell, { of: [of = ""], texts }) => texts[valueAt(cell, of) ? 0 : 1],
  same: (cell, { of: [one = "", other = ""], texts }) => texts[columnOf(cell, one) === columnOf(cell, other) ? 0 : 1],
  terms: (cell, { of: [of = ""], most }) => sum(listAt(cell, of), most, Number, inTex),
  products: (cell, { of, most }) => {
    const pairs = pairsAt(cell, of).filter(([a, b]) => a * b);
    return sum(pairs, most, product, (pair) => pair.map(inTex).join(" \\cdot "));
  },
  least: (cell, { of, most }) => sum(pairsAt(cell, of), most, smaller, (pair) => `\\min(${pair.map(write).join(", ")})`),
};

type Pair = readonly [number, number];
const product = ([a, b]: Pair) => a * b;
const smaller = ([a, b]: Pair) => Math.min(a, b);
const write = (value: number): string => number(value);
const inTex = (value: number) => bracketed(number(value));

// The cell's value, or the one in its row where `at` is greatest; 0 where the mask forbids.
const valueAt = (cell: Cell, name: string, at = "") => rowAt(cell, name)[columnOf(cell, at)] || 0;

const columnOf = (cell: Cell, at: string): number => (at ? greatestOf(rowAt(cell, at)) : cell.column);

function rowAt({ at, row }: Cell, name: string) {
  const { shape, data } = at(name);
  const width = nth(shape, shape.length - 1);
  return data.subarray(row * width, (row + 1) * width);
}

// The cell's n values of an array (n, rows, columns).
function listAt({ at, row, column }: Cell, name: string) {
  const { shape, data } = at(name);
  const [count = 0, height = 0, width = 0] = shape.slice(-3);
  return Array.from({ length: count }, (_, index) => nth(data, (index * height + row) * width + column));
}

// Pairs of the cell's row in the left matrix and its column in the right one.
function pairsAt(cell: Cell, [left = "", right = ""]: string[]) {
  const { shape, data } = cell.at(right);
  const width = nth(shape, shape.length - 1);
  return Array.from(rowAt(cell, left), (value, k) => [value, nth(data, k * width + cell.column)] as const);
}

function sum<Term>(terms: Term[], most: number | null, size: (term: Term) => number, write: (term: Term) => string) {
  const ordered = most === null ? terms : terms.toSorted((a, b) => size(b) - size(a));
  return sumOf(ordered.map(write), most ?? terms.length);
}
