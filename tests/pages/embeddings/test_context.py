"""In context: the most and the least similar sentences are drawn, and the download has the drawn numbers."""

import numpy as np
import pytest

from pages.embeddings.context import SENSES, _same
from tests.pages.recorded import recorded
from tests.payloads import unpacked
from viz_core.analysis.contexts import contexts, similarity, token_vectors
from viz_core.analysis.roles.survey import sentences
from viz_core.app.answers import answer
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


def test_of_many_sentences_those_with_the_nearest_and_the_farthest_are_drawn(shipped: Checkpoint) -> None:
    here, at = explain(shipped, "I see a dog."), 3
    others = [f"{who} a dog." for who in ("We had", "He has", "She sold", "Buy", "Nobody is", "Tom saw", "Is it")]
    pool = contexts(shipped, [here.source.text, *others])
    cosines = similarity(pool, token_vectors(here.trace, at))
    drawn = _same(pool, here.source.tokens[at].id, cosines, here.source.text, False)
    ends = sorted((cosines[-1, i] for i in range(len(pool.ids)) if pool.label(i) == "dog"), reverse=True)[1:]  # not itself
    assert len(ends) == 7 and [each.cosines[-1] for each in drawn] == [*ends[:3], *ends[-3:]]


def test_the_page_compares_with_our_sentences_and_with_a_typed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text, typed = "There is a fly in my soup.", "I saw a fly on <b>bread</b>."
    view = recorded(monkeypatch, "embeddings", text=text, show="context", token="4", layer="4", second=typed)
    arrays, about = unpacked(view.parts["in_context"])
    assert {typed[:20], "A fly is an insect."} <= {sentence[:20] for sentence in about["others"][3]}
    assert about["others"][3][about["typed"][3]].startswith(typed[:20]) and not about["missing"][3]
    count = len(about["others"][3])
    assert np.allclose([*arrays["cosines"][3, :count].ravel(), *arrays["average"][3]], view.column("context", "cosine"))
    assert "flight" in [about["words"][i] for i in arrays["near"][3, -1]]  # near «fly» after the last layer


def test_of_the_least_similar_sentence_the_first_numbers_are_sent(shipped: Checkpoint) -> None:
    arrays, about = unpacked(answer("in_context", {"model": "en-de", "text": "I see a dog.", "second": "We have a dog."}))
    explanation, at = explain(shipped, "I see a dog."), 3
    here = token_vectors(explanation.trace, at)
    assert np.allclose(arrays["start"][at, :, 0], here[:, :2] / np.linalg.norm(here, axis=-1, keepdims=True))
    pool = contexts(shipped, [*(SENSES / "en.txt").read_text("utf-8").splitlines(), *sentences("en")])
    last = len(about["others"][at]) - 1
    (index,) = (
        i for i in range(len(pool.ids)) if np.allclose(similarity(pool, here)[:, i], arrays["cosines"][at, last], atol=1e-6)
    )
    assert np.allclose(arrays["start"][at, :, 1], pool.unit[:, index, :2])


def test_a_word_that_our_sentences_lack_is_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "embeddings", text="The zebra sleeps.", show="context", token="2", second="A cat.")
    assert {line["sentence"] for line in view.tables["context"]} == {""}
    arrays, about = unpacked(view.parts["in_context"])
    assert np.isnan(arrays["cosines"][1]).all() and about["others"][1] == [] and about["missing"][1] == "ze"
