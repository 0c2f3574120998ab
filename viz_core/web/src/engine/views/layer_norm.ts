// LayerNorm of one sub-layer, as `layer_norm_view` in pages/residual/layer_norm.py.

import { before } from "../analysis/stream";
import { layersOf, type Stack } from "../config";
import { stack as together } from "../tensor";
import { labelsOf } from "./tokens";
import { pack, type Scene, siteOf } from "./view";

/** x (L, T, D), what LayerNorm reads; out (L, T, D); gamma and beta (L, D), as learned. */
export function layerNormView({ model: { config, weights }, explanation, words }: Scene, asked: URLSearchParams) {
  const [stack, block] = [asked.get("stack") as Stack, asked.get("block") as string];
  const [said, name] = [words("residual"), `${stack}_${block}`];
  const layers = [...Array(layersOf(config, stack)).keys()];
  const ofAll = (site: (layer: number) => string) => together(layers.map((layer) => siteOf(explanation.trace, site(layer))));
  const learned = (name: string) =>
    together(layers.map((layer) => weights.get(`${stack}.layers.${layer}.add_${block}.norm.${name}`)));
  const tensors = {
    x: ofAll((layer) => (config.norm === "pre" ? before(config, stack, layer, block) : `${stack}.${layer}.resid_${block}`)),
    out: ofAll((layer) => `${stack}.${layer}.norm_${block}`),
    gamma: learned("gamma"),
    beta: learned("beta"),
  };
  return pack(tensors, {
    stack,
    sublayer: name,
    kind: config.layer_norm,
    eps: layers.map(() => config.layer_norm_eps),
    tokens: labelsOf((stack === "encoder" ? explanation.source : explanation.target).tokens),
    texts: {
      ...said.norm_drawing,
      lead: said[`lead_norm_${config.norm}`],
      name: said.sublayers[name],
      stages: said.stages,
      axes: said.stage_axes,
    },
  });
}
