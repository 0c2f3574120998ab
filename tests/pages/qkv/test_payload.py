"""A projection is asked for by head."""

import pytest

from viz_core.app.answers import Refused, answer_at


@pytest.mark.parametrize("wrong", ["layer=99&head=0", "layer=0&head=99", "layer=x&head=0", "layer=-1&head=0", "layer=0"])
def test_a_head_that_the_model_lacks_is_refused(wrong: str) -> None:
    with pytest.raises(Refused):
        answer_at(f"/data/projection_weights?model=en-de&kind=cross&role=k&{wrong}")
    assert answer_at("/data/projection_weights?model=en-de&kind=cross&role=k&layer=3&head=7")
