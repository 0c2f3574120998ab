// Attention through all layers: rollout and attention flow (Abnar & Zuidema 2020), or the mean of one layer's heads.

import { bracketed, escaped, number, percent, sumOf } from "../../../viz_core/browser/kit/numbers";
import { largestTerms, mapsAt, readMaps, rowOf, through, tokenMaps } from "../../../viz_core/browser/token_maps/token_maps";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { columnOf, entryAt, fill, greatestOf, nth, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { range } from "../../../viz_core/web/src/marks/scale";

const TERMS = 3; // of a sum that are written out
const MOST_LISTED = 24; // tokens
const FLOWS = ["of_max_flow_one", "of_max_flow_two", "of_max_flow_more"]; // by layer; the last one also serves all layers above

const texts = textsIn("heads.maps");
type More = { measure: "rollout" | "max_flow" | "raw" };
type Flow = ReturnType<typeof readMaps<More>>;
type Shown = ReturnType<typeof mapsAt<Flow>>;

/** payload: from pages/heads/attention_flow.py. */
export const throughLayers: Figure<Flow, Shown, { row: number; column: number }> = {
  ...tokenMaps,
  read: (payload) =>
    readMaps<More>(payload, ({ kind, measure }) => ({
      maps: [
        {
          ...{ numbers: "values", name: texts.flow_units[measure], hover: texts.hovers[measure] },
          ...(measure === "max_flow" && { written: "hundredths", limit: 1, end: "1" }),
        },
      ],
      title: ({ layer }) => fill(texts.flow_titles[`${measure}_${kind}`] ?? "", { layer: layer + 1 }),
      axes: [texts.query_axes[kind], texts.key_axes[kind]],
      file: `${measure.replace("_", "-")}-${kind}`,
    })),
  at: mapsAt,
  shared: "flow",
  below(shown) {
    const { matrix, kind, measure, shapes, queries, keys, row, column } = shown;
    const layer = Math.min(shown.view.layer, (shapes.values?.[0] ?? 1) - 1);
    const rows = range(queries.length).map((at) => rowOf(matrix("values"), at));
    return {
      of:
        measure === "max_flow" && kind === "self" ? entryAt(FLOWS, layer) : measure === "raw" ? "of_raw" : `of_${measure}_${kind}`,
      layer: layer + 1,
      before: layer,
      query: escaped(entryAt(queries, row)),
      key: escaped(entryAt(keys, column)),
      value: number(nth(entryAt(rows, row), column)),
      diagonal: percent(rows.reduce((all, each, at) => all + (each[at] ?? 0), 0) / rows.length),
      sum: `${Number((100 * sum(entryAt(rows, 0))).toPrecision(6))} %`,
      ...TERMS_OF[measure](shown, rows),
    };
  },
};

/** The terms behind a cell. Rollout: products over the positions below, in the decoder also over the memory. Flow after two layers: the
 * narrowest edges. Mean: the cell's weight in every head. */
const TERMS_OF: Record<More["measure"], (shown: Shown, rows: number[][]) => object> = {
  rollout({ kind, matrix, row, column }) {
    const products = (left: string, right: string) => {
      const below = columnOf(matrix(right), column);
      const pairs = rowOf(matrix(left), row).map((value, at) => [value, nth(below, at)] as const);
      return largestTerms(pairs.filter(([a, b]) => a * b), TERMS); // biome-ignore format: one line
    };
    if (kind === "self") return { parts: products("inside", "below") };
    return { stays: products("back", "below"), parts: products("look", "memory") };
  },
  max_flow({ kind, matrix, keys, row, column }, rows) {
    if (kind === "cross") return sameAtEveryStep(keys, entryAt(rows, 0));
    const into = keys.map((_, at) => columnOf(matrix("first"), at));
    const entering = into.map(sum);
    const bound = entering.map((capacity) => Math.min(1, capacity));
    const isBound = (value: number, at: number) => Math.abs(value - nth(bound, at)) <= 1e-6 + 1e-5 * nth(bound, at);
    const paths = rowOf(matrix("second"), row).map((edge, at) => [edge, nth(entryAt(into, column), at)]);
    return {
      parts: largestTerms(paths, TERMS, "least"),
      bound: rows.flatMap((weights) => weights.filter(isBound)).length,
      cells: rows.length * keys.length,
      entering: number(nth(entering, column)),
      let_in: number(nth(bound, column)),
    };
  },
  raw({ matrix, row, column }) {
    const weights = through(matrix("each"), row, column);
    return { heads: weights.length, parts: sumOf(weights.map((weight) => bracketed(number(weight)))) };
  },
};

// entering: the flow from each source token to every decoder position.
function sameAtEveryStep(keys: readonly string[], entering: readonly number[]) {
  const least = greatestOf(entering.map((flow) => -flow));
  const all = keys.slice(0, MOST_LISTED).map((key, at) => `«${escaped(key)}» ${number(nth(entering, at))}`);
  if (keys.length > MOST_LISTED) all.push("…");
  return { all: all.join(", "), key: escaped(nth(keys, least)), entering: number(nth(entering, least)) };
}

export const mountThroughLayers = figure(throughLayers);
