"""Normalization of text as in SentencePiece (Kudo & Richardson 2018, §3.2), with the place of each character in the text.

Its rules, such as those of NFKC, are compiled into a "charsmap": a trie of the replaced texts, as a double array, and the
replacements.
"""

import array
import struct
import sys
from dataclasses import dataclass

from viz_core.errors import ConfigError

LEAF, LABEL, VALUE = 1 << 8, (1 << 31) | 0xFF, (1 << 31) - 1  # bits of one unit of the double array


@dataclass(frozen=True)
class Normalized:
    """A text in the normalized form of the vocabulary's pieces.

    Attributes:
        text: with SPACE for spaces.
        starts, ends: the place of each character in the original.
    """

    text: str
    starts: list[int]
    ends: list[int]


class Charsmap:
    """The rules of one vocabulary.

    Raises:
        ConfigError: the bytes are not a charsmap.
    """

    def __init__(self, compiled: bytes) -> None:
        self._units, self._replacements = array.array("I"), b""
        if not compiled:
            return
        size = struct.unpack_from("<I", compiled)[0] if len(compiled) > 4 else 0
        if size % 4 or not 0 < size <= len(compiled) - 4:
            raise ConfigError("its normalization rules (precompiled_charsmap) are damaged")
        self._units.frombytes(compiled[4 : 4 + size])
        if sys.byteorder == "big":
            self._units.byteswap()
        self._replacements = compiled[4 + size :]

    def replaced(self, text: str) -> list[tuple[str, int, int]]:
        """The text in parts: the replacement, start and end of each."""
        raw, parts, byte, place = text.encode(), [], 0, 0
        while byte < len(raw):
            rule = self._longest(raw, byte)
            if rule:
                length, replacement = rule
                signs = len(raw[byte : byte + length].decode())
            else:
                replacement, signs = text[place], 1
                length = len(replacement.encode())
            parts.append((replacement, place, place + signs))
            byte, place = byte + length, place + signs
        return parts

    def _longest(self, raw: bytes, start: int) -> tuple[int, str] | None:
        """Length in bytes of the longest rule that applies from `start`, and its replacement."""
        units, rule = self._units, None
        if not units:
            return None
        node = _offset(units[0])
        for index in range(start, len(raw)):
            node ^= raw[index]
            if node >= len(units) or (units[node] & LABEL) != raw[index]:
                break
            unit = units[node]
            node ^= _offset(unit)
            if unit & LEAF and node < len(units):
                rule = index + 1 - start, units[node] & VALUE
        if rule is None:
            return None
        end = self._replacements.find(b"\0", rule[1])
        return rule[0], self._replacements[rule[1] : end].decode(errors="replace")


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & (1 << 9)) >> 6)


def normalize(text: str, charsmap: Charsmap, space: str, dummy_prefix: bool, one_blank: bool) -> Normalized:
    """Normalizes a text, with `space` for each space.

    Args:
        dummy_prefix: add a space at the start, so that a first word equals one after a space.
        one_blank: remove spaces at both ends, and all but one of several in a row.
    """
    signs: list[tuple[str, int, int]] = []
    for replacement, start, end in charsmap.replaced(text):
        signs += [(sign, start, end) for sign in replacement]
    if one_blank:
        signs = [sign for i, sign in enumerate(signs) if sign[0] != " " or (i > 0 and signs[i - 1][0] != " ")]
        while signs and signs[-1][0] == " ":
            signs.pop()
    if dummy_prefix and signs:
        first = signs[0][1]
        signs = [(" ", first, first), *signs]
    return Normalized("".join(space if sign == " " else sign for sign, _, _ in signs), [s[1] for s in signs], [s[2] for s in signs])
