"""Snapshots of the weights: which one is shown, whose words it reads, and the banner that says so."""

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from viz_core.app import models, session
from viz_core.app.cache import get_explanation
from viz_core.app.controls.shown import Kind, draw_control
from viz_core.app.markup import markdown, shortened
from viz_core.app.view_options import View
from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.texts import fill, texts
from viz_core.training import history, snapshots

END = "end"
"""The trained model, instead of a step."""
SAME, OWN = "same", "own"
LONGEST = 36
"""Characters of a translation that the banner shows: an untrained model does not end."""


def sync_from_url(trained: Checkpoint) -> Checkpoint:
    """The choice of the snapshot, where some were saved during training; returns its model.

    The trained model, and a notice, where a link asks for a step that was not saved or whose file is not whole.
    """
    steps = _steps(trained)
    if session.arrived():
        _arrive(steps)
    if session.get("snapshot", END) not in steps:
        session.change(snapshot=END)
    if len(steps) == 1:
        return trained
    words = texts("app.snapshots")
    total = _total(trained)
    step = session.get("snapshot")
    stops = {each: fill(words["end"], {"step": total}) if each == END else f"{int(each):,}" for each in steps}
    with st.container(key="_controls_snapshot", horizontal=True, vertical_alignment="bottom"):
        _show("slider", "snapshot", stops, width=420)
        if step != END:
            _show("buttons", "reads", {each: words[each] for each in (SAME, OWN)}, width="content")
    session.keep("snapshot", step, END)
    if step == END:
        return trained
    session.keep("reads", session.get("reads"), SAME)
    try:
        return models.get_checkpoint(f"{trained.name}{snapshots.AT}{step}")
    except VizError as error:
        session.say(Notice("checkpoint", {"name": f"{trained.name} ({words['snapshot']} {step})", "reason": str(error)}))
        return trained


def _show(kind: Kind, name: str, options: Mapping[str, str], width: int | str) -> None:
    """The control whose value the session keeps under a name."""

    def hear(text: str) -> None:
        if text in options:
            session.change(**{name: text})

    words = texts("app.snapshots")
    draw_control(kind, name, session.get(name), words[name], hear, options, width=width, help=words[f"{name}_help"])


def require() -> None:
    """The view of this run needs a model with snapshots; to be called before the model is chosen."""
    session.change(_snapshots_needed=True)


def lend() -> None:
    """A model with snapshots for a view that needs one, and the reader's own again once another is shown.

    What the link names, or the reader picks in that view, stays: `_model_picked`.
    """
    needed, model = bool(session.take("_snapshots_needed")), session.get("model")
    own, lent = session.get("_model_lent", (None, None))
    if own is not None and model != lent:  # picked meanwhile, or asked for by a link
        session.change(_model_lent=(None, None), _model_picked=model)
    elif own is not None and not needed:
        session.change(_model_lent=(None, None), model=own)
    if not needed:
        session.change(_model_picked=None)
    elif session.asked("model") is not None:
        session.change(_model_picked=model)
    elif session.get("_model_picked") != model and not _saved(model) and (others := with_snapshots(models.get_checkpoint(model))):
        session.change(_model_lent=(model, others[0]), model=others[0])


def lent_instead_of() -> str | None:
    """The reader's own model, while another one is lent."""
    own: str | None = session.get("_model_lent", (None, None))[0]
    return own


def use(name: str) -> dict[str, Any]:
    """What a button sets for the reader to have this model on all pages, even if it was only lent."""
    return {"model": name, "_model_lent": (None, None)}


def with_snapshots(instead_of: Checkpoint) -> list[str]:
    """The models of which snapshots were saved, those that read the language of this one first."""
    saved = [name for name in models.usable()[0] if _saved(name)]
    return sorted(saved, key=lambda name: models.languages(name)[0] != instead_of.source_language)


def _saved(name: str) -> bool:
    return bool(snapshots.saved_steps(models.folder_of(name)))


def target(checkpoint: Checkpoint, text: str, typed: str) -> str:
    """The target text that the decoder reads: what was typed, or what the trained model writes; empty where it writes by itself.

    Raises:
        TextError: there is nothing in the text.
    """
    base, step = snapshots.split_name(checkpoint.name)
    if step is None or not is_blank(typed) or session.get("reads") == OWN:
        return typed
    trained = models.get_checkpoint(base)
    return get_explanation(trained, text, "").text


def place(checkpoint: Checkpoint) -> dict[str, int] | None:
    """Which of how many snapshots is shown, the end among them; None where none were saved."""
    steps = _steps(checkpoint)
    return {"at": steps.index(session.get("snapshot", END)), "count": len(steps)} if len(steps) > 1 else None


def move(to: object) -> None:
    """To another of them, from the next run on; for callbacks."""
    steps = _steps(models.get_checkpoint(session.get("model")))
    if type(to) is int and len(steps) > 1:
        session.change(snapshot=steps[min(max(to, 0), len(steps) - 1)])


def banner(view: View) -> None:
    """Where a page shows a model that is not trained to its end: how far it is, whose words it reads, and the way out."""
    base, step = snapshots.split_name(view.checkpoint.name)
    if step is None:
        return
    words, trained = texts("app.snapshots"), models.get_checkpoint(base)
    values = {"model": markdown(base), "step": f"{step:,}", "end": _total(trained)}
    progress = fill(words["early" if step else "untrained"], values)
    alone = not view.explanation.given_target
    other = trained if alone else view.checkpoint
    found = get_explanation(other, session.get("text") or "", "", view.explanation.edits)
    text = found.text if found.text.strip() else " ".join(token.label for token in found.output)
    how = "alone" if alone else "typed" if not is_blank(session.get("target") or "") else "given"
    with st.container(key="_snapshot", horizontal=True, vertical_alignment="center"):
        st.markdown(f"{progress} {fill(words[how], {'text': markdown(shortened(text, LONGEST))})}")
        st.button(words["out"], key="_snapshot_out", on_click=session.change, kwargs={"snapshot": END})


def _steps(checkpoint: Checkpoint) -> tuple[str, ...]:
    return (*map(str, snapshots.saved_steps(models.folder(checkpoint))), END)


def _total(trained: Checkpoint) -> str:
    """How many steps the whole training took, as far as it is written down."""
    try:
        found = history.read(models.folder(trained))
    except VizError:
        found = None
    return f"{max(step for step, _ in (*found.loss, *found.last)):,}" if found else "…"


def _arrive(steps: tuple[str, ...]) -> None:
    """What the link asks for; the nearest saved step where it was not saved."""
    words, asked, reads = texts("app.snapshots"), session.asked("snapshot"), session.asked("reads")
    found = asked if asked in steps else END
    if asked is not None and asked not in steps:
        if re.fullmatch("[0-9]{1,9}", asked) and len(steps) > 1:
            found = min(steps[:-1], key=lambda step: abs(int(step) - int(asked)))
        session.say_instead(words["snapshot"], asked, found)
    if reads not in (None, SAME, OWN):
        session.say_instead(words["reads"], reads, words[SAME])
    session.change(snapshot=found, reads=reads if reads in (SAME, OWN) else SAME)
