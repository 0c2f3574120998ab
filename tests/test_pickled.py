"""What `explain` and the searches give goes through pickle and copy to the bit, also into another process."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import tokenizers

from tests.conftest import MakeModel
from tests.pages.test_odd_shapes import IMPORTED, with_pieces
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Head
from viz_core.explain import Explanation, explain
from viz_core.tokenizer import LibraryTokenizer, WordTokenizer
from viz_core.trace import Trace

TEXT = "My aunt hides two umbrellas."
EDITED = Edits(heads={Head("cross", 0, 1)}, force={1: "a"}, swap={0: "A"}, no_causal_mask=True, no_padding_mask=True)
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


def same(one: Trace, other: Trace) -> bool:
    return list(one) == list(other) and all(
        one[site].dtype == other[site].dtype and one[site].numpy().tobytes() == other[site].numpy().tobytes() for site in one
    )


def assert_same(one: Explanation, other: Explanation) -> None:
    assert repr(one) == repr(other)
    assert (one.source, one.target, one.output, one.edits) == (other.source, other.target, other.output, other.edits)
    assert (one.text, one.given_target, one.notices) == (other.text, other.given_target, other.notices)
    assert same(one.trace, other.trace)
    assert one.trace.config == other.trace.config
    for ours, theirs in zip(one.steps, other.steps, strict=True):
        assert (ours.read, ours.chosen, ours.expected) == (theirs.read, theirs.chosen, theirs.expected)
        assert ours.log_probs.tobytes() == theirs.log_probs.tobytes()
        assert ours.top() == theirs.top()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("edits", [Edits(), EDITED], ids=["as trained", "edited"])
def test_an_explanation_comes_back_to_the_bit(checkpoint: Checkpoint, edits: Edits, way: str) -> None:
    explained = explain(checkpoint, TEXT, edits=edits)
    assert_same(WAYS[way](explained), explained)
    assert same(WAYS[way](explained.trace), explained.trace)
    assert WAYS[way](explained.steps[1]).top() == explained.steps[1].top()


def test_every_kind_of_vocabulary_comes_back(checkpoint: Checkpoint, make_model: MakeModel) -> None:
    pieces = with_pieces(make_model, IMPORTED)
    vocab, config = pieces.tokenizer.vocab, pieces.config
    unigram = tokenizers.Tokenizer(tokenizers.models.Unigram([(token, -1.0) for token in vocab], unk_id=1))
    for tokenizer in (pieces.tokenizer, WordTokenizer(vocab, False, config), LibraryTokenizer(unigram, vocab, config)):
        before = tokenizer.encode("a tent, una", "en")  # what it keeps for itself is there
        back = pickle.loads(pickle.dumps(tokenizer))
        assert (back.to_json(), back.encode("a tent, una", "en")) == (tokenizer.to_json(), before), type(tokenizer)
    assert pickle.loads(pickle.dumps(explain(pieces, "a tent"))).text == explain(pieces, "a tent").text
