"""What is kept of the page on the code: the calls of a pass, variants, models that have learnt nothing."""

from __future__ import annotations

import streamlit as st

from pages.code.untrained_compute import Knowledge, knowledge, untrained
from pages.code.variants import Effect, VARIANTS, effect
from pages.code.variants.beginning import HOWS, How, Learning, Place, Spread, gradients, spread
from pages.code.walk_compute import Call, walk
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.app.cache.sentences import sentence_of


def get_walk(checkpoint: Checkpoint) -> list[Call]:
    """The calls of a forward pass."""
    return _walk(checkpoint.digest, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=8)
def _walk(digest: str, _checkpoint: Checkpoint) -> list[Call]:
    return walk(_checkpoint.model)


@st.cache_resource(show_spinner=False, max_entries=4)
def _fresh(digest: str, seed: int, _checkpoint: Checkpoint) -> Checkpoint:
    """Up to 38 MB each for the shipped shapes."""
    return untrained(_checkpoint, seed)


def get_untrained(checkpoint: Checkpoint, seed: int, explanation: Explanation) -> Explanation:
    """The same sentence, explained by a model of the same shape that has learnt nothing."""
    return _untrained(checkpoint.digest, seed, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=12, hash_funcs={Explanation: sentence_of})
def _untrained(digest: str, seed: int, explanation: Explanation, _checkpoint: Checkpoint) -> Explanation:
    fresh = _fresh(digest, seed, _checkpoint)
    return explain(fresh, explanation.source.text, explanation.text if explanation.forced else "", explanation.edits)


def get_knowledge(checkpoint: Checkpoint, seed: int, explanation: Explanation) -> tuple[Knowledge, Knowledge]:
    """What the trained model, and one that has learnt nothing, make of a sentence and its translation."""
    return _knowledge(checkpoint.digest, seed, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _knowledge(digest: str, seed: int, explanation: Explanation, _checkpoint: Checkpoint) -> tuple[Knowledge, Knowledge]:
    return knowledge(_checkpoint, explanation), knowledge(_fresh(digest, seed, _checkpoint), explanation)


def get_effect(checkpoint: Checkpoint, explanation: Explanation, variant: str) -> Effect:
    """What a variant of a part changes in one sentence."""
    return _effect(checkpoint.digest, explanation, variant, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=12, hash_funcs={Explanation: sentence_of})
def _effect(digest: str, explanation: Explanation, variant: str, _checkpoint: Checkpoint) -> Effect:
    found = VARIANTS[variant]
    return effect(_checkpoint, explanation, lambda: found.edits(_checkpoint.model) if found.edits else {}, found.whole)


def get_beginnings(checkpoint: Checkpoint, explanation: Explanation, seed: int) -> tuple[dict[Place, Learning], dict[How, Spread]]:
    """How a training would begin: with either place of the LayerNorm, and with each way to draw the weights."""
    return _beginnings(checkpoint.digest, explanation, seed, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _beginnings(
    digest: str, explanation: Explanation, seed: int, _checkpoint: Checkpoint
) -> tuple[dict[Place, Learning], dict[How, Spread]]:
    places: tuple[Place, ...] = ("pre", "post")
    return (
        {place: gradients(_checkpoint, explanation, place, seed) for place in places},
        {how: spread(_checkpoint, explanation, how, seed) for how in HOWS},
    )
