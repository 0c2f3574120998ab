"""What a site holds of a page: addresses that the engine answers, and the answers of the others."""

import base64

from viz_core.app.answers import answer_at
from viz_core.app.site.record import _answered


def test_a_view_that_the_engine_lacks_is_recorded() -> None:
    known, lacking = (
        {"address": "data/next_token?model=en-de-small&text=A"},
        "data/untrained_steps?model=en-de-tiny&text=A&seed=1&of=of_sentence",
    )
    assert _answered(known) == known and _answered({"name": "show"}) == {"name": "show"} and _answered(b"1") == b"1"
    assert _answered({"address": lacking}) == answer_at(lacking)


def test_beside_a_view_of_which_the_engine_lacks_a_part_stands_the_whole() -> None:
    asked = {"address": "data/source_words?model=en-de-tiny&text=A&gradients=0"}
    held = _answered(asked)
    assert asked.items() <= held.items() and base64.b64decode(held["recorded"]) == answer_at(asked["address"])
