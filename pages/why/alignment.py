"""Word alignment: which source word each word depends on, and how often each head agrees with erasure."""

from typing import Annotated, Any

import numpy as np
import streamlit as st

from pages.why.controls import BY
from viz_core.analysis.alignment import LEAST, sides, word_attention, word_losses
from viz_core.app.arithmetic import Section, show_arithmetic
from viz_core.app.cache import cached_aside
from viz_core.app.csv_files import cells
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.browser.pack import compact, pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible

BY_LAYER = {"erasure_by": (), "head_by": ("layer", "head"), "mean_by": ("layer",)}
"""The view fields that the lines depend on."""


def show_alignment(p: Page, row: Any) -> None:
    """Lines between the two sentences; beside them, how often each head agrees with erasure."""
    view, ex = p.view, p.view.explanation
    with row:
        by = BY.draw(p)
    both = sides(ex)
    if not both.output:
        p.write("no_words")
        return
    losses, attention = pooled(word_losses, view.checkpoint.model, ex, says=p.text("computing")), word_attention(ex)
    if not p.known(losses, attention):
        return
    lines, map_ = st.columns([9, 11], gap="medium")
    with lines:
        p.answer(alignment, by=by, chosen_by=BY_LAYER[by])
    with map_:
        p.answer(alignment, part="agreement", by=by, chosen_by=("layer", "head"))
    best = {name: p.texts[name] for name in ("best_head", "best_heads")}
    show_arithmetic(p, best, figure="agreement", sections=[Section("best", "[[best]]")])
    p.write("about_alignment", least=f"{LEAST:g}")
    names = [f"layer{layer + 1}_head{head + 1}" for layer, head in np.ndindex(attention.shape[:2])]
    columns = " ".join(["output_index output source_index source erasure_nats", *names])
    maps = [one[:, : len(both.source)] for one in (losses, *attention.reshape(-1, *losses.shape))]
    p.offer("alignment", "alignment", columns, lambda: cells((both.output, both.source), *maps))
    p.show_code("code_alignment")


def alignment(checkpoint: Checkpoint, explanation: Explanation, by: Annotated[str, BY]) -> bytes:
    """How strongly each output word depends on each source word, by erasure and in every head.

    Tensors: losses (W, K), nats; attention (L, h, W, K). The special tokens of the source come last.

    About: source and output, the words; tokens, the steps that write each word of the output; least, the nats below which a word
    has no counterpart; by, the method that draws the lines.
    """
    both = sides(explanation)
    about = {
        "by": by,
        "source": [visible(word) for word in both.source],
        "output": [visible(word) for word in both.output],
        "tokens": both.output_tokens,
        "least": LEAST,
    }
    losses = cached_aside(word_losses, checkpoint.model, explanation)
    return pack({"losses": losses, "attention": compact(word_attention(explanation))}, about)
