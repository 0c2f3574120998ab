"""Text → words: those of spaCy's blank tokenizer for the language, each at its place in the text."""

from __future__ import annotations

import functools
import importlib.util
import re
import sys
from dataclasses import dataclass

import spacy
from spacy.language import Language

from viz_core.errors import ConfigError

LONG_RUN = re.compile(r"\S{200}")  # spaCy takes quadratic time for what no blank breaks: 16 seconds for 16,000 exclamation marks


@dataclass(frozen=True)
class Word:
    """One word as spaCy sees it: `text[start:end]` of the text it came from."""

    text: str
    start: int
    end: int


def knows_language(code: str) -> bool:
    """Whether spaCy has rules for the language of this code, such as "en"."""
    if not code.isidentifier():
        return False
    found = importlib.util.find_spec(f"spacy.lang.{code}")
    return found is not None and found.submodule_search_locations is not None  # a plain module there is no language


@functools.cache
def _spacy(language: str) -> Language:
    """The blank pipeline of a language. Made when first needed (French takes seconds) and kept."""
    if not knows_language(language):
        raise ConfigError(f"spaCy knows no language {language!r}")
    try:
        pipeline = spacy.blank(language)
    except ImportError as error:  # some languages need a package of their own
        raise ConfigError(f"spaCy cannot split {language!r} here: {error}") from error
    pipeline.max_length = sys.maxsize  # the limit is there for parsers, and we have none
    return pipeline


def split_words(text: str, language: str) -> tuple[Word, ...]:
    """The words of a text, without blanks. A word ends after 200 characters at the latest; ConfigError for an unknown language."""
    pipeline = _spacy(language)
    ends = [*(run.end() for run in LONG_RUN.finditer(text)), len(text)]
    words: list[Word] = []
    for start, end in zip([0, *ends], ends, strict=False):
        doc = pipeline.make_doc(text[start:end])
        words += [Word(t.text, start + t.idx, start + t.idx + len(t.text)) for t in doc if not t.is_space]
    return tuple(words)


def follows_blank(text: str, word: Word) -> bool:
    """Whether a blank stands before this word; the start of the text counts as one."""
    return word.start == 0 or text[word.start - 1].isspace()
