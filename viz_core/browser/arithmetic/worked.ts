// What the arithmetic says of the picked cell of a map, out of the numbers that the map is drawn from; written as Python writes it.

import type { View } from "../../web/src/figure";
import { nth } from "../../web/src/payload";
import { number, percent } from "../kit/numbers.js";
import { greatestOf } from "../kit/payload.js";
import { bracketed, sumOf } from "../kit/prose";

interface Numbers {
  shape: number[];
  data: Float32Array;
}

/** See `readMaps` of browser/plot/maps.js. */
export interface Maps {
  at(name: string, view: View): Numbers;
  has?(name: string, view: View): boolean; // a figure without numbers has no maps
  cell(view: View): { row: number; column: number };
  lacks(view: View): string;
}

/** See `Worked` of viz_core/app/arithmetic.py: values of the texts by their names; columns: labels. */
export interface Worked {
  worked: Record<string, Value>;
  columns: string[];
}

interface Value {
  how: keyof typeof HOW;
  of: string[];
  at: string;
  most: number | null;
  texts: string[];
}

interface Cell {
  row: number;
  column: number;
  columns: string[];
  at(name: string): Numbers;
}

// The texts of these values, by name.
export function workedOut({ worked, columns }: Worked, maps: Maps, view: View) {
  const cell = { at: (name: string) => maps.at(name, view), ...maps.cell(view), columns };
  return Object.fromEntries(Object.entries(worked).map(([name, value]) => [name, HOW[value.how](cell, value)]));
}

// Whether these maps have the numbers that this is made of: not while the figure is still that of another view.
export function hasNumbers(maps: Maps | undefined, { worked }: Worked, view: View): maps is Maps {
  const names = Object.values(worked).flatMap(({ of, at }) => (at ? [...of, at] : of));
  return Boolean(maps?.has) && names.every((name) => maps?.has?.(name, view));
}

const HOW = {
  number: (cell: Cell, { of, at }: Value): string => number(valueAt(cell, nth(of, 0), at)),
  percent: (cell: Cell, { of, at }: Value): string => percent(valueAt(cell, nth(of, 0), at)),
  ratio: (cell: Cell, { of }: Value): string => number(valueAt(cell, nth(of, 0)) / valueAt(cell, nth(of, 1))),
  label: (cell: Cell, { at }: Value) => cell.columns[columnOf(cell, at)],
  either: (cell: Cell, { of, texts }: Value) => texts[valueAt(cell, nth(of, 0)) ? 0 : 1],
  same: (cell: Cell, { of, texts }: Value) => texts[columnOf(cell, nth(of, 0)) === columnOf(cell, nth(of, 1)) ? 0 : 1],
  terms: (cell: Cell, { of, most }: Value) => sum(listAt(cell, nth(of, 0)), most, Number, inTex),
  products: (cell: Cell, { of, most }: Value) =>
    sum(
      pairsAt(cell, of).filter(([a, b]) => a * b),
      most,
      ([a, b]) => a * b,
      (pair) => pair.map(inTex).join(" \\cdot "),
    ),
  least: (cell: Cell, { of, most }: Value) =>
    sum(
      pairsAt(cell, of),
      most,
      ([a, b]) => Math.min(a, b),
      (pair) => `\\min(${pair.map((value): string => number(value)).join(", ")})`,
    ),
};

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

const inTex = (value: number) => bracketed(number(value));
