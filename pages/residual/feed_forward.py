"""The feed-forward network: the hidden units of all tokens, and what the most active units of one token add."""

from __future__ import annotations

from functools import partial

import numpy as np

from pages.residual.compute import UNITS, FeedForwardPass, feed_forward, promoted
from pages.residual.controls import stack_tokens
from pages.residual.feed_forward_payload import feed_forward_payload, promotes
from viz_core.app.cache import cached_aside
from viz_core.app.csv_files import array_csv, written
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import Explanation
from viz_core.sites import ACTIVATION_NAMES
from viz_core.texts import texts


def show_feed_forward(p: Page, stack: Stack) -> None:
    """Which hidden units are active for each token, and the arithmetic of one of the most active ones."""
    activation = p.view.config.activation
    pooled(feed_forward_payload, p.view.checkpoint, p.view.explanation, stack, says=p.text("computing_units"))
    p.answer(feed_forward_view, part="feed_forward", stack=stack)
    words = {
        "text": p.texts["arithmetic_ffn" if activation == "relu" else "arithmetic_ffn_smooth"],
        "heading": texts("app.frame")["arithmetic"],
        "note": p.texts["note_decoder"] if stack == "decoder" else "",
        "activation": ACTIVATION_NAMES[activation],
    }
    p.mount_below("feed_forward_arithmetic", pack({}, {"stack": stack, "texts": words}))
    with unwatched():
        _offer(p, stack)
    p.show_code("code_ffn")


def feed_forward_view(checkpoint: Checkpoint, explanation: Explanation, stack: Stack) -> bytes:
    """The hidden units of one stack."""
    return cached_aside(feed_forward_payload, checkpoint, explanation, stack)


def _offer(p: Page, stack: Stack) -> None:
    """The numbers of the layer and the token that are shown."""
    view, (labels, token) = p.view, stack_tokens(p, stack)
    ffn = feed_forward(view.checkpoint.model, view.trace, stack, view.layer)
    numbers = partial(array_csv, "position token unit activation", (labels, None), ffn.hidden[: len(labels)])
    p.offer("hidden", f"{stack}-layer{view.layer + 1}-hidden", numbers, layer=view.layer + 1)
    if ffn.strongest(token, UNITS):
        p.offer("units", f"{stack}-layer{view.layer + 1}-units", partial(_units_csv, p, stack, ffn, token), token=labels[token])


def _units_csv(p: Page, stack: Stack, ffn: FeedForwardPass, token: int) -> bytes:
    """The most active units of one token, a line each."""
    checkpoint, units = p.view.checkpoint, ffn.strongest(token, UNITS)
    words = [""] * len(units)
    if stack == "decoder":
        words = promotes(checkpoint.tokenizer, promoted(checkpoint.model, ffn.w_2[units]))
    lengths = [np.linalg.norm(ffn.adds(token, unit)) for unit in units]
    lines = [[unit + 1, ffn.hidden[token, unit], *rest] for unit, *rest in zip(units, lengths, words, strict=True)]
    return written("unit activation added_length promotes", lines)
