"""What is computed once and kept. The only place with st.cache_*; everything is bounded, and shared by all sessions."""

from pages.decoding.cached_mask_predict import get_filled, get_masked, get_measured, get_plain, get_seconds, get_sister, get_written
from pages.code.cached import get_beginnings, get_effect, get_knowledge, get_untrained, get_walk
from pages.decoding.cached import get_copied, get_draws, get_kept_names, get_pointer, get_search
from viz_core.app.cache.lab import get_encoder_flow, get_erasure, get_gradients, get_importance, get_mean_rollout, get_needed, get_readings
from viz_core.app.cache.models import MOST_LENT, folder, get_checkpoint, get_heads, get_vocabulary, is_lent, lend, prepare, same_vocabulary, usable
from viz_core.app.cache.sentences import get_attention, get_changed, get_explanation, get_machine, get_odds, get_pass
from viz_core.app.cache.talks import get_talk
from pages.training.cached import get_way

__all__ = [
    "MOST_LENT",
    "folder",
    "get_attention",
    "get_beginnings",
    "get_changed",
    "get_checkpoint",
    "get_copied",
    "get_draws",
    "get_effect",
    "get_encoder_flow",
    "get_erasure",
    "get_explanation",
    "get_filled",
    "get_gradients",
    "get_heads",
    "get_importance",
    "get_kept_names",
    "get_knowledge",
    "get_machine",
    "get_masked",
    "get_mean_rollout",
    "get_measured",
    "get_needed",
    "get_odds",
    "get_pass",
    "get_plain",
    "get_pointer",
    "get_readings",
    "get_search",
    "get_seconds",
    "get_sister",
    "get_talk",
    "get_untrained",
    "get_vocabulary",
    "get_walk",
    "get_way",
    "get_written",
    "is_lent",
    "lend",
    "prepare",
    "same_vocabulary",
    "usable",
]
