"""What a figure leaves out it says: bars sum to 100 %, a title quotes whole words."""

from pages.decoding.truncation import truncation
from tests.pages.test_all_pages import opened
from tests.payloads import unpacked
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


def test_a_title_quotes_whole_words_and_a_table_is_named_for_what_it_holds(shipped: Checkpoint) -> None:
    text = "My brother bought a new bicycle yesterday."
    _, cut = unpacked(truncation(shipped, explain(shipped, text), 1.0, 0, 1.0, 0, 0))
    assert "after “… Bruder hat gestern ein neues Fahrrad”" in cut["titles"][7]
    copied = opened("decoding/page.py", text=text, case="copying").get("html")
    assert [each for each in copied if "The output without copying, and with it" in each.proto.body]
    assert not [each for each in copied if "Sampled" in each.proto.body]
