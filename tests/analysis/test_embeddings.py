"""Neighbours, the map and the window on the matrix, against plain computations; and the vectors of a pool of sentences."""

import numpy as np
import pytest
import torch

from viz_core.analysis.contexts import average_similarity, contexts, similarity, token_vectors
from viz_core.analysis.embeddings import AT_A_TIME, EmbeddingSpace, nearest, nearest_of, vocabulary, word_map
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.explain import explain
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


SOUP = "There is a fly in my soup."
TEXTS = [SOUP, "A fly is an insect.", "We fly to Paris.", "", "I saw three swallows over the very old and very quiet village."]


def test_a_sentence_in_a_padded_batch_has_the_vectors_of_its_own_trace(shipped: Checkpoint) -> None:
    pool = contexts(shipped, TEXTS)
    vectors = token_vectors(explain(shipped, SOUP).trace, 3)
    found = next(i for i in range(len(pool.ids)) if (pool.text(i), pool.tokens[i][1]) == (SOUP, 3))
    assert pool.label(found) == "fly" and len(vectors) == shipped.config.n_layers + 1
    for place, vector in enumerate(vectors):
        assert np.allclose(pool.unit[place, found], vector / np.linalg.norm(vector), atol=1e-4)
    cosines = similarity(pool, vectors)
    assert np.allclose(cosines[:, found], 1, atol=1e-4)
    assert np.allclose(average_similarity(pool, vectors), cosines.mean(axis=1), atol=1e-4)
