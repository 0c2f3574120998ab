"""What a page that computes by itself needs from us, besides the model's files (`viz_core/web/src/engine/`)."""

LIVE_TEXTS = (
    "app.answers",
    "browser.next_token",
    "decoding",
    "joined",
    "qkv",
    "residual",
    "tokens",
)
"""The tables of texts that the engine's views take words from."""
