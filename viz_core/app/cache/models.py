"""What is kept of checkpoints: the models themselves, the space of their pieces, what is stored about their heads."""

from __future__ import annotations

import gc
import logging
import threading
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path

import streamlit as st
import torch

from viz_core import checkpoint as checkpoints
from viz_core.analysis.neighbours import Vocabulary, vocabulary
from viz_core.analysis.roles import HeadTable, stored
from viz_core.checkpoint import Checkpoint
from viz_core.errors import VizError
from viz_core.explain import Notice, explain
from viz_core.training import snapshots

ROOT = Path(__file__).parents[3] / "checkpoints"
MOST_LENT = 8
"""Of all sessions together. Up to 24 MB each for the shipped shapes."""
_lent: OrderedDict[str, Checkpoint] = OrderedDict()
_lending = threading.Lock()
log = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False)
def prepare() -> None:
    """Once for each server: one thread for each pass, and no garbage collection of what never goes.

    With two threads, twenty sessions that decode together collapse. Streamlit collects garbage after every run; with torch and
    spaCy loaded that takes longer than the page, unless they are frozen.
    """
    torch.set_num_threads(1)
    for name in usable()[0]:
        explain(get_checkpoint(name), "Hello.")  # the first pass also loads spaCy and warms up torch
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False, ttl=30)
def usable() -> tuple[list[str], list[tuple[str, str]]]:
    """The names of the checkpoints that load, and (name, reason) of those that do not."""
    good, bad = [], []
    for name in checkpoints.available(ROOT):
        try:
            get_checkpoint(name)
            good.append(name)
        except VizError as error:
            log.warning("checkpoint %s: %s", name, error)
            bad.append((name, str(error)))
    return good, bad


def get_checkpoint(name: str) -> Checkpoint:
    """A checkpoint by the name of its folder, as it was after a step of its training (`name@step`), or one that was lent.

    Raises:
        CheckpointError: it cannot be used; the message names the file.
    """
    with _lending:
        if name in _lent:
            _lent.move_to_end(name)
            return _lent[name]
    return _checkpoint(name)


@st.cache_resource(show_spinner=False, max_entries=16)
def _checkpoint(name: str) -> Checkpoint:
    base, step = snapshots.parted(name)
    if step is None:
        return checkpoints.load(ROOT / base)
    return snapshots.at(ROOT / base, get_checkpoint(base), step)


def folder(checkpoint: Checkpoint) -> Path:
    """Where the files of a checkpoint are, or of the one that it was on its way to. A lent one has none there."""
    return ROOT / snapshots.parted(checkpoint.name)[0]


def lend(checkpoint: Checkpoint) -> None:
    """Keeps a checkpoint that is nowhere but in memory, to be found by its name by everybody who knows it.

    The one that was asked for longest ago goes when there are too many.
    """
    with _lending:
        _lent[checkpoint.name] = checkpoint
        _lent.move_to_end(checkpoint.name)
        while len(_lent) > MOST_LENT:
            _lent.popitem(last=False)


def is_lent(name: str) -> bool:
    """Whether a checkpoint of this name is still kept."""
    with _lending:
        return name in _lent


@lru_cache(64)  # compared in each run
def same_vocabulary(left: Checkpoint, right: Checkpoint) -> bool:
    """Whether the pieces of both are the same, under the same ids."""
    return left is right or left.tokenizer.to_json() == right.tokenizer.to_json()


def get_heads(checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """What is stored about the heads of a checkpoint; read again when the file has changed.

    Raises:
        CheckpointError: the file is damaged; the message says what is wrong.
    """
    path = ROOT / checkpoint.name / stored.NAME
    return _heads(checkpoint.digest, path.stat().st_mtime_ns if path.exists() else 0, path.parent, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=8)
def _heads(digest: str, changed: int, folder: Path, _checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    return stored.read(folder, _checkpoint)


def get_vocabulary(checkpoint: Checkpoint, side: str) -> Vocabulary:
    """The embedding matrix of one side, `source` or `target`, as a space of pieces; one for both where they are tied."""
    return _vocabulary(checkpoint.name, checkpoint.digest, "source" if checkpoint.config.tied_embeddings else side)


@st.cache_resource(show_spinner=False, max_entries=4)
def _vocabulary(name: str, digest: str, side: str) -> Vocabulary:
    """For 8,000 pieces of 256 dimensions 8 MB, shared by all sessions."""
    checkpoint = get_checkpoint(name)
    model = checkpoint.model
    embedding = model.source_embedding if side == "source" else model.target_embedding
    return vocabulary(embedding.weight.detach().numpy(), checkpoint.tokenizer)
