"""Example sentences in each source language of our models: the same ones, in the same order."""

from collections.abc import Mapping
from typing import TypeVar

from viz_core.texts import DEFAULT_LANGUAGE, texts

T = TypeVar("T")

FIRST = 1  # the plain sentence, with which the app opens


def examples(language: str) -> list[list[str]]:
    """[sentence, note] of each example in a language; in English if there are none."""
    entries: list[dict[str, str]] = for_language(texts("app.frame")["example"], language)
    return [[example["text"], example["note"]] for example in entries]


def for_language(texts_: T | Mapping[str, T], language: str) -> T:
    """The text in this language, or else in English; a single text holds for all languages."""
    if not isinstance(texts_, Mapping):
        return texts_
    return texts_.get(language, texts_[DEFAULT_LANGUAGE])


def default_text(language: str) -> str:
    """The first sentence for models with this source language."""
    return examples(language)[FIRST][0]


def in_language(text: str, language: str) -> str:
    """The same sentence in another language if the text is an example; else the text as it is."""
    for entries in texts("app.frame")["example"].values():
        for (same, _), example in zip(examples(language), entries, strict=True):
            if example["text"] == text:
                return same
    return text
