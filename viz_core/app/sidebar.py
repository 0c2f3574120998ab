"""The sidebar: the sentence, ready examples, the model, layer, head and step; all of it stands in the address."""

from __future__ import annotations

import streamlit as st

from viz_core.app import models, page_options, session, snapshots
from viz_core.app.cache import get_explanation
from viz_core.app.view_options import View
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.errors import TextError, VizError
from viz_core.explain import Explanation, Notice
from viz_core.texts import texts

DEFAULT_TEXT = "The cat is sleeping on the sofa."
DEFAULT_MODEL = "en-de"


def sidebar(edits: Edits) -> View | None:
    """Draws the controls and computes what they ask for; None while there is nothing to explain.

    Args:
        edits: what is changed in the model.
    """
    words = texts("app.frame")
    _from_link("text", DEFAULT_TEXT)
    _from_link("target", "")
    with st.sidebar:
        st.text_input(
            words["sentence"], key="text", placeholder=words["placeholder"], help=words["sentence_help"],
            on_change=_new_sentence, persist_state="session",
        )  # fmt: skip
        st.selectbox(
            words["examples"], [example["text"] for example in words["example"]], index=None, placeholder=words["example_pick"],
            key="_example", label_visibility="collapsed", on_change=_take_example,
        )  # fmt: skip
        checkpoint = _model()
        checkpoint = snapshots.sync_from_url(checkpoint) if checkpoint else None
        explanation = _explanation(checkpoint, edits) if checkpoint else None
        step = _step(len(explanation.steps) if explanation else None)
        layer = _choice("layer", checkpoint.config.n_layers if checkpoint else 1)
        head = _choice("head", checkpoint.config.n_heads if checkpoint else 1)
        st.text_input(words["target"], key="target", help=words["target_help"], on_change=_new_sentence, persist_state="session")
    for name, default in (("text", DEFAULT_TEXT), ("target", ""), ("model", DEFAULT_MODEL)):
        session.keep(name, session.get(name) or "", default)
    if checkpoint is None or explanation is None:
        return None
    for name, value in (("step", step), ("layer", layer), ("head", head)):
        session.keep(name, str(value + 1), "1")
    return View(checkpoint, explanation, step, layer, head)


def take(text: str) -> None:
    """Puts a sentence into the controls; for callbacks."""
    session.change(text=text, target="")
    _new_sentence()


def _new_sentence() -> None:
    session.change(step=1)
    page_options.forget_cells()


def _take_example() -> None:
    if chosen := session.get("_example"):
        take(chosen)
    session.change(_example=None)


def _from_link(name: str, default: str) -> None:
    if session.arrived():
        session.change(**{name: session.link().get(name, default)})


def _model() -> Checkpoint | None:
    words = texts("app.frame")
    names, problems = models.usable()
    for name, reason in problems:
        session.say(Notice("checkpoint", {"name": name, "reason": reason}))
    if not names:
        return None
    asked = session.asked("model")
    models.welcome(asked)
    names = sorted(models.names(), key=lambda name: name != DEFAULT_MODEL)  # the first of the list is the default
    if gone := next((name for name in (asked, session.get("model")) if models.is_gone(name)), None):
        session.say(Notice("gone", {"name": (gone or "")[:80], "shown": names[0]}))
        session.change(model=asked if asked in names else names[0])
    elif session.arrived():
        session.change(model=session.linked("model", names))
    elif session.get("model") not in names:
        session.change(model=names[0])
    st.selectbox(words["model"], names, key="model", persist_state="session")
    try:
        return models.get_checkpoint(session.get("model"))
    except VizError as error:
        session.say(Notice("checkpoint", {"name": session.get("model"), "reason": str(error)}))
        return None


def _explanation(checkpoint: Checkpoint, edits: Edits) -> Explanation | None:
    text, target = session.get("text") or "", session.get("target") or ""
    if not text.strip():
        return None
    try:
        target = snapshots.target(checkpoint, text, target)
        return get_explanation(checkpoint, text, target, edits)
    except TextError as error:
        session.say(Notice("text", {"reason": str(error)}))
        return None


def _choice(name: str, total: int) -> int:
    """One of 1…total, as a row of buttons; returns it counted from 0."""
    _nearest(name, total)
    st.segmented_control(
        texts("app.frame")[name], range(1, total + 1), required=True, key=name, width="stretch", persist_state="session"
    )
    return int(session.get(name) or 1) - 1


def _step(total: int | None) -> int:
    """The step as a number; returns it counted from 0. The widget has no maximum: with another one it would be another widget."""
    words = texts("app.frame")
    _nearest("step", total)
    st.number_input(words["step"], min_value=1, step=1, key="step", help=words["step_help"], persist_state="session")
    return int(session.get("step") or 1) - 1


def _nearest(name: str, total: int | None) -> None:
    """Before the control is drawn: the link's value, or the nearest it can have and a notice. total is None while unknown."""
    asked = session.asked(name)
    number: float | None = session.get(name) or 1
    if session.arrived():
        try:
            number = 1.0 if asked is None else float(asked[:40])
            round(number)
        except (ValueError, OverflowError):
            number = None
    value = min(max(round(number or 1), 1), 10**6 if total is None else total)
    if number != value:
        session.say_instead(name, asked or str(number), value, nearest=number is not None)
    if session.get(name) != value:
        session.change(**{name: value})
