"""What was measured of a checkpoint's heads: stored beside it, or measured here in this session."""

from __future__ import annotations

import streamlit as st

from viz_core.analysis.roles import HeadTable, Survey, sentences
from viz_core.app import models, session
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.training import snapshots


def heads_or_offer(p: Page) -> HeadTable | None:
    """What was measured of this checkpoint; while nothing was, the offer to measure it here."""
    table, notices = stored_heads(p)
    for notice in notices:
        session.say(notice)
    if table is None:
        _offer(p)
    return table


def stored_heads(p: Page) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """What was measured of this checkpoint, for good or in this session, and what is wrong with what is stored."""
    checkpoint = p.view.checkpoint
    try:
        stored, notices = models.get_heads(checkpoint)
    except VizError as error:
        stored, notices = None, (Notice("text", {"reason": str(error)}),)
    return stored or session.get("_heads", {}).get(checkpoint.digest), notices


def _offer(p: Page) -> None:
    """Measures the roles with this session's patience: the button beside the progress, or any other, stops it."""
    checkpoint, place = p.view.checkpoint, st.empty()
    survey = Survey(checkpoint, sentences(checkpoint.source_language))
    name, step = snapshots.split_name(checkpoint.name)
    command = Raw(f"python -m viz_core heads checkpoints/{name}")
    if not len(survey):
        p.write("no_sentences", command=command)
        return
    with place.container():
        p.write("offer" if step is None else "offer_early", count=f"{len(survey):,}", command=command)
        if not st.button(p.text("measure"), key="_measure", type="primary"):
            return
        st.button(p.text("stop"), key="_measure_stop")
        bar = st.progress(0.0)
        for done in survey:
            bar.progress(done / len(survey), p.text("measured", done=done, count=len(survey)))
    session.change(_heads={**session.get("_heads", {}), checkpoint.digest: survey.table()})
    st.rerun()


def say_as_trained(p: Page) -> None:
    """A note where the page shows an edited model: what is stored was measured on the model as trained."""
    if p.view.explanation.edits:
        p.write("as_trained")
