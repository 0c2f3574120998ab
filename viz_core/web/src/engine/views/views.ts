// All views that the engine answers, by their names in an address.

import { inContext } from "./in_context";
import { embeddings, lookup, neighbours, scaled, wordMap } from "./embeddings";
import { feedForwardView, layerNormView, residualStream } from "./residual_stream";
import { lensOfSteps, logitSums, alignment, sourceWords } from "./logits";
import { batchMasks } from "./batch_masks";
import { beamTree, decodingLimits } from "./beam_tree";
import { copiedTokens } from "./copied_tokens";
import { corner } from "./corner";
import { cost } from "./cost";
import { attentionRollout, attentionView } from "./attention";
import { headAblation, headRoles, normWeightedMaps, throughLayers } from "./heads";
import { inside, overview } from "./overview";
import { exercise } from "./exercise";
import { comparison } from "./comparison";
import { sideBySide, maskRemoved } from "./side_by_side";
import { nextToken } from "./next_token";
import { decodingTimes, passes } from "./passes";
import { guided, sentenceLoss } from "./sentence_loss";
import { positionProducts, positionSum, positionVectors, waves } from "./positions";
import { projectionWeights, qkv } from "./qkv";
import { sampledSentences, truncation } from "./sampling";
import { merges, spelling } from "./spelling";
import { shell } from "./shell";
import type { View } from "./view";

export const VIEWS: Readonly<Record<string, View>> = {
  shell,
  exercise,
  batch_masks: batchMasks,
  beam_tree: beamTree,
  decoding_limits: decodingLimits,
  copied_tokens: copiedTokens,
  corner,
  cost,
  passes,
  decoding_times: decodingTimes,
  sentence_loss: sentenceLoss,
  guided,
  alignment,
  attention_rollout: attentionRollout,
  attention_view: attentionView,
  sampled_sentences: sampledSentences,
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
  in_context: inContext,
  word_map: wordMap,
  waves,
  position_vectors: positionVectors,
  position_products: positionProducts,
  position_sum: positionSum,
};
