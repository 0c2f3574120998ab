"""What is kept of sentences that are written all at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from viz_core import checkpoint as checkpoints
from viz_core.analysis import mask_predict_quality
from pages.decoding.non_autoregressive_compute import Filled, ask_plain, fill
from viz_core.analysis.mask_predict_quality import Measured
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate
from viz_core.errors import VizError
from viz_core.explain import Explanation
from viz_core.app.cache.models import ROOT, get_checkpoint, usable
from viz_core.app.cache.sentences import sentence_of

ROUNDS = 5
"""A time is the shortest of so many."""
log = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False, ttl=30)
def get_masked(source_language: str, target_language: str) -> Checkpoint | None:
    """The first checkpoint with a masked decoder for these languages; None if there is none that can be used."""
    for name in checkpoints.available(ROOT, "masked"):
        try:
            found = _masked(name)
        except VizError as error:
            log.warning("checkpoint %s: %s", name, error)
            continue
        if (found.source_language, found.target_language) == (source_language, target_language):
            return found
    return None


@st.cache_resource(show_spinner=False, max_entries=4)
def _masked(name: str) -> Checkpoint:
    return checkpoints.load(ROOT / name, "masked")


def get_measured(masked: Checkpoint) -> Measured | None:
    """How good it is with few passes and with many, as stored; None where nothing is stored that can be used."""
    path = ROOT / masked.name / mask_predict_quality.NAME
    return _measured(masked.digest, path.stat().st_mtime_ns if path.exists() else 0, masked)


@st.cache_resource(show_spinner=False, max_entries=4)
def _measured(digest: str, changed: int, _masked: Checkpoint) -> Measured | None:
    try:
        return mask_predict_quality.read(ROOT / _masked.name, _masked)
    except VizError as error:
        log.warning("checkpoint %s: %s", _masked.name, error)
        return None


def get_sister(masked: Checkpoint) -> Checkpoint | None:
    """A checkpoint of the same shape that writes piece by piece, for the same languages; None if there is none."""
    for name in usable()[0]:
        found = get_checkpoint(name)
        same = (found.source_language, found.target_language) == (masked.source_language, masked.target_language)
        if same and replace(found.config, decoder="masked") == masked.config:
            return found
    return None


def get_filled(masked: Checkpoint, text: str, iterations: int, length: int | None) -> tuple[Filled, ...]:
    """A sentence by mask-predict, with each of the lengths that were tried, the best first."""
    return _filled(masked.digest, text, iterations, length, masked)


@st.cache_resource(show_spinner=False, max_entries=16)
def _filled(digest: str, text: str, iterations: int, length: int | None, _masked: Checkpoint) -> tuple[Filled, ...]:
    return fill(_masked, text, iterations, length)


def get_written(checkpoint: Checkpoint, text: str) -> str:
    """What a checkpoint writes greedily."""
    return _written(checkpoint.digest, text, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=32)
def _written(digest: str, text: str, _checkpoint: Checkpoint) -> str:
    return translate(_checkpoint.model, _checkpoint.tokenizer, _checkpoint.source_language, [text])[0]


def get_seconds(masked: Checkpoint, beside: Checkpoint, text: str, iterations: int, length: int) -> tuple[float, float]:
    """What mask-predict with this length takes, and what the other checkpoint takes, greedily; measured in turns."""
    return _seconds(masked.digest, beside.digest, text, iterations, length, masked, beside)


@st.cache_resource(show_spinner=False, max_entries=64)
def _seconds(
    digest: str, other: str, text: str, iterations: int, length: int, _masked: Checkpoint, _beside: Checkpoint
) -> tuple[float, float]:
    ways: tuple[Callable[[], object], ...] = (
        lambda: fill(_masked, text, iterations, length),
        lambda: translate(_beside.model, _beside.tokenizer, _beside.source_language, [text]),
    )
    rounds = [[_timed(way) for way in ways] for _ in range(ROUNDS)]  # in turns, so that noise of the machine meets both
    own, theirs = (min(times) for times in zip(*rounds, strict=True))
    return own, theirs


def get_plain(checkpoint: Checkpoint, explanation: Explanation, most: int) -> tuple[Filled, tuple[int, ...]]:
    """The sentence's own model, asked for all places at once, and what it writes greedily."""
    return _plain(checkpoint.digest, explanation, most, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs={Explanation: sentence_of})
def _plain(digest: str, explanation: Explanation, most: int, _checkpoint: Checkpoint) -> tuple[Filled, tuple[int, ...]]:
    return ask_plain(_checkpoint, explanation, most)


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
