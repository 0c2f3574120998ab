// One head's attention, and beside it the penalty W of guided attention (Tachibana et al. 2018), or what it costs there.

import { escaped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { mapsAt, readMaps, rowOf, tokenMaps } from "../../../viz_core/browser/token_maps/token_maps";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { entryAt, greatestOf, nth, sum } from "../../../viz_core/web/src/payload";
import { range } from "../../../viz_core/web/src/marks/scale";

/** width: of the diagonal, as in the address. */
type More = { width: number };
type Guided = ReturnType<typeof readMaps<More>>;

/** payload: from pages/training/guided.py. */
export const guided: Figure<Guided, ReturnType<typeof mapsAt<Guided>>, { row: number; column: number }> = {
  ...tokenMaps,
  read: (payload) => readMaps<More>(payload),
  at: mapsAt,
  shared: "guided",
  below({ at, view, matrix, queries, keys, row, column, titles }) {
    const [weights, cost, paid] = [matrix("weights"), matrix("cost"), matrix("paid")];
    const rows = range(queries.length).map((t) => sum(rowOf(paid, t)));
    const t = greatestOf(rows);
    const s = greatestOf(rowOf(paid, t));
    const heads = titles.flatMap((each, layer) => each.map((_, head) => ({ layer, head })));
    const means = heads.map((place) => sum(at("paid", { ...view, ...place }).data) / queries.length);
    const [low, high] = [greatestOf(means.map((mean) => -mean)), greatestOf(means)];
    const named = (name: string, index: number) => {
      const { layer, head } = entryAt(heads, index);
      return { [name]: number(nth(means, index)), [`${name}_layer`]: layer + 1, [`${name}_head`]: head + 1 };
    };
    return {
      most_query: escaped(entryAt(queries, t)),
      most_key: escaped(entryAt(keys, s)),
      most_share: percent(nth(rowOf(weights, t), s)),
      most_cost: number(nth(rowOf(cost, t), s)),
      most_paid: number(nth(rows, t)),
      count: means.length,
      mean: number(sum(means) / means.length),
      equal: number(sum(cost.data) / cost.data.length),
      ...named("low", low),
      ...named("high", high),
      query: escaped(entryAt(queries, row)),
      key: escaped(entryAt(keys, column)),
      t: row + 1,
      s: column + 1,
      T: queries.length,
      S: keys.length,
      weight: number(nth(rowOf(weights, row), column)),
      cost: number(nth(rowOf(cost, row), column)),
      here: number(nth(rowOf(paid, row), column)),
      row: number(nth(rows, row)),
      sum: number(sum(rows)),
      head: number(sum(rows) / rows.length),
    };
  },
};

export const mountGuided = figure(guided);
