"""The payloads of neighbours and map: each token has its own, equal ones share them, and the arithmetic takes the nearest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.embeddings.data import NEIGHBOURS, neighbours, word_map
from pages.embeddings.views import cosines
from tests.payloads import unpacked
from viz_core.analysis import embeddings
from viz_core.analysis.embeddings import embedding_space, nearest, norm
from viz_core.analysis.embeddings import word_map as planar
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.texts import visible

HOSTILE = "The otter </script> \x00 otter hides."
SIDES = pytest.mark.parametrize("side", ["source", "target"])


@SIDES
def test_each_token_has_its_nearest_neighbours(checkpoint: Checkpoint, side: Any) -> None:
    explanation, space = explain(checkpoint, HOSTILE), embedding_space(checkpoint, side)
    tokenized = explanation.source if side == "source" else explanation.target
    tensors, about = unpacked(neighbours(checkpoint, explanation, side))
    assert tensors["cosines"].shape == (len(set(tokenized.ids)), NEIGHBOURS)
    assert tensors["cosines"].dtype == np.float32
    values = cosines(checkpoint, explanation, side)
    for at, (token_id, row) in enumerate(zip(tokenized.ids, tensors["which"], strict=True)):
        expected = nearest(space, token_id, NEIGHBOURS)
        indices = tensors["neighbours"][row]
        assert [int(tensors["ids"][i]) for i in indices] == [i for i, _ in expected]
        assert [about["labels"][i] for i in indices] == [space.labels[i] for i, _ in expected]
        assert np.array_equal(tensors["cosines"][row], np.array([cosine for _, cosine in expected], np.float32))
        one, a, b = values[at], space.rows[token_id], space.rows[expected[0][0]]
        assert (one["token"], one["near"]) == (tokenized.labels[at], space.labels[expected[0][0]])
        assert (one["dot"], one["a"], one["b"]) == pytest.approx((float(a @ b), norm(a), norm(b)))
        assert one["cosine"] == expected[0][1] == pytest.approx(one["dot"] / one["a"] / one["b"], abs=1e-6)
    assert about["tokens"] == [visible(label) for label in tokenized.labels]
    assert not any("\x00" in label for label in about["tokens"])


@SIDES
def test_the_map_says_where_each_token_is(checkpoint: Checkpoint, side: Any) -> None:
    explanation, space = explain(checkpoint, HOSTILE), embedding_space(checkpoint, side)
    tokenized = explanation.source if side == "source" else explanation.target
    tensors, about = unpacked(word_map(checkpoint, explanation, side))
    drawn = planar(space, tokenized.ids)
    assert np.array_equal(tensors["at"], drawn.at.astype(np.float32))
    assert [*tensors["owner"]] == drawn.owner
    assert [drawn.ids[index] for index in tensors["which"]] == tokenized.ids
    assert about["labels"] == [visible(space.labels[i]) for i in drawn.ids]
    assert "[[" not in about["texts"]["first"] + about["texts"]["second"]
    assert "%" in about["texts"]["first"]


def test_a_token_without_room_on_the_map_is_nowhere(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explain(checkpoint, " ".join("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL0123456789.,!?"), "Ein Otter.")
    monkeypatch.setattr(embeddings.word_map, "__defaults__", (20,))
    ids = explanation.source.ids
    which = unpacked(word_map(checkpoint, explanation, "source"))[0]["which"]
    shown = list(dict.fromkeys(ids))[:20]
    assert [shown.index(token_id) if token_id in shown else -1 for token_id in ids] == [*which]
    assert -1 in which
