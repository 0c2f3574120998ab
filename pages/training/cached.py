"""What is kept of a model's training."""

from __future__ import annotations

import streamlit as st

from pages.training.compute import Stop, way
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.training import snapshots
from viz_core.app.cache.models import folder, get_checkpoint
from viz_core.app.cache.sentences import sentence_of


def get_way(trained: Checkpoint, right: Explanation) -> tuple[Stop, ...]:
    """A sentence along the training of a model, up to its end; only the end where no weights were kept on the way.

    Raises:
        CheckpointError: a kept file cannot be used; the message names it.
    """
    return _way(trained.digest, right, trained)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _way(digest: str, right: Explanation, _trained: Checkpoint) -> tuple[Stop, ...]:
    kept = snapshots.kept(folder(_trained))
    return way([*((step, get_checkpoint(f"{_trained.name}{snapshots.AT}{step}")) for step in kept), (None, _trained)], right)
