"""What is kept of other ways to decode a sentence."""

from __future__ import annotations

import streamlit as st

from viz_core.analysis.draws import Cut, Draw, draw
from viz_core.analysis.search import Asked, Search, search
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.ui.cache.sentences import sentence_of


def get_search(checkpoint: Checkpoint, explanation: Explanation, asked: Asked) -> Search:
    """A beam search of a sentence; of 20 pieces at size 10 a tenth of a second, of 127 without early stop some seconds."""
    return _search(checkpoint.digest, explanation, asked, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _search(digest: str, explanation: Explanation, asked: Asked, _checkpoint: Checkpoint) -> Search:
    return search(_checkpoint, explanation, asked)


def get_draws(checkpoint: Checkpoint, explanation: Explanation, cut: Cut, seed: int, draws: int) -> tuple[Draw, ...]:
    """Several samples of a sentence."""
    return _draws(checkpoint.digest, explanation, cut, seed, draws, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=48, hash_funcs={Explanation: sentence_of})
def _draws(digest: str, explanation: Explanation, cut: Cut, seed: int, draws: int, _checkpoint: Checkpoint) -> tuple[Draw, ...]:
    return draw(_checkpoint, explanation, cut, seed, draws)
