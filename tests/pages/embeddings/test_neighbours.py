"""The payload of the map of words, where it is full."""

import pytest

from pages.embeddings.data import word_map
from tests.payloads import unpacked
from viz_core.analysis import embeddings
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


def test_a_token_without_room_on_the_map_is_nowhere(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explain(checkpoint, " ".join("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL0123456789.,!?"), "Ein Otter.")
    monkeypatch.setattr(embeddings.word_map, "__defaults__", (20,))
    ids = explanation.source.ids
    which = unpacked(word_map(checkpoint, explanation, "source"))[0]["which"]
    shown = list(dict.fromkeys(ids))[:20]
    assert [shown.index(token_id) if token_id in shown else -1 for token_id in ids] == [*which]
    assert -1 in which
