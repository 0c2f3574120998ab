"""What is kept of other ways to decode a sentence."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.decoding.copying_compute import Copied, copied
from pages.decoding.sampling_compute import Cut, Draw, draw
from viz_core.analysis.unseen_names import Kept, kept_names, named_sentences
from pages.decoding.beam_compute import Asked, Search, search
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import copy_gate
from viz_core.explain import Explanation
from viz_core.model.pointer import PointerGenerator
from viz_core.app.cache.models import folder
from viz_core.app.cache.sentences import sentence_of


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


def get_pointer(checkpoint: Checkpoint) -> PointerGenerator | None:
    """What a checkpoint has learned of copying, None if nothing; read again when the file has changed.

    Raises:
        CheckpointError: the file is damaged, or belongs to other weights; the message says which.
    """
    return _pointer(checkpoint.digest, _changed(checkpoint), folder(checkpoint), checkpoint)


def _changed(checkpoint: Checkpoint) -> int:
    """When its gate was written; 0 where there is none."""
    path = folder(checkpoint) / copy_gate.NAME
    return path.stat().st_mtime_ns if path.exists() else 0


@st.cache_resource(show_spinner=False, max_entries=8)
def _pointer(digest: str, changed: int, folder: Path, _checkpoint: Checkpoint) -> PointerGenerator | None:
    return copy_gate.read(folder, _checkpoint)


def get_copied(checkpoint: Checkpoint, explanation: Explanation, pointer: PointerGenerator) -> Copied:
    """What is written with copying."""
    return _copied(checkpoint.digest, _changed(checkpoint), explanation, checkpoint, pointer)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _copied(digest: str, changed: int, explanation: Explanation, _checkpoint: Checkpoint, _pointer: PointerGenerator) -> Copied:
    return copied(_checkpoint, explanation, _pointer)


def get_kept_names(checkpoint: Checkpoint, pointer: PointerGenerator) -> list[Kept]:
    """How all our sentences with names fare; a second or two."""
    return _kept_names(checkpoint.digest, _changed(checkpoint), checkpoint, pointer)


@st.cache_resource(show_spinner=False, max_entries=8)
def _kept_names(digest: str, changed: int, _checkpoint: Checkpoint, _pointer: PointerGenerator) -> list[Kept]:
    return kept_names(_checkpoint, _pointer, named_sentences())
