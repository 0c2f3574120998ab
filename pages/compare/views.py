"""What the page "Compare" is made of: the two sides, and what is shown of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from pages.compare.controls import CASE, KIND, OTHER, PAIR, SECOND, SEEN
from pages.compare.pronoun import show_pronoun
from viz_core.app import edited, models, session
from viz_core.app.attention import KINDS
from viz_core.app.cache import get_explanation
from viz_core.app.comparison import (
    asked_for_left,
    changes,
    divergence_arithmetic,
    edited_sides,
    say_right,
    show_comparison,
    show_side_by_side,
)
from viz_core.app.page import Page
from viz_core.app.view_options import Stage
from viz_core.browser.comparison_payload import Side
from viz_core.checkpoint import Checkpoint
from viz_core.errors import TextError
from viz_core.explain import Explanation, Notice
from viz_core.texts import visible

LONGEST = 60
"""Characters of a sentence that stand over its side."""


def on_stage() -> Stage:
    """The attention on both stages, so that keys and play go through them; the difference is of the weights alone."""
    if SEEN.value("compare") != "attention":
        return None
    return KIND.value("compare")  # type: ignore[return-value]


def show(p: Page) -> None:
    """What the two write, where they look, or where the right one looks more; while there is nothing on the right, why."""
    with p.controls():
        pair, seen = PAIR.draw(p), SEEN.draw(p)
        kind = KIND.draw(p) if seen != "output" else KINDS[0]
    right_hand = st.container(key="_controls_right", horizontal=True, vertical_alignment="bottom")
    with right_hand:
        sides = {"sentences": _sentences, "models": _models, "edits": _edits}[pair](p)
    if sides is None:
        p.write(f"no_{pair}")
        return
    left, right = sides
    comparable = models.same_vocabulary(left.checkpoint, right.checkpoint)
    # Two sentences are compared as they are translated; what an edit or another model does shows best on one and the same text.
    cases = ("own", "same") if pair == "sentences" else ("same", "own")
    with right_hand:
        asked = (seen == "output" or kind != "self") and comparable and not left.explanation.given_target
        case = CASE.draw(p, cases) if asked else cases[0]
    same = comparable and case == "same"
    if seen == "output":
        _show_output(p, left, right, same=same)
    else:
        other = asked_for_left(left, right) if same and kind != "self" else right
        show_side_by_side(p, left, other, kind, difference=seen == "difference", alone=True)
        p.write(f"about_{seen}")
        if left.checkpoint is not right.checkpoint:
            p.write("about_models")
    if not comparable:
        p.write("other_vocabulary")
    show_pronoun(p, left, right)


def _sentences(p: Page) -> tuple[Side, Side] | None:
    view = p.view
    text = SECOND.draw(p, p.texts["second_default"])
    st.button(
        p.texts["swap"], key="_swap", on_click=_swap, args=(p.name, text), disabled=not text.strip(), help=p.texts["swap_help"]
    )
    if not text.strip():
        return None
    try:
        after = get_explanation(view.checkpoint, text, "", view.explanation.edits)
    except TextError as error:
        session.say(Notice("text", {"reason": str(error)}))
        return None
    say_right(p, after)
    left, right = (Side(_short(each.source.text), each, view.checkpoint) for each in (view.explanation, after))
    return left, right


def _swap(page: str, text: str) -> None:
    session.change(**{f"{page}_second": session.get("text")}, text=text, target="", step=1)
    session.forget_cells()


def _models(p: Page) -> tuple[Side, Side] | None:
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


def _edits(p: Page) -> tuple[Side, Side] | None:
    st.button(p.texts["to_what_if"], key="_change", on_click=session.change, kwargs={"_go": "what_if"})
    return edited_sides(p) if edited.draft() else None


def _show_output(p: Page, left: Side, right: Side, *, same: bool) -> None:
    if same:
        found = changes(left, right)
        show_comparison(p, left, right, found)
        divergence_arithmetic(p, found)
        return
    show_comparison(p, left, right)
    wholes = [_whole(side.explanation) for side in (left, right)]
    counts = [len(side.explanation.output) for side in (left, right)]
    if not np.isfinite(wholes).all():
        p.arithmetic("divergence_unknown")
        return
    (first, second), (many, others) = wholes, counts
    p.arithmetic(
        "wholes", first=first, second=second, many=many, others=others, mean_first=float(np.exp(first / many)),
        mean_second=float(np.exp(second / others)),
    )  # fmt: skip


def _whole(ex: Explanation) -> float:
    """Σ ln p of what a side wrote."""
    return float(sum(float(step.log_probs[step.expected.id]) for step in ex.steps))


def _shape(checkpoint: Checkpoint) -> dict[str, Any]:
    """Of a model, in numbers."""
    million = sum(weight.numel() for weight in checkpoint.model.parameters()) / 1e6
    config = checkpoint.config
    return {"layers": config.n_layers, "heads": config.n_heads, "d_model": config.d_model, "million": f"{million:.1f}"}


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 2] + " …"
