// The lengths of the residual stream's vectors, as `residual_stream` in pages/residual/stream.py.

import type { Stack } from "../config";
import { type StreamPlace, streamPlaces } from "../analysis/stream";
import { norm, row } from "../tensor";
import { labelsOf } from "./tokens";
import { floats, pack, type Scene, siteOf, type Words } from "./view";

/** lengths (P, T): of each token's vector; added (P, T): of what the sub-layer added, NaN where nothing is added. */
export function residualStream({ model: { config }, explanation, words }: Scene, asked: URLSearchParams) {
  const [stack, block] = [asked.get("stack") as Stack, asked.get("block")];
  const { tokens } = stack === "encoder" ? explanation.source : explanation.target;
  const places = streamPlaces(config, stack);
  const lengths = (sites: readonly string[]) => floats([places.length, tokens.length], sites.flatMap(lengthsAt));
  const lengthsAt = (site: string) => {
    const vectors = site ? siteOf(explanation.trace, site) : null;
    return tokens.map((_, at) => (vectors ? norm(row(vectors, at)) : Number.NaN));
  };
  const added = places.map(({ kind, layer, block }) => (kind === "add" ? `${stack}.${layer}.${block}.out` : ""));
  return pack(
    { lengths: lengths(places.map(({ site }) => site)), added: lengths(added) },
    {
      stack,
      stops: places.map((place) => ({ name: nameOf(place, stack, words), layer: place.layer })),
      sublayers: places.map((place) => (place.block ? `${stack}_${place.block}` : "")),
      sublayer: `${stack}_${block}`,
      tokens: labelsOf(tokens),
      texts: words("residual").lengths,
    },
  );
}

/** The name of a place on the axis. */
function nameOf({ kind, layer, block }: StreamPlace, stack: Stack, words: Words) {
  const names = words("residual").stops;
  if (kind === "add") return names[`${stack}_${block}`];
  if (block === "embedding") return names.embedding_norm;
  return names[kind === "input" ? "input" : layer === null ? "final_norm" : "norm"];
}
