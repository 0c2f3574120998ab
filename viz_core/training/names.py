"""Sentence pairs with names that no model can know: a name that stands in both languages is swapped for one that was made up."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator, Sequence

from viz_core.training.pairs import Pair

WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 3
"""Letters of a name."""
STARTS = "|||b|bl|br|c|ch|d|dr|f|fl|fr|g|gl|gr|h|j|k|kl|kr|l|m|n|p|pr|qu|r|s|sch|sh|sl|st|t|th|tr|tv|v|w|x|y|z|zh"
MIDDLES = "b|br|d|dr|f|g|gr|gu|h|j|k|l|ll|m|n|nn|p|r|rr|s|ss|sh|st|t|th|tr|v|w|x|z|zh|nd|rt|lk|mb"
VOWELS = "a|e|i|o|u|a|e|i|o|u|a|e|i|o|a|e|ai|au|ei|ia|ie|io|ou|oa|y|á|é|ó|ø|ä|ö"
ENDS = "||||l|n|r|s|m|k|t|x|th|nd|rs|ck|ng|v|sch|tz"
"""What names are made of; what stands twice is drawn twice as often."""


def made_up_name(draw: random.Random, avoid: Collection[str] = ()) -> str:
    """A name of one to four syllables that one can say, such as Zorvana; none of those to avoid (in small letters)."""
    while True:
        count = draw.choice((1, 2, 2, 2, 3, 3, 4))
        parts = [STARTS, VOWELS, *[MIDDLES, VOWELS] * (count - 1), ENDS]
        name = "".join(draw.choice(part.split("|")) for part in parts).capitalize()
        if len(name) >= SHORTEST and name.lower() not in avoid:
            return name


def pairs_with_names(pairs: Sequence[Pair]) -> list[tuple[Pair, str]]:
    """The pairs in which a name stands, once in either language, each with it.

    A name begins with a capital, and its word is nowhere written small: "In" and "Winter", words of both languages, are none.
    """
    small = {word for pair in pairs for text in pair for word in WORD.findall(text) if word[0].islower()}
    return [(pair, name) for pair in pairs for name in _names(pair, small)]


def _names(pair: Pair, small: Collection[str]) -> Iterator[str]:
    source, target = (WORD.findall(text) for text in pair)
    for word in dict.fromkeys(source):
        if len(word) >= SHORTEST and word.istitle() and word.lower() not in small and source.count(word) == target.count(word) == 1:
            yield word


def with_name_swapped(pair: Pair, name: str, other: str) -> Pair:
    """The pair with another name."""
    source, target = (re.sub(rf"(?<!\w){name}(?!\w)", other, text) for text in pair)
    return source, target
