"""What a token that is only a byte stands for, in words: the title of its label."""

from __future__ import annotations

import re
from collections.abc import Iterable

from viz_core.texts import fill, texts, visible
from viz_core.words import Token

_BYTES = re.compile("(?:⟨[0-9A-F]{2}⟩)+")


def byte_notes(tokens: Iterable[Token], text: str) -> list[str]:
    """Of each token of a text which byte it is, in hexadecimal, and of which character; "" of all others."""
    return [_note(token, text) if token.word is not None and _BYTES.fullmatch(token.text) else "" for token in tokens]


def _note(token: Token, text: str) -> str:
    values = {"byte": token.text.strip("⟨⟩").replace("⟩⟨", " "), "character": visible(text[token.start : token.end])}
    return fill(texts("browser.byte_token")["note"], values)
