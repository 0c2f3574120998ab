// The weights of an attention, and beside them the norms of the vectors that they weight (Kobayashi et al. 2020).

import { escaped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { largestTerms, mapsAt, readMaps, rowOf, through, tokenMaps } from "../../../viz_core/browser/token_maps/token_maps";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { type Tensor, entryAt, fill, greatestOf, nth } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const [texts, names] = [textsIn("heads.maps"), textsIn("heads.attention_names")];
const MOST_HEADS = 4; // terms of the sum over all heads that are written out

/** special: the column of a special token; out: layer and head of those that an edit removes. */
type More = { of_all: boolean; special: number; out: [layer: number, head: number][] };
type Norms = ReturnType<typeof readMaps<More>>;

/** payload: from pages/heads/norm_weighted.py. */
export const normWeighted: Figure<Norms, ReturnType<typeof mapsAt<Norms>>, { row: number; column: number }> = {
  ...tokenMaps,
  read: (payload) =>
    readMaps<More>(payload, ({ kind, of_all }) => {
      const which = of_all ? "all_heads" : "this_head";
      const { hovers, weight_labels, norm_labels, norm_titles, query_axes, key_axes } = texts;
      return {
        maps: [
          { numbers: "weights", name: weight_labels[which], hover: hovers.weight, masked: hovers.masked, limit: 1, end: "100" },
          { numbers: "norms", name: norm_labels[which], hover: hovers.norm, masked: hovers.masked, written: "brief" },
        ],
        title: ({ layer, head }) => fill(norm_titles[which], { attention: names[kind], layer: layer + 1, head: head + 1 }),
        axes: [query_axes[kind], key_axes[kind]],
        file: `norms-${kind}`,
      };
    }),
  at: mapsAt,
  shared: "norms",
  below({ matrix, keys, queries, row, column, special, of_all, out, view }, write) {
    const [weights, norms] = [matrix("weights"), matrix("norms")];
    const [ofWeights, ofNorms] = [rowOf(weights, row), rowOf(norms, row)];
    const [byWeight, byNorm] = [greatestOf(ofWeights), greatestOf(ofNorms)];
    const weight = nth(ofWeights, column);
    const each = of_all ? through(matrix("each"), row, column) : [];
    const isOut = out.some((place) => place[0] === view.layer && (of_all || place[1] === view.head));
    const label = (at: number) => escaped(entryAt(keys, at));
    const most = {
      by_weight: label(byWeight),
      by_norm: label(byNorm),
      most_weight: percent(nth(ofWeights, byWeight)),
      length: number(nth(ofNorms, byNorm)),
      instead: number(nth(ofNorms, byWeight)),
    };
    return {
      taken_out: isOut ? "taken_out" : "",
      of: of_all ? "of_norms_layer" : weight ? "of_norms" : "of_norms_nothing",
      query: escaped(entryAt(queries, row)),
      key: label(column),
      weight: number(weight),
      moved: number(nth(ofNorms, column)),
      long: number(nth(ofNorms, column) / weight),
      most: write(byWeight === byNorm ? "same_key" : "other_key", most),
      parts: largestTerms(each.map((norm) => [norm]), MOST_HEADS), // biome-ignore format: one line
      sum: of_all && number(nth(rowOf(matrix("sum"), row), column)),
      special: label(special),
      weight_share: percent(shareOf(weights, special)),
      norm_share: percent(shareOf(norms, special)),
    };
  },
};

/** The share of a map's sum in one column. */
function shareOf({ shape, data }: Tensor, column: number) {
  const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((all, value) => all + (value || 0), 0);
  const whole = sum(data);
  return whole && sum(data.filter((_, at) => at % (shape[1] ?? 1) === column)) / whole;
}

export const mountNormWeightedMaps = figure(normWeighted);
