"""What a page that computes by itself needs from us, besides the model's files (`viz_core/web/src/engine/`)."""

LIVE_TEXTS = (
    "app.answers",
    "app.player",
    "browser.attention_view",
    "browser.byte_token",
    "browser.next_token",
    "cross_attention",
    "decoding",
    "joined",
    "masked_attention",
    "qkv",
    "residual",
    "self_attention",
    "tokens",
    "embeddings",
    "positions",
    "app.frame",
    "browser.vectors",
)
"""The tables of texts that the engine's views take words from."""
