"""Snapshots of the weights: the one on display, the words that it reads, and the banner about it."""

import re
from typing import Any

import streamlit as st

from viz_core.app import models, session
from viz_core.app.cache import get_explanation
from viz_core.app.controls.shown import draw_control, draw_link
from viz_core.app.markup import markdown, shortened
from viz_core.app.view_options import View
from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.texts import fill, texts
from viz_core.training import history, snapshots

END = "end"
"""In place of a step: the trained model."""
SAME, OWN = "same", "own"
LENT, PICKED = "own_model", "picked_model"
"""Carried: the reader's own model while another is lent; and a model without snapshots that the reader wants nevertheless."""
LONGEST = 36
"""Characters of a translation in the banner: an untrained model never stops."""


def sync_from_url(trained: Checkpoint) -> Checkpoint:
    """Draws the choice of the snapshot, if some were saved; returns the model of the chosen one.

    If a link names a step that was not saved or whose file is damaged: the trained model, with a notice.
    """
    steps, words = _steps(trained), texts("app.snapshots")
    step, reads = _from_address(steps)
    session.change(_snapshot=step, _reads=reads)
    if len(steps) == 1:
        return trained
    total = _total(trained)
    stops = {step: fill(words["end"], {"step": total}) if step == END else f"{int(step):,}" for step in steps}
    with st.container(key="_controls_snapshot", horizontal=True, vertical_alignment="bottom"):
        draw_control("slider", "snapshot", step, words["snapshot"], stops, width=420, help=words["snapshot_help"])
        if step != END:
            options = {choice: words[choice] for choice in (SAME, OWN)}
            draw_control("buttons", "reads", reads, words["reads"], options, width="content", help=words["reads_help"])
    session.keep("snapshot", step, END)
    if step == END:
        return trained
    session.keep("reads", reads, SAME)
    try:
        return models.get_checkpoint(f"{trained.name}{snapshots.AT}{step}")
    except VizError as error:
        session.notify(Notice("checkpoint", {"name": f"{trained.name} ({words['snapshot']} {step})", "reason": str(error)}))
        return trained


def lent(model: str, page: str) -> str:
    """The model of the address; a view that needs snapshots lends one that has some, until the reader goes to another view.

    A model named by a link, or picked in that view, stays.
    """
    needed = page == "training" and session.parameter("show") == "snapshots"
    own, _, instead = session.carried(LENT).partition("/")
    if instead == model and own:
        if not needed:
            return own
        session.carry(LENT, f"{own}/{instead}")
    elif needed and (own or session.carried(PICKED) == model or (session.is_link() and session.parameter("model") is not None)):
        session.carry(PICKED, model)
    elif needed and not _saved(model) and (others := with_snapshots(models.get_checkpoint(model))):
        session.carry(LENT, f"{model}/{others[0]}")
        return others[0]
    return model


def lent_instead_of() -> str | None:
    """The reader's own model, while another one is lent."""
    return session.shown().carried.get(LENT, "").partition("/")[0] or None


def use(name: str) -> dict[str, str | None]:
    """Changes of the address that use this model on all pages, even if it was only lent."""
    return {"model": name, LENT: None}


def with_snapshots(instead_of: Checkpoint) -> list[str]:
    """The models with snapshots, those with the same source language first."""
    saved = [name for name in models.usable()[0] if _saved(name)]
    return sorted(saved, key=lambda name: models.languages(name)[0] != instead_of.source_language)


def _saved(name: str) -> bool:
    return bool(snapshots.saved_steps(models.folder_of(name)))


def target(checkpoint: Checkpoint, text: str, typed: str) -> str:
    """The target text for the decoder: typed, or the trained model's output; empty if the snapshot writes its own.

    Raises:
        TextError: the text is empty.
    """
    base, step = snapshots.split_name(checkpoint.name)
    if step is None or not is_blank(typed) or session.get("_reads") == OWN:
        return typed
    trained = models.get_checkpoint(base)
    return get_explanation(trained, text, "").text


def place(checkpoint: Checkpoint) -> dict[str, Any] | None:
    """The current snapshot among all, including the end, in the form of an address; None if none were saved."""
    steps = _steps(checkpoint)
    return {"at": session.get("_snapshot", END), "steps": steps} if len(steps) > 1 else None


def banner(view: View) -> None:
    """On a page with a snapshot: says how far it was trained and whose words it reads, and offers a way out."""
    base, step = snapshots.split_name(view.checkpoint.name)
    if step is None:
        return
    words, trained = texts("app.snapshots"), models.get_checkpoint(base)
    values = {"model": markdown(base), "step": f"{step:,}", "end": _total(trained)}
    progress = fill(words["early" if step else "untrained"], values)
    alone = not view.explanation.given_target
    other = trained if alone else view.checkpoint
    explanation = get_explanation(other, view.sentence.text, "", view.explanation.edits)
    text = explanation.text if explanation.text.strip() else " ".join(token.label for token in explanation.output)
    how = "alone" if alone else "typed" if not is_blank(session.parameter("target") or "") else "given"
    with st.container(key="_snapshot", horizontal=True, vertical_alignment="center"):
        st.markdown(f"{progress} {fill(words[how], {'text': markdown(shortened(text, LONGEST))})}")
        draw_link(words["out"], "snapshot_out", {"snapshot": None})


def _steps(checkpoint: Checkpoint) -> tuple[str, ...]:
    return (*map(str, snapshots.saved_steps(models.folder(checkpoint))), END)


def _total(trained: Checkpoint) -> str:
    """The number of steps of the whole training, if recorded."""
    try:
        run = history.read(models.folder(trained))
    except VizError:
        run = None
    return f"{max(step for step, _ in (*run.loss, *run.last)):,}" if run else "…"


def _from_address(steps: tuple[str, ...]) -> tuple[str, str]:
    """The address's snapshot, or the nearest saved one; and whose words it reads."""
    words, wanted, reads = texts("app.snapshots"), session.parameter("snapshot"), session.parameter("reads")
    step = wanted if wanted in steps else END
    if wanted is not None and wanted not in steps:
        if re.fullmatch("[0-9]{1,9}", wanted) and len(steps) > 1:
            step = min(steps[:-1], key=lambda saved: abs(int(saved) - int(wanted)))
        session.notify_replaced(words["snapshot"], wanted, step)
    if reads not in (None, SAME, OWN):
        session.notify_replaced(words["reads"], reads, words[SAME])
    return step, OWN if reads == OWN else SAME
