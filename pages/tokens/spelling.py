"""A text in four rows: characters, words, tokens and ids. The browser draws it, with the token that is looked at."""

from __future__ import annotations

from pages.tokens.data import spelling
from viz_core.app.page import Page


def show_spelling(p: Page, side: str) -> None:
    """Every word of one side."""
    p.answer(spelling, side=side)
    checkpoint = p.view.checkpoint
    language = checkpoint.source_language if side == "source" else checkpoint.target_language
    p.write("reading_chinese" if language == "zh" else "reading")
