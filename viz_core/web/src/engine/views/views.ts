// All views that the engine answers, by their names in an address.

import { embeddings, lookup, neighbours, scaled } from "./embeddings";
import { feedForwardView } from "./feed_forward";
import { layerNormView } from "./layer_norm";
import { lensOfSteps, logitSums } from "./logits";
import { beamTree } from "./beam_tree";
import { alignment } from "./alignment";
import { attentionRollout } from "./attention_rollout";
import { attentionView } from "./attention_view";
import { headAblation, headRoles } from "./heads";
import { inside } from "./inside";
import { maskRemoved } from "./mask_removed";
import { comparison } from "./comparison";
import { sideBySide } from "./side_by_side";
import { normWeightedMaps } from "./norm_weighted";
import { throughLayers } from "./through_layers";
import { nextToken } from "./next_token";
import { positionProducts, positionSum, positionVectors, waves } from "./positions";
import { overview } from "./overview";
import { projectionWeights, qkv } from "./qkv";
import { residualStream } from "./residual_stream";
import { merges, spelling } from "./spelling";
import { sourceWords } from "./source_words";
import { truncation } from "./truncation";
import { shell } from "./shell";
import type { View } from "./view";
import { wordMap } from "./word_map";

export const VIEWS: Readonly<Record<string, View>> = {
  shell,
  beam_tree: beamTree,
  alignment,
  attention_rollout: attentionRollout,
  attention_view: attentionView,
  truncation,
  overview,
  inside,
  head_roles: headRoles,
  head_ablation: headAblation,
  mask_removed: maskRemoved,
  comparison,
  side_by_side: sideBySide,
  through_layers: throughLayers,
  norm_weighted_maps: normWeightedMaps,
  next_token: nextToken,
  qkv,
  projection_weights: projectionWeights,
  residual_stream: residualStream,
  layer_norm_view: layerNormView,
  feed_forward_view: feedForwardView,
  lens_of_steps: lensOfSteps,
  logit_sums: logitSums,
  source_words: sourceWords,
  spelling,
  merges,
  lookup,
  scaled,
  embeddings,
  neighbours,
  word_map: wordMap,
  waves,
  position_vectors: positionVectors,
  position_products: positionProducts,
  position_sum: positionSum,
};
