"""What a page that computes by itself needs from us, besides the model's files (`viz_core/web/src/engine/`)."""

from typing import Any

from viz_core.browser.inside_payload import lens_code
from viz_core.texts import texts

LIVE_TEXTS = (
    "app.answers",
    "app.attention",
    "app.frame",
    "app.player",
    "app.sides",
    "browser.attention_view",
    "browser.byte_token",
    "browser.comparison",
    "browser.next_token",
    "browser.overview",
    "browser.side_by_side",
    "browser.token_maps",
    "browser.vectors",
    "compare",
    "cross_attention",
    "decoding",
    "edits",
    "embeddings",
    "heads",
    "joined",
    "masked_attention",
    "positions",
    "qkv",
    "residual",
    "self_attention",
    "tokens",
)
"""The tables of texts that the engine's views take words from."""


def live_words() -> dict[str, Any]:
    """These tables by name, in the reader's language, and the lines of code beside an open block."""
    return {name: texts(name) for name in LIVE_TEXTS} | {"code": lens_code()}
