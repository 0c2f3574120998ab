// The residual stream's places, as in viz_core/analysis/residual_stream.py.

import { BLOCKS, hasFinalNorm, layersOf, type ModelConfig, type Stack } from "../config";

/** One place of the stream. name: of the weights of a LayerNorm there. */
export type StreamPlace = { kind: "input" | "add" | "norm"; site: string; layer: number | null; block: string; name: string };

export function streamPlaces(config: ModelConfig, stack: Stack): StreamPlace[] {
  const side = stack === "encoder" ? "source" : "target";
  const [end, embedding] = [stack === "encoder" ? "encoder.memory" : "decoder.states", `${side}_embedding.norm`];
  const at = (kind: StreamPlace["kind"], site: string, name = "", layer: number | null = null, block = "") => ({
    kind,
    site,
    layer,
    block,
    name,
  });
  const route: StreamPlace[] = [at("input", `${side}.${config.embedding_norm ? "summed" : "input"}`)];
  if (config.embedding_norm) route.push(at("norm", `${side}.input`, embedding, null, "embedding"));
  for (let layer = 0; layer < layersOf(config, stack); layer += 1)
    for (const block of BLOCKS[stack]) {
      route.push(at("add", `${stack}.${layer}.resid_${block}`, "", layer, block));
      const norm = `${stack}.layers.${layer}.add_${block}.norm`;
      if (config.norm === "post") route.push(at("norm", `${stack}.${layer}.norm_${block}`, norm, layer, block));
    }
  if (hasFinalNorm(config, stack)) route.push(at("norm", end, `${stack}.norm`));
  return route;
}

/** The site of the stream at the input of a sub-layer. */
export function before(config: ModelConfig, stack: Stack, layer: number, block: string) {
  const route = streamPlaces(config, stack);
  const add = route.findIndex((place) => place.kind === "add" && place.layer === layer && place.block === block);
  return (route[add - 1] as StreamPlace).site;
}

/** The site of the stream after a layer. */
export const layerOutput = ({ norm }: ModelConfig, stack: Stack, layer: number) =>
  `${stack}.${layer}.${norm === "pre" ? "resid" : "norm"}_ffn`;

/** The sites of the decoder's stream before its layers and after each. */
export const decoderStream = (config: ModelConfig) => [
  "target.input",
  ...Array.from({ length: layersOf(config, "decoder") }, (_, layer) => layerOutput(config, "decoder", layer)),
];
