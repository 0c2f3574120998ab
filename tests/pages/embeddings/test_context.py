"""In context: the most and the least similar sentences are drawn; and the map of words, where it is full."""

import numpy as np
import pytest

from pages.embeddings.context import _same
from pages.embeddings.data import word_map
from tests.payloads import unpacked
from viz_core.analysis import embeddings
from viz_core.analysis.contexts import contexts, similarity, token_vectors
from viz_core.app.answers import answer
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


def test_of_many_sentences_those_with_the_nearest_and_the_farthest_are_drawn(shipped: Checkpoint) -> None:
    here, at = explain(shipped, "I see a dog."), 3
    others = [f"{who} a dog." for who in ("We had", "He has", "She sold", "Buy", "Nobody is", "Tom saw", "Is it")]
    pool = contexts(shipped, [here.source.text, *others])
    cosines = similarity(pool, token_vectors(here.trace, at))
    drawn = _same(pool, here.source.tokens[at].id, cosines, here.source.text, False)
    ends = sorted((cosines[-1, i] for i in range(len(pool.ids)) if pool.label(i) == "dog"), reverse=True)[1:]  # not itself
    assert len(ends) == 7 and [each.cosines[-1] for each in drawn] == [*ends[:3], *ends[-3:]]


def test_our_sentences_and_a_typed_one_are_compared() -> None:
    typed = "I saw a fly on <b>bread</b>."
    arrays, about = unpacked(answer("in_context", {"model": "en-de-tiny", "text": "There is a fly in my soup.", "second": typed}))
    others, at = about["others"][3], about["typed"][3]
    assert others[at].startswith(typed[:20]) and len(others) > 1
    assert not about["missing"][3] and not np.isnan(arrays["cosines"][3, : len(others)]).any()
    arrays, about = unpacked(answer("in_context", {"model": "en-de-tiny", "text": "The zebra sleeps.", "second": "A cat."}))
    assert np.isnan(arrays["cosines"][1]).all() and about["others"][1] == [] and about["missing"][1]


def test_a_token_without_room_on_the_map_is_nowhere(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explain(checkpoint, " ".join("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL0123456789.,!?"), "Ein Otter.")
    monkeypatch.setattr(embeddings.word_map, "__defaults__", (20,))
    ids = explanation.source.ids
    which = unpacked(word_map(checkpoint, explanation, "source"))[0]["which"]
    shown = list(dict.fromkeys(ids))[:20]
    assert [shown.index(token_id) if token_id in shown else -1 for token_id in ids] == [*which]
    assert -1 in which
