"""The views of all pages that the browser may request by address (see `viz_core/app/answers.py`)."""

from pages.code.corner import call_map, corner
from pages.code.cost import cost
from pages.code.untrained import untrained_steps
from pages.code.variants import mask_value, norm_place
from pages.decoding.copying_compute import copied_tokens
from pages.decoding.data import beam_tree, decoding_limits
from pages.decoding.passes import decoding_times, passes
from pages.decoding.truncation import sampled_sentences, truncation
from pages.embeddings.context import in_context
from pages.embeddings.data import embeddings, lookup, neighbours, scaled, word_map
from pages.heads.attention_flow import through_layers
from pages.heads.measured import head_ablation, head_roles
from pages.heads.norm_weighted import norm_weighted_maps
from pages.masked_attention.masks import batch_masks, mask_removed
from pages.output.data import next_token
from pages.positions.data import position_products, position_sum, position_vectors, waves
from pages.qkv.data import projection_weights, qkv
from pages.residual.feed_forward import feed_forward_view
from pages.residual.layer_norm import layer_norm_view
from pages.residual.stream import residual_stream
from pages.tokens.data import merges, spelling
from pages.training.gradient import gradient_maps
from pages.training.guided import guided
from pages.training.loss import sentence_loss
from pages.why.alignment import alignment
from pages.why.logits import lens_of_steps, logit_sums
from pages.why.rollout import attention_rollout
from pages.why.source_words import source_words

VIEWS = (
    call_map, corner, cost, mask_value, norm_place, untrained_steps,
    beam_tree, decoding_limits, sampled_sentences, truncation, copied_tokens, passes, decoding_times,
    lookup, neighbours, word_map, scaled, embeddings, in_context,
    through_layers, norm_weighted_maps, head_roles, head_ablation,
    batch_masks, mask_removed,
    next_token,
    waves, position_vectors, position_products, position_sum,
    qkv, projection_weights,
    residual_stream, layer_norm_view, feed_forward_view,
    spelling, merges,
    sentence_loss, guided, gradient_maps,
    alignment, attention_rollout, lens_of_steps, logit_sums, source_words,
)  # fmt: skip
