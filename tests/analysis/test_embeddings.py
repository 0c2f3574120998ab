"""Neighbours, the map and the window on the matrix, against plain computations."""

import numpy as np
import pytest
import torch

from viz_core.analysis.embeddings import (
    AT_A_TIME,
    EmbeddingSpace,
    colour_limit,
    nearest,
    nearest_of,
    one_hot_window,
    vocabulary,
    word_map,
)
from viz_core.config import ModelConfig
from viz_core.model.embedding import Embedding
from viz_core.tokenizer import FIRST_TEXT_ID, BpeTokenizer


@pytest.fixture(scope="module")
def space() -> EmbeddingSpace:
    tokenizer = BpeTokenizer.train(["▁low", "▁lower", "▁newest", "ing", "."] * 4, 400)
    rows = np.random.default_rng(0).normal(size=(len(tokenizer), 12)).astype(np.float32)
    embedding = Embedding(ModelConfig(source_vocab=len(rows), target_vocab=len(rows), d_model=rows.shape[1], n_heads=1), len(rows))
    embedding.weight.data = torch.from_numpy(rows)
    return vocabulary(embedding, tokenizer)


def test_nearest_agrees_with_the_cosine_of_each_pair(space: EmbeddingSpace) -> None:
    picked = FIRST_TEXT_ID + 3
    a = space.rows[picked].astype(np.float64)
    cosines = {
        i: float(a @ space.rows[i] / np.linalg.norm(a) / np.linalg.norm(space.rows[i].astype(np.float64)))
        for i in range(FIRST_TEXT_ID, len(space))
        if i != picked
    }
    expected = sorted(cosines, key=lambda i: -cosines[i])[:7]
    found = nearest(space, picked, 7)
    assert [i for i, _ in found] == expected
    assert [c for _, c in found] == pytest.approx([cosines[i] for i in expected], abs=1e-5)


def test_the_nearest_of_many_are_those_of_each(space: EmbeddingSpace) -> None:
    ids = [*range(2, len(space), 7), 2]  # more than are computed at a time, special tokens and bytes among them
    assert len(ids) > AT_A_TIME
    for token_id, found in zip(ids, nearest_of(space, ids, 6), strict=True):
        assert found == nearest(space, token_id, 6), "to the last digit"


def test_equal_cosines_come_in_the_order_of_the_vocabulary(space: EmbeddingSpace) -> None:
    first, *rest = range(FIRST_TEXT_ID, len(space))
    twins = Embedding(ModelConfig(source_vocab=len(space), target_vocab=len(space), d_model=12, n_heads=1), len(space))
    twins.weight.data = torch.ones(len(space), 12)
    same = EmbeddingSpace(twins, np.ones(len(space)), space.labels, space.texts)
    assert [i for i, _ in nearest(same, first, 4)] == rest[:4]
    assert nearest(same, first, 0) == []


def test_map_is_the_plane_of_largest_variance(space: EmbeddingSpace) -> None:
    ids = [FIRST_TEXT_ID + i for i in (5, 9, 5, 30)]
    spots = word_map(space, ids, most=20)
    assert spots.ids[:3] == [ids[0], ids[1], ids[3]]  # each once
    assert spots.owner[:3] == [0, 1, 2]
    assert all(spots.ids[i] in {n for n, _ in nearest(space, spots.ids[o], 5)} for i, o in enumerate(spots.owner) if i != o)
    points = space.unit(spots.ids).astype(np.float64)
    values = np.sort(np.linalg.eigvalsh(np.cov(points.T)))[::-1]
    assert spots.explained == pytest.approx(values[:2] / values.sum())
    assert spots.at.var(axis=0, ddof=1) == pytest.approx(values[:2])


def test_map_of_one_token_without_neighbours_is_a_point(space: EmbeddingSpace) -> None:
    spots = word_map(space, [2])
    assert (spots.ids, spots.at.tolist(), spots.explained.tolist()) == ([2], [[0.0, 0.0]], [0.0, 0.0])


def test_map_counts_what_it_leaves_off(space: EmbeddingSpace) -> None:
    ids = [FIRST_TEXT_ID + i for i in (0, 1, 2, 3, 0, 4)]  # five different ones
    assert word_map(space, ids, most=3).left == 2
    assert word_map(space, ids, most=3).ids == ids[:3]
    assert word_map(space, ids, most=5).left == 0


@pytest.mark.parametrize(("picked", "expected"), [(0, [0, 1, 9]), (5, [0, 4, 5, 6, 9]), (9, [0, 8, 9])])
def test_window_holds_the_row_its_neighbours_and_both_ends(picked: int, expected: list[int]) -> None:
    assert one_hot_window(picked, 10) == expected


def test_colour_limit_never_cuts_what_should_lie_inside() -> None:
    values = np.array([0.1, -3.41, 2.0], dtype=np.float32)
    assert colour_limit(values) == pytest.approx(3.5)
    assert colour_limit(np.zeros(3, dtype=np.float32)) > 0
