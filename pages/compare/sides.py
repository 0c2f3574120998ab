"""The two sides: two sentences, two models, or the model as trained and edited."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.compare.controls import OTHER, SECOND
from viz_core.app import edited, models, page_options, session
from viz_core.app.cache import get_explanation
from viz_core.app.comparison import edited_sides, say_right
from viz_core.app.examples import for_language
from viz_core.app.markup import shortened
from viz_core.app.page import Page
from viz_core.browser.output_payload import Side
from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.errors import TextError
from viz_core.explain import Notice
from viz_core.texts import visible

MOST_LETTERS = 60
"""Of the sentence above its side."""


def two_sentences(p: Page) -> tuple[Side, Side] | None:
    """The sentence of the top bar, and another one; None while none is typed."""
    view = p.view
    text = SECOND.draw(p, for_language(p.texts["second_default"], view.checkpoint.source_language))
    st.button(p.texts["swap"], key="_swap", on_click=_swap, args=(p.name, text), disabled=is_blank(text), help=p.texts["swap_help"])
    if is_blank(text):
        return None
    try:
        after = get_explanation(view.checkpoint, text, "", view.explanation.edits)
    except TextError as error:
        session.say(Notice("text", {"reason": str(error)}))
        return None
    say_right(p, after)
    left, right = (
        Side(shortened(visible(each.source.text), MOST_LETTERS), each, view.checkpoint) for each in (view.explanation, after)
    )
    return left, right


def _swap(page: str, text: str) -> None:
    session.change(**{f"{page}_second": session.get("text")}, text=text, target="", step=1)
    page_options.forget_cells()


def two_models(p: Page) -> tuple[Side, Side] | None:
    """The model on display, and another one; None where there is no other."""
    view, others = p.view, [name for name in models.names() if name != p.view.checkpoint.name]
    if not others:
        return None
    other = models.get_checkpoint(others[OTHER.draw(p, others)])
    after = get_explanation(other, session.get("text"), session.get("target") or "", view.explanation.edits)
    say_right(p, after)
    left, right = (
        Side(checkpoint.name, explanation, checkpoint, (p.text("shape", **_shape(checkpoint)),))
        for checkpoint, explanation in ((view.checkpoint, view.explanation), (other, after))
    )
    return left, right


def trained_and_edited(p: Page) -> tuple[Side, Side] | None:
    """The model as trained, and with the edits of the page What if; None while there are none."""
    st.button(p.texts["to_what_if"], key="_change", on_click=session.change, kwargs={"_go": "what_if"})
    return edited_sides(p) if edited.draft() else None


def _shape(checkpoint: Checkpoint) -> dict[str, Any]:
    """The shape of a model, in numbers."""
    million = sum(weight.numel() for weight in checkpoint.model.parameters()) / 1e6
    config = checkpoint.config
    return {"layers": config.n_layers, "heads": config.n_heads, "d_model": config.d_model, "million": f"{million:.1f}"}
