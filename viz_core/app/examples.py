"""Sentences to begin with, in each language that a model of ours reads; the same ones, in the same order."""

from collections.abc import Mapping
from typing import TypeVar

from viz_core.texts import DEFAULT_LANGUAGE, texts

T = TypeVar("T")

FIRST = 1  # the plain sentence, with which the app opens


def examples(language: str) -> list[list[str]]:
    """[sentence, note] of each in a language; the English ones where we have none in it."""
    found: list[dict[str, str]] = for_language(texts("app.frame")["example"], language)
    return [[example["text"], example["note"]] for example in found]


def for_language(texts_: T | Mapping[str, T], language: str) -> T:
    """Of texts by language the one in this language, or the English one; a single text is the same for all."""
    if not isinstance(texts_, Mapping):
        return texts_
    return texts_.get(language, texts_[DEFAULT_LANGUAGE])


def default_text(language: str) -> str:
    """What a model that reads this language opens with."""
    return examples(language)[FIRST][0]


def in_language(text: str, language: str) -> str:
    """The same sentence in a language where the text is one of ours; else the text as it is."""
    for each in texts("app.frame")["example"].values():
        for (same, _), example in zip(examples(language), each, strict=True):
            if example["text"] == text:
                return same
    return text
