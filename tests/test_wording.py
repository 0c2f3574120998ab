"""The words for a model that computes otherwise than the paper's, and by the names of its own special tokens."""

from typing import Any

import pytest

from tests.conftest import MakeModel
from tests.pages.test_odd_shapes import LEARNED, with_pieces
from viz_core.config import ModelConfig
from viz_core.texts import CORE, PAGES, texts, texts_in
from viz_core.wording import TRAITS, worded

NAMES = sorted(file.parent.name for root in (CORE, PAGES) for file in root.glob("*/en.toml"))
USUAL = ModelConfig(source_vocab=9, target_vocab=9)


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
def test_other_words_are_of_known_models_and_stand_in_place_of_some(name: str, language: str) -> None:
    for path, own, texts_there in tables(texts_in(name, language), name):
        assert own.keys() <= TRAITS.keys(), path
        for trait, words in own.items():
            assert not lost(words, texts_there), (path, trait)


def test_a_model_as_in_the_paper_has_the_texts_as_they_stand() -> None:
    for name in NAMES:
        assert worded(name, USUAL) == {key: each for key, each in texts(name).items() if key != "for_model"}


def test_special_tokens_have_the_names_of_the_model(make_model: MakeModel) -> None:
    checkpoint = with_pieces(make_model, LEARNED)  # which starts with its padding
    tree = worded("decoding", checkpoint.config, checkpoint.tokenizer)["tree"]
    assert tree["start"] == "⟨pad⟩" and "⟨/s⟩" in tree["reading"]["finished"]
    assert "⟨pad⟩ fill" in worded("masked_attention", checkpoint.config, checkpoint.tokenizer)["of_batch"]
