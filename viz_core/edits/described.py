"""Edits in plain words, from `texts/<language>/edits.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from viz_core.edits.attention import PADDING
from viz_core.edits.forms import NAMES
from viz_core.edits.table import Edits
from viz_core.texts import fill, texts
from viz_core.visible import visible


def describe(edits: Edits) -> tuple[str, ...]:
    """A sentence for each entry of the link; numbers from 1. Plain text: it may hold what somebody typed."""
    words = texts("edits")
    sentences = []
    for name, made in edits.active().items():
        for rest in made.form.write(getattr(edits, name)):
            parts = dict(zip(made.form.parts, rest.split(".", len(made.form.parts) - 1), strict=False))
            said = {part: _said(part, text, words["part"]) for part, text in parts.items()}
            sentences.append(fill(words[name], said | {"padding": PADDING}))
    return tuple(sentences)


def _said(part: str, text: str, words: Mapping[str, Any]) -> str:
    """One part of an entry: a name by its words, `2_5-8` as «heads 2, 5–8», anything else as it stands."""
    if part in NAMES:
        return str(words[text])
    if part in words:
        one, many = words[part]
        return f"{one if text.isdecimal() else many} {text.replace('_', ', ').replace('-', '–')}"
    return visible(text)
