// Heat maps of queries × keys, as `token_maps_payload` in viz_core/app/token_maps.py.

import { fill } from "../../payload";
import { sidesOf } from "./attention";
import { labelOf, labelsOf } from "./tokens";
import { visible } from "../tokenizer/text";
import { type Kind, pack, type Scene, type Sent } from "./view";

/** Numbers of all layers, or of all heads of all layers: one leading axis for each name in `by`. */
export type Numbers = Record<string, { by: readonly string[]; values: Sent }>;

/** One map; its fields are explained in Python. */
export type TokenMap = {
  numbers: string;
  name: string;
  hover: string;
  masked?: string;
  written?: string;
  limit?: number;
  end?: string;
};

const PLAIN = { masked: "", zero: "", below: "", written: "percent", limit: null, end: "", times: 1 };

type Named = { titles: string[][]; axes: [string, string]; file: string };

/** titles: for each layer a list with one title for each head. axes: names of rows and columns. file: of the saved picture. */
export function tokenMaps(scene: Scene, kind: Kind, maps: readonly TokenMap[], numbers: Numbers, named: Named) {
  const each = Object.entries(numbers);
  const { file, ...about } = named;
  return pack(Object.fromEntries(each.map(([name, { values }]) => [name, values])), {
    ...about,
    ...labels(scene, kind),
    maps: maps.map((map) => ({ ...PLAIN, ...map })),
    by: Object.fromEntries(each.map(([name, { by }]) => [name, by])),
    of_step: kind !== "self",
    greatest: maps[0]?.numbers,
    border: "",
    cell: null,
    texts: { ...scene.words("browser.token_maps"), file },
  });
}

/** The labels of rows and columns; a row of the decoder is a step, labelled read → writes. */
function labels({ explanation, words }: Scene, kind: Kind) {
  const [queries, keys] = sidesOf(explanation, kind);
  const { row } = words("app.attention");
  const steps = explanation.output.map((token, step) => ({ read: labelOf(queries.tokens[step] ?? token), writes: labelOf(token) }));
  return {
    queries: kind === "self" ? labelsOf(queries.tokens) : steps.map((step) => visible(fill(row, step))),
    keys: labelsOf(keys.tokens),
  };
}
