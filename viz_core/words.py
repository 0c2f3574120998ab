"""Words of a text, as spaCy's blank tokenizer for the language splits it, and the tokens of these words."""

import functools
import importlib.util
import itertools
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import spacy
from spacy.language import Language

from viz_core.composed import composed, is_mark
from viz_core.errors import ConfigError

LONG_RUN = re.compile(r"\S{200}")  # spaCy takes quadratic time for an unbroken run: 16 seconds for 16,000 exclamation marks
FOREIGN = re.compile(r"[0-9A-Za-zÀ-ɏ]{1,200}(?:[.,][0-9]{1,20})?")  # Latin letters and numbers, as in «我有3.5公斤» or «汤姆的CD»

UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")  # kana and Chinese characters


@dataclass(frozen=True)
class Word:
    """One word as spaCy sees it: `text[start:end]` of the text it came from."""

    text: str
    start: int
    end: int


def knows_language(code: str) -> bool:
    """True if spaCy has rules for the language of this code, such as "en"."""
    if not code.isidentifier():
        return False
    spec = importlib.util.find_spec(f"spacy.lang.{code}")
    return spec is not None and spec.submodule_search_locations is not None  # a plain module there is not a language


@functools.cache
def blank_pipeline(language: str) -> Language:
    """The blank pipeline of a language, made when first needed: French takes seconds."""
    if not knows_language(language):
        raise ConfigError(f"spaCy knows no language {language!r}, expected a code such as en, de or zh")
    try:
        pipeline = spacy.blank(language)
    except ImportError as error:  # some languages need a package of their own
        raise ConfigError(f"spaCy cannot split {language!r} here: {error}") from error
    pipeline.max_length = sys.maxsize  # the limit is there for parsers, and we have none
    return pipeline


def split_words(text: str, language: str) -> tuple[Word, ...]:
    """The words of a text, without blanks, of at most 200 characters each; ConfigError for an unknown language.

    The split is the same whether accents are typed as letters or as combining marks; no mark is split off. In Chinese each
    character is a word, and so is a run of Latin letters and digits.
    """
    pipeline, typed = blank_pipeline(language), text
    composition = composed(typed)
    text = composition.text
    ends = [*(run.end() for run in LONG_RUN.finditer(text)), len(text)]
    words: list[Word] = []
    for start, end in zip([0, *ends], ends, strict=False):
        doc = pipeline.make_doc(text[start:end])
        words += [Word(t.text, start + t.idx, start + t.idx + len(t.text)) for t in doc if not t.is_space]
    words = _with_marks(text, _whole_foreign(text, words) if language == "zh" else words)
    places = (composition.place(word.start, word.end) for word in words)
    return tuple(Word(typed[start:end], start, end) for start, end in places)


def _with_marks(text: str, words: Iterable[Word]) -> list[Word]:
    """Joins a word that begins with a combining mark to the word before it."""
    joined: list[Word] = []
    for word in words:
        before = joined[-1] if joined else None
        if before and before.end == word.start and is_mark(word.text[0]):
            joined[-1] = Word(text[before.start : word.end], before.start, word.end)
        else:
            joined.append(word)
    return joined


def _whole_foreign(text: str, words: list[Word]) -> Iterator[Word]:
    """Joins Latin letters and digits, which spaCy's Chinese rules split one by one like Chinese characters."""
    done = 0
    for word in words:
        if word.start < done:
            continue
        foreign = FOREIGN.match(text, word.start)
        done = foreign.end() if foreign else word.end
        yield Word(text[word.start : done], word.start, done)


def without_blanks(text: str) -> bool:
    """True if a text begins in a script without spaces between words: Chinese or Japanese."""
    return bool(UNSPACED.match(text))


def follows_blank(text: str, word: Word) -> bool:
    """True if a space or the start of the text comes before this word."""
    return word.start == 0 or text[word.start - 1].isspace()


@dataclass(frozen=True)
class Token:
    """One unit of the vocabulary, at its place in the text.

    Attributes:
        id: its row in the embedding matrix.
        text: its characters; for a special token its name, for a byte `⟨E4⟩`.
        word: index of its word, None for a special token.
        start, end: its range in the text, empty for a special token. The bytes of one character share its range.
        first: whether it starts its word.
    """

    id: int
    text: str
    word: int | None
    start: int
    end: int
    first: bool = True

    @property
    def label(self) -> str:
        """The label on an axis: a dot leads a token inside a word, as in «·chen»."""
        return self.text if self.first else f"·{self.text}"


@dataclass(frozen=True)
class TokenizedText:
    """A text with its words and tokens."""

    text: str
    words: tuple[Word, ...]
    tokens: tuple[Token, ...]

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]

    @property
    def labels(self) -> list[str]:
        return [token.label for token in self.tokens]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True)
class Merge:
    """One step of byte-pair encoding: of all neighbouring pairs, the one learned first becomes a token.

    Attributes:
        before: the tokens of the word.   at: before[at] and before[at + 1] are joined.   rank: when their pair was learned.
        ranks: when each neighbouring pair was learned, from 0; None if never.
    """

    before: tuple[str, ...]
    ranks: tuple[int | None, ...]
    at: int
    rank: int

    @property
    def after(self) -> tuple[str, ...]:
        left, right = self.before[self.at], self.before[self.at + 1]
        return (*self.before[: self.at], left + right, *self.before[self.at + 2 :])


def merge_steps(letters: tuple[str, ...], ranks: Mapping[tuple[str, str], int]) -> list[Merge]:
    """Joins the pair that was learned first, until no pair was ever learned; ranks: pair → when it was learned, from 0."""
    tokens = letters
    steps: list[Merge] = []
    while True:
        pair_ranks = tuple(ranks.get(pair) for pair in itertools.pairwise(tokens))
        known = [(rank, place) for place, rank in enumerate(pair_ranks) if rank is not None]
        if not known:
            return steps
        rank, place = min(known)
        steps.append(Merge(tokens, pair_ranks, place, rank))
        tokens = steps[-1].after
