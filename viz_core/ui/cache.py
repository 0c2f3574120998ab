"""What is computed once and kept. The only place with st.cache_*; everything is bounded."""

from __future__ import annotations

import gc
import logging
from functools import lru_cache
from pathlib import Path

import numpy as np
import streamlit as st
import torch

from viz_core import checkpoint as checkpoints
from viz_core import talks
from viz_core.analysis.alignment import needed
from viz_core.analysis.changed import Changed, changed
from viz_core.analysis.draws import Cut, Draw, draw
from viz_core.analysis.erasure import prediction_difference
from viz_core.analysis.flow import Doubles, encoder_flow, rollout
from viz_core.analysis.gradients import Attributions, integrated_gradients
from viz_core.analysis.importance import Importance, importance
from viz_core.analysis.neighbours import Vocabulary, vocabulary
from viz_core.analysis.pronouns import Reading, readings, schemas
from viz_core.analysis.roles import HeadTable, stored
from viz_core.analysis.search import Asked, Search, search
from viz_core.analysis.untrained import Knowledge, knowledge, untrained
from viz_core.analysis.variants import VARIANTS, Effect, effect
from viz_core.analysis.variants.beginning import HOWS, How, Learning, Place, Spread, gradients, spread
from viz_core.analysis.walk import Call, walk
from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE, Edits, site_edits
from viz_core.errors import VizError
from viz_core.explain import Explanation, Notice, explain, traced_pass
from viz_core.payload.machine import machine_payload
from viz_core.payload.odds import odds_payload
from viz_core.payload.stage import attention_payload
from viz_core.talks import Problem, Talk
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Kind, Trace

ROOT = Path(__file__).parents[2] / "checkpoints"
log = logging.getLogger(__name__)
Ids = tuple[tuple[int, ...], ...]


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


@st.cache_resource(show_spinner=False, max_entries=8)
def get_checkpoint(name: str) -> Checkpoint:
    """A checkpoint by the name of its folder.

    Raises:
        CheckpointError: it cannot be used; the message names the file.
    """
    return checkpoints.load(ROOT / name)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Edits: Edits.link})
def get_explanation(name: str, digest: str, text: str, target: str, edits: Edits = NONE) -> Explanation:
    """A sentence's explanation. Shared by all sessions and never changed; the digest makes a replaced checkpoint a new entry."""
    return explain(get_checkpoint(name), text, target, edits)


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs={Edits: Edits.link})
def get_pass(name: str, digest: str, sources: Ids, targets: Ids, edits: Edits = NONE) -> Trace:
    """One more pass over ids that are known already: a batch of sentences, or a run with edits."""
    checkpoint = get_checkpoint(name)
    return traced_pass(checkpoint, sources, targets, site_edits(edits, checkpoint.config))


def _sentence(explanation: Explanation) -> tuple[str, str, bool, str]:
    """What tells the explanations of one checkpoint apart."""
    return explanation.source.text, explanation.text, explanation.forced, explanation.edits.link()


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def get_attention(digest: str, explanation: Explanation, kind: Kind) -> bytes:
    """What the stage shows of one attention of a sentence."""
    return attention_payload(explanation, kind)


def get_changed(left: Checkpoint, before: Explanation, right: Checkpoint, after: Explanation) -> Changed:
    """What is other on the right: an edited model, another sentence, or another model of the same vocabulary."""
    return _changed(left.digest, before, right.digest, after, right.name)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _changed(left: str, before: Explanation, right: str, after: Explanation, _name: str) -> Changed:
    same = get_pass(_name, right, (tuple(after.source.ids),), (tuple(before.target.ids),), after.edits)
    return changed(before, after, same)


@lru_cache(64)  # compared in each run
def same_vocabulary(left: Checkpoint, right: Checkpoint) -> bool:
    """Whether the pieces of both are the same, under the same ids."""
    return left is right or left.tokenizer.to_json() == right.tokenizer.to_json()


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


@st.cache_resource(show_spinner=False, max_entries=12, hash_funcs={Explanation: _sentence})
def _untrained(digest: str, seed: int, explanation: Explanation, _checkpoint: Checkpoint) -> Explanation:
    fresh = _fresh(digest, seed, _checkpoint)
    return explain(fresh, explanation.source.text, explanation.text if explanation.forced else "", explanation.edits)


