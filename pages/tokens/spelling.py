"""A text in four rows: characters, words, tokens and ids. The browser draws it, with the token that is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.tokens.compute import Span, WordBlock
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import texts, visible
from viz_core.words import TokenizedText

ROWS = ("characters", "words", "tokens", "ids")


def show_spelling(p: Page, side: str, tokenized: TokenizedText, parts: Sequence[WordBlock]) -> None:
    """Every word of one side; parts: its blocks."""
    sizes = {
        "characters": len(tokenized.text),
        "words": sum(block.word is not None for block in parts),
        "tokens": len(tokenized),
        "ids": len(tokenized),
    }
    p.mount("spelling", spelling_payload(side, parts, {row: p.text(row, count=count) for row, count in sizes.items()}))
    checkpoint = p.view.checkpoint
    language = checkpoint.source_language if side == "source" else checkpoint.target_language
    p.write("reading_chinese" if language == "zh" else "reading")


def spelling_payload(side: str, parts: Sequence[WordBlock], names: Mapping[str, str]) -> bytes:
    """Each block with its letters, word and tokens, as [text, start, width]; of a token also its id.

    Args:
        names: what stands left of each row, by ROWS.
    """
    about = {
        "side": side,
        "names": [names[row] for row in ROWS],
        "blocks": [
            {
                "letters": [_sent(span) for span in block.letters],
                "word": _sent(block.word) if block.word else None,
                "tokens": [[*_sent(token), token.id] for token in block.tokens],
            }
            for block in parts
        ],
        "hidden": texts("tokens")["hidden"],
    }
    return pack({}, about)


def _sent(span: Span) -> list[str | int]:
    return [visible(span.text), span.start, span.width]
