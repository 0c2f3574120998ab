"""Which words of two texts belong together."""

from viz_core.analysis.words import align_words, groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.words import TokenizedText


def read(checkpoint: Checkpoint, text: str) -> TokenizedText:
    return explain(checkpoint, text).source


def test_the_same_words_and_those_in_their_place_belong_together_with_all_their_tokens(shipped: Checkpoint) -> None:
    left, right = read(shipped, "The old bridge was too wide."), read(shipped, "The unbelievably old bridge was too long.")
    found = align_words(left, right)
    same = [match.texts[0] for match in found.matches if match.same]
    assert same == ["The", "old", "bridge", "was", "too", ".", "⟨/s⟩"]
    assert [match.texts for match in found.matches if not match.same] == [("wide", "long")]
    assert found.alone == ((), ("unbelievably",))
    for match in found.matches:  # each word with its own tokens on its own side
        for side, text, tokens in zip((left, right), match.texts, match.tokens, strict=True):
            labels, positions = groups(side)
            assert list(tokens) == positions[labels.index(text)]


def test_where_nothing_says_which_words_belong_together_they_stay_alone(shipped: Checkpoint) -> None:
    found = align_words(read(shipped, "She quickly left."), read(shipped, "She never came back here."))
    assert [match.texts[0] for match in found.matches] == ["She", ".", "⟨/s⟩"]
    assert found.alone == (("quickly", "left"), ("never", "came", "back", "here"))
