"""What the figure of this page is drawn from."""

from __future__ import annotations

from viz_core.browser.output_payload import next_token_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation


def next_token(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The next-token distribution of every step."""
    return next_token_payload(explanation, checkpoint.tokenizer)


VIEWS = (next_token,)