def get_knowledge(checkpoint: Checkpoint, seed: int, explanation: Explanation) -> tuple[Knowledge, Knowledge]:
    """What the trained model, and one that has learnt nothing, make of a sentence and its translation."""
    return _knowledge(checkpoint.digest, seed, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _knowledge(digest: str, seed: int, explanation: Explanation, _checkpoint: Checkpoint) -> tuple[Knowledge, Knowledge]:
    return knowledge(_checkpoint, explanation), knowledge(_fresh(digest, seed, _checkpoint), explanation)


def get_effect(checkpoint: Checkpoint, explanation: Explanation, variant: str) -> Effect:
    """What a variant of a part changes in one sentence."""
    return _effect(checkpoint.digest, explanation, variant, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=12, hash_funcs={Explanation: _sentence})
def _effect(digest: str, explanation: Explanation, variant: str, _checkpoint: Checkpoint) -> Effect:
    found = VARIANTS[variant]
    return effect(_checkpoint, explanation, lambda: found.edits(_checkpoint.model) if found.edits else {}, found.whole)


def get_beginnings(checkpoint: Checkpoint, explanation: Explanation, seed: int) -> tuple[dict[Place, Learning], dict[How, Spread]]:
    """How a training would begin: with either place of the LayerNorm, and with each way to draw the weights."""
    return _beginnings(checkpoint.digest, explanation, seed, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _beginnings(
    digest: str, explanation: Explanation, seed: int, _checkpoint: Checkpoint
) -> tuple[dict[Place, Learning], dict[How, Spread]]:
    places: tuple[Place, ...] = ("pre", "post")
    return (
        {place: gradients(_checkpoint, explanation, place, seed) for place in places},
        {how: spread(_checkpoint, explanation, how, seed) for how in HOWS},
    )


def get_readings(checkpoint: Checkpoint) -> list[Reading]:
    """What a model makes of all our sentences with "it"."""
    return _readings(checkpoint.digest, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=8)
def _readings(digest: str, _checkpoint: Checkpoint) -> list[Reading]:
    return readings(_checkpoint, schemas())


def get_machine(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """What the overview shows of a sentence."""
    return _machine(checkpoint.digest, explanation, checkpoint.tokenizer)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _machine(digest: str, explanation: Explanation, _tokenizer: Tokenizer) -> bytes:
    return machine_payload(explanation, _tokenizer)


def get_odds(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """What the output page shows of a sentence."""
    return _odds(checkpoint.digest, explanation, checkpoint.tokenizer)


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs={Explanation: _sentence})
def _odds(digest: str, explanation: Explanation, _tokenizer: Tokenizer) -> bytes:
    """Up to 4 MB each."""
    return odds_payload(explanation, _tokenizer)


def get_search(checkpoint: Checkpoint, explanation: Explanation, asked: Asked) -> Search:
    """A beam search of a sentence; of 20 pieces at size 10 a tenth of a second, of 127 without early stop some seconds."""
    return _search(checkpoint.digest, explanation, asked, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _search(digest: str, explanation: Explanation, asked: Asked, _checkpoint: Checkpoint) -> Search:
    return search(_checkpoint, explanation, asked)


def get_draws(checkpoint: Checkpoint, explanation: Explanation, cut: Cut, seed: int, draws: int) -> tuple[Draw, ...]:
    """Several samples of a sentence."""
    return _draws(checkpoint.digest, explanation, cut, seed, draws, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=48, hash_funcs={Explanation: _sentence})
def _draws(digest: str, explanation: Explanation, cut: Cut, seed: int, draws: int, _checkpoint: Checkpoint) -> tuple[Draw, ...]:
    return draw(_checkpoint, explanation, cut, seed, draws)


def get_importance(checkpoint: Checkpoint, explanation: Explanation) -> Importance:
    """What the loss of each head costs in one sentence."""
    return _importance(checkpoint.digest, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _importance(digest: str, explanation: Explanation, _checkpoint: Checkpoint) -> Importance:
    return importance(_checkpoint.model, explanation)


def get_gradients(checkpoint: Checkpoint, explanation: Explanation, step: int, token_id: int) -> Attributions:
    """Integrated gradients of one piece at one step."""
    return _gradients(checkpoint.digest, explanation, step, token_id, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=96, hash_funcs={Explanation: _sentence})
def _gradients(digest: str, explanation: Explanation, step: int, token_id: int, _checkpoint: Checkpoint) -> Attributions:
    return integrated_gradients(_checkpoint.model, explanation, step, token_id)


def get_erasure(checkpoint: Checkpoint, explanation: Explanation) -> Doubles:
    """What each output piece loses without each source word."""
    return _erasure(checkpoint.digest, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _erasure(digest: str, explanation: Explanation, _checkpoint: Checkpoint) -> Doubles:
    return prediction_difference(_checkpoint.model, explanation)


def get_needed(checkpoint: Checkpoint, explanation: Explanation) -> Doubles:
    """The same for output words."""
    return _needed(checkpoint.digest, explanation, checkpoint)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _needed(digest: str, explanation: Explanation, _checkpoint: Checkpoint) -> Doubles:
    return needed(_checkpoint.model, explanation)


def get_mean_rollout(checkpoint: Checkpoint, explanation: Explanation) -> Doubles:
    """What comes from each source piece by rollout in the mean over all steps, (S,)."""
    return _mean_rollout(checkpoint.digest, explanation)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: _sentence})
def _mean_rollout(digest: str, explanation: Explanation) -> Doubles:
    shares: Doubles = np.mean([rollout(explanation.trace, step.index).source for step in explanation.steps], axis=0)
    return shares


def get_encoder_flow(checkpoint: Checkpoint, explanation: Explanation, layers: int) -> Doubles:
    """Attention flow through so many of the encoder's layers; of 20 pieces half a second."""
    return _encoder_flow(checkpoint.digest, explanation, layers)


@st.cache_resource(show_spinner=False, max_entries=96, hash_funcs={Explanation: _sentence})
def _encoder_flow(digest: str, explanation: Explanation, layers: int) -> Doubles:
    return encoder_flow(explanation.trace, layers)


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


def get_talk(path: Path, pages: tuple[str, ...], names: tuple[str, ...]) -> tuple[Talk, list[Problem]]:
    """A talk's file and what is wrong in it; read again when the file has changed."""
    return _talk(path, path.stat().st_mtime_ns, pages, names)


@lru_cache(24)  # asked for several times in each run, and Streamlit would hash all the names each time
def _talk(path: Path, changed: int, pages: tuple[str, ...], names: tuple[str, ...]) -> tuple[Talk, list[Problem]]:
    return talks.load(path, pages, names)


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
