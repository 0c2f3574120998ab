"""A projection is asked for by head, and the keys that Q, K, V compares are ones that a query may look at."""

import numpy as np
import pytest

from pages.qkv.compute import rivals
from viz_core.app.answers import Refused, answer_at
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.trace import Kind


@pytest.mark.parametrize("wrong", ["layer=99&head=0", "layer=0&head=99", "layer=x&head=0", "layer=-1&head=0", "layer=0"])
def test_a_head_that_the_model_lacks_is_refused(wrong: str) -> None:
    with pytest.raises(Refused):
        answer_at(f"/data/projection_weights?model=en-de&kind=cross&role=k&{wrong}")
    assert answer_at("/data/projection_weights?model=en-de&kind=cross&role=k&layer=3&head=7")


@pytest.mark.parametrize("kind", ["self", "masked", "cross"])
def test_the_key_of_each_query_is_one_that_it_may_look_at(checkpoint: Checkpoint, kind: Kind) -> None:
    trace = explain(checkpoint, "The otter paints the map.").trace
    found = rivals(trace, kind)
    for layer, block in enumerate(trace.attentions(kind)):
        scores = block.scores
        for (head, query), key in np.ndenumerate(found.keys[layer]):
            assert found.there[layer, head, query] == scores[head, query, key]
            if kind == "cross" or found.back is None:
                assert key == scores[head, query].argmax() and found.back is None
                continue
            assert found.back[layer, head, query] == scores[head, key, query]
            others = [each for each in range(query if kind == "masked" else len(scores[head])) if each != query]
            most = max((abs(float(scores[head, query, each] - scores[head, each, query])) for each in others), default=None)
            if most is None:
                assert key == query
            else:
                assert key in others and abs(float(scores[head, query, key] - scores[head, key, query])) == pytest.approx(most)
