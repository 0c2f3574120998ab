"""What the page "What if" is made of: the switchboard, the model as trained beside the edited one, the way to the other pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from pages.what_if.controls import CASE, KIND
from viz_core.analysis.divergence import Comparison
from viz_core.app import edited, session
from viz_core.app.comparison import asked_for_left, show_comparison, show_side_by_side
from viz_core.app.components import connect
from viz_core.app.page import Page
from viz_core.app.session import View
from viz_core.browser.comparison_payload import Side
from viz_core.edits import INTERVENTIONS, NONE, Edits, describe
from viz_core.edits.forms import Number, Switch
from viz_core.explain import Notice
from viz_core.texts import texts, visible
from viz_core.trace import BLOCK, BLOCKS


def switchboard(p: Page) -> None:
    """Every edit as a switch."""
    data = board(p.view, edited.draft()) | {"session": session.session(), "heard": session.get("_switched", 0)}
    connect("switchboard", data, ["edits"], lambda _, message: _switched(message))


def board(view: View, edits: Edits) -> dict[str, Any]:
    """What the switchboard shows: the model's parts, the words of the sentence, and what is switched."""
    kinds, form = {place: kind for kind, place in BLOCK.items()}, INTERVENTIONS["temperature"].form
    assert isinstance(form, Number)
    return {
        "shape": {"layers": view.config.n_layers, "heads": view.config.n_heads},
        "columns": [
            {"stack": stack, "block": block, "kind": kinds.get((stack, block))} for stack in BLOCKS for block in BLOCKS[stack]
        ],
        "switches": [name for name, made in INTERVENTIONS.items() if isinstance(made.form, Switch)],
        "temperature": (form.lowest, form.highest),
        "words": [visible(word.text) for word in view.explanation.source.words],
        "nothing": plain(NONE),
        "state": plain(edits),
        "said": describe(edits) or (texts("app.sides")["nothing"],),
        "texts": texts("what_if.switchboard"),
    }


def plain(edits: Edits) -> dict[str, Any]:
    """All edits, also those at rest, as JSON has them; numbers from 0."""
    return {name: _plain(getattr(edits, name)) for name in INTERVENTIONS}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return list(value.items())
    return sorted(value) if isinstance(value, Iterable) else value


def _switched(message: Any) -> None:
    """What the switchboard says, which may be any browser's: nothing of it is trusted."""
    number, link = (message.get("number"), message.get("link")) if isinstance(message, Mapping) else (None, None)
    if type(number) is not int or not isinstance(link, str):
        return
    edits, wrong = Edits.from_link(link)
    for entry in wrong:
        session.say(Notice("edit_unknown", {"asked": entry}))
    session.change(_switched=number)
    edited.change(edits)


def show_changes(p: Page, left: Side, right: Side, found: Comparison) -> None:
    """Translations, distributions, divergence; and what a step means on both sides."""
    show_comparison(p, left, right, found)
    p.write("about_typed" if left.explanation.given_target else "about")


def everywhere(p: Page) -> None:
    """Puts the edits into the other pages, or takes them out."""
    on = edited.everywhere_on()
    button, said = st.columns([4, 7], vertical_alignment="center")
    button.button(
        p.texts["take_out" if on else "put_in"], key="_put", type="primary" if on else "secondary", width="stretch",
        on_click=edited.put_everywhere, args=(not on,), disabled=not edited.draft(),
    )  # fmt: skip
    with said:
        p.write("is_in" if on else "is_out")


def show_attention(p: Page, left: Side, right: Side) -> None:
    """The same attention on both sides, each model's rows its own or those of the same output."""
    with p.controls():
        kind = KIND.draw(p)
        case = CASE.draw(p) if kind != "self" else "same"
    show_side_by_side(p, left, asked_for_left(left, right) if case == "same" else right, kind)
