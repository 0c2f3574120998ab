// The lengths of the residual stream's vectors, as `residual_stream` in pages/residual/stream.py.

import { greatestOf, nth } from "../../payload";
import { layersOf, type Stack } from "../config";
import { before, type StreamPlace, streamPlaces } from "../analysis/stream";
import { dot, norm, row } from "../tensor";
import { labelsOf } from "./tokens";
import { floats, pack, type Scene, siteOf, type Words } from "./view";

/** lengths (P, T): of each token's vector; added (P, T): of what the sub-layer added, NaN where nothing is added; largest (L, T, 5): of
 * the picked sub-layer, the dimension in which it adds most, there x, what is added and the sum, and the cosine of both vectors. */
export function residualStream({ model: { config }, explanation, words }: Scene, asked: URLSearchParams) {
  const [stack, block] = [asked.get("stack") as Stack, asked.get("block") as string];
  const { tokens } = stack === "encoder" ? explanation.source : explanation.target;
  const places = streamPlaces(config, stack);
  const lengths = (sites: readonly string[]) => floats([places.length, tokens.length], sites.flatMap(lengthsAt));
  const lengthsAt = (site: string) => {
    const vectors = site ? siteOf(explanation.trace, site) : null;
    return tokens.map((_, at) => (vectors ? norm(row(vectors, at)) : Number.NaN));
  };
  const added = places.map(({ kind, layer, block }) => (kind === "add" ? `${stack}.${layer}.${block}.out` : ""));
  const largest = [...Array(layersOf(config, stack)).keys()].flatMap((layer) => {
    const sites = [before(config, stack, layer, block), `${stack}.${layer}.${block}.out`, `${stack}.${layer}.resid_${block}`];
    return tokens.flatMap((_, at) => largestOf(sites.map((site) => row(siteOf(explanation.trace, site), at))));
  });
  return pack(
    {
      lengths: lengths(places.map(({ site }) => site)),
      added: lengths(added),
      largest: floats([layersOf(config, stack), tokens.length, 5], largest),
    },
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

function largestOf(vectors: readonly Float32Array[]) {
  const [x, added] = vectors as [Float32Array, Float32Array];
  const dim = greatestOf(added.map(Math.abs));
  const size = norm(x) * norm(added);
  return [dim, ...vectors.map((vector) => nth(vector, dim)), size && dot(x, added) / size];
}

/** The name of a place on the axis. */
function nameOf({ kind, layer, block }: StreamPlace, stack: Stack, words: Words) {
  const names = words("residual").stops;
  if (kind === "add") return names[`${stack}_${block}`];
  if (block === "embedding") return names.embedding_norm;
  return names[kind === "input" ? "input" : layer === null ? "final_norm" : "norm"];
}
