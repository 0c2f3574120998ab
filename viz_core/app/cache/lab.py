"""What is kept of the pages of the lab: measures that take more than one pass."""

from __future__ import annotations

import numpy as np
import streamlit as st

from viz_core.analysis.alignment import needed
from viz_core.analysis.erasure import prediction_difference
from viz_core.analysis.rollout import Doubles, encoder_flow, rollout
from viz_core.analysis.integrated_gradients import Attributions, integrated_gradients
from viz_core.analysis.ablation import Importance, importance
from viz_core.analysis.pronouns import Reading, readings, schemas
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.app.cache.sentences import sentence_of


def get_readings(checkpoint: Checkpoint) -> list[Reading]:
    """What a model makes of all our sentences with "it"."""
    return _readings(checkpoint.digest, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=8)
def _readings(digest: str, _checkpoint: Checkpoint) -> list[Reading]:
    return readings(_checkpoint, schemas())


def get_importance(checkpoint: Checkpoint, explanation: Explanation) -> Importance:
    """What the loss of each head costs in one sentence."""
    return _importance(checkpoint.digest, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _importance(digest: str, explanation: Explanation, _checkpoint: Checkpoint) -> Importance:
    return importance(_checkpoint.model, explanation)


def get_gradients(checkpoint: Checkpoint, explanation: Explanation, step: int, token_id: int) -> Attributions:
    """Integrated gradients of one piece at one step."""
    return _gradients(checkpoint.digest, explanation, step, token_id, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=96, hash_funcs={Explanation: sentence_of})
def _gradients(digest: str, explanation: Explanation, step: int, token_id: int, _checkpoint: Checkpoint) -> Attributions:
    return integrated_gradients(_checkpoint.model, explanation, step, token_id)


def get_erasure(checkpoint: Checkpoint, explanation: Explanation) -> Doubles:
    """What each output piece loses without each source word."""
    return _erasure(checkpoint.digest, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _erasure(digest: str, explanation: Explanation, _checkpoint: Checkpoint) -> Doubles:
    return prediction_difference(_checkpoint.model, explanation)


def get_needed(checkpoint: Checkpoint, explanation: Explanation) -> Doubles:
    """The same for output words."""
    return _needed(checkpoint.digest, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _needed(digest: str, explanation: Explanation, _checkpoint: Checkpoint) -> Doubles:
    return needed(_checkpoint.model, explanation)


def get_mean_rollout(checkpoint: Checkpoint, explanation: Explanation) -> Doubles:
    """What comes from each source piece by rollout in the mean over all steps, (S,)."""
    return _mean_rollout(checkpoint.digest, explanation)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _mean_rollout(digest: str, explanation: Explanation) -> Doubles:
    shares: Doubles = np.mean([rollout(explanation.trace, step.index).source for step in explanation.steps], axis=0)
    return shares


def get_encoder_flow(checkpoint: Checkpoint, explanation: Explanation, layers: int) -> Doubles:
    """Attention flow through so many of the encoder's layers; of 20 pieces half a second."""
    return _encoder_flow(checkpoint.digest, explanation, layers)


@st.cache_resource(show_spinner=False, max_entries=96, hash_funcs={Explanation: sentence_of})
def _encoder_flow(digest: str, explanation: Explanation, layers: int) -> Doubles:
    return encoder_flow(explanation.trace, layers)
