"""The words for a model that computes otherwise than the paper's, and by the names of its own special tokens."""

import re
from typing import Any

import pytest

from tests.conftest import MakeModel
from tests.pages.test_odd_shapes import LEARNED, with_pieces
from viz_core.config import ModelConfig
from viz_core.texts import CORE, PAGES, texts, texts_in
from viz_core.wording import TRAITS, worded

NAMES = sorted(file.parent.name for root in (CORE, PAGES) for file in root.glob("*/en.toml"))
USUAL = ModelConfig(source_vocab=9, target_vocab=9)
WRONG: dict[str, dict[str, str]] = {
    "en": {
        "scaled": r"√ ?d(?!_k|_\{k|ₖ|k)|times √|\\sqrt\{d_\\text\{model|√16\b",
        "a fixed pattern": r"\bsines?\b|\bwaves?\b|\\sin\b|second hand|nothing in them is learned",
        "ReLU": r"ReLU|\bunits? (?:is|are) active|activates|\bunits active|of \d+ on\b|max\(0",
        "before the sub-layer": r"is normalized to y|applies it before|this model before each|LayerNorm\(x\)\)|y: x normalized",
        "one matrix": r"both languages|share one matrix|one matrix serves|times the embedding table|\bE\^|z = x \\cdot E",
        "the start": r"⟨s⟩",
        "the variance": r"\\sqrt\{\\sigma\^2|√\(σ² \+ ε\)",
    },
    "zh": {
        "scaled": r"√ ?d(?!_k|_\{k|ₖ|k)|\\sqrt\{d_\\text\{model|缩放后的行",
        "a fixed pattern": r"正弦|波形|\\sin\b|秒针",
        "ReLU": r"ReLU|激活了|个单元激活|\d 激活",
        "before the sub-layer": r"归一化为 y|LayerNorm\(x\)\)",
        "one matrix": r"两种语言|共用",
        "the start": r"⟨s⟩",
        "the variance": r"\\sqrt\{\\sigma\^2|√\(σ² \+ ε\)",
    },
}
"""Of a model whose embeddings are not scaled, with learned positions, GELU, post-norm, an output matrix of its own, a LayerNorm by
the standard deviation and ⟨pad⟩ as its start: language → what is claimed → how that reads."""


def tables(value: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """Each table `for_model` with its path and the texts that it is laid over."""
    if not isinstance(value, dict):
        return []
    own = [(path, value["for_model"], value)] if "for_model" in value else []
    return [*own, *(found for name, each in value.items() for found in tables(each, f"{path}.{name}"))]


def lost(one: Any, other: Any) -> set[str]:
    """Entries of one that the other lacks."""
    if not isinstance(one, dict):
        return set()
    return {name for name, each in one.items() if name not in other or lost(each, other[name])}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_other_words_stand_in_place_of_some_and_claim_nothing_false(name: str, language: str) -> None:
    for path, own, texts_there in tables(texts_in(name, language), name):
        assert own.keys() <= TRAITS.keys(), path
        for trait, words in own.items():
            assert not lost(words, texts_there), (path, trait)
            said = re.sub(r"'\w+':", "", str(words))  # without the names of texts
            assert not [claim for claim, pattern in WRONG[language].items() if re.search(pattern, said)], (path, trait, said)


def test_a_model_as_in_the_paper_has_the_texts_as_they_stand() -> None:
    for name in NAMES:
        assert worded(name, USUAL) == {key: each for key, each in texts(name).items() if key != "for_model"}


def test_special_tokens_have_the_names_of_the_model(make_model: MakeModel) -> None:
    checkpoint = with_pieces(make_model, LEARNED)  # which starts with its padding
    tree = worded("decoding", checkpoint.config, checkpoint.tokenizer)["tree"]
    assert tree["start"] == "⟨pad⟩" and "⟨/s⟩" in tree["reading"]["finished"]
    assert "⟨pad⟩ fill" in worded("masked_attention", checkpoint.config, checkpoint.tokenizer)["of_batch"]
