"""What is said of a sentence: the keys of exercises, a doubt where the model gives reason to, and what "it" means."""

import math

import numpy as np
import pytest

from viz_core.analysis.exercises import COMPUTED, answer, wins
from viz_core.analysis.next_token import UNSURE, doubt, foreign_share
from viz_core.analysis.pronouns import readings, schema_of, schemas
from viz_core.analysis.search import BeamOptions, search
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.words import split_words

TEXT = "The cat is sleeping on the sofa."
STEP, LAYER, HEAD = 1, 1, 3


@pytest.fixture(scope="module")
def ex(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


def test_each_key_follows_from_what_is_given(shipped: Checkpoint, ex: Explanation) -> None:
    """As a student would compute it, from the numbers of the question alone."""
    found = {name: answer(name, shipped, ex, STEP, LAYER, HEAD) for name in COMPUTED}
    given = {name: {k: float(v) for k, v in key.given.items() if not isinstance(v, str)} for name, key in found.items()}
    score, norm, weight, unit = (given[name] for name in ("scaled_score", "layer_norm", "softmax", "relu"))
    by_hand = {
        "tokens": (given["tokens"]["tokens"] + 1) * given["tokens"]["d_model"],
        "scaled_embedding": given["scaled_embedding"]["stored"] * 256**0.5,
        "position": math.sin(3),
        "query_weights": 256 * 32,
        "scaled_score": score["score"] / 32**0.5,
        "softmax": math.exp(weight["scaled"]) / weight["total"],
        "masked_cells": sum(range(int(given["masked_cells"]["rows"]))),
        "layer_norm": norm["gamma"] * (norm["x"] - norm["mean"]) / norm["deviation"] + norm["beta"],
        "relu": max(0.0, unit["product"] + unit["bias"]),
        "loss": -math.log(given["loss"]["p"]),
    }
    assert {name: each.value for name, each in found.items()} == pytest.approx(by_hand, rel=1e-4, abs=1e-5)
    assert given["relu"]["before"] < 0


def test_a_search_wins_only_with_another_and_better_sentence(shipped: Checkpoint) -> None:
    found = search(shipped, explain(shipped, TEXT), BeamOptions())
    assert found.best.ids == found.greedy.ids and not wins(found)
    better = search(shipped, explain(shipped, "Can you help me carry this heavy box?"), BeamOptions())
    assert wins(better) and better.best.score > better.greedy.score


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The cat is sleeping on the sofa.", None), ("I love you.", None), ("我爱你", "script"), ("Я люблю тебя", "script"),
        ("😀", "foreign"), ("Acupuncture is often used to treat pain.", "improbable"),
    ],
)  # fmt: skip
def test_a_translation_is_doubted_for_what_speaks_against_it(shipped: Checkpoint, text: str, reason: str | None) -> None:
    explanation = explain(shipped, text)
    found = doubt(explanation, shipped.tokenizer, "en")
    assert (found.reason if found else None) == reason
    if found and reason == "improbable":
        chosen = [step.log_probs[step.expected.id] for step in explanation.steps]
        assert found.share == pytest.approx(float(np.exp(np.mean(chosen))), rel=1e-5)
        assert found.share < UNSURE


@pytest.mark.parametrize(
    ("text", "language", "share"),
    [
        ("I love you.", "zh", 1.0),
        ("我的iPhone12很贵！", "zh", 1 / 5),  # a Latin word is one word, as a character is
        ("Привет, Tom", "en", 1 / 2),
        ("", "en", 0.0),
        ("Wer weiß?", "xx", 0.0),  # a language whose script is not known
    ],
)
def test_the_share_of_words_in_another_script(text: str, language: str, share: float) -> None:
    assert foreign_share(split_words(text, "zh" if language in ("zh", "ja") else "en"), language) == pytest.approx(share)


def test_every_pair_of_ours_names_its_nouns_and_needs_two_genders() -> None:
    assert len(schemas()) == 12
    for schema in schemas():
        first, second = schema.sentences
        assert first.replace(schema.words[0], schema.words[1]) == second
        assert all(noun in first.split() for noun in schema.nouns)
        assert len(set(schema.pronouns)) == 2
        assert schema_of(first, second) == (schema, False)
        assert schema_of(second, first) == (schema, True)
    assert schema_of(schemas()[0].sentences[0], schemas()[1].sentences[1]) is None


def test_the_batch_answers_as_one_pass_with_the_german_typed(shipped: Checkpoint) -> None:
    asked = [schemas()[0], schemas()[-1]]
    for found, schema in zip(readings(shipped, asked), asked, strict=True):
        for i, sentence in enumerate(schema.sentences):
            for j, pronoun in enumerate(schema.pronouns):
                ex = explain(shipped, sentence, f"{schema.target} {pronoun}")
                last = ex.steps[-2]  # the pronoun is one token; behind it stands ⟨/s⟩
                assert last.expected.text == pronoun
                assert found.log_probs[i, j] == pytest.approx(float(last.log_probs[last.expected.id]), abs=1e-4)
