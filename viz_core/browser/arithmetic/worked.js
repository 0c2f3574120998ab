// What the arithmetic says of the picked cell of a map, out of the numbers that the map is drawn from; written as Python writes it.

import { number, percent } from "../kit/numbers.js";
import { greatestOf } from "../kit/payload.js";

// The texts of these values, by name. worked: of viz_core/app/arithmetic.py; columns: labels; maps: of browser/plot/maps.js.
export function workedOut({ worked, columns }, maps, view) {
  const cell = { at: (name) => maps.at(name, view), ...maps.cell(view), columns };
  return Object.fromEntries(Object.entries(worked).map(([name, each]) => [name, HOW[each.how](cell, each)]));
}

// Whether these maps have the numbers that this is made of: not while the figure is still that of another view.
export function hasNumbers(maps, { worked }, view) {
  const names = Object.values(worked).flatMap(({ of, at }) => (at ? [...of, at] : of));
  return Boolean(maps?.has) && names.every((name) => maps.has(name, view));
}

const HOW = {
  number: (cell, { of: [of], at }) => number(valueAt(cell, of, at)),
  percent: (cell, { of: [of], at }) => percent(valueAt(cell, of, at)),
  ratio: (cell, { of: [above, below] }) => number(valueAt(cell, above) / valueAt(cell, below)),
  label: (cell, { at }) => cell.columns[columnOf(cell, at)],
  either: (cell, { of: [of], texts }) => texts[valueAt(cell, of) ? 0 : 1],
  same: (cell, { of: [one, other], texts }) => texts[columnOf(cell, one) === columnOf(cell, other) ? 0 : 1],
  terms: (cell, { of: [of], most }) => sum(listAt(cell, of), most, Number, bracketed),
  products: (cell, { of, most }) =>
    sum(
      pairsAt(cell, of).filter(([a, b]) => a * b),
      most,
      ([a, b]) => a * b,
      (pair) => pair.map(bracketed).join(" \\cdot "),
    ),
  least: (cell, { of, most }) =>
    sum(
      pairsAt(cell, of),
      most,
      ([a, b]) => Math.min(a, b),
      (pair) => `\\min(${pair.map(number).join(", ")})`,
    ),
};

// Of the cell, or of its row where the numbers called `at` are greatest; of what the mask forbids, 0.
function valueAt(cell, name, at = "") {
  return rowAt(cell, name)[columnOf(cell, at)] || 0;
}

function columnOf(cell, at) {
  return at ? greatestOf(rowAt(cell, at)) : cell.column;
}

function rowAt({ at, row }, name) {
  const { shape, data } = at(name);
  const width = shape.at(-1);
  return data.subarray(row * width, (row + 1) * width);
}

// Of numbers (n, rows, columns) those of the cell.
function listAt({ at, row, column }, name) {
  const { shape, data } = at(name);
  const [count, height, width] = shape.slice(-3);
  return Array.from({ length: count }, (_, each) => data[(each * height + row) * width + column]);
}

// What the cell's row of one meets in the cell's column of the other.
function pairsAt(cell, [left, right]) {
  const { shape, data } = cell.at(right);
  const width = shape.at(-1);
  return Array.from(rowAt(cell, left), (value, k) => [value, data[k * width + cell.column]]);
}

function sum(terms, most, size, write) {
  const ordered = most === null ? terms : terms.toSorted((a, b) => size(b) - size(a));
  const written = ordered.slice(0, most ?? terms.length).map(write);
  return [...written, ...(terms.length > written.length ? ["\\cdots"] : [])].join(" + ") || "0";
}

const bracketed = (value) => (value < 0 ? `(${number(value)})` : number(value));
