// What the arithmetic says of the picked cell of a map, out of the numbers that the map is drawn from; written as Python writes it.

import type { View } from "../../web/src/figure";
import { type Tensor, nth } from "../../web/src/payload";
import { number, percent } from "../kit/numbers";
import { greatestOf } from "../kit/payload";
import { bracketed, sumOf } from "../kit/prose";

/** See `readMaps` of browser/token_maps/token_maps.ts. */
export interface Maps {
  at(name: string, view: View): Tensor;
  has?(name: string): boolean; // a figure without numbers has no maps
  cell(view: View): { row: number; column: number };
}

/** See `Worked` of viz_core/app/arithmetic.py: values of the texts by their names; columns: labels. */
export interface Worked {
  worked: Record<string, Value>;
  columns: string[];
}

type How = "number" | "percent" | "ratio" | "label" | "either" | "same" | "terms" | "products" | "least";

interface Value {
  how: How;
  of: string[];
  at: string;
  most: number | null;
  texts: string[];
}

interface Cell {
  row: number;
  column: number;
  columns: string[];
  at(name: string): Tensor;
}

// The texts of these values, by name.
export function workedOut({ worked, columns }: Worked, maps: Maps, view: View) {
  const cell = { at: (name: string) => maps.at(name, view), ...maps.cell(view), columns };
  return Object.fromEntries(Object.entries(worked).map(([name, value]) => [name, HOW[value.how](cell, value)]));
}

// Whether these maps have the numbers that this is made of: not while the figure is still that of another view.
export function hasNumbers(maps: Maps | undefined, { worked }: Worked): maps is Maps {
  const names = Object.values(worked).flatMap(({ of, at }) => (at ? [...of, at] : of));
  return Boolean(maps?.has) && names.every((name) => maps?.has?.(name));
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

// Of the cell, or of its row where the numbers called `at` are greatest; of what the mask forbids, 0.
function valueAt(cell: Cell, name: string, at = "") {
  return rowAt(cell, name)[columnOf(cell, at)] || 0;
}

function columnOf(cell: Cell, at: string): number {
  return at ? greatestOf(rowAt(cell, at)) : cell.column;
}

function rowAt({ at, row }: Cell, name: string) {
  const { shape, data } = at(name);
  const width = nth(shape, shape.length - 1);
  return data.subarray(row * width, (row + 1) * width);
}

// Of numbers (n, rows, columns) those of the cell.
function listAt({ at, row, column }: Cell, name: string) {
  const { shape, data } = at(name);
  const [count = 0, height = 0, width = 0] = shape.slice(-3);
  return Array.from({ length: count }, (_, each) => nth(data, (each * height + row) * width + column));
}

// What the cell's row of one meets in the cell's column of the other.
function pairsAt(cell: Cell, [left = "", right = ""]: string[]) {
  const { shape, data } = cell.at(right);
  const width = nth(shape, shape.length - 1);
  return Array.from(rowAt(cell, left), (value, k) => [value, nth(data, k * width + cell.column)] as const);
}

function sum<Term>(terms: Term[], most: number | null, size: (term: Term) => number, write: (term: Term) => string) {
  const ordered = most === null ? terms : terms.toSorted((a, b) => size(b) - size(a));
  return sumOf(ordered.map(write), most ?? terms.length);
}
