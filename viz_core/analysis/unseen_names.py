"""Unseen names: test sentences, and whether their translations keep the name letter by letter."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate
from viz_core.decoding.copying import copy_greedy
from viz_core.model import Transformer
from viz_core.model.pointer import PointerGenerator

FILE = Path(__file__).parent / "sentences" / "names.toml"
LANGUAGE = "en"


@dataclass(frozen=True)
class NamedSentence:
    """A sentence with a name."""

    text: str
    name: str

    def kept_in(self, translation: str) -> bool:
        """True if the name is a word of a translation, letter by letter."""
        return re.search(rf"(?<!\w){re.escape(self.name)}(?!\w)", translation) is not None


@dataclass(frozen=True)
class NameTranslation:
    """Translations of one sentence without and with copying, and whether each keeps the name."""

    sentence: NamedSentence
    plain: str
    copying: str

    @property
    def in_plain(self) -> bool:
        return self.sentence.kept_in(self.plain)

    @property
    def in_copying(self) -> bool:
        return self.sentence.kept_in(self.copying)

    @property
    def tail(self) -> str | None:
        """A word of the copying translation that begins with the name and goes on; None if the name itself is kept."""
        match = re.search(rf"(?<!\w){re.escape(self.sentence.name)}\w+", self.copying)
        return match[0] if match and not self.in_copying else None


@lru_cache(1)
def named_sentences() -> tuple[NamedSentence, ...]:
    """The built-in sentences, English."""
    return tuple(
        NamedSentence(entry["text"], entry["name"]) for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["sentence"]
    )


def name_translations(
    checkpoint: Checkpoint, pointer: PointerGenerator, sentences: Sequence[NamedSentence]
) -> list[NameTranslation]:
    texts = [sentence.text for sentence in sentences]
    plain = translate(checkpoint, texts)
    return [NameTranslation(*row) for row in zip(sentences, plain, copied(checkpoint, pointer, texts), strict=True)]


def copied(checkpoint: Checkpoint, pointer: PointerGenerator, texts: Sequence[str]) -> list[str]:
    """Greedy translations with copying, in the order of the texts."""

    def search(model: Transformer, source: Tensor, room: int) -> list[list[int]]:
        return copy_greedy(model, pointer, source, room)

    return translate(checkpoint, texts, search=search)
