"""spaCy's rules of one language as data, with its patterns as JavaScript writes them: the browser's engine splits texts by them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from spacy.lang.char_classes import ALPHA, ALPHA_LOWER

from viz_core.errors import ConfigError
from viz_core.words import blank_pipeline

BLANKS = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
CLASSES = {"d": r"\p{Nd}", "w": r"\p{L}\p{N}_", "s": BLANKS}  # for \d, \w and \s
QUANTIFIER = re.compile(r"\{\d*(,\d*)?\}")
SYNTAX = frozenset(r"^$\.*+?()[]{}|/")


def word_rules(language: str) -> dict[str, Any]:
    """The rules by the names of `Rules` in `web/src/engine/tokenizer/spacy.ts`; Chinese needs none.

    Raises:
        ConfigError: spaCy splits texts of this language by other means than rules.
    """
    tokenizer: Any = blank_pipeline(language).tokenizer
    if language == "zh":
        return {"language": language}
    if not hasattr(tokenizer, "rules"):
        raise ConfigError(f"spaCy does not split texts in {language!r} by rules, so that a browser cannot")
    patterns = {
        "prefix": tokenizer.prefix_search,
        "suffix": tokenizer.suffix_search,
        "infix": tokenizer.infix_finditer,
        "token": tokenizer.token_match,
        "url": tokenizer.url_match,
    }
    written = {name: match and in_javascript(shorter(match.__self__.pattern)) for name, match in patterns.items()}
    special = {text: [part[65] for part in parts] for text, parts in tokenizer.rules.items()}  # 65: ORTH
    return {"language": language} | {name: pattern for name, pattern in written.items() if pattern} | {"special": special}


def shorter(pattern: str) -> str:
    """A pattern whose alternatives end alike, written with each end once: French has 400, with 3,500 letters in each."""
    flags, alternatives = re.match(r"(?:\(\?\w+\))?", pattern), defaultdict[str, list[str]](list)
    prefix = flags[0] if flags else ""
    if not prefix.startswith("(?i"):
        return pattern
    for alternative in pattern.removeprefix(prefix).removeprefix("(?:").removesuffix(")").split(")|(?:"):
        start = min(
            (i for i in (alternative.find(f"[{ALPHA}"), alternative.find(f"[{ALPHA_LOWER}")) if i >= 0), default=len(alternative)
        )
        alternatives[alternative[start:]].append(alternative[:start])
    return "|".join(f"(?:{'|'.join(starts)}){end}" for end, starts in alternatives.items())


def in_javascript(pattern: str) -> str:
    """A regular expression of Python's `re` for JavaScript's flag u, which allows no needless backslash."""
    parts: list[str] = []
    rest, inside = re.sub(r"^\(\?\w+\)", "", pattern), False  # in a class
    index = 0
    while index < len(rest):
        sign, after = rest[index], rest[index + 1 : index + 2]
        if sign == "\\":
            text, length = _escaped(rest[index:], inside)
        elif sign == "[" and not inside:
            inside, length = True, 2 if after == "^" else 1
            text = rest[index : index + length]
            if rest[index + length] == "]":
                text, length = text + r"\]", length + 1
        elif sign == "{" and not inside:
            quantifier = QUANTIFIER.match(rest, index)
            text, length = (quantifier[0], len(quantifier[0])) if quantifier else (r"\{", 1)
        elif sign in "}]" and not inside:
            text, length = f"\\{sign}", 1
        else:
            inside = inside and sign != "]"
            text, length = sign, 1
        parts.append(text)
        index += length
    return "".join(parts)


def _escaped(rest: str, inside: bool) -> tuple[str, int]:
    """An escape in JavaScript, and its length in Python."""
    kind = rest[1]
    if kind.lower() in CLASSES:
        signs = CLASSES[kind.lower()]
        return (signs if inside else f"[{'^' if kind.isupper() else ''}{signs}]"), 2
    if kind == "U":
        return f"\\u{{{rest[2:10].lstrip('0')}}}", 10
    if kind == "u":
        return rest[:6], 6
    if kind == "Z":
        return "$", 2
    return (rest[:2] if kind in SYNTAX or kind.isalnum() or (inside and kind == "-") else kind), 2
