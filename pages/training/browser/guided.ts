// One head's attention, and beside it the penalty W of guided attention (Tachibana et al. 2018), or what it costs there; or the gradient
// of the loss by it.

import { escaped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { type Maps, mapsAt, readMaps, rowOf, type TokenMap, tokenMaps } from "../../../viz_core/browser/token_maps/token_maps";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { entryAt, fill, greatestOf, nth, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { START } from "../../../viz_core/web/src/view";
import { range } from "../../../viz_core/web/src/marks/scale";

const [guidedTexts, gradientTexts, kinds] = [
  textsIn("training.guided_maps"),
  textsIn("training.gradient_maps"),
  textsIn("training.kinds"),
];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** width: of the diagonal, as in the address. */
type More = { width: number; beside: string };
type Guided = ReturnType<typeof readMaps<More>>;

/** payload: from pages/training/guided.py. */
export const guided: Figure<Guided, ReturnType<typeof mapsAt<Guided>>, { row: number; column: number }> = {
  ...tokenMaps,
  read: (payload) =>
    readMaps<More>(payload, ({ width, beside, queries }, at) => {
      const { panels, hovers, axes, title } = guidedTexts;
      const penalty = { numbers: "cost", name: panels.penalty, hover: hovers.penalty, limit: 1, end: "1" };
      const paid = { numbers: "paid", name: panels.paid, hover: hovers.paid };
      const mean = (place: { layer: number; head: number }) => sum(at("paid", { ...START, ...place }).data) / queries.length;
      return {
        maps: [
          { numbers: "weights", name: panels.attention, hover: hovers.attention, limit: 1, end: percent(1) },
          { ...(beside === "by_paid" ? paid : penalty), written: "hundredths" },
        ],
        title: ({ layer, head }) =>
          fill(title, { layer: layer + 1, head: head + 1, paid: number(mean({ layer, head })), g: String(width / 100) }),
        axes,
        file: "guided",
        greatest: "paid",
        border: "cost",
      };
    }),
  at: mapsAt,
  shared: "guided",
  below({ at, view, matrix, queries, keys, row, column, shapes, width }) {
    const [weights, cost, paid] = [matrix("weights"), matrix("cost"), matrix("paid")];
    const rows = range(queries.length).map((t) => sum(rowOf(paid, t)));
    const t = greatestOf(rows);
    const s = greatestOf(rowOf(paid, t));
    const [layers = 0, count = 0] = shapes.paid ?? [];
    const heads = range(layers).flatMap((layer) => range(count).map((head) => ({ layer, head })));
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
      g: String(width / 100),
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

/** One head at one step: A, and ∂L/∂A on a signed scale around 0. */
type Slopes = { layer: number; head: number; step: number; shown: "both" | "slopes" };

export const gradientMaps: Figure<Maps, ReturnType<typeof mapsAt<Maps>>, { row: number; column: number }> = {
  ...tokenMaps,
  read: (payload) =>
    readMaps<Slopes>(payload, ({ kind, layer, head, step, shown }, at) => {
      const { panels, hovers, axes, title } = gradientTexts;
      const limit = Math.max(1e-9, ...Array.from(at("slopes", { ...START }).data, (slope) => Math.abs(slope) || 0));
      const digits = Math.max(0, 1 - Math.floor(Math.log10(limit))); // so that the largest has two digits before the point
      const times = digits ? ` · 10${[...String(digits)].map((digit) => RAISED[Number(digit)]).join("")}` : "";
      const scale = { limit, end: (limit * 10 ** digits).toFixed(0), times: 10 ** digits };
      const { masked, weights, raises, lowers, nothing } = hovers;
      const ofWeights: TokenMap = { numbers: "weights", name: panels.weights, hover: weights, masked, limit: 1, end: "100" };
      const name = fill(panels.slopes, { times });
      const ofSlopes: TokenMap = { numbers: "slopes", name, hover: raises, masked, zero: nothing, below: lowers, written: "whole" };
      return {
        maps: [...(shown === "both" ? [{ ...ofWeights, end: percent(1) }] : []), { ...ofSlopes, ...scale }],
        title: () => fill(title, { kind: kinds[kind], layer: layer + 1, head: head + 1, step: step + 1 }),
        axes,
        file: `gradient-of-attention-${kind}`,
      };
    }),
};

export const mountGradientMaps = figure(gradientMaps);
