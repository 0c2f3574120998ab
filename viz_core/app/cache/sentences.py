"""What is kept of a sentence: its explanation, further passes, and what the browser-side parts show of it."""

from __future__ import annotations

import streamlit as st

from viz_core.analysis.divergence import Changed, changed
from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE, Edits, site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.browser.overview_payload import machine_payload
from viz_core.browser.next_token_payload import odds_payload
from viz_core.browser.attention_payload import attention_payload
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Kind, Trace
from viz_core.app.cache.models import get_checkpoint

Ids = tuple[tuple[int, ...], ...]


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Edits: Edits.link})
def get_explanation(name: str, digest: str, text: str, target: str, edits: Edits = NONE) -> Explanation:
    """A sentence's explanation. Shared by all sessions and never changed; the digest makes a replaced checkpoint a new entry."""
    return explain(get_checkpoint(name), text, target, edits, skip_missing=True)


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs={Edits: Edits.link})
def get_pass(name: str, digest: str, sources: Ids, targets: Ids, edits: Edits = NONE) -> Trace:
    """One more pass over ids that are known already: a batch of sentences, or a run with edits."""
    checkpoint = get_checkpoint(name)
    return traced_pass(checkpoint, sources, targets, site_edits(edits, checkpoint.config))


def sentence_of(explanation: Explanation) -> tuple[str, str, bool, str]:
    """What tells the explanations of one checkpoint apart."""
    return explanation.source.text, explanation.text, explanation.forced, explanation.edits.link()


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def get_attention(digest: str, explanation: Explanation, kind: Kind) -> bytes:
    """What the stage shows of one attention of a sentence."""
    return attention_payload(explanation, kind)


def get_changed(left: Checkpoint, before: Explanation, right: Checkpoint, after: Explanation) -> Changed:
    """What is other on the right: an edited model, another sentence, or another model of the same vocabulary."""
    return _changed(left.digest, before, right.digest, after, right.name)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _changed(left: str, before: Explanation, right: str, after: Explanation, _name: str) -> Changed:
    same = get_pass(_name, right, (tuple(after.source.ids),), (tuple(before.target.ids),), after.edits)
    return changed(before, after, same)


def get_machine(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """What the overview shows of a sentence."""
    return _machine(checkpoint.digest, explanation, checkpoint.tokenizer)


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs={Explanation: sentence_of})
def _machine(digest: str, explanation: Explanation, _tokenizer: Tokenizer) -> bytes:
    return machine_payload(explanation, _tokenizer)


def get_odds(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """What the output page shows of a sentence."""
    return _odds(checkpoint.digest, explanation, checkpoint.tokenizer)


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs={Explanation: sentence_of})
def _odds(digest: str, explanation: Explanation, _tokenizer: Tokenizer) -> bytes:
    """Up to 4 MB each."""
    return odds_payload(explanation, _tokenizer)
