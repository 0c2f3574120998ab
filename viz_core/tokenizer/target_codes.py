"""Codes such as `>>fra<<` at the start of a text, which name the target language for a model of several (OPUS-MT)."""

import re
from collections.abc import Iterable, Sequence

CODE = re.compile(r">>.*?<<", re.DOTALL)  # at the start of a text, as transformers' MarianTokenizer finds it
ENTRY = re.compile(r">>[^<>\s]+<<")
COMMON = ("eng", "fra", "deu", "spa", "ita", "por", "rus", "cmn_Hans", "zho", "jpn", "ara")
NAMED = 8  # how many a message lists


def codes_of(vocab: Iterable[str]) -> tuple[str, ...]:
    """The codes in a vocabulary, those of widely spoken languages first, the rest sorted."""
    first = {f">>{code}<<": i for i, code in enumerate(COMMON)}
    return tuple(sorted((entry for entry in vocab if ENTRY.fullmatch(entry)), key=lambda code: (first.get(code, len(first)), code)))


def some(codes: Sequence[str]) -> str:
    """The first of these codes, and their number if there are more."""
    return ", ".join(codes[:NAMED]) + (f" … ({len(codes)})" if len(codes) > NAMED else "")


def problem(codes: Sequence[str], text: str) -> tuple[str, dict[str, str]] | None:
    """The problem with a text's code, as the name of a notice in `viz_core/app/en.toml` and its values; None if there is none.

    Args:
        codes: of the model; empty if it has one target language.
    """
    match = CODE.match(text)
    if not codes or not text.strip() or (match and match[0] in codes):
        return None
    if match is None:
        return "code_wanted", {"codes": some(codes), "example": f"{codes[0]} {text.strip()[:40]}"}
    return "code_unknown", {"code": match[0][:40], "codes": some(codes)}
