"""The vectors of a pool are those of the sentence's own trace, and similarity tells two senses apart."""

import numpy as np

from viz_core.analysis.contexts import average_similarity, contexts, similarity, token_vectors
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

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
