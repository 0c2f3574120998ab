"""A doubt is said where the model's own probabilities or its vocabulary give reason to, and nowhere else."""

import numpy as np
import pytest

from viz_core.analysis.next_token import UNSURE, doubt, foreign_share
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.words import split_words


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
