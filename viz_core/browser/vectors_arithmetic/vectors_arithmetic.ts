// The arithmetic of the focused token's vectors, from the numbers of the figure above: many vectors, or a few of each token.

import { nth, type Patch, sliceOf } from "../../web/src/payload";
import { below } from "../kit/below";
import { grouped, number, escaped } from "../kit/numbers";
import type { Matrix } from "../vector_matrix/vector_matrix";
import type { Vectors } from "../vector_table/vector_table";

/** file: the figure's; names: of a token's vectors; dims: that are written out, null for a gap; shared: values that no token changes. */
type About = { file: string; names: string[]; dims: (number | null)[]; between: string; shared: Patch };

/** payload: from `vectors_arithmetic` in viz_core/app/arithmetic.py, only texts. */
export const mountVectorsArithmetic = below<About>(({ about, say }, view, { given }) => {
  const row = (values: ArrayLike<number>) =>
    about.dims.map((dim) => (dim === null ? "\\cdots" : number(nth(values, dim)))).join(about.between);
  const [matrix, table] = [given.vector_matrix as Matrix | undefined, given.vector_table as Vectors | undefined];
  const figure = about.names.length ? table : matrix;
  if (figure?.file !== about.file) return null; // the numbers are on their way
  const at = Math.min(view[figure.walks], (matrix?.walked ?? figure.labels.length) - 1);
  const label = nth(figure.labels, at);
  const values = {
    at,
    row: at + 1,
    token: escaped(label),
    place: escaped(label.slice(label.indexOf(" ") + 1)), // without its number
    ...(figure === table ? table && ofTable(table, at) : matrix && ofMatrix(matrix, at)),
  };
  return [{ name: "arithmetic", heading: say("heading"), text: say("text", { ...about.shared, ...values }) }];

  function ofTable({ vectors }: Vectors, token: number) {
    return Object.fromEntries(
      about.names.flatMap((name, index) => {
        const values = sliceOf(vectors, token, index);
        return [
          [name, row(values)],
          [`${name}_first`, number(nth(values, 0))],
          [`${name}_length`, number(Math.hypot(...values))],
        ];
      }),
    );
  }

  function ofMatrix(matrix: Matrix, token: number) {
    const { grid, column } = matrix;
    const values = grid.values.subarray(token * grid.columns, (token + 1) * grid.columns);
    if (column === null) return { values: row(values), ...ofWhole(matrix, token) };
    const distance = Math.abs(token - column);
    return {
      value: number(nth(values, column)),
      other: column,
      distance,
      formula: number(productAt(distance, Number(about.shared.size))),
    };
  }
});

function ofWhole({ grid, ids, ends }: Matrix, token: number) {
  const [id, end] = [String(ids[token] ?? ""), String(Number(ends[1].toPrecision(6)))];
  return { id, ends: end, tokens: grouped(grid.rows), numbers: grouped(grid.rows * grid.columns) };
}

/** The dot product of two sinusoidal positions at a distance, since cos a cos b + sin a sin b = cos(a − b). */
export function productAt(distance: number, size: number) {
  let sum = 0;
  for (let even = 0; even < size - 1; even += 2) sum += Math.cos(distance / 10000 ** (even / size));
  return sum;
}
